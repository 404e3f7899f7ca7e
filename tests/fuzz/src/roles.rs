//! What each parameter and field is for, read from its type and its text.

use crate::expression::Expression;
use crate::header::{Enum, Function, Header, Member};
use crate::number::{C64, C128};
use crate::{shapes, special};

#[derive(Clone, Debug)]
pub enum Role {
    Context,
    Event,
    Comm,
    /// An option struct or another struct that is read: index in `Header::structs`.
    StructIn(usize),
    /// A struct that is filled in.
    StructOut(usize),
    /// A size or another number without sign.
    Size(Size),
    /// A number of an enum: index in `Header::enums`, and the constants that the text allows.
    Enum(usize, Vec<i64>),
    /// An int32_t, and the numbers in its text.
    Integer(Vec<i64>),
    Double,
    Array(Box<Array>),
    /// An array of addresses: how many, and the array at each of them, which may depend on its place.
    Arrays(Expression, Box<Array>),
    Text,
    /// An expression in the language of gpumex_map.
    Formula,
    Arguments,
    /// A function pointer: index in `Header::callbacks`.
    Callback(usize),
    User,
    /// Receives a handle or an address.
    Handle,
    /// An address that the library looks up, or a stream.
    Address,
    /// Several contexts, which no text describes: NULL, which is refused.
    Contexts,
    /// Characters within a struct.
    Characters(usize),
}

#[derive(Clone, Debug, Default)]
pub struct Size {
    /// The text of the function states a cost that grows with it, so that a call with a huge one never ends.
    pub cost: bool,
    /// It is in the size of an array.
    pub shape: bool,
    pub at_most: Option<String>,
    /// "at most 16"
    pub limit: Option<u64>,
    pub multiple_of: Option<String>,
    /// What it is where a field has a constant: (constant, expression).
    pub with: Option<(String, Expression)>,
}

#[derive(Clone, Debug)]
pub struct Array {
    pub shape: Shape,
    pub element: Element,
    pub output: bool,
    /// Overwritten, not read: the text begins with "Receives".
    pub receives: bool,
    /// NULL has a meaning of its own.
    pub optional: bool,
    /// The array in whose place it may be.
    pub may_be: Option<String>,
    pub contents: Contents,
    /// Integers in it are positions below, or up to, this size.
    pub range: Option<String>,
    /// Ignored unless options->payload is VALUES.
    pub values_only: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Elements(Expression),
    /// Rows and columns of a board, bytes or bits.
    Cells(Expression, Expression),
    /// A, B or C of gpumex_matmul.
    Matrix(char),
    /// As far as it reaches with extents and strides, which are arrays of these names; of one of several arrays, its part of the strides.
    Strided(String, String),
    /// The product of the extents in the array of this name; one element where the field named second is 1.
    Product(String, Option<String>),
    /// An index vector of a dimension, of as many elements as the first array says for it, or a mask, of as many as the second one.
    Selected(String, String),
    /// Of a convolution of rows*cols elements with filter_rows*filter_cols weights, as options->shape says.
    Convolved,
    /// What a reduction of the extents in shape leaves: all but that of options->dimension, of 0 one element.
    Reduced,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    Fixed(&'static str),
    /// The number of a gpumex_dtype in the field or parameter of this name.
    Dtype(String),
    /// The number at the place of the array among several, in the array of this name.
    DtypeOf(String),
    /// value_dtype or index_dtype, as options->payload says; none with NONE.
    Payload,
    /// accumulator_dtype, or dtype where it is not set.
    Accumulator,
    /// result_dtype, or that of the accumulator where it is not set.
    Result,
    /// dtype_c, or dtype where it is not set.
    OfC,
    /// Words of flags, or positions, as options->segments_by says.
    Segments,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contents {
    Any,
    Sorted, // in options->order
    Ascending,
    StrictlyAscending,
    PrefixSums,
    Text,
    /// Numbers of an enum: its index in `Header::enums`.
    Enum(usize),
    /// Extents of an array of several dimensions: their product is small.
    Extents,
    /// Strides of one array or of several, for the extents of the same struct.
    Strides,
    /// Extents of what is taken of an array; NULL: all.
    Counts,
    /// What is taken of each dimension: first positions, steps, and whether they are modulo the extent.
    Starts,
    Steps,
    Wraps,
    /// The numbers of all dimensions in some order.
    Permutation,
}

impl Contents {
    /// Of a short list in host memory, which need not be aligned.
    pub fn is_of_dimensions(self) -> bool {
        matches!(
            self,
            Contents::Extents
                | Contents::Strides
                | Contents::Counts
                | Contents::Starts
                | Contents::Steps
                | Contents::Wraps
                | Contents::Permutation
        )
    }
}

/// A function with the roles of its parameters, and those of the fields of its structs.
pub struct Described {
    pub roles: Vec<Role>,
    /// Statuses that the list of results names.
    pub statuses: Vec<usize>,
    /// The function that gives back what this one returns or hands out.
    pub destructor: Option<String>,
    /// Sums of floats may differ in rounding.
    pub rounded: bool,
    /// The fields of each struct among the parameters: (index in `Header::structs`, roles).
    pub fields: Vec<(usize, Vec<Role>)>,
}

pub fn describe(header: &Header, function: &Function) -> Result<Described, String> {
    let mut roles: Vec<Role> = Vec::new();
    for param in &function.params {
        let role = role(header, function, param, &roles, &function.params)
            .map_err(|reason| format!("{} cannot be described: {}: {reason}", function.name, param.name))?;
        roles.push(role);
    }
    let mut fields = Vec::new();
    for role in &roles {
        let (Role::StructIn(index) | Role::StructOut(index)) = role else { continue };
        let mut inner = Vec::new();
        for field in &header.structs[*index].fields {
            let found = self::role(header, function, field, &inner, &header.structs[*index].fields);
            inner.push(found.map_err(|reason| {
                format!("{} cannot be described: {}: {reason}", function.name, field.name)
            })?);
        }
        fields.push((*index, inner));
    }
    let used: Vec<String> = roles.iter().flat_map(shape_names).collect();
    for (role, param) in roles.iter_mut().zip(&function.params) {
        if let Role::Size(size) = role {
            size.shape = used.contains(&param.name);
        }
    }
    let statuses = &header.enums.iter().find(|candidate| candidate.name == "gpumex_status");
    let statuses = statuses.ok_or("no gpumex_status")?;
    let listed =
        |(number, (name, _)): (usize, &(String, i64))| has_word(&function.results, name).then_some(number);
    let text = format!("{} {}", function.text, function.results)
        + &function.params.iter().map(|param| param.text.as_str()).collect::<String>();
    Ok(Described {
        roles,
        statuses: statuses.constants.iter().enumerate().filter_map(listed).collect(),
        destructor: behind(&text, "belongs to the caller until ").map(str::to_owned),
        rounded: text.contains("|error|")
            || text.contains("differs from the exact")
            || text.contains("Accuracy is that of")
            || text.contains("rounding"),
        fields,
    })
}

fn shape_names(role: &Role) -> Vec<String> {
    let array = match role {
        Role::Array(array) => array,
        Role::Arrays(count, array) => {
            let own = shape_names(&Role::Array(array.clone())).into_iter();
            return own.chain(count.names().into_iter().map(str::to_owned)).collect();
        }
        _ => return Vec::new(),
    };
    let names = match &array.shape {
        Shape::Elements(count) => count.names(),
        Shape::Cells(rows, cols) => [rows.names(), cols.names()].concat(),
        Shape::Matrix(_) => vec!["m", "n", "k"],
        Shape::Convolved => vec!["rows", "cols", "filter_rows", "filter_cols"],
        Shape::Strided(..) | Shape::Product(..) | Shape::Selected(..) | Shape::Reduced => Vec::new(),
    };
    names.into_iter().map(str::to_owned).collect()
}

/// The role of a parameter or field; `before` are the roles of those before it, which its text may refer to.
pub fn role(
    header: &Header,
    function: &Function,
    member: &Member,
    before: &[Role],
    siblings: &[Member],
) -> Result<Role, String> {
    let (kind, text) = (&member.kind, member.text.as_str());
    if let Some(callback) = header.callbacks.iter().position(|name| *name == kind.base) {
        return Ok(Role::Callback(callback));
    }
    if let Some(structure) = header.structure(&kind.base) {
        return Ok(if kind.constant { Role::StructIn(structure) } else { Role::StructOut(structure) });
    }
    if kind.array > 0 {
        return Ok(Role::Characters(kind.array));
    }
    match (kind.base.as_str(), kind.pointers) {
        ("gpumex_context", 1) => return Ok(Role::Context),
        ("gpumex_event", 1) => return Ok(Role::Event),
        ("gpumex_comm", 1) => return Ok(Role::Comm),
        ("gpumex_context", 2) => return Ok(Role::Contexts),
        ("gpumex_comm" | "gpumex_event" | "void", 2) if !kind.constant => return Ok(Role::Handle),
        ("char", 2) => return Ok(Role::Arguments),
        ("double", 0) => return Ok(Role::Double),
        ("size_t" | "uint64_t" | "int64_t", 0) => return Ok(Role::Size(size(function, member))),
        ("int32_t", 0) => return Ok(number(header, text)),
        ("char", 1) if member.name == "expression" => return Ok(Role::Formula),
        (_, 2) => return shapes::arrays(header, function, member, before, siblings),
        ("void", 1) if member.name == "user" => return Ok(Role::User),
        _ => {}
    }
    let array = special::array(&member.name, function)
        .map_or_else(|| shapes::array(header, function, member, before, siblings), Ok);
    match array {
        Ok(array) => Ok(Role::Array(Box::new(array))),
        Err(_) if kind.base == "char" && kind.constant => Ok(Role::Text),
        Err(_)
            if kind.base == "void"
                && function.group != "gpumex_operations"
                && kind.pointers == 1
                && !kind.constant =>
        {
            Ok(Role::Address)
        }
        Err(reason) => Err(reason),
    }
}

fn size(function: &Function, member: &Member) -> Size {
    let text = member.text.as_str();
    let is_sibling = |name: &str| function.params.iter().any(|param| param.name == name);
    let known = |name: &str| is_sibling(name);
    let with = text.split("with ").skip(1).find_map(|part| {
        let (constant, rest) = part.split_once(' ')?;
        let upper = constant.chars().all(|letter| letter.is_ascii_uppercase());
        Some((upper.then(|| constant.to_owned())?, Expression::parse(rest, &known)?.0))
    });
    let cost = function.notes.split("Cost").nth(1).is_some_and(|cost| has_word(cost, &member.name));
    Size {
        cost: cost
            || text.starts_with("Total length")
            || text.starts_with("Number of ")
            || text.starts_with("Steps"),
        shape: false,
        at_most: behind(text, "at most ").filter(|name| is_sibling(name)).map(str::to_owned),
        limit: behind(text, "at most ").and_then(|number| number.parse().ok()),
        multiple_of: behind(text, "a multiple of ").map(str::to_owned),
        with,
    }
}

/// An int32_t: the number of an enum, or one of the numbers of its text.
fn number(header: &Header, text: &str) -> Role {
    if let Some(name) = text
        .split(|next: char| !next.is_ascii_alphanumeric() && next != '_')
        .find(|word| header.enums.iter().any(|candidate| candidate.name == *word))
    {
        let found = header.enums.iter().position(|candidate| candidate.name == name).unwrap_or(0);
        return Role::Enum(found, allowed(&header.enums[found], text));
    }
    let mut numbers: Vec<i64> = Vec::new();
    for word in text.split(|next: char| !next.is_ascii_digit()) {
        numbers.extend(word.parse::<i64>().ok());
    }
    if text.starts_with("Reserved") {
        numbers = vec![0];
    } else if text.starts_with("1: ") || text.contains("Not 0") {
        numbers = vec![0, 1];
    } else if let [low, high, ..] = numbers[..]
        && text.contains(&format!("{low} to {high}"))
    {
        let most = if has_word(text, "threads") { high.min(special::MOST_THREADS) } else { high.min(64) };
        numbers = (low..=most).chain([0]).collect();
    } else {
        numbers.extend([0, -1]);
    }
    Role::Integer(numbers)
}

/// The constants of a dtype that a text allows; all of another enum.
pub fn allowed(of: &Enum, text: &str) -> Vec<i64> {
    let all: Vec<i64> = of.constants.iter().map(|(_, number)| *number).collect();
    let complex = [C64, C128].map(i64::from); // only where they are named
    if of.name != "gpumex_dtype" {
        // "SUM (0), PRODUCT, MIN or MAX"
        let named = of.constants.iter().filter(|(name, _)| has_word(text, name));
        let named: Vec<i64> = named.map(|(_, number)| *number).collect();
        return if named.len() > 2 && text.contains(" or ") { named } else { all };
    }
    let integer = |name: &str| name.starts_with(['I', 'U']);
    let named = of.constants.iter().filter(|(name, _)| {
        if text.contains("4 or 8 bytes") {
            return !name.starts_with('C') && (name.ends_with("32") || name.ends_with("64"));
        }
        has_word(text, name) && name != "NONE" || (integer(name) && has_word(text, "integers"))
    });
    let named: Vec<i64> = named.map(|(_, number)| *number).collect();
    if !named.is_empty() {
        return named;
    }
    let none = !has_word(text, "required") && !text.contains("other than NONE");
    all.into_iter().filter(|number| (none || *number != 0) && !complex.contains(number)).collect()
}

/// The word behind a phrase.
pub fn behind<'a>(text: &'a str, phrase: &str) -> Option<&'a str> {
    let rest = &text[text.find(phrase)? + phrase.len()..];
    let end = rest.find(|next: char| !next.is_ascii_alphanumeric() && next != '_').unwrap_or(rest.len());
    Some(&rest[..end])
}

pub fn has_word(text: &str, word: &str) -> bool {
    text.split(|next: char| !next.is_ascii_alphanumeric() && next != '_').any(|found| found == word)
}
