//! Writes a picture to a file, in the format that its name ends in.

use std::path::{Path, PathBuf};

use gaussbayes_io::write_atomically;
use gaussbayes_plot::{Picture, Sheet, Theme};
use serde_json::json;

use crate::args::Plot;
use crate::failure::Failure;
use crate::output::Output;
use crate::text::plural;

/// Where a figure goes where nothing is said.
const USUAL: &str = "figure.svg";

/// Pixels of a PNG for each of the SVG, at most.
const LARGEST: f64 = 20.0;

/// A picture, and what it is of.
pub(super) struct Drawn {
    pub(super) figure: String,
    pub(super) picture: Picture,
    /// Rows that were read, and of which so many are in the picture; none where it shows no rows.
    pub(super) rows: Option<(u64, u64)>,
}

impl Drawn {
    /// A picture that shows no rows of the user's.
    pub(super) fn plain(figure: &str, picture: Picture) -> Self {
        Self { figure: figure.to_owned(), picture, rows: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }
}

/// What a figure is written on.
pub(super) struct Paper {
    path: PathBuf,
    format: Format,
    theme: Theme,
    scale: f64,
}

impl Paper {
    /// What was asked for.
    pub(super) fn of(arguments: &Plot) -> Result<Self, Failure> {
        let path = arguments.output.clone().unwrap_or_else(|| USUAL.into());
        let format = format(&path)?;
        let (theme, scale) = (arguments.theme, arguments.scale);
        if !(scale > 0.0 && scale <= LARGEST) {
            let message = format!("scale {scale} is not above 0 and at most {LARGEST}");
            return Err(Failure::usage(message, "--scale 2, or leave it out"));
        }
        if format == Format::Png && theme == Theme::Auto {
            let message = "a PNG has one theme: it does not know who looks at it";
            return Err(Failure::usage(message, "--theme light or --theme dark, or an .svg"));
        }
        if format == Format::Png && arguments.animate {
            let message = "a PNG does not move";
            return Err(Failure::usage(message, "-o FIGURE.svg, or leave --animate out"));
        }
        Ok(Self { path, format, theme, scale })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the figure and says what is to be seen.
    pub(super) fn write(&self, drawn: &Drawn, output: &Output) -> Result<(), Failure> {
        let picture = &drawn.picture;
        let bytes = match self.format {
            Format::Svg => {
                let sheet = Sheet { theme: self.theme, ..Sheet::default() };
                picture.svg(&sheet).into_bytes()
            }
            Format::Png => picture.png(self.theme, self.scale)?,
        };
        write_atomically(&self.path, &bytes)?;
        let (width, height) = size(&bytes, self.format);
        let path = self.path.display().to_string();
        let mut text = format!("{}\n\n{}\n", picture.title, picture.description);
        if !picture.caption.is_empty() {
            text.push_str(&format!("{}\n", picture.caption));
        }
        text.push_str(&picture.notes.iter().map(|note| format!("{note}\n")).collect::<String>());
        if let Some((rows, drawn)) = drawn.rows.filter(|(rows, drawn)| drawn < rows) {
            output.note(&format!("note: {drawn} of {} drawn", plural(rows as usize, "row")));
        }
        text.push_str(&format!("\nsaved {path}\n"));
        let result = json!({
            "figure": drawn.figure,
            "file": path,
            "format": self.format.name(),
            "width": width,
            "height": height,
            "bytes": bytes.len(),
            "rows": drawn.rows.map(|(rows, _)| rows),
            "drawn": drawn.rows.map(|(_, drawn)| drawn),
            "title": picture.title,
            "description": picture.description,
            "caption": picture.caption,
            "notes": picture.notes,
        });
        output.answer(&text, &result)
    }
}

fn format(path: &Path) -> Result<Format, Failure> {
    let name = path.display().to_string();
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        Some(ending) => {
            let message = format!("'{name}': a figure is no .{ending} file");
            Err(Failure::usage(message, "a name that ends in .svg or .png"))
        }
        None => {
            let message = format!("'{name}' does not say what the figure is to be");
            Err(Failure::usage(message, format!("-o {name}.svg, or -o {name}.png")))
        }
    }
}

/// Pixels across and down, as the file says.
fn size(bytes: &[u8], format: Format) -> (f64, f64) {
    match format {
        Format::Png => {
            let number = |at: usize| {
                let four: Option<[u8; 4]> = bytes.get(at..at + 4).and_then(|b| b.try_into().ok());
                four.map_or(0.0, |four| f64::from(u32::from_be_bytes(four)))
            };
            (number(16), number(20))
        }
        Format::Svg => {
            let head = String::from_utf8_lossy(&bytes[..bytes.len().min(2000)]);
            let number = |name: &str| {
                let (_, rest) = head.split_once(&format!(" {name}=\""))?;
                rest.split_once('"')?.0.parse().ok()
            };
            (number("width").unwrap_or(0.0), number("height").unwrap_or(0.0))
        }
    }
}
