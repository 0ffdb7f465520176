//! Writes equations as MathML, which every browser sets and a screen reader can speak.

use super::Equation;
use crate::page::{element, escaped, isolated, text};

/// Characters of a line: what a phone has room for.
const LINE: usize = 34;

/// The sign of subtraction, which is no hyphen.
const MINUS: &str = "\u{2212}";

/// The sign between factors that is not seen, and is spoken.
const TIMES: &str = "<mo>\u{2062}</mo>";

/// A gap that keeps a word from the number before it.
const GAP: &str = "<mspace width=\"0.25em\"></mspace>";

impl Equation<'_> {
    /// The function, then a relation such as `> 0`, as a formula of its own.
    pub(crate) fn mathml(&self, relation: char, right: &str) -> String {
        let relation = text("mo", &relation.to_string());
        let end = format!("{relation}{}", number(right));
        let mut lines: Vec<String> = self
            .broken()
            .into_iter()
            .map(|terms| terms.into_iter().map(|at| self.term(at)).collect())
            .collect();
        match lines.last_mut() {
            Some(last) => last.push_str(&end),
            None => lines.push(format!("<mn>0</mn>{end}")),
        }
        let set = |line: &String| element("mtr", &[], &element("mtd", &[], &row(line)));
        let inside = match lines.as_slice() {
            [line] => row(line),
            lines => element(
                "mtable",
                &[("columnalign", "left")],
                &lines.iter().map(set).collect::<String>(),
            ),
        };
        element("math", &[("display", "block")], &inside)
    }

    /// The numbers of the terms of each line.
    fn broken(&self) -> Vec<Vec<usize>> {
        let mut lines: Vec<Vec<usize>> = Vec::new();
        let mut width = 0;
        for (at, term) in self.terms.iter().enumerate() {
            let names = term.columns.iter().map(|&j| self.features[j].chars().count() + 1);
            let own = self.number(term.factor.abs()).len() + 3 + names.sum::<usize>();
            // The constant stays with what is before it: it is short.
            let full = width + own > LINE && !term.columns.is_empty();
            match lines.last_mut() {
                Some(line) if !full => line.push(at),
                _ => {
                    lines.push(vec![at]);
                    width = 0;
                }
            }
            width += own;
        }
        lines
    }

    /// A term with the sign before it; the first has none where it is positive.
    fn term(&self, at: usize) -> String {
        let term = &self.terms[at];
        // At the beginning of a line a sign is still that of a sum.
        let infix = |sign: &str| element("mo", &[("form", "infix")], sign);
        let sign = match (at, term.factor < 0.0) {
            (0, false) => String::new(),
            (0, true) => text("mo", MINUS),
            (_, true) => infix(MINUS),
            (_, false) => infix("+"),
        };
        let size = self.number(term.factor.abs());
        let product = match term.columns.as_slice() {
            [i, j] if i == j => element("msup", &[], &format!("{}<mn>2</mn>", self.factor(*i))),
            columns => {
                let factors: Vec<String> = columns.iter().map(|&j| self.factor(j)).collect();
                factors.join(TIMES)
            }
        };
        match (size.as_str(), product.is_empty()) {
            (_, true) => format!("{sign}{}", number(&size)),
            ("1", _) => format!("{sign}{product}"),
            _ => {
                let word = term.columns.first().is_some_and(|&j| self.features[j].len() > 2);
                let gap = if word { GAP } else { "" };
                format!("{sign}{}{TIMES}{gap}{product}", number(&size))
            }
        }
    }

    /// A column, or its distance from what it is written about.
    fn factor(&self, j: usize) -> String {
        let name = name(&self.features[j]);
        match self.about[j] {
            0.0 => name,
            about => {
                let sign = if about < 0.0 { "+" } else { MINUS };
                let inside = format!(
                    "<mo>(</mo>{name}{}{}<mo>)</mo>",
                    text("mo", sign),
                    number(&about.abs().to_string())
                );
                row(&inside)
            }
        }
    }
}

fn row(inside: &str) -> String {
    element("mrow", &[], inside)
}

/// A letter with a number is a symbol with an index; words stay upright, and other text is text.
fn name(name: &str) -> String {
    let mut chars = name.chars();
    let letter = chars.next().filter(|c| c.is_alphabetic());
    let index = chars.as_str();
    match letter {
        Some(letter) if !index.is_empty() && index.chars().all(|c| c.is_ascii_digit()) => {
            let inside = format!("{}{}", text("mi", &letter.to_string()), text("mn", index));
            element("msub", &[], &inside)
        }
        Some(_) if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => text("mi", name),
        _ => element("mtext", &[], &escaped(&isolated(name))),
    }
}

/// A number as it is printed, with powers of ten set as powers.
fn number(printed: &str) -> String {
    let (sign, size) = match printed.strip_prefix('-') {
        Some(size) => (text("mo", MINUS), size),
        None => (String::new(), printed),
    };
    let Some((digits, power)) = size.split_once('e') else {
        return format!("{sign}{}", text("mn", size));
    };
    let power = element("msup", &[], &format!("<mn>10</mn>{}", row(&number(power))));
    row(&format!("{sign}{}<mo>×</mo>{power}", text("mn", digits)))
}

#[cfg(test)]
mod tests {
    use super::super::{Place, tests::between};
    use super::*;
    use gaussbayes::{Figure, Mixture};

    #[test]
    fn a_parabola_is_set_as_in_the_textbook() {
        let classifier = Figure::named("quadratic").unwrap().parameters().classifier().unwrap();
        let function = between(classifier.mixture().unwrap());
        let features = ["x1", "<b & c and d>"].map(String::from);
        let place = Place { centre: vec![3.0, 2.0], deviations: vec![1.0, 4.0] };
        let equation = Equation::new(&function, &features, &place);
        let x1 = "<msub><mi>x</mi><mn>1</mn></msub>";
        let (plus, minus) = ("<mo form=\"infix\">+</mo>", "<mo form=\"infix\">−</mo>");
        assert_eq!(
            equation.mathml('>', "0"),
            format!(
                "<math display=\"block\"><mtable columnalign=\"left\"><mtr><mtd><mrow><mn>0.75</mn>{TIMES}\
                 <msup>{x1}<mn>2</mn></msup>{minus}<mn>4.5</mn>{TIMES}{x1}</mrow></mtd></mtr><mtr><mtd><mrow>\
                 {minus}<mn>4</mn>{TIMES}{GAP}<mtext>&lt;b &amp; c and d&gt;</mtext>{plus}\
                 <mn>14.057</mn><mo>&gt;</mo><mn>0</mn></mrow></mtd></mtr></mtable></math>"
            )
        );
    }

    #[test]
    fn far_rows_and_small_numbers_have_their_signs() {
        let means = [vec![1e9], vec![1e9 + 2.0]];
        let mixture = Mixture::given(&means, &[vec![1.0]], vec![0.5, 0.5]).unwrap();
        let place = Place { centre: vec![1e9 + 1.0], deviations: vec![1.4] };
        let features = ["t".to_string()];
        let equation = Equation::new(&between(&mixture), &features, &place);
        assert_eq!(
            equation.mathml('=', "0"),
            format!(
                "<math display=\"block\"><mrow><mn>2</mn>{TIMES}<mrow><mo>(</mo><mi>t</mi><mo>−</mo>\
                 <mn>1000000001</mn><mo>)</mo></mrow><mo>=</mo><mn>0</mn></mrow></math>"
            )
        );
        assert_eq!(
            number("-1.25e-7"),
            "<mrow><mo>−</mo><mn>1.25</mn><mo>×</mo><msup><mn>10</mn><mrow><mo>−</mo><mn>7</mn></mrow></msup></mrow>"
        );
        assert_eq!(name("petal_width"), "<mi>petal_width</mi>");
        assert_eq!(name("רוחב"), "<mtext>\u{2068}רוחב\u{2069}</mtext>");
    }
}
