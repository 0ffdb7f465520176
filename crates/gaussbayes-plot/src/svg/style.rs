//! Writes the style sheet of pictures: colours by meaning, on light paper, dark, or either.

use crate::font::FAMILY;
use crate::ink::{self, Theme};
use crate::picture::Ink;

/// The style sheet of pictures, for a page that holds them inline.
pub fn style(theme: Theme) -> String {
    let mut out = format!(
        ".gb-figure{{font-family:{FAMILY};max-width:100%;height:auto}}\n\
         .gb-figure text{{fill:currentColor}}\n\
         .gb-line{{fill:none;stroke:currentColor;stroke-linejoin:round}}\n\
         .gb-edge{{fill:currentColor;stroke-width:1.2px}}\n\
         .gb-fine{{stroke-width:.8px}}\n\
         .gb-night{{display:none}}\n"
    );
    out += &colours(theme == Theme::Dark);
    if theme == Theme::Dark {
        out += SWAP;
    }
    if theme == Theme::Auto {
        out += &format!("@media (prefers-color-scheme:dark){{\n{}{SWAP}}}\n", colours(true));
    }
    out
}

/// Of two bitmaps for light and dark paper the dark one shows.
const SWAP: &str = ".gb-day{display:none}\n.gb-night{display:inline}\n";

fn colours(dark: bool) -> String {
    let rule = |ink| {
        let [red, green, blue] = ink::colour(ink, dark);
        format!(".{}{{color:#{red:02x}{green:02x}{blue:02x}}}\n", ink::class_name(ink))
    };
    let [red, green, blue] = ink::colour(Ink::Paper, dark);
    let paper = format!("#{red:02x}{green:02x}{blue:02x}");
    ink::inks().map(rule).collect::<String>()
        + &format!(
            ".gb-edge{{stroke:{paper}}}\n\
             .gb-halo{{stroke:{paper};stroke-width:3px;stroke-linejoin:round}}\n"
        )
}
