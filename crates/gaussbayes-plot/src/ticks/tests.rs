//! Holds ticks to laws: increasing, inside, apart, and each written so that it says where it is.

use proptest::prelude::*;

use super::*;

/// The number that a text says.
fn read(text: &str) -> f64 {
    let lower = |c: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|raised| raised == c);
    let plain = text.replace('\u{2009}', "").replace('−', "-").replace("×10", "e");
    let plain: String = plain
        .chars()
        .map(|c| match (c, lower(c)) {
            ('⁻', _) => '-',
            (_, Some(digit)) => char::from(b'0' + digit as u8),
            (c, None) => c,
        })
        .collect();
    plain.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

fn check(low: f64, high: f64, length: f64, along: Along) {
    let scale = Scale::of(&Axis::new("x", low, high), length, along);
    let what = || format!("{low}..{high} over {length}: {scale:?}");
    let (span, count) = (high - low, scale.ticks.len());
    assert!((1..=MOST).contains(&count), "{}", what());
    assert!(length < 200.0 || count >= 2, "{}", what());
    assert!(scale.fits([low, high], length, along), "{}", what());
    let shared = scale.shared.as_deref().map_or(0.0, read);
    let power = scale.power.as_deref().map_or(1.0, |power| read(&format!("1×{power}")));
    for tick in &scale.ticks {
        assert!((low..=high).contains(&tick.at), "{}", what());
        let said = read(&tick.text) * power;
        let rounding = 4.0 * f64::EPSILON * low.abs().max(high.abs());
        assert!((said + shared - tick.at).abs() <= 1e-6 * span + rounding, "{}", what());
        assert!(!tick.text.starts_with("−0") || said != 0.0, "{}", what());
        assert!(tick.text.chars().count() <= 14, "{}", what());
    }
    let texts: Vec<f64> = scale.ticks.iter().map(|tick| read(&tick.text)).collect();
    assert!(texts.windows(2).all(|pair| pair[0] < pair[1]), "{}", what());
}

proptest! {
    #[test]
    fn numbers_are_increasing_inside_and_apart(
        low in -1.0_f64..1.0,
        exponent in -12_i32..15,
        share in -9_i32..3,
        width in 0.1_f64..1.0,
        length in 90.0_f64..600.0,
    ) {
        let low = low * 10f64.powi(exponent);
        let high = low + width * 10f64.powi(exponent + share);
        prop_assume!(high - low > 1e-12 * low.abs());
        check(low, high, length, Along::Across);
        check(low, high, length, Along::Upward);
    }

    #[test]
    fn powers_are_inside_and_apart(low in -30.0_f64..30.0, width in 0.3_f64..40.0, length in 90.0_f64..600.0) {
        let ends = [low, low + width];
        let axis = Axis { ticks: Ticks::Powers, ..Axis::new("x", ends[0], ends[1]) };
        let scale = Scale::of(&axis, length, Along::Across);
        prop_assert!(scale.fits(ends, length, Along::Across), "{scale:?}");
        prop_assert!(!scale.ticks.is_empty());
        for tick in &scale.ticks {
            prop_assert!((low..=low + width).contains(&tick.at));
            let said = tick.text.strip_prefix("10").filter(|rest| rest.contains(|c| "⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c)));
            let said = said.map_or_else(|| read(&tick.text).log10(), |rest| read(&format!("1×10{rest}")).log10());
            prop_assert!((said - tick.at).abs() < 1e-6, "{} at {}", tick.text, tick.at);
        }
    }
}

fn texts(low: f64, high: f64) -> Vec<String> {
    let scale = Scale::of(&Axis::new("x", low, high), 400.0, Along::Across);
    scale.ticks.into_iter().map(|tick| tick.text).collect()
}

#[test]
fn texts_are_as_one_writes_them() {
    assert_eq!(texts(0.0, 1.0), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    assert_eq!(texts(-1.0, 1.0), ["−1.0", "−0.5", "0", "0.5", "1.0"]);
    assert_eq!(
        texts(0.0, 3e-8),
        ["0", "0.5×10⁻⁸", "1.0×10⁻⁸", "1.5×10⁻⁸", "2.0×10⁻⁸", "2.5×10⁻⁸", "3.0×10⁻⁸"]
    );
    assert_eq!(texts(4.3, 7.9), ["4.5", "5.0", "5.5", "6.0", "6.5", "7.0", "7.5"]);
}

#[test]
fn what_numbers_share_is_written_once() {
    let scale = Scale::of(&Axis::new("x", 1e9, 1e9 + 4.7), 400.0, Along::Across);
    assert_eq!(scale.shared.as_deref(), Some("1\u{2009}000\u{2009}000\u{2009}000"));
    assert_eq!(scale.ticks[1].text, "1");
    let scale = Scale::of(&Axis::new("x", 999_997.6, 1_000_005.7), 400.0, Along::Across);
    assert_eq!(scale.shared.as_deref(), Some("1\u{2009}000\u{2009}000"));
    assert_eq!(scale.ticks[0].text, "−2");
}

#[test]
fn long_names_are_slanted_and_shortened() {
    let names: Vec<(f64, String)> =
        (0..5).map(|i| (f64::from(i), format!("a very long name of the class {i}"))).collect();
    let axis = Axis { ticks: Ticks::Named(names), ..Axis::new("", -0.5, 4.5) };
    let scale = Scale::of(&axis, 300.0, Along::Across);
    assert!(scale.slanted && scale.ticks.len() == 5);
    assert!(scale.widest() <= LONGEST && scale.ticks[0].text.ends_with('…'));
    assert_eq!(scale.ticks[3].full, "a very long name of the class 3");
}

#[test]
fn an_axis_without_width_still_has_ticks() {
    for (low, high) in [(5.0, 5.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (3.0, -3.0), (0.0, 0.0)]
    {
        assert!(!texts(low, high).is_empty());
    }
}
