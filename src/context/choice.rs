//! Where a call runs of a context that GPUMEX_BACKEND_AUTO has put on a device: a few elements in ordinary memory of the host are computed
//! there in less time than copies and a launch take.
#![forbid(unsafe_code)]

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
