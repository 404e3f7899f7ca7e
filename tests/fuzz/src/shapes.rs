//! Arrays as the texts of the header describe them: how many elements, of which type, in which order.

use crate::expression::Expression;
use crate::header::{Function, Header, Member, Type, base_size};
use crate::roles::{Array, Contents, Element, Role, Shape, behind, has_word};

/// "input_count arrays, each of its dtype in dtypes, laid out by shape and strides", "input_count arrays of rows*cols elements".
pub fn arrays(
    header: &Header,
    function: &Function,
    member: &Member,
    before: &[Role],
    siblings: &[Member],
) -> Result<Role, String> {
    let known = |name: &str| siblings.iter().chain(&function.params).any(|other| other.name == name);
    let (count, rest) = Expression::parse(&member.text, &known).ok_or("how many arrays?")?;
    let rest = rest.trim_start().strip_prefix("arrays").ok_or("of how many arrays?")?;
    let text = rest.trim_start_matches(',').trim_start().trim_start_matches("of ").to_owned();
    let kind = Type { pointers: 1, ..member.kind.clone() };
    let each = Member { text, kind, ..member.clone() };
    let array = array(header, function, &each, before, siblings)?;
    Ok(Role::Arrays(count, Box::new(Array { optional: false, ..array })))
}

/// "laid out by shape and strides"
fn strided(text: &str) -> Option<Shape> {
    let extents = behind(text, "laid out by ")?;
    let strides = behind(text, &format!("laid out by {extents} and "))?;
    Some(Shape::Strided(extents.to_owned(), strides.to_owned()))
}

/// "the product of counts elements, or one with broadcast"
fn product(front: &str) -> Option<Shape> {
    let rest = front.strip_prefix("The product of ").or(front.strip_prefix("the product of "))?;
    let (list, rest) = rest.split_once(" elements")?;
    Some(Shape::Product(list.to_owned(), behind(rest, "or one with ").map(str::to_owned)))
}

/// "counts[d] elements, or a mask, shape[d] bytes"
fn selected(text: &str) -> Option<Shape> {
    let before = |phrase: &str| {
        let (front, _) = text.split_once(phrase)?;
        front.rsplit(' ').next().map(str::to_owned)
    };
    Some(Shape::Selected(before("[d] elements")?, before("[d] bytes")?))
}

/// An array: shape, element and contents as its text states them.
pub fn array(
    header: &Header,
    function: &Function,
    member: &Member,
    before: &[Role],
    siblings: &[Member],
) -> Result<Array, String> {
    let text = member.text.as_str();
    let output = !member.kind.constant;
    let receives = text.starts_with("Receives");
    let mut front = text.trim_start_matches("Receives ").trim_start_matches("at most ");
    front = front
        .trim_start_matches("the first ")
        .trim_start_matches("op(A) is ")
        .trim_start_matches("op(B) is ");
    let known = |name: &str| {
        siblings.iter().chain(&function.params).any(|other| other.name == name && other.kind.pointers == 0)
            || matches!(name, "channels" | "rank")
    };
    let previous = before.iter().rev().find_map(|role| match role {
        Role::Array(array) => Some(array),
        _ => None,
    });
    let (mut shape, behind_shape) = if let Some(shape) =
        strided(text).or_else(|| product(front)).or_else(|| selected(text))
    {
        (shape, text)
    } else if let Some(rest) = front.strip_prefix("as many ") {
        (previous.ok_or("as many as what?")?.shape.clone(), rest)
    } else if let Some(like) = behind(text, "laid out as ") {
        let other = function.params.iter().position(|param| param.name == like).ok_or("laid out as what?")?;
        let Some(Role::Array(other)) = before.get(other) else { return Err("laid out as what?".into()) };
        (other.shape.clone(), text)
    } else if let Some((count, rest)) = Expression::parse(front, &known)
        && rest.trim_start().starts_with(char::is_alphabetic)
    {
        // A number and its unit; "items * iterations / seconds" is one number.
        (Shape::Elements(count), rest)
    } else if text.contains("one element of ")
        || matches!(member.kind.base.as_str(), "uint64_t" | "int32_t" | "double")
    {
        (Shape::Elements(Expression::Number(1)), text) // also one number: "Receives the position"
    } else {
        return Err(format!("no size in \"{text}\""));
    };
    let unit = behind_shape.trim_start();
    if unit.starts_with("cells") {
        let Shape::Elements(Expression::Binary('*', rows, cols)) = shape else {
            return Err("cells of what?".into());
        };
        shape = Shape::Cells(*rows, *cols);
    }
    if let Some(factor) = unit.strip_prefix("spheres of ").and_then(|rest| Expression::parse(rest, &known))
        && let Shape::Elements(count) = &shape
    {
        shape = Shape::Elements(Expression::Binary('*', Box::new(count.clone()), Box::new(factor.0)));
    }
    let alias = ["may be ", "overlaps it in no other way"];
    let may_be = behind(text, alias[0]).filter(|name| siblings.iter().any(|other| other.name == *name));
    let in_range = |name: &&str| known(name) && function.params.iter().any(|param| param.name == **name);
    let range =
        ["below ", "at most ", "those from "].iter().find_map(|word| behind(text, word)).filter(in_range);
    let range = range.map(str::to_owned).or_else(|| {
        let of = behind(text, "positions in ")?;
        let size = format!("{of}_count");
        function.params.iter().any(|param| param.name == size).then_some(size)
    });
    Ok(Array {
        element: element(function, member, unit, previous.map(|array| &**array), siblings),
        shape,
        output,
        receives,
        optional: text.contains("NULL"),
        may_be: may_be.map(str::to_owned),
        contents: if let Some(of) = behind(text, "each a ")
            && let Some(index) = header.enums.iter().position(|candidate| candidate.name == of)
        {
            Contents::Enum(index)
        } else if text.contains("extent of each dimension") && text.contains("NULL: ") {
            Contents::Counts
        } else if text.contains("first position of each range") {
            Contents::Starts
        } else if text.contains("step of each range") {
            Contents::Steps
        } else if text.contains("modulo its extent") {
            Contents::Wraps
        } else if text.contains("each of the numbers 0 to ") {
            Contents::Permutation
        } else if text.contains("extent of each dimension") {
            Contents::Extents
        } else if text.contains("strides of ") && member.kind.base == "int64_t" {
            Contents::Strides
        } else if text.contains("strictly ascending") {
            Contents::StrictlyAscending
        } else if text.contains("prefix sum") {
            Contents::PrefixSums
        } else if text.contains("ascending") {
            Contents::Ascending
        } else if has_word(text, "sorted") {
            Contents::Sorted
        } else if member.kind.base == "char" || member.name == "text" {
            Contents::Text
        } else {
            Contents::Any
        },
        range,
        values_only: text.contains("with VALUES, else ignored"),
    })
}

fn element(
    function: &Function,
    member: &Member,
    unit: &str,
    previous: Option<&Array>,
    siblings: &[Member],
) -> Element {
    let text = member.text.as_str();
    if let Some(dtypes) = behind(text, "its dtype in ") {
        return Element::DtypeOf(dtypes.to_owned());
    }
    if base_size(&member.kind.base).is_some() {
        return Element::Fixed(fixed(&member.kind.base).unwrap_or("uint8_t"));
    }
    if text.contains("value_dtype or index_dtype") {
        return Element::Payload;
    }
    if text.contains("accumulator dtype") {
        return Element::Accumulator;
    }
    if unit.starts_with("bytes") || unit.starts_with("cells") || text.contains("laid out as") {
        return Element::Fixed("uint8_t");
    }
    let words = || text.split(|next: char| !next.is_ascii_alphanumeric() && next != '_');
    if let Some(named) = words().find(|word| word.ends_with("_dtype") && *word != "value_dtype") {
        return Element::Dtype(named.to_owned());
    }
    if text.contains("of value_dtype") {
        return Element::Dtype("value_dtype".into());
    }
    let own = format!("{}_dtype", member.name);
    if siblings.iter().any(|other| other.name == own) {
        return Element::Dtype(own);
    }
    if text.starts_with("Receives as many")
        && !text.contains("of dtype")
        && let Some(previous) = previous
    {
        return previous.element.clone();
    }
    if let Some(c_type) = words().find_map(fixed) {
        return Element::Fixed(c_type);
    }
    if unit.starts_with("keys") && function.params.iter().any(|param| param.text.contains("key_dtype")) {
        return Element::Dtype("key_dtype".into());
    }
    if text.contains("positions, from 0") {
        return Element::Dtype("index_dtype".into());
    }
    let dtype = function.params.iter().any(|param| param.name == "dtype");
    if !dtype && !function.params.iter().any(|param| param.name == "options") {
        return Element::Fixed("uint8_t");
    }
    Element::Dtype("dtype".into())
}

fn fixed(word: &str) -> Option<&'static str> {
    ["uint8_t", "uint16_t", "uint32_t", "uint64_t", "size_t", "int32_t", "int64_t", "float", "double", "char"]
        .into_iter()
        .find(|c_type| *c_type == word)
}
