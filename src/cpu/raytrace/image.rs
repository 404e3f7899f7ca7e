//! Where pixels and tiles lie in the array of the picture.
#![forbid(unsafe_code)]

use super::super::reserved;
use super::tile::{Colours, SIDE};
use crate::error::Result;
use crate::model::raytrace::{Picture, PictureLayout};

/// A row of tiles, or a column of them where columns of pixels lie together.
pub struct Band<'a> {
    number: usize,
    /// The plane of each channel, or all of them in one.
    planes: [&'a mut [u8]; 4],
}

/// The picture in bands, so that each can be written by another thread.
pub fn bands<'a>(picture: &Picture, image: &'a mut [u8]) -> Result<Vec<Band<'a>>> {
    let &Picture { width, height, channels, layout } = picture;
    let (planes, line, lines) = match layout {
        PictureLayout::Interleaved => (1, width * channels, height),
        PictureLayout::PlanarRows => (channels, width, height),
        PictureLayout::PlanarColumns => (channels, height, width),
    };
    let mut bands = reserved(lines.div_ceil(SIDE))?;
    bands.extend((0..lines.div_ceil(SIDE)).map(|number| Band { number, planes: Default::default() }));
    for (channel, plane) in image.chunks_exact_mut(image.len() / planes).enumerate() {
        for (band, part) in bands.iter_mut().zip(plane.chunks_mut(SIDE * line)) {
            band.planes[channel] = part;
        }
    }
    Ok(bands)
}

impl Band<'_> {
    /// The first column and row of each tile.
    #[inline(always)]
    pub fn tiles(&self, picture: &Picture) -> impl Iterator<Item = (usize, usize)> + use<> {
        let is_column = picture.layout == PictureLayout::PlanarColumns;
        let (across, along) = (self.number * SIDE, if is_column { picture.height } else { picture.width });
        (0..along).step_by(SIDE).map(move |along| if is_column { (across, along) } else { (along, across) })
    }

    /// Writes the tile from (i, j) on.
    #[inline(always)]
    pub fn put(&mut self, picture: &Picture, i: usize, j: usize, colours: &Colours) {
        let &Picture { width, height, channels, layout } = picture;
        let (columns, rows) = (SIDE.min(width - i), SIDE.min(height - j));
        let [pixels, ..] = &mut self.planes;
        match (layout, channels) {
            (PictureLayout::Interleaved, 3) => {
                put_pixels::<3>(&mut pixels[3 * i..], [columns, rows], width, colours, |rgb| rgb);
            }
            (PictureLayout::Interleaved, _) => {
                let opaque = |[r, g, b]: [u8; 3]| [r, g, b, OPAQUE];
                put_pixels::<4>(&mut pixels[4 * i..], [columns, rows], width, colours, opaque);
            }
            (PictureLayout::PlanarRows, _) => {
                for (plane, values) in self.planes.iter_mut().zip(with_alpha(colours)).take(channels) {
                    for (row, values) in values.chunks_exact(SIDE).take(rows).enumerate() {
                        plane[row * width + i..][..columns].copy_from_slice(&values[..columns]);
                    }
                }
            }
            (PictureLayout::PlanarColumns, _) => {
                for (plane, values) in self.planes.iter_mut().zip(with_alpha(colours)).take(channels) {
                    for column in 0..columns {
                        let pixels = plane[column * height + j..][..rows].iter_mut();
                        let values = values[column..].iter().step_by(SIDE);
                        pixels.zip(values).for_each(|(pixel, &value)| *pixel = value);
                    }
                }
            }
        }
    }
}

const OPAQUE: u8 = 255;

fn with_alpha(colours: &Colours) -> [&[u8; SIDE * SIDE]; 4] {
    let [red, green, blue] = colours;
    [red, green, blue, &[OPAQUE; SIDE * SIDE]]
}

/// Rows of pixels of N channels, from the first of a picture of `width` on.
#[inline(always)]
fn put_pixels<const N: usize>(
    image: &mut [u8],
    [columns, rows]: [usize; 2],
    width: usize,
    [red, green, blue]: &Colours,
    pixel_of: impl Fn([u8; 3]) -> [u8; N],
) {
    for row in 0..rows {
        let pixels = image[row * width * N..][..columns * N].as_chunks_mut::<N>().0;
        let first = row * SIDE;
        let colours = red[first..].iter().zip(&green[first..]).zip(&blue[first..]);
        for (pixel, ((&r, &g), &b)) in pixels.iter_mut().zip(colours) {
            *pixel = pixel_of([r, g, b]);
        }
    }
}

/// Writes one pixel.
#[inline(always)]
pub fn put_pixel(picture: &Picture, image: &mut [u8], i: usize, j: usize, [r, g, b]: [u8; 3]) {
    let &Picture { width, height, channels, layout } = picture;
    for (channel, value) in [r, g, b, OPAQUE].into_iter().take(channels).enumerate() {
        image[match layout {
            PictureLayout::Interleaved => (j * width + i) * channels + channel,
            PictureLayout::PlanarRows => (channel * height + j) * width + i,
            PictureLayout::PlanarColumns => (channel * width + i) * height + j,
        }] = value;
    }
}
