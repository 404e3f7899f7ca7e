//! What the library writes to stderr, call by call.

use std::fs::File;
use std::os::fd::FromRawFd;
use std::os::unix::fs::FileExt;

pub struct Log {
    file: File,
    read: u64,
}

impl Log {
    /// From here on descriptor 2 of this process is a file in memory.
    pub fn take() -> Result<Log, String> {
        // SAFETY: a new descriptor, which is ours.
        let file = unsafe {
            let descriptor = libc::memfd_create(c"log".as_ptr(), libc::MFD_CLOEXEC);
            if descriptor < 0 || libc::dup2(descriptor, 2) < 0 {
                return Err("no file in memory".into());
            }
            File::from_raw_fd(descriptor)
        };
        Ok(Log { file, read: 0 })
    }

    /// What was written since the last look.
    pub fn news(&mut self) -> Result<String, String> {
        let end = self.file.metadata().map_err(|error| error.to_string())?.len();
        let mut bytes = vec![0; (end - self.read) as usize];
        self.file.read_exact_at(&mut bytes, self.read).map_err(|error| error.to_string())?;
        self.read = end;
        String::from_utf8(bytes).map_err(|_| "a line of the log is not UTF-8".into())
    }
}
