//! Draws pictures as bitmaps, with the embedded font alone.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use crate::error::PlotError;
use crate::font;
use crate::ink::Theme;
use crate::picture::Picture;
use crate::svg::Sheet;

/// Pixels of a side beyond which no one looks at a bitmap.
const MOST: f64 = 20_000.0;

static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(font::FONT.to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

impl Picture {
    /// The picture as a PNG, so many pixels of it to one of the SVG.
    ///
    /// What moves shows its last frame; a theme that depends on the reader is drawn on light paper.
    ///
    /// # Errors
    ///
    /// Fails for a scale that gives a bitmap of no pixel or of more than 20,000 a side.
    pub fn png(&self, theme: Theme, scale: f64) -> Result<Vec<u8>, PlotError> {
        let theme = if theme == Theme::Dark { theme } else { Theme::Light };
        let text = self.svg(&Sheet { theme, ..Sheet::default() });
        bitmap(&font::boxed(&text), scale)
    }
}

fn bitmap(text: &str, scale: f64) -> Result<Vec<u8>, PlotError> {
    let options = Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "DejaVu Sans".into(),
        ..Options::default()
    };
    let tree =
        Tree::from_str(text, &options).expect("invariant: pictures are written as sound SVG");
    let sides = [tree.size().width(), tree.size().height()];
    let [width, height] = sides.map(|side| (f64::from(side) * scale).round());
    let refusal = || PlotError::Png { width, height };
    if !(1.0..=MOST).contains(&width) || !(1.0..=MOST).contains(&height) {
        return Err(refusal());
    }
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(refusal)?;
    let scale = scale as f32;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|_| refusal())
}
