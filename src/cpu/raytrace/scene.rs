//! A sphere, and the arithmetic of a pixel and a sphere.
#![forbid(unsafe_code)]

#[derive(Clone, Copy)]
pub struct Sphere {
    pub colour: [f32; 3],
    pub radius: f32,
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

/// Columns and rows, the last ones included.
#[derive(Clone, Copy)]
pub struct Extent {
    pub left: usize,
    pub right: usize,
    pub top: usize,
    pub bottom: usize,
}

impl Sphere {
    #[inline(always)]
    pub fn new(&[r, g, b, radius, x, y, z]: &[f32; 7]) -> Sphere {
        Sphere { colour: [r, g, b], radius, x, y, z }
    }

    /// Whether any ray may hit it: others have a d of infinity or NaN, or no radius.
    pub fn can_be_hit(&self) -> bool {
        self.radius > 0.0 && self.x.is_finite() && self.y.is_finite() && !self.z.is_nan()
    }

    /// Whether a ray hits that passes the centre with this d.
    #[inline(always)]
    pub fn is_hit(&self, d: f32) -> bool {
        (self.radius > 0.0) & (d < self.radius * self.radius)
    }

    /// dz of a hit; never larger for a larger d.
    #[inline(always)]
    pub fn dz(&self, d: f32) -> f32 {
        self.radius.mul_add(self.radius, -d).sqrt()
    }

    /// No hit with this d or a larger one is nearer to the eye.
    #[inline(always)]
    pub fn bound(&self, d: f32) -> f32 {
        infinity_for_nan(self.z + self.dz(d))
    }

    /// `bound` of the ray through the centre, fma(radius, radius, −0) being radius·radius.
    pub fn highest(&self) -> f32 {
        infinity_for_nan(self.z + (self.radius * self.radius).sqrt())
    }

    /// The columns and the rows that may hit it, or a little more.
    #[inline(always)]
    pub fn extent(&self, width: usize, height: usize) -> Option<Extent> {
        let ((left, right), (top, bottom)) =
            (span(self.x, self.radius, width)?, span(self.y, self.radius, height)?);
        Some(Extent { left, right, top, bottom })
    }
}

/// ∞ where a height is ∞ − ∞, which it may not be for a larger d.
#[inline(always)]
fn infinity_for_nan(height: f32) -> f32 {
    if height.is_nan() { f32::INFINITY } else { height }
}

/// d of a ray that passes the centre at dx and dy; never smaller for a larger |dx| or |dy|.
#[inline(always)]
pub fn d(dx: f32, dy: f32) -> f32 {
    dy.mul_add(dy, dx * dx)
}

/// Where the ray of column i of `width` starts.
#[inline(always)]
pub fn origin(i: usize, width: usize) -> f32 {
    i as f32 - width as f32 * 0.5
}

/// The columns of `width` within the radius of a finite centre. The slack is more than what f32 rounds origins and squares by.
#[inline(always)]
fn span(centre: f32, radius: f32, width: usize) -> Option<(usize, usize)> {
    let (middle, radius, width) = (width as f64 * 0.5 + f64::from(centre), f64::from(radius), width as f64);
    let reach = radius + (f64::from(centre).abs() + radius + width) * 1e-6;
    let (first, last) = ((middle - reach).max(0.0), (middle + reach).min(width - 1.0));
    (first <= last).then_some((first as usize, last as usize))
}
