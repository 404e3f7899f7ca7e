//! Limits of memory by control groups, as of a container.
//!
//! Source     Linux, Documentation/admin-guide/cgroup-v2.rst (memory.max) and cgroup-v1/memory.rst (memory.limit_in_bytes).
#![forbid(unsafe_code)]

use std::fs;

/// A line of /proc/self/cgroup begins so: version 2, and the memory controller of version 1. Where the groups are, and the file with
/// the limit of each.
const VERSIONS: [(&str, &str, &str); 2] =
    [("0::", "/sys/fs/cgroup", "memory.max"), (":memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes")];

/// Bytes that the control groups of this process leave it; u64::MAX without a limit.
pub fn of_control_groups() -> u64 {
    limit_of_groups(&|path| fs::read_to_string(path).ok())
}

/// The least limit of the control group and of those that it is in; u64::MAX: none has one.
fn limit_of_groups(read: &dyn Fn(&str) -> Option<String>) -> u64 {
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    let limits = groups.lines().filter_map(|line| {
        let (prefix, root, file) = VERSIONS.iter().find(|(prefix, ..)| is_of(line, prefix))?;
        let mut group = line.split_once(prefix)?.1.trim_end_matches('/');
        let mut least = u64::MAX;
        // From the group to the root. In a namespace of its own the path may not be there, but its root is.
        loop {
            let limit = read(&format!("{root}{group}/{file}")).and_then(|text| text.trim().parse().ok());
            least = least.min(limit.unwrap_or(u64::MAX)); // "max", or no such file
            match group.rsplit_once('/') {
                Some((above, _)) => group = above,
                None => return Some(least),
            }
        }
    });
    limits.min().unwrap_or(u64::MAX)
}

/// `0::/path` and `4:memory:/path`; controllers may share a hierarchy: `4:cpu,memory:/path` is none that is mounted as memory.
fn is_of(line: &str, prefix: &str) -> bool {
    match prefix.strip_prefix(':') {
        None => line.starts_with(prefix),
        Some(_) => line.trim_start_matches(|digit: char| digit.is_ascii_digit()).starts_with(prefix),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(files: &[(&str, &str)]) -> u64 {
        limit_of_groups(&|path| {
            files.iter().find(|(name, _)| *name == path).map(|(_, text)| text.to_string())
        })
    }

    #[test]
    fn the_least_limit_of_a_group_and_those_above_it_counts() {
        let group = ("/proc/self/cgroup", "0::/a/b\n");
        let files = [
            group,
            ("/sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("/sys/fs/cgroup/a/memory.max", "5000\n"),
            ("/sys/fs/cgroup/memory.max", "9000\n"),
        ];
        assert_eq!(limit(&files), 5000);
        assert_eq!(limit(&files[..2]), u64::MAX);
        assert_eq!(limit(&[group, files[3]]), 9000, "in a namespace of its own");
    }

    #[test]
    fn version_1_has_its_memory_controller_beside_others() {
        let group = ("/proc/self/cgroup", "9:name=systemd:/\n4:memory:/job/7\n1:cpu:/\n0::/\n");
        let files = [group, ("/sys/fs/cgroup/memory/job/7/memory.limit_in_bytes", "1048576\n")];
        assert_eq!(limit(&files), 1 << 20);
        assert_eq!(limit(&[group]), u64::MAX);
    }

    #[test]
    fn texts_that_are_none_of_these_limit_nothing() {
        for text in ["", "\n", "0:", "0::", ":memory:", "nonsense\n4:memory\n", "0::/a//b///\n"] {
            assert_eq!(limit(&[("/proc/self/cgroup", text)]), u64::MAX, "{text:?}");
        }
        let file = ("/sys/fs/cgroup/memory.max", "-1\n");
        assert_eq!(limit(&[("/proc/self/cgroup", "0::/\n"), file]), u64::MAX);
        assert!(of_control_groups() > 0);
    }
}
