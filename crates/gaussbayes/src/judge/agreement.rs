//! Measures how far two partitions of the same rows agree \[M62\].

/// The adjusted Rand index of a cross table (Hubert and Arabie 1985): 1 where partitions are the same, 0 on
/// average where they have nothing to do with each other \[M62\].
///
/// `counts[i][j]` is the number of rows, a whole one, in part i of the one and part j of the other. 1 where both
/// have one part only, or every row by itself.
pub fn adjusted_rand(counts: &[Vec<f64>]) -> f64 {
    let pairs = |n: f64| 0.5 * n * (n - 1.0);
    let columns = counts.iter().map(Vec::len).max().unwrap_or(0);
    let row_sums: Vec<f64> = counts.iter().map(|row| row.iter().sum()).collect();
    let column = |j: usize| counts.iter().filter_map(|row| row.get(j)).sum::<f64>();
    let column_sums: Vec<f64> = (0..columns).map(column).collect();
    let total = pairs(row_sums.iter().sum());
    let sum = |sums: &[f64]| sums.iter().map(|n| pairs(*n)).sum::<f64>();
    let together: f64 = counts.iter().flatten().map(|n| pairs(*n)).sum();
    let (a, b) = (sum(&row_sums), sum(&column_sums));
    if total <= 0.0 {
        return 1.0;
    }
    let expected = a * (b / total);
    let most = 0.5 * (a + b);
    if most == expected { 1.0 } else { (together - expected) / (most - expected) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_is_that_of_mclust() {
        // R, mclust 6: adjustedRandIndex(c(1,1,2,2), c(1,1,2,3)) and the table of iris against VEV, 2.
        let found = adjusted_rand(&[vec![2.0, 0.0, 0.0], vec![0.0, 1.0, 1.0]]);
        assert!((found - 4.0 / 7.0).abs() < 1e-15, "{found}");
        let iris = adjusted_rand(&[vec![50.0, 0.0], vec![0.0, 50.0], vec![0.0, 50.0]]);
        assert!((iris - 0.568_115_942_028_985_5).abs() < 1e-12, "{iris}");
        assert_eq!(adjusted_rand(&[vec![3.0]]), 1.0);
        assert_eq!(adjusted_rand(&[]), 1.0);
    }
}
