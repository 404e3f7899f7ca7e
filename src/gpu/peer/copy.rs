//! A copy from one device to another one, or within one.

use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex};

use cudarc::driver::sys;

use super::Rows;
use crate::error::Result;
use crate::gpu::runtime::driver::failed;
use crate::gpu::runtime::primary::Primary;
use crate::platform::fork::lock;

/// CU_DEVICE_ATTRIBUTE_MAX_PITCH of all devices so far.
const MOST_PITCH: usize = 0x7FFF_FFFF;

/// to (on the device of the stream) ← from (on that of `owner`), in stream order.
///
/// # Safety
/// Both hold their rows, as many bytes, until the stream has come past.
pub unsafe fn copy(
    (here, stream): (&Arc<Primary>, sys::CUstream),
    to: &Rows,
    owner: &Arc<Primary>,
    from: &Rows,
) -> Result<()> {
    if to.bytes() == 0 {
        return Ok(());
    }
    if !Arc::ptr_eq(here, owner) {
        open_peer(here, owner)?;
    }
    let is_too_wide = |rows: &Rows| rows.rows > 1 && rows.pitch > MOST_PITCH;
    if is_too_wide(to) || is_too_wide(from) {
        let row =
            |rows: &Rows, row: usize| Rows { address: rows.address + row * rows.pitch, rows: 1, ..*rows };
        // SAFETY: rows of what the caller promises.
        return (0..to.rows)
            .try_for_each(|i| unsafe { copy((here, stream), &row(to, i), owner, &row(from, i)) });
    }
    // SAFETY: the caller's promise.
    unsafe {
        match (Arc::ptr_eq(here, owner), to.is_one_run() && from.is_one_run()) {
            (true, true) => run("cuMemcpyAsync", || {
                sys::cuMemcpyAsync(to.address as u64, from.address as u64, to.bytes(), stream)
            }),
            (false, true) => run("cuMemcpyPeerAsync", || {
                let (to_context, from_context) = (here.handle(), owner.handle());
                let (to_address, from_address) = (to.address as u64, from.address as u64);
                sys::cuMemcpyPeerAsync(to_address, to_context, from_address, from_context, to.bytes(), stream)
            }),
            (true, false) => {
                let copy = within(to, from);
                run("cuMemcpy2DAsync", || sys::cuMemcpy2DAsync_v2(&copy, stream))
            }
            (false, false) => {
                let copy = between(here, to, owner, from);
                run("cuMemcpy3DPeerAsync", || sys::cuMemcpy3DPeerAsync(&copy, stream))
            }
        }
    }
}

fn run(what: &str, call: impl FnOnce() -> sys::CUresult) -> Result<()> {
    call().result().map_err(|error| failed(what, error))
}

/// Lets a device copy straight from the memory of another one, where both see each other; elsewhere the driver copies through the
/// host. The context of `here` is current. Whether kernels of `here` use that memory too: a device is opened to some others only.
pub(super) fn open_peer(here: &Arc<Primary>, owner: &Arc<Primary>) -> Result<bool> {
    type Pair = (Arc<Primary>, Arc<Primary>, bool);
    static OPENED: Mutex<Vec<Pair>> = Mutex::new(Vec::new());
    let mut opened = lock(&OPENED);
    let known = opened.iter().find(|(a, b, _)| Arc::ptr_eq(a, here) && Arc::ptr_eq(b, owner));
    if let Some((_, _, is_open)) = known {
        return Ok(*is_open);
    }
    let is_seen = here.sees(owner)?;
    let is_open = is_seen && enable(owner)?;
    if is_open || !is_seen {
        opened.push((here.clone(), owner.clone(), is_open)); // else another peer may be closed until the next time
    }
    Ok(is_open)
}

/// Whether the current context is opened to the memory of another one from here on.
fn enable(owner: &Primary) -> Result<bool> {
    // SAFETY: a primary context that lives.
    match unsafe { sys::cuCtxEnablePeerAccess(owner.handle(), 0) } {
        sys::CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED => Ok(true),
        sys::CUresult::CUDA_ERROR_TOO_MANY_PEERS => Ok(false),
        enabled => enabled.result().map(|()| true).map_err(|error| failed("cuCtxEnablePeerAccess", error)),
    }
}

fn within(to: &Rows, from: &Rows) -> sys::CUDA_MEMCPY2D {
    let device = sys::CUmemorytype::CU_MEMORYTYPE_DEVICE;
    let (width, rows) = shape(to, from);
    sys::CUDA_MEMCPY2D {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: device,
        srcHost: null(),
        srcDevice: from.address as u64,
        srcArray: null_mut(),
        srcPitch: from.pitch,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: device,
        dstHost: null_mut(),
        dstDevice: to.address as u64,
        dstArray: null_mut(),
        dstPitch: to.pitch,
        WidthInBytes: width,
        Height: rows,
    }
}

fn between(here: &Primary, to: &Rows, owner: &Primary, from: &Rows) -> sys::CUDA_MEMCPY3D_PEER {
    let device = sys::CUmemorytype::CU_MEMORYTYPE_DEVICE;
    let (width, rows) = shape(to, from);
    sys::CUDA_MEMCPY3D_PEER {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: device,
        srcHost: null(),
        srcDevice: from.address as u64,
        srcArray: null_mut(),
        srcContext: owner.handle(),
        srcPitch: from.pitch,
        srcHeight: rows,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: device,
        dstHost: null_mut(),
        dstDevice: to.address as u64,
        dstArray: null_mut(),
        dstContext: here.handle(),
        dstPitch: to.pitch,
        dstHeight: rows,
        WidthInBytes: width,
        Height: rows,
        Depth: 1,
    }
}

/// The rows that both are: one of them may be a single run, which has the rows of the other.
fn shape(to: &Rows, from: &Rows) -> (usize, usize) {
    debug_assert_eq!((to.width, to.rows), (from.width, from.rows));
    (to.width, to.rows)
}
