//! A call as data: it can be run, compared, made smaller and written as a C program.

use crate::disturbance::Disturbance;
use crate::expression::Expression;
use crate::header::{Function, Header};
use crate::layout::Layout;
use crate::number::{BOOL, Number, decode_all, dtype_of, dtype_size};
use crate::roles::{Array, Described, Element, Role, Shape, behind};
use crate::special;

#[derive(Clone, Debug)]
pub struct Case {
    pub number: u64,
    pub function: usize,
    pub values: Vec<Value>,
    /// Bits in which the caller's MXCSR differs from the default: rounding mode, flush to zero, denormals are zero, traps.
    pub mxcsr: u32,
    /// The header states the result: nothing that has to be sorted is unsorted, and the like.
    pub specified: bool,
    /// Functions that are called before it with the context alone, or with a place for their result.
    pub before: Vec<usize>,
    pub disturbance: Disturbance,
    /// Why the header refuses it, where it does.
    pub refused: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Int(u64),
    Double(f64),
    Null,
    /// An address that must not be accessed: the argument is ignored.
    Ignored,
    Array(Buffer),
    /// Arrays, by the array of their addresses.
    Arrays(Vec<Value>),
    /// Bytes of another array argument: parameter, offset and length.
    Alias(usize, usize, usize),
    /// Fields in their order; the first one is the size.
    Struct(usize, Vec<Value>),
    /// With a NUL behind it.
    Text(Vec<u8>),
    Arguments(Vec<String>),
    Context(Which),
    Event(Mark),
    Comm(Mark),
    Address(Block),
    Callback(Behaviour),
    User,
    Handle,
}

impl Value {
    /// The arrays of an argument.
    pub fn buffers(&self) -> impl Iterator<Item = &Buffer> {
        let several = if let Value::Arrays(items) = self { items.as_slice() } else { &[] };
        std::iter::once(self)
            .chain(several)
            .filter_map(|value| if let Value::Array(buffer) = value { Some(buffer) } else { None })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    pub bytes: Vec<u8>,
    pub dtype: u8,
    /// Ends at a protected page; else begins behind one.
    pub high: bool,
    /// Bytes by which it is misaligned.
    pub skew: usize,
    pub output: bool,
    pub receives: bool,
    pub place: Place,
}

/// Where an array is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// Between protected pages.
    Ordinary,
    /// At the end of a block of gpumex_malloc, of this kind.
    Block(u64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Which {
    Dead,
    Invented(u64),
    Busy,
    Default,
    Pool(usize),
    Scratch,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    Dead,
    Invented(u64),
    New,
    Recorded,
    /// A communicator of so many ranks in this process, among whom the arrays are cut by the seed.
    Ranks(usize, u64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Block {
    Start,
    Inside,
    Freed,
    Invented(u64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Behaviour {
    Continue,
    /// Stops, or has no memory.
    Stop,
    /// Calls the library with the same context and with another one.
    Reenter,
}

/// Names of the parameters and options of a case.
pub struct Scope<'a> {
    pub header: &'a Header,
    pub function: &'a Function,
    pub described: &'a Described,
    pub values: &'a [Value],
}

impl Scope<'_> {
    pub fn value(&self, name: &str) -> Option<&Value> {
        if let Some(index) = self.function.params.iter().position(|param| param.name == name) {
            return self.values.get(index);
        }
        self.field(name).map(|(value, _)| value)
    }

    /// A field of a struct among the arguments, and its text.
    fn field(&self, name: &str) -> Option<(&Value, &str)> {
        self.values.iter().find_map(|value| {
            let Value::Struct(structure, fields) = value else { return None };
            let found = self.header.structs[*structure].fields.iter().position(|field| field.name == name)?;
            Some((&fields[found], self.header.structs[*structure].fields[found].text.as_str()))
        })
    }

    /// The number of a parameter or of a field; 0 where there is none.
    pub fn number(&self, name: &str) -> u64 {
        match self.value(name) {
            Some(Value::Int(number)) => *number,
            _ => 0,
        }
    }

    /// As it counts in a size: a field that is 0 stands for its default.
    pub fn extent(&self, name: &str) -> u128 {
        let number = self.number(name);
        if number != 0 || self.function.params.iter().any(|param| param.name == name) {
            return u128::from(number);
        }
        let options =
            self.function.params.iter().zip(&self.described.roles).find_map(|(_, role)| match role {
                Role::StructIn(index) => Some(*index),
                _ => None,
            });
        let field = options
            .and_then(|index| self.header.structs[index].fields.iter().find(|field| field.name == name));
        field.map_or(0, |field| u128::from(special::zero_stands_for(&field.text)))
    }

    pub fn evaluate(&self, expression: &Expression) -> u128 {
        expression.evaluate(&|name| self.extent(name))
    }

    /// The dtype of an array's elements: 0 where a field that says it is not set or has no meaning. `None`: the array
    /// is ignored.
    pub fn dtype(&self, array: &Array) -> Option<u8> {
        self.dtype_of(array, 0)
    }

    /// The same for one of several arrays.
    pub fn dtype_of(&self, array: &Array, item: usize) -> Option<u8> {
        if array.values_only && self.number("payload") != 1 {
            return None;
        }
        let field = |name: &str| self.named_dtype(name);
        match &array.element {
            Element::Fixed(c_type) => Some(dtype_of(c_type)),
            Element::Dtype(name) => Some(field(name)),
            Element::DtypeOf(name) => Some(
                self.list(name)
                    .and_then(|dtypes| dtypes.get(item).copied())
                    .map_or(0, |number| u8::try_from(number).ok().filter(|dtype| *dtype < 16).unwrap_or(0)),
            ),
            Element::OfC if field("dtype_c") != 0 => Some(field("dtype_c")),
            Element::OfC => Some(field("dtype")),
            Element::Result if field("result_dtype") != 0 => Some(field("result_dtype")),
            Element::Accumulator | Element::Result => Some(match field("accumulator_dtype") {
                0 => special::natural_accumulator(&self.function.name, self.number("op"), field("dtype")),
                dtype => dtype,
            }),
            Element::Payload => match self.number("payload") {
                0 => None,
                1 => Some(field("value_dtype")),
                _ => Some(field("index_dtype")),
            },
            Element::Segments => {
                Some(if self.number("segments_by") == 1 { 11 } else { field("index_dtype") })
            }
        }
    }

    fn named_dtype(&self, name: &str) -> u8 {
        let number = self.number(name);
        if number != 0 {
            return u8::try_from(number).ok().filter(|dtype| *dtype < 16).unwrap_or(0);
        }
        // "U8 (also where it is not set)"
        let texts = self.header.structs.iter().filter(|candidate| {
            self.described.fields.iter().any(|(index, _)| self.header.structs[*index].name == candidate.name)
        });
        let text = texts
            .flat_map(|found| &found.fields)
            .find(|field| field.name == name)
            .map(|field| field.text.as_str());
        let default =
            text.and_then(|text| text.split_once(" (also where it is not set)")).map(|(front, _)| front);
        let constant = default.and_then(|front| front.rsplit(' ').next()).unwrap_or_default();
        self.header.constant("gpumex_dtype", constant).unwrap_or(0) as u8
    }

    /// Elements of an array; of several the number chooses one.
    pub fn count_of(&self, array: &Array, item: usize) -> u128 {
        match &array.shape {
            Shape::Strided(extents, strides) => {
                let layout = Layout::of(self, extents);
                layout.span(&layout.strides(self, strides, item))
            }
            Shape::Elements(Expression::Binary('+', left, right))
                if **left == Expression::Name("capacity".into()) && self.number("capacity") == 0 =>
            {
                let _ = right; // "none where capacity = 0"
                0
            }
            Shape::Elements(count) => self.evaluate(count),
            Shape::Cells(rows, cols) => {
                let (rows, cols) = (self.evaluate(rows), self.evaluate(cols));
                let bits = self.number("cells") == 1;
                rows.saturating_mul(if bits { cols.div_ceil(64) * 8 } else { cols })
            }
            Shape::Matrix(which) => Matrix::of(self, *which).elements(),
            Shape::Product(extents, single) => {
                let product = |extents: Vec<u128>| extents.into_iter().fold(1, u128::saturating_mul);
                let count = self.extents_of(extents).map_or(0, product);
                let is_single = single.as_ref().is_some_and(|single| self.number(single) == 1);
                if is_single { count.min(1) } else { count }
            }
            Shape::Convolved => {
                let along = |count: &str, window: &str| {
                    let (count, before) = (self.number(count), self.number(window).saturating_sub(1));
                    match self.number("shape") {
                        1 if count > 0 => count.saturating_add(before),
                        2 => count.saturating_sub(before),
                        _ => count,
                    }
                };
                u128::from(along("rows", "filter_rows")).saturating_mul(along("cols", "filter_cols").into())
            }
            Shape::Reduced => match self.number("dimension") {
                0 => 1,
                dimension => {
                    let extents = self.extents_of("shape").unwrap_or_default().into_iter().enumerate();
                    let kept = extents.filter(|(index, _)| *index as u64 + 1 != dimension);
                    kept.fold(1, |product, (_, extent)| product.saturating_mul(extent))
                }
            },
            Shape::Selected(counts, extents) => {
                let list = if self.dtype_of(array, item) == Some(BOOL) { extents } else { counts };
                self.extents_of(list).and_then(|list| list.get(item).copied()).unwrap_or(0)
            }
        }
    }

    /// Bytes of an array; `None` where it is ignored. An unknown element counts as 8 bytes.
    pub fn bytes(&self, array: &Array) -> Option<u128> {
        self.bytes_of(array, 0)
    }

    /// The same for one of several arrays.
    pub fn bytes_of(&self, array: &Array, item: usize) -> Option<u128> {
        let dtype = self.dtype_of(array, item)?;
        let size = if dtype == 0 { 8 } else { dtype_size(dtype) };
        Some(self.count_of(array, item).saturating_mul(size as u128))
    }

    /// The integers of an array in an option or a parameter; `None` where it is NULL.
    pub fn list(&self, name: &str) -> Option<Vec<i64>> {
        match self.value(name)? {
            Value::Array(buffer) => {
                let number = |number: Number| number.int() as i64;
                Some(decode_all(buffer.dtype, &buffer.bytes).into_iter().map(number).collect())
            }
            _ => None,
        }
    }

    /// The extents in an array of this name, or in the one that its text says NULL stands for.
    pub fn extents_of(&self, name: &str) -> Option<Vec<u128>> {
        let unsigned = |list: Vec<i64>| list.into_iter().map(|extent| u128::from(extent as u64)).collect();
        let default = || behind(self.field(name)?.1, "NULL: ").and_then(|other| self.list(other));
        self.list(name).or_else(default).map(unsigned)
    }

    /// The text of a parameter or an option, where it is UTF-8.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.value(name)? {
            Value::Text(text) => std::str::from_utf8(text.split(|byte| *byte == 0).next()?).ok(),
            _ => None,
        }
    }
}

/// Layout of A, B or C of gpumex_matmul.
pub struct Matrix {
    pub outer: u128, // rows (ROW) or columns (COLUMN), ld elements apart
    pub inner: u128,
    pub ld: u128,
    pub stride: u128,
    pub batch: u128,
    pub transposed: bool, // rows and columns of op(X) are exchanged, or the order is COLUMN
}

impl Matrix {
    pub fn of(scope: &Scope, which: char) -> Matrix {
        let [m, n, k] = ["m", "n", "k"].map(|name| u128::from(scope.number(name)));
        let (rows, cols) = match which {
            'a' => (m, k),
            'b' => (k, n),
            _ => (m, n),
        };
        let named = |name: &str| u128::from(scope.number(&format!("{name}{which}")));
        let transposed = (named("trans_") == 1) != (scope.number("order") == 1);
        let (outer, inner) = if transposed { (cols, rows) } else { (rows, cols) };
        let ld = match named("ld") {
            0 => inner,
            ld => ld,
        };
        let one =
            if outer == 0 || inner == 0 { 0 } else { (outer - 1).saturating_mul(ld).saturating_add(inner) };
        let stride = match named("stride_") {
            0 => outer.saturating_mul(ld),
            stride => stride,
        };
        let _ = one;
        let batch = if named("same_") == 1 { 1 } else { u128::from(scope.number("batch")).max(1) };
        Matrix { outer, inner, ld, stride, batch, transposed }
    }

    pub fn elements(&self) -> u128 {
        if self.outer == 0 || self.inner == 0 {
            return 0;
        }
        let one = (self.outer - 1).saturating_mul(self.ld).saturating_add(self.inner);
        (self.batch - 1).saturating_mul(self.stride).saturating_add(one)
    }

    /// Position of element (row, col) of op(X) of a product.
    pub fn index(&self, product: u128, row: u128, col: u128) -> usize {
        let (outer, inner) = if self.transposed { (col, row) } else { (row, col) };
        let product = if self.batch == 1 { 0 } else { product };
        (product * self.stride + outer * self.ld + inner) as usize
    }
}
