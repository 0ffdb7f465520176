//! Names the constants of chances: tails, forms, rays, lattices, thresholds, each with its reason.

/// Share of the longest slope that rounding leaves of one in the span of the others \[M48\].
pub(crate) const SPAN_SHARE: f64 = 1e-13;

/// Rounding of a threshold, and |middle| × width of a stretch up to which its chance is integrated, not
/// a difference of tails \[M47\]: fifteen nodes give all digits there, beyond it tails differ enough.
pub(crate) const THRESHOLD_ROUNDING: f64 = 8.0 * f64::EPSILON;
pub(crate) const NARROW_STRETCH: f64 = 1.0;

/// Directions at which rays look for changes of their pattern before they integrate \[M49\]: a degree
/// apart, near enough for regions that are no islands; those are looked at through their means.
/// Beyond `RAY_END` no chance is a number; `RAY_HALVINGS` place a change: angles have no more digits.
/// Patterns become numbers by the factor of Fowler, Noll and Vo.
pub(crate) const RAY_SCAN: usize = 180;
pub(crate) const RAY_END: f64 = 39.0;
pub(crate) const RAY_HALVINGS: usize = 55;
pub(crate) const PATTERN_FACTOR: u64 = 0x0100_0000_01b3;

/// Relative accuracy that rays are integrated to, and the most parts of the circle for it.
pub(crate) const RAY_ACCURACY: f64 = 1e-13;
pub(crate) const RAY_PARTS: usize = 4000;

/// Least error of an integral, and the factor of that by two rules (Piessens et al. 1983, QUADPACK).
pub(crate) const QUADRATURE_ROUNDING: f64 = 50.0 * f64::EPSILON;
pub(crate) const QUADRATURE_FACTOR: f64 = 200.0;

/// Random shifts of a lattice, the two-sided 99.9 % point of Student's distribution with one degree of
/// freedom less, and that of the normal distribution, for simulated chances \[M50\].
pub(crate) const LATTICE_SHIFTS: usize = 16;
pub(crate) const STUDENT_999: f64 = 4.072_765;
pub(crate) const NORMAL_999: f64 = 3.290_526_731_491_926;

/// Points and Korobov generators of the lattices, the best by P₂ in 16 dimensions that were tried \[M50\].
pub(crate) const LATTICES: [(u64, u64); 5] =
    [(251, 71), (1021, 228), (4093, 450), (16_381, 7957), (65_521, 30_501)];

/// Accuracy of a total at which no larger lattice is tried: three digits, or less than anyone counts.
pub(crate) const LATTICE_RELATIVE: f64 = 1e-3;
pub(crate) const LATTICE_ABSOLUTE: f64 = 1e-12;

/// Draws of one task of a simulation: streams of random numbers are numbered by task.
pub(crate) const DRAWS_PER_TASK: usize = 4096;

/// √2 less the double nearest to it.
pub(crate) const SQRT_2_REST: f64 = -9.667_293_313_452_913e-17;

/// Argument from which Laplace's continued fraction gives Mills' ratio \[M34\]; before it erfc has all
/// digits, and a fraction takes many terms.
pub(crate) const MILLS_FRACTION: f64 = 5.0;

/// Terms of that fraction that leave nothing beyond rounding: 40 at its start, fewer farther out.
pub(crate) fn mills_terms(x: f64) -> u32 {
    6 + (170.0 / x) as u32
}

/// Tail from which a normal quantile is measured from the median \[M34\].
pub(crate) const NORMAL_MIDDLE: f64 = 0.25;

/// Most Newton steps of a normal quantile: some five are needed, the last ones for rounding alone.
pub(crate) const QUANTILE_STEPS: usize = 20;

/// Columns up to which the leading term of a χ tail is a product \[M35\]: rounding of a hundred factors
/// is less than that of a logarithm, and no part of it leaves the range of numbers.
pub(crate) const CHI_PRODUCT: usize = 200;

/// Largest x for which exp(−x) is a normal number with some to spare.
pub(crate) const EXP_SQUARE: f64 = 690.0;

/// Most terms of a χ series or fraction: some ten times √d are needed.
pub(crate) const CHI_TERMS: u32 = 100_000;

/// How far the contour of a quadratic form bends, as a share of its height \[M36\]: at one half the
/// angle to both the real axis and the vertical is wide, whatever lies there.
pub(crate) const CONTOUR_BEND: f64 = 0.5;

/// First step along the contour; each halving squares the error.
pub(crate) const CONTOUR_STEP: f64 = 0.5;

/// Most halvings: steps of 2⁻⁷ have resolved everything, and 14 000 of them are the longest contour.
pub(crate) const CONTOUR_HALVINGS: usize = 6;

/// Relative change by a halving after which the next would change rounding alone.
pub(crate) const CONTOUR_CHANGE: f64 = 1e-12;

/// Share of the largest value at which a contour ends, in logarithms: less than rounding.
pub(crate) const CONTOUR_END: f64 = 42.0;

/// Most first steps along a contour: one column at the edge of its support falls like e^(−v/2).
pub(crate) const CONTOUR_STEPS: usize = 220;

/// Steps of the search for a saddle point, which needs a digit or two, and their relative size.
pub(crate) const SADDLE_STEPS: usize = 200;
pub(crate) const SADDLE_CHANGE: f64 = 1e-3;

/// Deviations of a quadratic form's mean beyond zero at which the tail is no number any more \[M36\]: with
/// variance one K(¼) < −¼·4000 + ¼, and exp(−999) is none.
pub(crate) const FARTHEST_MEAN: f64 = 4000.0;

/// Normal numbers beyond it have a chance below the least number.
pub(crate) const FARTHEST_NORMAL: f64 = 39.0;

/// Deviations about the direction toward the origin within which a wedge has most of its chance \[M35\].
pub(crate) const ANGLE_WIDTH: f64 = 6.0;

/// Where nodes that crowd at the ends of an angle end: exp(−π sinh 3.5) is beyond rounding.
pub(crate) const ANGLE_REACH: f64 = 3.5;

/// Relative change of half the nodes against the others after which a halving changes rounding alone,
/// since the error is squared by each; and most halvings.
pub(crate) const ANGLE_SUM: f64 = 1e-9;
pub(crate) const ANGLE_HALVINGS: usize = 6;

/// How much more a straight contour must fall off to be preferred to a bent one \[M36\]: what is left of it
/// falls like a power only.
pub(crate) const STRAIGHT_PENALTY: f64 = 8.0;

/// Relative change with which a contour's sum is taken without trying another.
pub(crate) const CONTOUR_SETTLED: f64 = 1e-9;

/// Squares of whitened shifts are taken as this at most, so that sums of them are numbers.
pub(crate) const SQUARE_MAX: f64 = 1e300;

/// Ratios of variances are taken as this at most, so that their squares are numbers.
pub(crate) const VARIANCE_RATIO: f64 = 1e150;

/// Steps in search of Chernoff's exponent \[M37\], and the last one's size: the bound is flat there, and
/// its error the square.
pub(crate) const CHERNOFF_STEPS: usize = 100;
pub(crate) const CHERNOFF_CHANGE: f64 = 1e-10;

/// Whitened shift that stands for none \[M38\]: it moves no error by as much as rounding does.
pub(crate) const LEAST_SHIFT: f64 = 1e-60;

/// Planes between two means whose pull is looked at \[M38\], the step between those beyond a mean on a
/// logarithmic scale, how far they go there in deviations, and bisections of one step.
pub(crate) const LINEAR_MIDDLE: usize = 64;
pub(crate) const LINEAR_STEP: f64 = 0.25;
pub(crate) const LINEAR_FARTHEST: f64 = 1e3;
pub(crate) const LINEAR_BISECTIONS: usize = 60;

/// Doublings of the distance of two classes' mean log ratios that are searched for a threshold \[M54\]:
/// chances of 1e-300 lie within some hundred standard deviations.
pub(crate) const OPERATING_REACH: u32 = 64;

/// Most steps of the search for a threshold \[M54\]: every third halves the bracket, and secants need some
/// ten.
pub(crate) const OPERATING_STEPS: u32 = 200;

/// Relative rounding of an orthant for each square of a threshold \[M35\]: a threshold has some units in the
/// last place, and a tail feels them by its square.
pub(crate) const ORTHANT_ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Largest relative difference of two covariances whose determinants are compared by it \[M47\]: ln(1 + x) of each
/// axis has all digits there, and beyond it the logarithms themselves have.
pub(crate) const NEARLY_EQUAL: f64 = 0.1;

/// Relative difference between the error asked for and that of the nearest threshold up to which it is met \[M54\]:
/// six digits; a ratio without an end meets eleven.
pub(crate) const OPERATING_ACCURACY: f64 = 1e-6;
