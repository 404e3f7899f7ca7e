//! Expressions: whatever the text, both rules answer with a dtype or a sentence, and with a result of that dtype or with limits; blanks
//! around it and a second call change nothing.

use std::ffi::c_void;

use gpumex_core::error::Status;
use gpumex_core::ffi::*;
use gpumex_core::model::dtype::Dtype;

use crate::call::{Answer, INVALID, OK, answer, before_nul, c_string, context};

const DTYPES: [Dtype; 5] = [Dtype::F64, Dtype::I8, Dtype::U64, Dtype::F32, Dtype::Bool];
const COUNT: usize = 3;

/// The first byte chooses the rules.
pub fn expression(data: &[u8]) {
    let Some((&first, text)) = data.split_first() else { return };
    let text = before_nul(text);
    let padded = [b" \t", text, b"\n "].concat();
    let rules = i32::from(first & 1);
    let (plain, wide) = (c_string(text), c_string(&padded));
    let (dtype, answer) = natural(rules, &plain);
    assert_eq!((dtype, answer.0), {
        let (dtype, answer) = natural(rules, &wide);
        (dtype, answer.0)
    });
    let is_expected = [OK, INVALID, Status::Unsupported as i32].contains(&answer.0);
    assert!(is_expected, "{answer:?}");
    if answer.0 != OK {
        let has_place = answer.1.contains("expression") || answer.1.contains("UTF-8");
        return assert!(has_place, "{answer:?}");
    }
    let once = result(rules, &plain, dtype);
    assert!(once.1.0 == OK || once.1.0 == Status::Unsupported as i32, "{once:?}");
    assert_eq!(once.0, result(rules, &wide, dtype).0);
}

fn natural(rules: i32, text: &[u8]) -> (i32, Answer) {
    let dtypes = DTYPES.map(|dtype| dtype as i32);
    let options = MapOptions { rules, dtypes: dtypes.as_ptr(), ..MapOptions::default() };
    let mut dtype = -1;
    // SAFETY: as many dtypes, a C string, a number to write to.
    let status = unsafe { gpumex_map_dtype(&options, text.as_ptr().cast(), DTYPES.len(), &mut dtype) };
    (dtype, answer(status))
}

/// The bytes of the result, behind which nothing is written.
fn result(rules: i32, text: &[u8], dtype: i32) -> ([u64; COUNT + 1], Answer) {
    let dtypes = DTYPES.map(|dtype| dtype as i32);
    let options =
        MapOptions { rules, dtype, dtypes: dtypes.as_ptr(), shape: &COUNT, ..MapOptions::default() };
    let words = [1u64, 0, 0x4059_0000_4049_0001];
    let inputs = [words.as_ptr().cast::<c_void>(); DTYPES.len()];
    let mut found = [u64::MAX; COUNT + 1];
    let to = found.as_mut_ptr().cast();
    // SAFETY: three elements of at most eight bytes each.
    let status =
        unsafe { gpumex_map(context(), &options, text.as_ptr().cast(), inputs.as_ptr(), inputs.len(), to) };
    assert_eq!(found[COUNT], u64::MAX, "written beyond the end");
    (found, answer(status))
}
