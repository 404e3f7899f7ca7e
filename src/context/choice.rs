//! Where a call runs of a context that GPUMEX_BACKEND_AUTO has put on a device: a few elements in ordinary memory of the host are computed
//! there in less time than copies and a launch take.
#![forbid(unsafe_code)]

use std::sync::Arc;

use super::{Context, Engine};
use crate::error::Result;
use crate::gpu;
use crate::memory::Heap;
use crate::memory::host::{self, HostSource};
use crate::platform::log;

/// The CPU backend beside a device.
pub(super) struct Beside {
    pub engine: Engine,
    pub heap: Arc<Heap>, // ordinary memory: a reset of the device leaves it, and no stream works on it
}

impl Beside {
    pub fn new(engine: Engine) -> Beside {
        Beside { engine, heap: Heap::new(Arc::new(HostSource), host::total_memory() / 8) }
    }
}

/// What a call takes on either backend, to the best of what is known before it begins. The same call makes the same choice on any
/// machine, whatever its number of threads: the bits of a sum may depend on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    /// Its arrays lie in ordinary memory of the host, and it asks for no variant.
    pub may_choose: bool,
    pub host_ns: f64,
    /// With the copies of its arrays.
    pub device_ns: f64,
}

impl Work {
    /// Where the call may choose.
    pub fn is_sooner_on_host(&self) -> bool {
        self.host_ns < self.device_ns
    }
}

impl Context {
    /// Where a call runs, and the memory that it takes: beside a device that can go on the host may take it.
    pub(super) fn place_of(&self, work: Option<Work>) -> Result<(&Engine, &Arc<Heap>)> {
        let here = (&self.engine, &self.heap);
        let (Some(work), Some(beside), Engine::Cuda(device)) = (work, &self.beside, &self.engine) else {
            return Ok(here);
        };
        if !work.may_choose {
            return Ok(here);
        }
        let is_on_host = work.is_sooner_on_host() && !self.may_be_captured(device)?;
        log::debug(|| {
            let name = if is_on_host { "host" } else { "device" };
            let [host, device] = [work.host_ns, work.device_ns].map(|ns| ns / 1e3);
            format!("on the {name}: {host:.2} us are expected on the host, {device:.2} on the device")
        });
        Ok(if is_on_host { (&beside.engine, &beside.heap) } else { here })
    }

    /// Whether a call may be captured into a CUDA graph, of which only the device can say what it refuses. Nobody captures a stream that
    /// nobody was told of. A device that other code has reset is an error: what looks like memory of the host may have been its.
    fn may_be_captured(&self, device: &gpu::Device) -> Result<bool> {
        match self.is_stream_known {
            true => device.enter().map(|_current| device.is_captured()),
            false => device.check_alive().map(|()| false),
        }
    }
}
