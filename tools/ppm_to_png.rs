//! ppm_to_png IN.ppm OUT.png — a binary PPM (P6, 8 bits a channel) as PNG, for viewers that know no PPM.

use std::fs::{self, File};
use std::io::BufWriter;
use std::{env, process};

fn main() {
    let paths: Vec<String> = env::args().skip(1).collect();
    if let Err(sentence) = convert(&paths) {
        eprintln!("ppm_to_png: {sentence}");
        process::exit(1);
    }
}

fn convert(paths: &[String]) -> Result<(), String> {
    let [input, output] = paths else { return Err("usage: ppm_to_png IN.ppm OUT.png".to_string()) };
    let file = fs::read(input).map_err(|error| format!("{input}: {error}"))?;
    let (width, height, pixels) = parse(&file).map_err(|error| format!("{input}: {error}"))?;
    write(output, width, height, pixels).map_err(|error| format!("{output}: {error}"))
}

/// Width, height and the pixels, 3 bytes each.
fn parse(file: &[u8]) -> Result<(u32, u32, &[u8]), String> {
    let mut rest = file.strip_prefix(b"P6").ok_or("not a binary PPM: it does not begin with P6")?;
    let mut header = [0u32; 3];
    for number in &mut header {
        (*number, rest) = next_number(rest).ok_or("the header has no width, height and largest value")?;
    }
    let [width, height, most] = header;
    if most != 255 {
        return Err(format!("the largest value of a channel is {most}; only 255 is read"));
    }
    let pixels = rest.get(1..).unwrap_or_default(); // after one blank
    let wanted = u64::from(width) * u64::from(height) * 3;
    if wanted == 0 || pixels.len() as u64 != wanted {
        return Err(format!("{width} x {height} pixels are {wanted} bytes, the file has {}", pixels.len()));
    }
    Ok((width, height, pixels))
}

/// The number that follows blanks and comments (`#` to the end of the line), and what comes after it.
fn next_number(mut text: &[u8]) -> Option<(u32, &[u8])> {
    while let [first @ (b'#' | b' ' | b'\t' | b'\r' | b'\n'), rest @ ..] = text {
        let is_comment = *first == b'#';
        text = if is_comment { &rest[rest.iter().position(|&byte| byte == b'\n')?..] } else { rest };
    }
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    Some((value, &text[digits..]))
}

fn write(path: &str, width: u32, height: u32, pixels: &[u8]) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()
}
