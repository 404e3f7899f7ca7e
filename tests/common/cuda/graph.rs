//! Capture of a stream into a graph, as a program does it beside the library. A context has to be current.

use std::ffi::{c_int, c_uint, c_ulonglong, c_void};
use std::ptr::null_mut;

use super::memory::CuStream;
use super::{Driver, check};

/// A graph that was captured.
pub struct Graph<'d> {
    driver: &'d Driver,
    graph: *mut c_void,
}

/// A graph that can be launched.
pub struct ExecutableGraph<'d> {
    driver: &'d Driver,
    exec: *mut c_void,
}

impl Driver {
    /// Begins a capture in the strictest mode, cudaStreamCaptureModeGlobal.
    pub fn begin_capture(&self, stream: CuStream) {
        // SAFETY: the prototype of cuStreamBeginCapture; a stream of this driver.
        check("cuStreamBeginCapture", unsafe {
            let begin: unsafe extern "C" fn(CuStream, c_uint) -> c_int =
                self.function(c"cuStreamBeginCapture_v2");
            begin(stream, 0)
        });
    }

    /// Ends a capture that nothing has invalidated.
    #[track_caller]
    pub fn end_capture(&self, stream: CuStream) -> Graph<'_> {
        let mut graph = null_mut();
        // SAFETY: the prototype of cuStreamEndCapture, which writes one handle.
        check("cuStreamEndCapture", unsafe {
            let end: unsafe extern "C" fn(CuStream, *mut *mut c_void) -> c_int =
                self.function(c"cuStreamEndCapture");
            end(stream, &mut graph)
        });
        Graph { driver: self, graph }
    }

    /// Whether a stream is being captured, and nothing has invalidated that.
    pub fn is_capturing(&self, stream: CuStream) -> bool {
        let mut status: c_int = -1;
        // SAFETY: the prototype of cuStreamIsCapturing, which writes one enum.
        check("cuStreamIsCapturing", unsafe {
            let ask: unsafe extern "C" fn(CuStream, *mut c_int) -> c_int =
                self.function(c"cuStreamIsCapturing");
            ask(stream, &mut status)
        });
        status == 1
    }
}

impl<'d> Graph<'d> {
    pub fn instantiate(&self) -> ExecutableGraph<'d> {
        let mut exec = null_mut();
        // SAFETY: the prototype of cuGraphInstantiateWithFlags, which writes one handle; a graph that lives.
        check("cuGraphInstantiateWithFlags", unsafe {
            let instantiate: unsafe extern "C" fn(*mut *mut c_void, *mut c_void, c_ulonglong) -> c_int =
                self.driver.function(c"cuGraphInstantiateWithFlags");
            instantiate(&mut exec, self.graph, 0)
        });
        ExecutableGraph { driver: self.driver, exec }
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> usize {
        let mut count = 0;
        // SAFETY: the prototype of cuGraphGetNodes, which writes one number where there is no room for nodes.
        check("cuGraphGetNodes", unsafe {
            let ask: unsafe extern "C" fn(*mut c_void, *mut *mut c_void, *mut usize) -> c_int =
                self.driver.function(c"cuGraphGetNodes");
            ask(self.graph, null_mut(), &mut count)
        });
        count
    }
}

impl ExecutableGraph<'_> {
    #[track_caller]
    pub fn launch(&self, stream: CuStream) {
        // SAFETY: the prototype of cuGraphLaunch; a graph and a stream that live.
        check("cuGraphLaunch", unsafe {
            let launch: unsafe extern "C" fn(*mut c_void, CuStream) -> c_int =
                self.driver.function(c"cuGraphLaunch");
            launch(self.exec, stream)
        });
    }
}

impl Drop for Graph<'_> {
    fn drop(&mut self) {
        // SAFETY: the prototype of cuGraphDestroy; ours, and used by nobody any more.
        let status = unsafe {
            let destroy: unsafe extern "C" fn(*mut c_void) -> c_int = self.driver.function(c"cuGraphDestroy");
            destroy(self.graph)
        };
        assert!(status == 0 || std::thread::panicking(), "cuGraphDestroy: CUDA error {status}");
    }
}

impl Drop for ExecutableGraph<'_> {
    fn drop(&mut self) {
        // SAFETY: the prototype of cuGraphExecDestroy; ours.
        let status = unsafe {
            let destroy: unsafe extern "C" fn(*mut c_void) -> c_int =
                self.driver.function(c"cuGraphExecDestroy");
            destroy(self.exec)
        };
        assert!(status == 0 || std::thread::panicking(), "cuGraphExecDestroy: CUDA error {status}");
    }
}
