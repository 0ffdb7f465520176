//! Puts an ONNX graph together: operators, constants, inputs and outputs.

use crate::export::protobuf::Message;

/// The numbers that ONNX has for types.
pub(super) const FLOAT: i64 = 1;
pub(super) const INT64: i64 = 7;
pub(super) const STRING: i64 = 8;
pub(super) const DOUBLE: i64 = 11;

/// The name of a tensor in the graph.
pub(super) type Name = String;

/// What an operator is told beside its inputs.
pub(super) enum Attribute<'a> {
    Int(i64),
    Ints(&'a [i64]),
    Texts(&'a [String]),
}

/// A graph that is being written.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Message>,
    constants: Vec<Message>,
    inputs: Vec<Message>,
    outputs: Vec<Message>,
    /// Whether an operator is one of ai.onnx.ml.
    pub(super) learns: bool,
}

impl Graph {
    /// A tensor that is given, of rows times this many columns.
    pub(super) fn input(&mut self, name: &str, kind: i64, columns: usize) {
        self.inputs.push(value(name, kind, Some(columns)));
    }

    /// A tensor that is answered: a column, or rows times this many columns.
    pub(super) fn output(&mut self, name: &str, kind: i64, columns: Option<usize>) {
        self.outputs.push(value(name, kind, columns));
    }

    /// Numbers of this shape.
    pub(super) fn doubles(&mut self, shape: &[usize], values: &[f64]) -> Name {
        let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(shape, DOUBLE, |tensor| tensor.bytes(9, &raw))
    }

    /// One number.
    pub(super) fn double(&mut self, value: f64) -> Name {
        self.doubles(&[], &[value])
    }

    /// Whole numbers, one after the other.
    pub(super) fn whole(&mut self, values: &[i64]) -> Name {
        let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(&[values.len()], INT64, |tensor| tensor.bytes(9, &raw))
    }

    /// Texts, one after the other.
    pub(super) fn texts(&mut self, values: &[String]) -> Name {
        self.constant(&[values.len()], STRING, |tensor| {
            tensor.each(values, |tensor, text| tensor.text(6, text))
        })
    }

    fn constant(
        &mut self,
        shape: &[usize],
        kind: i64,
        fill: impl FnOnce(Message) -> Message,
    ) -> Name {
        let name = format!("gaussbayes/c{}", self.constants.len());
        let tensor = Message::default().each(shape, |tensor, size| tensor.int(1, *size as i64));
        self.constants.push(fill(tensor.int(2, kind).text(8, &name)));
        name
    }

    /// An operator without attributes; returns what it makes.
    pub(super) fn op(&mut self, kind: &str, inputs: &[&Name]) -> Name {
        self.with(kind, inputs, &[])
    }

    /// An operator; returns what it makes.
    pub(super) fn with(
        &mut self,
        kind: &str,
        inputs: &[&Name],
        attributes: &[(&str, Attribute<'_>)],
    ) -> Name {
        let name = format!("gaussbayes/t{}", self.nodes.len());
        self.named(kind, inputs, attributes, &name);
        name
    }

    /// An operator that makes what is called so.
    pub(super) fn named(
        &mut self,
        kind: &str,
        inputs: &[&Name],
        attributes: &[(&str, Attribute<'_>)],
        name: &str,
    ) {
        let node = Message::default().each(inputs, |node, input| node.text(1, input));
        let node = node.text(2, name).text(3, &format!("n{}", self.nodes.len())).text(4, kind);
        let mut node = node.each(attributes, |node, (key, attribute)| {
            let message = Message::default().text(1, key);
            node.message(
                5,
                &match attribute {
                    Attribute::Int(value) => message.int(3, *value).int(20, 2),
                    Attribute::Ints(values) => {
                        message.each(*values, |message, value| message.int(8, *value)).int(20, 7)
                    }
                    Attribute::Texts(values) => {
                        message.each(*values, |message, text| message.text(9, text)).int(20, 8)
                    }
                },
            )
        });
        if kind == "LabelEncoder" {
            self.learns = true;
            node = node.text(7, LEARNS);
        }
        self.nodes.push(node);
    }

    /// The message of the whole.
    pub(super) fn into_message(self) -> Message {
        let all = |message: Message, field: u32, parts: &[Message]| {
            message.each(parts, |message, part| message.message(field, part))
        };
        let graph = all(Message::default(), 1, &self.nodes).text(2, "gaussbayes");
        all(all(all(graph, 5, &self.constants), 11, &self.inputs), 12, &self.outputs)
    }
}

/// The operators of machine learning.
pub(super) const LEARNS: &str = "ai.onnx.ml";

/// What a tensor of many rows is called and holds.
fn value(name: &str, kind: i64, columns: Option<usize>) -> Message {
    let rows = Message::default().text(2, "N");
    let shape = Message::default().message(1, &rows).each(columns, |shape, columns| {
        shape.message(1, &Message::default().int(1, columns as i64))
    });
    let tensor = Message::default().int(1, kind).message(2, &shape);
    Message::default().text(1, name).message(2, &Message::default().message(1, &tensor))
}
