//! Embeds cells of colour as a bitmap whose transparency lets the paper through.

use super::plan::Field;
use super::write::number;
use crate::ink::{self, Theme};
use crate::picture::{Ink, Shading};

/// The cells as an image, or as one for light and one for dark paper where the reader's system chooses.
pub(super) fn shade(shading: &Shading, field: &Field, theme: Theme) -> String {
    let images: &[(bool, &str)] = match theme {
        Theme::Light => &[(false, "")],
        Theme::Dark => &[(true, "")],
        Theme::Auto => &[(false, "gb-day"), (true, "gb-night")],
    };
    let image = |&(dark, class): &(bool, &str)| image(shading, field, dark, class);
    images.iter().filter_map(image).collect()
}

fn image(shading: &Shading, field: &Field, dark: bool, class: &str) -> Option<String> {
    let rows = shading.cells.len().checked_div(shading.columns)?;
    let pixel = |&(ink, strength): &(Ink, f32)| {
        let [red, green, blue] = ink::colour(ink, dark);
        [red, green, blue, (strength.clamp(0.0, 1.0) * 255.0).round() as u8]
    };
    let pixels: Vec<u8> = shading.cells.iter().flat_map(pixel).collect();
    let bytes = encoded(shading.columns as u32, rows as u32, &pixels)?;
    let [left, top] = field.at([shading.low[0], shading.high[1]]);
    let [right, bottom] = field.at([shading.high[0], shading.low[1]]);
    let [x, y, width, height] = [left, top, right - left, bottom - top].map(number);
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let style = if shading.smooth { "" } else { " style=\"image-rendering:pixelated\"" };
    let data = base64(&bytes);
    Some(format!(
        "<image{class} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\"{style} href=\"data:image/png;base64,{data}\"/>\n"
    ))
}

/// A PNG by the encoder's own compressor: the same bytes whatever else is linked.
fn encoded(columns: u32, rows: u32, pixels: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, columns, rows);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(pixels).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * i) & 63) as usize];
            out.push(if i <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}
