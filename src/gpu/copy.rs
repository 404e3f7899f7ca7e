//! Copy between any two places that a device reaches.

use super::Device;
use crate::array::{Element, View, ViewMut};
use crate::error::Result;

/// to ← from.
pub fn copy<T: Element>(device: &Device, mut to: ViewMut<T>, from: View<T>) -> Result<()> {
    let is_from_near = device.reaches(from.place(), from.name(), from.as_ptr().cast())?;
    let is_to_near = device.reaches(to.place(), to.name(), to.as_mut_ptr().cast())?;
    match (is_to_near, is_from_near) {
        (false, false) => {
            to.on_host()?.copy_from_slice(from.on_host()?);
            Ok(())
        }
        (true, _) => device.upload(to.as_mut_ptr(), &from),
        (false, true) => device.download(&mut to, from.as_ptr()),
    }
}

/// to ← numbers of the host, which have been read on return: the call need not wait for the device.
pub fn deliver(device: &Device, mut to: ViewMut<u8>, from: View<u8>) -> Result<()> {
    match device.reaches(to.place(), to.name(), to.as_mut_ptr())? {
        true => device.upload(to.as_mut_ptr(), &from),
        false => {
            to.on_host()?.copy_from_slice(from.on_host()?);
            Ok(())
        }
    }
}
