//! Holds pictures to snapshots, byte by byte.

use std::path::Path;

use gaussbayes_plot::{Picture, Sheet, Theme};

/// Says that snapshots are to be written anew.
const WRITE: &str = "GAUSSBAYES_SNAPSHOTS";

/// Names a folder to draw every picture of the snapshots in, to be looked at.
const LOOK: &str = "GAUSSBAYES_LOOK";

/// Holds a picture on light paper to `tests/snapshots/NAME.svg`, or writes the file where the environment
/// says `write`.
pub(crate) fn snapshot(name: &str, picture: &Picture) {
    snapshot_on(name, picture, Theme::Light);
}

/// Holds a picture on some paper to its snapshot.
pub(crate) fn snapshot_on(name: &str, picture: &Picture, theme: Theme) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let path = folder.join(format!("{name}.svg"));
    let text = picture.svg(&Sheet { theme, id: name.into(), inline: false });
    assert!(text.len() < 60_000, "{name}: {} bytes", text.len());
    if let Ok(folder) = std::env::var(LOOK) {
        let png = picture.png(theme, 2.0).unwrap();
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), png).unwrap();
    }
    if std::env::var(WRITE).is_ok_and(|value| value == "write") {
        std::fs::create_dir_all(&folder).unwrap();
        return std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(text == kept, "{name}: {WRITE}=write accepts what has changed");
}
