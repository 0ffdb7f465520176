//! Reaches the log-likelihoods that exact arithmetic and other programs reach from the same start.

use gaussbayes::Family;

use crate::support::{faithful, iris};
use crate::{fixed_point, from_labels, pass, run_em};

/// Log-likelihoods at the fixed point that EM reaches from the labels of a table, by several programs.
#[test]
fn fixed_points_are_those_of_the_reference_numbers() {
    let (iris, split) = (iris(), faithful(true));
    let whole = gaussbayes::Table { codes: Some(vec![0; iris.rows()]), ..iris.clone() };
    for (table, family, expected) in [
        (&iris, Family::Vvv, -180.185_477_131_303_44),
        (&iris, Family::Eee, -256.354_043_125_583_1),
        (&iris, Family::Vvi, -306.860_460_506_211_1),
        (&iris, Family::Vii, -384.314_095_060_819_9),
        (&whole, Family::Vvv, -379.914_630_122_269_32),
        (&split, Family::Vvv, -1_130.263_960_184_741_6),
        (&split, Family::Eee, -1_140.186_759_437_082_1),
        (&split, Family::Vvi, -1_147.806_352_537_810_8),
    ] {
        let mut state = from_labels(&fixed_point(family), table).unwrap();
        run_em(&mut state, table).unwrap();
        let found = pass(&state, table).unwrap().log_evidence();
        assert!((found / expected - 1.0).abs() < 1e-12, "{family}: {found} {expected}");
        assert!(state.events().is_empty() && state.lifted().is_empty(), "{:?}", state.events());
    }
}
