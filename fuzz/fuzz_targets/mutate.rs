//! Changes JSON value by value, so that what a reader gets is nearly always JSON.

use serde_json::Value;

/// Numbers that files should not hold, and some that they may.
const NUMBERS: [&str; 24] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "0.5",
    "1e-320",
    "5e-324",
    "1e308",
    "-1e308",
    "1.7976931348623157e308",
    "1e-300",
    "1e300",
    "4294967295",
    "4294967296",
    "2147483647",
    "-2147483648",
    "18446744073709551615",
    "9223372036854775807",
    "1025",
    "-1100",
    "1000000",
];

const WORDS: [&str; 20] = [
    "",
    "a",
    "b",
    "x1",
    "full",
    "shared",
    "diagonal",
    "spherical",
    "observed",
    "uniform",
    "VVV",
    "EEE",
    "number",
    "flag",
    "category",
    "count",
    "text",
    "noise",
    "ignore",
    "smooth",
];

/// A small generator: libFuzzer's seed decides all.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Changes JSON in its buffer; none where it is no JSON, or has no room.
pub fn json(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
    let mut random = Random(u64::from(seed) | 1 << 40);
    let mut root: Value = serde_json::from_slice(&data[..size]).ok()?;
    for _ in 0..=random.below(3) {
        let other = at(&mut root, random.below(usize::MAX)).clone();
        let place = random.below(usize::MAX);
        change(at(&mut root, place), other, &mut random);
    }
    let text = serde_json::to_vec(&root).ok()?;
    let room = data.get_mut(..text.len()).filter(|_| text.len() <= max_size)?;
    room.copy_from_slice(&text);
    Some(text.len())
}

/// A value by its number, counted through the whole tree.
fn at(root: &mut Value, number: usize) -> &mut Value {
    let mut number = number % count(root);
    let mut value = root;
    loop {
        if number == 0 {
            return value;
        }
        number -= 1;
        let children: Vec<&mut Value> = match value {
            Value::Array(list) => list.iter_mut().collect(),
            Value::Object(keys) => keys.values_mut().collect(),
            _ => unreachable!("a value without children has one place"),
        };
        let mut found = None;
        for child in children {
            let places = count(child);
            if number < places {
                found = Some(child);
                break;
            }
            number -= places;
        }
        value = found.expect("invariant: the number is below the count");
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(count).sum(),
        Value::Object(keys) => keys.values().map(count).sum(),
        _ => 0,
    }
}

fn change(value: &mut Value, other: Value, random: &mut Random) {
    match random.below(12) {
        0 => *value = other,
        1 => *value = Value::Null,
        _ => match value {
            Value::Number(_) => {
                let text = NUMBERS[random.below(NUMBERS.len())];
                *value = serde_json::from_str(text).unwrap_or(Value::Null);
            }
            Value::String(text) => *text = WORDS[random.below(WORDS.len())].to_owned(),
            Value::Bool(is) => *is = !*is,
            Value::Array(list) => {
                let (i, j) = (random.below(list.len()), random.below(list.len()));
                match random.below(7) {
                    0 => list.clear(),
                    1 if !list.is_empty() => drop(list.remove(i)),
                    2 if !list.is_empty() => list.insert(i, list[j].clone()),
                    3 if !list.is_empty() => list.swap(i, j),
                    4 => list.truncate(i),
                    5 => list.push(other),
                    _ => list.extend_from_within(..),
                }
            }
            Value::Object(keys) => {
                let names: Vec<String> = keys.keys().cloned().collect();
                let Some(name) = names.get(random.below(names.len())) else { return };
                let second = &names[random.below(names.len())];
                match random.below(3) {
                    0 => drop(keys.remove(name)),
                    1 => drop(keys.insert(second.clone(), keys[name].clone())),
                    _ => drop(keys.insert(name.clone(), other)),
                }
            }
            Value::Null => *value = other,
        },
    }
}
