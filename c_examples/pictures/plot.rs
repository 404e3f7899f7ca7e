//! Curves over logarithmic axes.

use std::borrow::Cow;
use std::convert::Infallible;

use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::{FONT_9X15, FONT_10X20};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{Circle, Line, PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};

const SIZE: (usize, usize) = (960, 640);
/// Where the axes run: left, right, top, bottom.
const FRAME: [i32; 4] = [90, 905, 80, 570];
const INK: Rgb888 = Rgb888::new(40, 40, 40);
const GRID: Rgb888 = Rgb888::new(215, 215, 215);
const FINE_GRID: Rgb888 = Rgb888::new(240, 240, 240);
/// Told apart by readers who do not see all colours (M. Okabe, K. Ito, 2008).
const COLOURS: [Rgb888; 6] = [
    Rgb888::new(0, 114, 178),
    Rgb888::new(230, 159, 0),
    Rgb888::new(0, 158, 115),
    Rgb888::new(213, 94, 0),
    Rgb888::new(204, 121, 167),
    Rgb888::new(86, 180, 233),
];

pub struct Curve<'a> {
    pub name: Cow<'a, str>,
    pub points: Vec<(f64, f64)>,
}

/// Rows of r, g, b.
pub struct Canvas {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<u8>,
}

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        Size::new(self.width as u32, self.height as u32)
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(Point { x, y }, colour) in pixels {
            let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { continue };
            if x < self.width && y < self.height {
                let first = 3 * (y * self.width + x);
                self.pixels[first..first + 3].copy_from_slice(&[colour.r(), colour.g(), colour.b()]);
            }
        }
        Ok(())
    }
}

/// Whole decades, and the pixels that they take.
struct Axis {
    decades: (i32, i32),
    pixels: (i32, i32),
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, pixels: (i32, i32)) -> Axis {
        let (least, most) = values.fold((f64::MAX, 0.0f64), |(least, most), v| (least.min(v), most.max(v)));
        let (least, most) = if most > 0.0 { (least, most) } else { (1.0, 1.0) };
        let (first, last) = (least.log10().floor() as i32, most.log10().ceil() as i32);
        Axis { decades: (first, last.max(first + 1)), pixels }
    }

    fn at(&self, value: f64) -> i32 {
        let (first, last) = (f64::from(self.decades.0), f64::from(self.decades.1));
        let part = (value.log10() - first) / (last - first);
        self.pixels.0 + (part * f64::from(self.pixels.1 - self.pixels.0)).round() as i32
    }

    /// Each decade and whether it is one, and the numbers between them.
    fn ticks(&self) -> impl Iterator<Item = (f64, bool)> + use<> {
        let (first, last) = self.decades;
        (first..=last).flat_map(move |decade| {
            let fine = (2..10).filter(move |_| decade < last).map(move |digit| (digit, false));
            fine.chain([(1, true)]).map(move |(digit, whole)| (f64::from(digit) * 10f64.powi(decade), whole))
        })
    }
}

/// The picture of the curves; points that logarithmic axes do not have are gaps.
pub fn plot(title: &str, x_name: &str, y_name: &str, curves: &[Curve]) -> Result<Canvas, Infallible> {
    let (width, height) = SIZE;
    let mut canvas = Canvas { width, height, pixels: vec![255; 3 * width * height] };
    let [left, right, top, bottom] = FRAME;
    let points = || curves.iter().flat_map(|curve| &curve.points).filter(|point| is_drawn(point));
    let x = Axis::over(points().map(|point| point.0), (left, right));
    let y = Axis::over(points().map(|point| point.1), (bottom, top));
    for whole in [false, true] {
        grid(&mut canvas, &x, &y, whole)?;
    }
    let corners = Rectangle::with_corners(Point::new(left, top), Point::new(right, bottom));
    corners.into_styled(PrimitiveStyle::with_stroke(INK, 2)).draw(&mut canvas)?;
    write(&mut canvas, title, Point::new((left + right) / 2, 28), Alignment::Center, true)?;
    write(&mut canvas, x_name, Point::new((left + right) / 2, 618), Alignment::Center, true)?;
    write(&mut canvas, y_name, Point::new(20, 60), Alignment::Left, true)?;
    for (number, curve) in curves.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let stroke = 6u32.saturating_sub(number as u32).max(2); // of two curves in one place both are seen
        draw(&mut canvas, &x, &y, curve, PrimitiveStyle::with_stroke(colour, stroke))?;
        legend(&mut canvas, number, &curve.name, colour)?;
    }
    Ok(canvas)
}

fn is_drawn(&(x, y): &(f64, f64)) -> bool {
    [x, y].iter().all(|&value| value > 0.0 && value.is_finite())
}

/// The lines of whole decades, with their numbers, or those between them.
fn grid(canvas: &mut Canvas, x: &Axis, y: &Axis, is_whole: bool) -> Result<(), Infallible> {
    let [left, right, top, bottom] = FRAME;
    let style = PrimitiveStyle::with_stroke(if is_whole { GRID } else { FINE_GRID }, 1);
    for (value, _) in x.ticks().filter(|tick| tick.1 == is_whole) {
        let at = x.at(value);
        Line::new(Point::new(at, top), Point::new(at, bottom)).into_styled(style).draw(canvas)?;
        if is_whole {
            write(canvas, &number(value), Point::new(at, bottom + 18), Alignment::Center, false)?;
        }
    }
    for (value, _) in y.ticks().filter(|tick| tick.1 == is_whole) {
        let at = y.at(value);
        Line::new(Point::new(left, at), Point::new(right, at)).into_styled(style).draw(canvas)?;
        if is_whole {
            write(canvas, &number(value), Point::new(left - 8, at), Alignment::Right, false)?;
        }
    }
    Ok(())
}

fn draw(
    canvas: &mut Canvas,
    x: &Axis,
    y: &Axis,
    curve: &Curve,
    line: PrimitiveStyle<Rgb888>,
) -> Result<(), Infallible> {
    let mut before = None;
    let dot = PrimitiveStyle::with_fill(line.stroke_color.unwrap_or(INK));
    for point in &curve.points {
        let here = is_drawn(point).then(|| Point::new(x.at(point.0), y.at(point.1)));
        if let (Some(from), Some(to)) = (before, here) {
            Line::new(from, to).into_styled(line).draw(canvas)?;
        }
        if let Some(centre) = here {
            Circle::with_center(centre, 2 * line.stroke_width + 3).into_styled(dot).draw(canvas)?;
        }
        before = here;
    }
    Ok(())
}

fn legend(canvas: &mut Canvas, number: usize, name: &str, colour: Rgb888) -> Result<(), Infallible> {
    let [left, _, top, _] = FRAME;
    let (from, at) = (left + 20, top + 22 + 22 * number as i32);
    let to = Point::new(from + 30, at);
    Line::new(Point::new(from, at), to).into_styled(PrimitiveStyle::with_stroke(colour, 3)).draw(canvas)?;
    write(canvas, name, Point::new(from + 40, at), Alignment::Left, false)
}

/// Text beside a point, its middle at the point's height.
fn write(
    canvas: &mut Canvas,
    text: &str,
    at: Point,
    side: Alignment,
    is_large: bool,
) -> Result<(), Infallible> {
    let font = MonoTextStyle::new(if is_large { &FONT_10X20 } else { &FONT_9X15 }, INK);
    let style = TextStyleBuilder::new().alignment(side).baseline(Baseline::Middle).build();
    Text::with_text_style(text, at, font, style).draw(canvas).map(|_| ())
}

/// A power of ten.
fn number(value: f64) -> String {
    if (1e-4..1e7).contains(&value) { format!("{}", value as f32) } else { format!("{value:.0e}") }
}
