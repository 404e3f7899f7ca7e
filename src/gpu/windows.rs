//! Windows that move over an array, as kernels take them.

use std::ffi::c_int;

use super::runtime::kernels::Windows as Description;
use crate::model::dtype::Dtype;
use crate::model::window::Windows;

/// The windows of an array on the device.
pub fn described(windows: &Windows, data: *const u8, dtype: Dtype) -> Description {
    Description {
        data: data.cast(),
        rows: windows.plane.rows,
        cols: windows.plane.cols,
        result_rows: windows.result[0],
        result_cols: windows.result[1],
        window_rows: windows.size[0],
        window_cols: windows.size[1],
        first_row: windows.first[0] as i64,
        first_col: windows.first[1] as i64,
        outside: windows.plane.outside(dtype),
        dtype: dtype as c_int,
        boundary: windows.plane.boundary as c_int,
    }
}
