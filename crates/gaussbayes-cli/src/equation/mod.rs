//! Writes quadratic functions of a row as equations that a person can read: text, LaTeX, MathML.

mod mathml;

use gaussbayes::Quadratic;

/// Share of the largest term below which a term is rounding, not an answer.
const ROUNDING: f64 = 1e-13;

/// Deviations from zero beyond which a column is written about its centre: products would cancel.
const FAR: f64 = 1e3;

/// Terms of a line of LaTeX.
const LATEX_TERMS: usize = 5;

/// Where the rows of a model are, column by column.
pub(crate) struct Place {
    pub(crate) centre: Vec<f64>,
    pub(crate) deviations: Vec<f64>,
}

impl Place {
    /// A value of the only column, with the digits to use it.
    pub(crate) fn precise(&self, x: f64) -> String {
        digits(x, 10 + self.more_digits(0, x))
    }

    /// A point, each value with four digits of its column's spread.
    pub(crate) fn tuple(&self, point: &[f64]) -> String {
        let number = |(j, &x): (usize, &f64)| match self.more_digits(j, x) {
            0 => crate::text::short(x),
            more => digits(x, 4 + more),
        };
        format!("({})", point.iter().enumerate().map(number).collect::<Vec<_>>().join(", "))
    }

    /// Digits of a value that its column's spread leaves as they are.
    fn more_digits(&self, j: usize, x: f64) -> usize {
        let spreads = (x.abs() / self.deviations[j]).log10();
        if spreads.is_finite() { spreads.ceil().clamp(1.0, 12.0) as usize - 1 } else { 0 }
    }
}

/// A term: its coefficient, and one or two columns where it is not the constant.
struct Term {
    factor: f64,
    columns: Vec<usize>,
}

/// A quadratic function, ready to be written.
pub(crate) struct Equation<'a> {
    terms: Vec<Term>,
    features: &'a [String],
    /// What is subtracted from each column.
    about: Vec<f64>,
    /// Digits that leave the sum of the terms three decimals.
    digits: usize,
}

impl<'a> Equation<'a> {
    /// The function near the rows of a model; terms that are rounding alone are left out.
    pub(crate) fn new(function: &Quadratic, features: &'a [String], place: &Place) -> Self {
        let far = |(centre, deviation): (&f64, &f64)| {
            if centre.abs() > FAR * deviation { rounded(*centre, *deviation) } else { 0.0 }
        };
        let about: Vec<f64> = place.centre.iter().zip(&place.deviations).map(far).collect();
        let (raw, linear) = (function.raw(), function.gradient(&about));
        let size = |j: usize| (place.centre[j] - about[j]).abs() + place.deviations[j];
        let mut terms = Vec::new();
        let mut values = raw.quadratic.iter();
        for i in 0..features.len() {
            for (j, &value) in (0..=i).zip(values.by_ref()) {
                let factor = if i == j { value } else { 2.0 * value };
                terms.push(Term { factor, columns: vec![j, i] });
            }
        }
        let linear = linear.into_iter().enumerate();
        terms.extend(linear.map(|(j, factor)| Term { factor, columns: vec![j] }));
        let height = |term: &Term| {
            term.columns.iter().fold(term.factor.abs(), |height, &j| height * size(j))
        };
        let highest = terms.iter().map(height).fold(0.0, f64::max);
        let constant = function.at(&about);
        terms.retain(|term| height(term) > ROUNDING * highest);
        if constant.abs() > ROUNDING * highest.max(f64::MIN_POSITIVE) {
            terms.push(Term { factor: constant, columns: Vec::new() });
        }
        let digits = highest.max(constant.abs()).log10().ceil().clamp(1.0, 12.0) as usize + 3;
        Self { terms, features, about, digits }
    }

    /// How many terms there are.
    pub(crate) fn terms(&self) -> usize {
        self.terms.len()
    }

    /// Such as `0.1875 x1² - x2 + 3.514`.
    pub(crate) fn text(&self) -> String {
        let name = |j: usize| {
            let name = &self.features[j];
            let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
            let name = if plain { name.clone() } else { format!("'{name}'") };
            match self.about[j] {
                0.0 => name,
                about => format!("({name} {} {})", opposite(about), about.abs()),
            }
        };
        let product = |columns: &[usize]| match columns {
            [i, j] if i == j => format!("{}²", name(*i)),
            columns => columns.iter().map(|&j| name(j)).collect::<Vec<_>>().join("·"),
        };
        self.sum(product, |number| number, " ", &mut |_| String::new())
    }

    /// The same for LaTeX, some terms to a line.
    pub(crate) fn latex(&self) -> String {
        let name = |j: usize| {
            let name = latex_name(&self.features[j]);
            match self.about[j] {
                0.0 => name,
                about => {
                    format!("({name} {} {})", opposite(about), about.abs())
                }
            }
        };
        let product = |columns: &[usize]| match columns {
            [i, j] if i == j => format!("{}^2", name(*i)),
            columns => columns.iter().map(|&j| name(j)).collect::<Vec<_>>().join(r"\,"),
        };
        let mut broken = |at: usize| {
            let full = at > 0 && at.is_multiple_of(LATEX_TERMS);
            if full { " \\\\\n  &\\quad".to_string() } else { String::new() }
        };
        self.sum(product, |number| latex_number(&number), r"\,", &mut broken)
    }

    fn sum(
        &self,
        product: impl Fn(&[usize]) -> String,
        number: impl Fn(String) -> String,
        between: &str,
        before: &mut dyn FnMut(usize) -> String,
    ) -> String {
        if self.terms.is_empty() {
            return "0".into();
        }
        let mut text = String::new();
        for (at, term) in self.terms.iter().enumerate() {
            text.push_str(&before(at));
            text.push_str(match (at, term.factor < 0.0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            });
            let size = self.number(term.factor.abs());
            let product = product(&term.columns);
            match (size.as_str(), product.as_str()) {
                (_, "") => text.push_str(&number(size)),
                ("1", product) => text.push_str(product),
                (_, product) => text.push_str(&format!("{}{between}{product}", number(size))),
            }
        }
        text
    }

    fn number(&self, x: f64) -> String {
        digits(x, self.digits)
    }
}

/// A number with so many digits and no trailing zeros.
pub(crate) fn digits(x: f64, digits: usize) -> String {
    let rounded: f64 = format!("{x:.*e}", digits.saturating_sub(1)).parse().unwrap_or(x);
    let size = rounded.abs();
    if size != 0.0 && !(1e-4..1e15).contains(&size) {
        format!("{rounded:e}")
    } else {
        rounded.to_string()
    }
}

/// A number of few digits within a deviation of `x`: written and read, it is the same.
fn rounded(x: f64, deviation: f64) -> f64 {
    let places = (-deviation.log10().floor()).clamp(0.0, 300.0) as usize;
    format!("{x:.places$}").parse().unwrap_or(x)
}

fn opposite(x: f64) -> char {
    if x < 0.0 { '+' } else { '-' }
}

/// A letter with a number is a symbol with an index; everything else is upright text.
fn latex_name(name: &str) -> String {
    let mut chars = name.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic);
    let index = chars.as_str();
    match letter {
        Some(letter) if index.is_empty() => letter.to_string(),
        Some(letter) if index.chars().all(|c| c.is_ascii_digit()) => {
            format!("{letter}_{{{index}}}")
        }
        _ => format!(r"\mathrm{{{}}}", latex_text(name)),
    }
}

/// Text as LaTeX takes it.
pub(crate) fn latex_text(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '_' | '&' | '%' | '#' | '$' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '\\' => escaped.push_str(r"\backslash{}"),
            '~' => escaped.push_str(r"\sim{}"),
            '^' => escaped.push_str(r"\hat{}"),
            ' ' => escaped.push_str(r"\ "),
            c => escaped.push(c),
        }
    }
    escaped
}

fn latex_number(number: &str) -> String {
    match number.split_once('e') {
        Some((digits, power)) => format!(r"{digits} \times 10^{{{power}}}"),
        None => number.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaussbayes::{Figure, Mixture, Score};

    pub(super) fn between(mixture: &Mixture) -> Quadratic {
        let scores = mixture.quadratics().unwrap();
        scores[1].minus(&scores[0])
    }

    #[test]
    fn a_parabola_reads_as_in_the_textbook() {
        // Duda, Hart & Stork: x2 = 3.514 − 1.125 x1 + 0.1875 x1², here times −4 with x2 on its side.
        let classifier = Figure::named("quadratic").unwrap().parameters().classifier().unwrap();
        let function = between(classifier.mixture().unwrap());
        let features = ["x1", "petal width"].map(String::from);
        let place = Place { centre: vec![3.0, 2.0], deviations: vec![1.0, 4.0] };
        let equation = Equation::new(&function, &features, &place);
        assert_eq!(equation.text(), "0.75 x1² - 4.5 x1 - 4 'petal width' + 14.057");
        assert_eq!(
            equation.latex(),
            r"0.75\,x_{1}^2 - 4.5\,x_{1} - 4\,\mathrm{petal\ width} + 14.057"
        );
    }

    #[test]
    fn rows_far_from_zero_are_written_about_their_centre() {
        let means = [vec![1e9], vec![1e9 + 2.0]];
        let mixture = Mixture::given(&means, &[vec![1.0]], vec![0.5, 0.5]).unwrap();
        let place = Place { centre: vec![1e9 + 1.0], deviations: vec![1.4] };
        let features = ["t".to_string()];
        let equation = Equation::new(&between(&mixture), &features, &place);
        assert_eq!(equation.text(), "2 (t - 1000000001)");
    }

    #[test]
    fn numbers_lose_their_zeros_and_keep_their_size() {
        assert_eq!(digits(0.5, 4), "0.5");
        assert_eq!(digits(-2.0, 4), "-2");
        assert_eq!(digits(1.25e-7, 4), "1.25e-7");
        assert_eq!(latex_number("1.25e-7"), r"1.25 \times 10^{-7}");
        assert_eq!(latex_name("petal_width"), r"\mathrm{petal\_width}");
    }
}
