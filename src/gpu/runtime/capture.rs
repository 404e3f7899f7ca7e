//! Calls that are captured into a CUDA graph (cudaStreamBeginCapture on the stream of a context).
//!
//! Rule       A captured call only enqueues: it neither waits nor reads back, and takes device memory alone.
//! Memory     Its temporaries belong to the graph: a CUDA user object keeps each block until the graph, its clones and its executable
//!            graphs are destroyed. Within one capture they are used again, in stream order. A block is new to the context: nothing
//!            that was enqueued before the capture is in it, whatever stream the graph is launched into.
//! Source     CUDA C++ Programming Guide, "CUDA Graphs", "CUDA User Objects".

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use cudarc::driver::{DriverError, sys};

use super::driver::failed;
use super::fault;
use crate::error::{Error, Result, Status};
use crate::memory::heap::{self, Block};
use crate::memory::{Heap, MemoryKind};

/// What a stream is to captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureState {
    None,
    Active,
    /// An error has ended it; what is put into the stream fails until the capture is ended by the caller, too.
    Invalidated,
    /// The legacy default stream while another stream of the device is captured.
    Excluded,
}

/// The state of a stream; its context is current.
pub fn state(stream: sys::CUstream) -> Result<CaptureState> {
    use sys::CUstreamCaptureStatus::*;
    let mut status = CU_STREAM_CAPTURE_STATUS_NONE;
    // SAFETY: a stream that lives; writes one number.
    match unsafe { sys::cuStreamIsCapturing(stream, &mut status) } {
        sys::CUresult::CUDA_SUCCESS => {}
        sys::CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT => return Ok(CaptureState::Excluded),
        error if fault::stays(error) => return Ok(CaptureState::None), // the operation meets it
        error => return Err(failed("cuStreamIsCapturing", DriverError(error))),
    }
    Ok(match status {
        CU_STREAM_CAPTURE_STATUS_NONE => CaptureState::None,
        CU_STREAM_CAPTURE_STATUS_ACTIVE => CaptureState::Active,
        CU_STREAM_CAPTURE_STATUS_INVALIDATED => CaptureState::Invalidated,
    })
}

/// Whether the driver refused something since a stream is being captured.
pub fn is_of_capture(error: DriverError) -> bool {
    use sys::CUresult::*;
    matches!(
        error.0,
        CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
            | CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
            | CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
    )
}

/// A capture that is under way.
#[derive(Clone, Copy)]
pub struct Capture {
    id: u64, // of one capture in the life of the process
    graph: sys::CUgraph,
}

// SAFETY: the graph is a driver handle, usable from any thread.
unsafe impl Send for Capture {}

impl Capture {
    /// The capture of a stream; refuses a stream that cannot be worked in. Its context is current.
    pub fn of(stream: sys::CUstream) -> Result<Option<Capture>> {
        match state(stream)? {
            CaptureState::None => Ok(None),
            CaptureState::Active => Capture::ask(stream).map(Some),
            CaptureState::Invalidated => Err(Error::new(
                Status::Cuda,
                "the capture of the context's stream into a CUDA graph was invalidated by an error before; end it first",
            )),
            CaptureState::Excluded => Err(Error::unsupported(
                "this context works in the legacy default stream, which cannot be used while another stream of the device is \
                 captured into a CUDA graph",
            )),
        }
    }

    fn ask(stream: sys::CUstream) -> Result<Capture> {
        let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        let (mut id, mut graph) = (0, null_mut());
        // SAFETY: a stream that lives; writes a status, a number and a handle, and the dependencies are not asked for.
        let asked = unsafe {
            sys::cuStreamGetCaptureInfo_v3(
                stream,
                &mut status,
                &mut id,
                &mut graph,
                null_mut(),
                null_mut(),
                null_mut(),
            )
        };
        asked.result().map_err(|error| failed("cuStreamGetCaptureInfo", error))?;
        Ok(Capture { id, graph })
    }

    /// The graph keeps a block of the heap from here on.
    fn keep(&self, heap: &Arc<Heap>, block: Block) -> Result<()> {
        let kept = Box::into_raw(Box::new(Kept { heap: heap.clone(), block })).cast();
        let mut object = null_mut();
        let no_wait = sys::CUuserObject_flags::CU_USER_OBJECT_NO_DESTRUCTOR_SYNC as u32;
        // SAFETY: `let_go` takes what `kept` points to, and the driver calls it once.
        let created = unsafe { sys::cuUserObjectCreate(&mut object, kept, Some(let_go), 1, no_wait) };
        if let Err(error) = created.result() {
            // SAFETY: the driver has not taken it.
            unsafe { let_go(kept) };
            return Err(failed("cuUserObjectCreate", error));
        }
        let moved = sys::CUuserObjectRetain_flags::CU_GRAPH_USER_OBJECT_MOVE as u32;
        // SAFETY: the graph of a capture that is under way, an object with one reference, which becomes the graph's.
        let retained = unsafe { sys::cuGraphRetainUserObject(self.graph, object, 1, moved) };
        retained.result().map_err(|error| {
            // SAFETY: the reference is still ours; its end lets the block go.
            let _ = unsafe { sys::cuUserObjectRelease(object, 1) };
            failed("cuGraphRetainUserObject", error)
        })
    }
}

/// A block that a graph keeps.
struct Kept {
    heap: Arc<Heap>,
    block: Block,
}

/// The last that could launch the graph is gone, and its last launch done. The driver calls this on a thread of its choice, where
/// CUDA must not be called.
///
/// # Safety
/// `kept` is a `Box<Kept>`, taken over.
unsafe extern "C" fn let_go(kept: *mut c_void) {
    // SAFETY: the caller's promise.
    let Kept { heap, block } = *unsafe { Box::from_raw(kept.cast::<Kept>()) };
    heap::return_later(heap, MemoryKind::Device, block);
}

/// What the calls of one context have to do with captures.
#[derive(Default)]
pub struct Captures {
    current: Cell<Option<Capture>>, // of the stream, as the call found it that entered last
    latest: Cell<u64>,              // the capture whose graph keeps the idle blocks
    idle: RefCell<Vec<Block>>,
}

impl Captures {
    /// A call enters; it is captured, or not.
    pub fn meet(&self, stream: sys::CUstream) -> Result<()> {
        self.current.set(None);
        self.current.set(Capture::of(stream)?);
        Ok(())
    }

    /// The capture that the call is part of.
    pub fn current(&self) -> Option<Capture> {
        self.current.get()
    }

    /// A block of at least `bytes` bytes (not 0) that the graph keeps.
    pub fn take(&self, heap: &Arc<Heap>, capture: Capture, bytes: usize) -> Result<Block> {
        let mut idle = self.idle.borrow_mut();
        if self.latest.replace(capture.id) != capture.id {
            idle.clear(); // another graph keeps them
        }
        let fitting = idle.iter().enumerate().filter(|(_, block)| block.size >= bytes);
        if let Some((place, _)) = fitting.min_by_key(|(_, block)| block.size) {
            return Ok(idle.swap_remove(place));
        }
        let block = heap.take_new(MemoryKind::Device, bytes)?;
        capture.keep(heap, block)?;
        Ok(block)
    }

    /// What comes later in the capture may use a block.
    pub fn give_back(&self, block: Block) {
        self.idle.borrow_mut().push(block);
    }
}
