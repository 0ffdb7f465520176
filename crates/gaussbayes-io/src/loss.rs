//! Reads a loss: the costs of actions for true classes, both by name.

use std::fs::File;
use std::path::Path;

use gaussbayes::{Action, Label, Loss};

use crate::cell::shorten;
use crate::csv::{CHUNK_BYTES, Cutter, Field, Grammar, Records};
use crate::error::Error;
use crate::files::usual_delimiter;
use crate::nearest::nearest;

/// Reads a loss file: its first row lists the actions, its first column the true classes.
///
/// Classes and actions come in any order, the actions may be some of the classes and `reject`.
/// In the loss they stand in class order, `reject` last, so that ties go to the lowest class.
///
/// # Errors
/// A file that cannot be read; names that are unknown, stand twice or are missing; costs that
/// are not finite numbers; each with its place.
pub fn read_loss(path: &Path, classes: &[Label]) -> Result<Loss, Error> {
    let name = path.display().to_string();
    let reader = File::open(path).map_err(|error| Error::read(&name, &error))?;
    let reader = Box::new(reader);
    let mut cutter = Cutter::new(name.as_str().into(), reader, CHUNK_BYTES)?;
    cutter.set_grammar(Grammar { delimiter: usual_delimiter(&name), ..Grammar::default() });
    let records = cutter.next(usize::MAX)?.ok_or(Error::Empty { file: name })?;
    Sheet { records: &records, classes }.loss()
}

/// The text of a loss file, and the classes it speaks of.
struct Sheet<'a> {
    records: &'a Records,
    classes: &'a [Label],
}

impl Sheet<'_> {
    fn loss(&self) -> Result<Loss, Error> {
        let start = self.records.record_at(0);
        let mut fields = self.records.fields(start)?;
        let width = fields.len();
        let actions = self.actions(&fields[1..])?;
        let mut order: Vec<usize> = (0..actions.len()).collect();
        order.sort_by_key(|&j| actions[j].0);
        let mut rows: Vec<Option<Vec<f64>>> = vec![None; self.classes.len()];
        for _ in 1..self.records.count {
            let start = self.records.record_at(fields[fields.len() - 1].next);
            fields = self.records.fields(start)?;
            if fields.len() != width {
                return Err(Error::Ragged {
                    file: self.file(),
                    line: self.records.line_of(start),
                    found: fields.len(),
                    expected: width,
                });
            }
            let (class, name) = self.class(&fields[0], "class")?;
            let class = class.ok_or_else(|| self.unknown(&fields[0], &name))?;
            let cost = |&j: &usize| self.cost(&fields[j + 1], &actions[j].1);
            let costs = order.iter().map(cost).collect::<Result<Vec<f64>, Error>>()?;
            if rows[class].replace(costs).is_some() {
                return Err(self.repeated(&fields[0], name));
            }
        }
        if let Some(class) = rows.iter().position(Option::is_none) {
            let class = self.classes[class].to_string();
            return Err(Error::MissingClass { file: self.file(), class });
        }
        let actions = order.iter().map(|&j| actions[j].0).collect();
        let costs = rows.into_iter().flatten().flatten().collect();
        Ok(Loss::new(self.classes.len(), actions, costs)?)
    }

    /// The actions in the order of the file, with their names.
    fn actions(&self, fields: &[Field]) -> Result<Vec<(Action, String)>, Error> {
        let mut actions: Vec<(Action, String)> = Vec::new();
        for field in fields {
            let (class, name) = self.class(field, "action")?;
            let action = match class {
                Some(class) => Action::Class(class),
                None if name == Action::REJECT => Action::Reject,
                None => return Err(self.unknown(field, &name)),
            };
            if actions.iter().any(|(known, _)| *known == action) {
                return Err(self.repeated(field, name));
            }
            actions.push((action, name));
        }
        if actions.is_empty() {
            return Err(Error::NoActions { file: self.file() });
        }
        Ok(actions)
    }

    /// The class that a field names, as it stands or without the blanks around it.
    fn class(&self, field: &Field, column: &str) -> Result<(Option<usize>, String), Error> {
        let text = self.records.text(field, column)?;
        let find = |name: &str| self.classes.iter().position(|class| class.as_str() == name);
        let class = find(&text).or_else(|| find(text.trim_ascii()));
        Ok((class, text.trim_ascii().to_owned()))
    }

    fn cost(&self, field: &Field, action: &str) -> Result<f64, Error> {
        let cost = self.records.text(field, action)?.trim_ascii().parse::<f64>().ok();
        cost.filter(|cost| cost.is_finite())
            .ok_or_else(|| Error::BadCost { cell: self.records.cell(field, action).into() })
    }

    fn unknown(&self, field: &Field, name: &str) -> Error {
        Error::UnknownClass {
            file: self.file(),
            line: self.records.line_of(field.start),
            class: shorten(name),
            nearest: nearest(name, self.classes.iter().map(Label::as_str)).map(str::to_owned),
            classes: self.classes.iter().map(ToString::to_string).collect(),
        }
    }

    fn repeated(&self, field: &Field, name: String) -> Error {
        Error::Repeated { file: self.file(), line: self.records.line_of(field.start), name }
    }

    fn file(&self) -> String {
        self.records.file.to_string()
    }
}
