//! What each rank tells all others in a step of agreement: a record of fixed size.
#![forbid(unsafe_code)]

use crate::error::{Error, Result, Status};

/// The call that a rank is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Create = 1,
    Histogram,
    Reduce,
    Dot,
    Scan,
    Life,
    Sort,
    Words,
    Matmul,
}

impl Operation {
    const ALL: [(Operation, &'static str); 9] = [
        (Operation::Create, "gpumex_comm_create"),
        (Operation::Histogram, "gpumex_comm_histogram"),
        (Operation::Reduce, "gpumex_comm_reduce"),
        (Operation::Dot, "gpumex_comm_dot"),
        (Operation::Scan, "gpumex_comm_scan"),
        (Operation::Life, "gpumex_comm_life"),
        (Operation::Sort, "gpumex_comm_sort"),
        (Operation::Words, "gpumex_comm_words"),
        (Operation::Matmul, "gpumex_comm_matmul"),
    ];
}

/// A number of a rank.
#[derive(Clone, Copy)]
pub struct Field {
    /// Its name in C where it has to be the same on all ranks; None: it may differ.
    name: Option<&'static str>,
    value: u64,
}

impl Field {
    /// A number that has to be the same on all ranks, with its name in C.
    pub fn same(name: &'static str, value: impl TryInto<u64>) -> Field {
        Field { name: Some(name), value: value.try_into().unwrap_or(u64::MAX) }
    }

    /// A text that has to be the same.
    pub fn same_bytes(name: &'static str, bytes: Option<&[u8]>) -> Field {
        Field { name: Some(name), value: bytes.map_or(0, hash) }
    }

    /// A number that each rank has its own of.
    pub fn own(value: usize) -> Field {
        Field { name: None, value: value as u64 }
    }
}

/// FNV-1a; never 0.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step) | 1
}

/// The fields of all ranks, in the order in which each gave them.
pub struct Fields(Vec<Record>);

impl Fields {
    pub(super) fn new(records: Vec<Record>) -> Fields {
        Fields(records)
    }

    /// The field at a place, of each rank.
    pub fn of_all(&self, at: usize) -> impl ExactSizeIterator<Item = u64> {
        self.0.iter().map(move |record| record.fields[at])
    }
}

const FIELDS: usize = 20;
const TEXT: usize = 200; // of an error, a line

/// What a rank tells.
pub struct Record {
    pub steps: u64,
    status: u32,
    operation: u32,
    fields: [u64; FIELDS],
    text: [u8; TEXT],
}

/// Says that these are bytes of this version of the record.
const MARK: u64 = u64::from_le_bytes(*b"gpumex\x00\x01");
const BYTES: usize = 8 + 8 + 4 + 4 + 8 * FIELDS + TEXT;

impl Record {
    pub fn new(operation: Operation, steps: u64, error: Option<&Error>, fields: &[Field]) -> Record {
        let mut record =
            Record { steps, status: 0, operation: operation as u32, fields: [0; FIELDS], text: [0; TEXT] };
        record.fields.iter_mut().zip(fields).for_each(|(to, field)| *to = field.value);
        if let Some(error) = error {
            record.status = error.status() as u32;
            record.text.iter_mut().zip(error.message().bytes()).for_each(|(to, byte)| *to = byte);
        }
        record
    }

    pub fn to_bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let mut rest = &mut bytes[..];
        let mut put = |part: &[u8]| {
            let (to, behind) = std::mem::take(&mut rest).split_at_mut(part.len());
            to.copy_from_slice(part);
            rest = behind;
        };
        put(&MARK.to_le_bytes());
        put(&self.steps.to_le_bytes());
        put(&self.status.to_le_bytes());
        put(&self.operation.to_le_bytes());
        self.fields.iter().for_each(|field| put(&field.to_le_bytes()));
        put(&self.text);
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Record> {
        let mut rest = bytes;
        let mut take = |len: usize| {
            let (part, behind) = rest.split_at(len);
            rest = behind;
            part
        };
        let number =
            |part: &[u8]| part.iter().rev().fold(0, |number: u64, &byte| number << 8 | u64::from(byte));
        if number(take(8)) != MARK {
            return Err(Error::new(
                Status::Peer,
                "another rank sent what is no record of this version of the library; are its allgather and its version right?",
            ));
        }
        let (steps, status, operation) = (number(take(8)), number(take(4)) as u32, number(take(4)) as u32);
        let mut fields = [0; FIELDS];
        fields.iter_mut().for_each(|field| *field = number(take(8)));
        let mut text = [0; TEXT];
        text.copy_from_slice(take(TEXT));
        Ok(Record { steps, status, operation, fields, text })
    }

    fn text(&self) -> String {
        let len = self.text.iter().position(|byte| *byte == 0).unwrap_or(TEXT);
        String::from_utf8_lossy(&self.text[..len]).into_owned()
    }

    fn operation(&self) -> &'static str {
        let found = Operation::ALL.iter().find(|(operation, _)| *operation as u32 == self.operation);
        found.map_or("a call that this version does not know", |(_, name)| name)
    }
}

/// The verdict, the same on all ranks but for the one that failed: whether all succeeded in the same call with the same numbers.
pub fn check(records: &[Record], fields: &[Field]) -> Result<()> {
    for (rank, record) in records.iter().enumerate() {
        if record.status != 0 {
            let status = Status::ALL
                .get(record.status as usize)
                .map_or("", |status| status.text().to_str().unwrap_or_default());
            let text = format!("rank {rank} ended the call ({status}): {}", record.text());
            return Err(Error::new(Status::Peer, text));
        }
    }
    for (rank, record) in records.iter().enumerate() {
        if record.operation != records[0].operation {
            let (first, other) = (records[0].operation(), record.operation());
            return Err(Error::invalid(format!("rank 0 is in {first}, rank {rank} in {other}")));
        }
    }
    for (at, name) in fields.iter().enumerate().filter_map(|(at, field)| Some((at, field.name?))) {
        let of_first = records[0].fields[at];
        if let Some(rank) = records.iter().position(|record| record.fields[at] != of_first) {
            let other = records[rank].fields[at];
            let values =
                if name.ends_with("expression") || name.ends_with("rule") || name.ends_with("identity") {
                    "differs".to_string()
                } else {
                    format!("is {of_first} on rank 0 and {other} on rank {rank}")
                };
            return Err(Error::invalid(format!("{name} {values}; it has to be the same on all ranks")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_what_its_bytes_say() {
        let error = Error::invalid("k is 3");
        let fields = [Field::own(7), Field::same("count", u64::MAX)];
        let record = Record::new(Operation::Sort, 9, Some(&error), &fields);
        let read = Record::from_bytes(&record.to_bytes()).unwrap();
        assert_eq!((read.steps, read.status, read.operation()), (9, 2, "gpumex_comm_sort"));
        assert_eq!((read.fields[0], read.fields[1], read.text()), (7, u64::MAX, "k is 3".into()));
        let mut other = record.to_bytes();
        other[0] ^= 1;
        assert_eq!(Record::from_bytes(&other).err().map(|error| error.status()), Some(Status::Peer));
    }

    #[test]
    fn the_verdict_names_the_rank_and_the_number() {
        let record = |operation, error: Option<&Error>, count: usize| {
            Record::new(operation, 1, error, &[Field::same("count", count), Field::own(count)])
        };
        let fields = [Field::same("count", 0u64), Field::own(0)];
        let says = |records: &[Record]| check(records, &fields).map_err(|error| error.message().to_string());
        let scan = |count| record(Operation::Scan, None, count);
        assert_eq!(says(&[scan(1), scan(1)]), Ok(()));
        let differs = "count is 1 on rank 0 and 2 on rank 1; it has to be the same on all ranks";
        assert_eq!(says(&[scan(1), scan(2)]), Err(differs.into()));
        let other = "rank 0 is in gpumex_comm_scan, rank 2 in gpumex_comm_life";
        assert_eq!(says(&[scan(1), scan(1), record(Operation::Life, None, 1)]), Err(other.into()));
        let error = Error::out_of_memory("host memory", 5);
        let failed = "rank 1 ended the call (out of memory): out of host memory: 5 bytes wanted";
        assert_eq!(says(&[scan(1), record(Operation::Life, Some(&error), 3)]), Err(failed.into()));
    }
}
