//! Puts into words how far a pass over rows is, how fast it goes, and how long it may take.

/// Bytes of a file that a pass has read, of how many.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bytes {
    pub(crate) read: u64,
    pub(crate) total: Option<u64>,
}

impl Bytes {
    /// Whether some are still to be read; rows that are held are read without any.
    fn moving(self) -> bool {
        self.read > 0 && self.total.is_none_or(|total| self.read < total)
    }
}

/// What is being done, with as much of rows, MB/s, per cent and time left as is known.
pub(crate) fn line(
    doing: &str,
    rows: Option<u64>,
    all: Option<u64>,
    bytes: Option<Bytes>,
    seconds: f64,
) -> String {
    let Some(rows) = rows else { return doing.into() };
    let mut parts = vec![doing.to_owned()];
    if let Some(bytes) = bytes.filter(|bytes| bytes.moving()) {
        parts.push(format!("{} rows", grouped(rows)));
        if seconds > 0.0 {
            parts.push(format!("{:.1} MB/s", bytes.read as f64 / 1e6 / seconds));
        }
        if let Some(total) = bytes.total {
            parts.extend(far(bytes.read, total, seconds));
        }
        return parts.join(" · ");
    }
    match all {
        Some(all) if rows < all => parts.extend(far(rows, all, seconds)),
        Some(_) => {}
        None => parts.push(format!("{} rows", grouped(rows))),
    }
    parts.join(" · ")
}

/// The share that is done, and the time that the rest takes if nothing changes.
fn far(done: u64, all: u64, seconds: f64) -> Vec<String> {
    let share = done as f64 / all.max(1) as f64;
    let mut parts = vec![format!("{:.0} %", (100.0 * share).floor())];
    let left = seconds * (1.0 - share) / share.max(f64::MIN_POSITIVE);
    // A guess from the first moments is none.
    if share > 0.01 && left >= 1.0 {
        parts.push(format!("{} left", spoken(left)));
    }
    parts
}

/// A time as people say it.
pub(crate) fn spoken(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{seconds:.0} s")
    } else if seconds < 5400.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3600.0)
    }
}

/// A whole number with a gap before every third digit.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let gap = |at: usize| if at > 0 && (digits.len() - at).is_multiple_of(3) { " " } else { "" };
    digits.chars().enumerate().map(|(at, digit)| format!("{}{digit}", gap(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_what_is_known() {
        let file = |read: u64, total: Option<u64>| Some(Bytes { read, total });
        let of = |bytes, all| line("fitting", Some(1_234_567), all, bytes, 2.0);
        assert_eq!(
            of(file(250_000_000, Some(1_000_000_000)), None),
            "fitting · 1 234 567 rows · 125.0 MB/s · 25 % · 6 s left"
        );
        assert_eq!(of(file(50_000_000, None), None), "fitting · 1 234 567 rows · 25.0 MB/s");
        // All bytes are read: the rows are held, and passes over them have no bytes.
        assert_eq!(of(file(10, Some(10)), Some(2_469_134)), "fitting · 50 % · 2 s left");
        assert_eq!(of(None, None), "fitting · 1 234 567 rows");
        assert_eq!(of(None, Some(0)), "fitting");
        assert_eq!(line("fitting", None, None, None, 2.0), "fitting");
    }

    #[test]
    fn times_and_numbers_are_short() {
        assert_eq!([spoken(12.4), spoken(600.0), spoken(9000.0)], ["12 s", "10 min", "2.5 h"]);
        assert_eq!([grouped(7), grouped(1000), grouped(123_456)], ["7", "1 000", "123 456"]);
    }
}
