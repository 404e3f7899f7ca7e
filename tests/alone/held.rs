//! What a process holds: libraries, threads, open files, memory of the host and of the device.

use std::collections::BTreeSet;
use std::fs;

use crate::common::cuda::Driver;

/// The host's memory may grow by what its allocator keeps for later, and by what the CUDA driver does.
const HOST_KIB: usize = 512;
const HOST_KIB_OF_DRIVER: usize = 8 << 10;

/// The device's may by what the driver takes at once.
const DEVICE_BYTES: usize = 2 << 20;

pub struct Held {
    libraries: BTreeSet<String>,
    threads: usize,
    files: usize,
    host_kib: usize,
    device_free: Option<usize>,
}

impl Held {
    /// What is held now; of the device where there is a driver with its primary context current.
    pub fn now(driver: Option<&Driver>) -> Held {
        let status = fs::read_to_string("/proc/self/status").expect("Linux tells of a process");
        let number = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key)).expect("a line of status");
            let digits: String = line.chars().filter(char::is_ascii_digit).collect();
            digits.parse().expect("a number")
        };
        Held {
            libraries: mapped_files(),
            threads: number("Threads:"),
            files: fs::read_dir("/proc/self/fd").expect("Linux lists open files").count(),
            host_kib: number("VmRSS:"),
            device_free: driver.map(Driver::free_memory),
        }
    }

    /// The same is held as then.
    #[track_caller]
    pub fn is_as(&self, then: &Held, what: &str) {
        assert_eq!(self.libraries, then.libraries, "{what}: mapped files");
        assert_eq!(self.threads, then.threads, "{what}: threads");
        assert_eq!(self.files, then.files, "{what}: open files");
        let (from, to) = (then.host_kib, self.host_kib);
        eprintln!(
            "{what}: {from} KiB of the host then, {to} now; device {:?}, {:?}",
            then.device_free, self.device_free
        );
        let more = if self.device_free.is_some() { HOST_KIB_OF_DRIVER } else { HOST_KIB };
        assert!(to <= from + more, "{what}: memory of the host grew from {from} to {to} KiB");
        if let (Some(from), Some(to)) = (then.device_free, self.device_free) {
            assert!(
                to + DEVICE_BYTES >= from,
                "{what}: free memory of the device fell from {from} to {to} bytes"
            );
        }
    }
}

fn mapped_files() -> BTreeSet<String> {
    let maps = fs::read_to_string("/proc/self/maps").expect("Linux lists what is mapped");
    let paths = maps.lines().filter_map(|line| line.split_whitespace().nth(5));
    paths.filter(|path| path.starts_with('/')).map(str::to_string).collect()
}
