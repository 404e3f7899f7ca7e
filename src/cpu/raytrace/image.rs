//! Where pixels and tiles lie in the array of the picture.
#![forbid(unsafe_code)]

use super::super::reserved;
use super::tile::{Colours, SIDE};
use crate::error::Result;
use crate::raytrace::{Picture, PictureLayout};

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
        let (columns, rows) = (SIDE.min(picture.width - i), SIDE.min(picture.height - j));
        match picture.layout {
            PictureLayout::Interleaved => {
                for row in 0..rows {
                    let pixels = &mut self.planes[0][(row * picture.width + i) * picture.channels..];
                    let [red, green, blue] = colours.each_ref().map(|channel| &channel[row * SIDE..][..columns]);
                    interleave(&mut pixels[..columns * picture.channels], picture.channels, red, green, blue);
                }
            }
            PictureLayout::PlanarRows => {
                for (channel, plane) in self.planes[..picture.channels].iter_mut().enumerate() {
                    for row in 0..rows {
                        let pixels = &mut plane[row * picture.width + i..][..columns];
                        match colours.get(channel) {
                            Some(values) => pixels.copy_from_slice(&values[row * SIDE..][..columns]),
                            None => pixels.fill(OPAQUE),
                        }
                    }
                }
            }
            PictureLayout::PlanarColumns => {
                for (channel, plane) in self.planes[..picture.channels].iter_mut().enumerate() {
                    for column in 0..columns {
                        let pixels = &mut plane[column * picture.height + j..][..rows];
                        match colours.get(channel) {
                            Some(values) => {
                                let values = values[column..].iter().step_by(SIDE);
                                pixels.iter_mut().zip(values).for_each(|(pixel, &value)| *pixel = value);
                            }
                            None => pixels.fill(OPAQUE),
                        }
                    }
                }
            }
        }
    }
}

pub const OPAQUE: u8 = 255;

#[inline(always)]
fn interleave(pixels: &mut [u8], channels: usize, red: &[u8], green: &[u8], blue: &[u8]) {
    let colours = red.iter().zip(green).zip(blue);
    if channels == 3 {
        for (pixel, ((&r, &g), &b)) in pixels.as_chunks_mut::<3>().0.iter_mut().zip(colours) {
            *pixel = [r, g, b];
        }
    } else {
        for (pixel, ((&r, &g), &b)) in pixels.as_chunks_mut::<4>().0.iter_mut().zip(colours) {
            *pixel = [r, g, b, OPAQUE];
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
