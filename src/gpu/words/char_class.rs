//! The table of Unicode's letters on the device.

use std::sync::OnceLock;

use super::{Device, upload};
use crate::error::Result;
use crate::gpu::runtime::memory::Buffer;
use crate::model::words::char_class::Table;
use crate::platform::fork;

/// The table, made once a process.
pub fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    match TABLE.get() {
        Some(table) => table,
        None => fork::without_fork(|| TABLE.get_or_init(Table::new)),
    }
}

/// The words of the table, on the device.
pub fn upload_table(device: &Device) -> Result<Buffer<'_, u32>> {
    let words = &table().words;
    let buffer = Buffer::new(device, words.len())?;
    upload(device, buffer.as_ptr(), words)?;
    Ok(buffer)
}
