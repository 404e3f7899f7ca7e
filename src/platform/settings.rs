//! Settings: the environment, overridden by `configure` before first use.

use std::ffi::OsString;

use once_cell::sync::OnceCell;

use crate::error::{Error, Result, Status, quoted};
use crate::model::numbered::numbered_enum;
use crate::platform::fork::{Name, ShortLock};

/// Backend of a context.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The setting `backend`; where that is auto, CUDA where it works, else the CPU. Short calls on
    /// memory of the host stay on the CPU (gpumex_context_create).
    #[default]
    Auto = 0,
    /// All cores of this machine.
    Cpu = 1,
    /// A CUDA device, or an error.
    Cuda = 2,
}

numbered_enum!(Backend = "gpumex_backend": Auto, Cpu, Cuda);

/// Log level; each includes those before it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Nothing (the default).
    Off = 0,
    /// Each call that failed, with its message.
    Error = 1,
    /// A GPU that has faulted and does not respond.
    Warn = 2,
    /// The backend and device that were chosen.
    Info = 3,
    /// Each call that succeeded, by name.
    Debug = 4,
}

/// The most threads that a context may take.
pub const MAX_THREADS: usize = 4096;

/// The settings in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    pub backend: Backend,
    pub device: Option<usize>,
    pub num_threads: usize, // 0 = all cores
    pub log: LogLevel,
}

/// What `configure` has set.
static OVERRIDES: ShortLock<Vec<(&'static str, String)>> = ShortLock::new(Name::Settings, Vec::new());

/// The settings in force, read without a lock; they are set under that of the overrides.
static FIXED: OnceCell<Settings> = OnceCell::new();

const KEYS: [(&str, &str); 4] = [
    ("backend", "GPUMEX_BACKEND"),
    ("device", "GPUMEX_DEVICE"),
    ("num_threads", "GPUMEX_NUM_THREADS"),
    ("log", "GPUMEX_LOG"),
];

/// Overrides a setting; BUSY once the settings are in force.
pub fn configure(key: &str, value: &str) -> Result<()> {
    let Some((key, _)) = KEYS.iter().find(|(known, _)| *known == key) else {
        let known = KEYS.map(|(key, _)| key).join(", ");
        return Err(Error::invalid(format!("key {} is unknown; known are {known}", quoted(key))));
    };
    apply(&mut Settings::default(), key, value)?;
    let mut overrides = OVERRIDES.lock();
    if FIXED.get().is_some() {
        return Err(Error::new(
            Status::Busy,
            format!("\"{key}\" comes too late: the library is in use already"),
        ));
    }
    overrides.retain(|(known, _)| known != key);
    overrides.push((key, value.to_string()));
    Ok(())
}

/// The settings; from the first call that succeeds on they stay as they are.
pub fn get() -> Result<Settings> {
    if let Some(fixed) = FIXED.get() {
        return Ok(*fixed);
    }
    let overrides = OVERRIDES.lock(); // a fork, and `configure`, find the settings in force or not
    FIXED.get_or_try_init(|| read(&overrides, |name| std::env::var_os(name))).copied()
}

/// Whether a line of this level is told. Does not put the settings in force; a wrong value of another setting does
/// not silence the log.
#[inline]
pub fn tells(level: LogLevel) -> bool {
    match FIXED.get() {
        None => level <= log_level(),
        Some(fixed) => level <= fixed.log,
    }
}

/// The log level that the settings would have now.
#[cold]
fn log_level() -> LogLevel {
    let overrides = OVERRIDES.lock();
    let of_log = |name: &str| std::env::var_os(name).filter(|_| name == "GPUMEX_LOG");
    let overrides: Vec<_> = overrides.iter().filter(|(key, _)| *key == "log").cloned().collect();
    read(&overrides, of_log).map_or(LogLevel::Off, |settings| settings.log)
}

fn read(overrides: &[(&str, String)], environment: impl Fn(&str) -> Option<OsString>) -> Result<Settings> {
    let mut settings = Settings::default();
    for (key, variable) in KEYS {
        if let Some((_, value)) = overrides.iter().find(|(known, _)| *known == key) {
            apply(&mut settings, key, value)?;
        } else if let Some(value) = environment(variable).filter(|value| !value.is_empty()) {
            apply(&mut settings, key, &value.to_string_lossy()).map_err(|error| {
                Error::new(error.status(), format!("environment variable {variable}: {error}"))
            })?;
        }
    }
    Ok(settings)
}

fn apply(settings: &mut Settings, key: &str, value: &str) -> Result<()> {
    let wrong = |rule: &str| Error::invalid(format!("{key} is {}; it is {rule}", quoted(value)));
    match key {
        "backend" => {
            settings.backend = match value {
                "auto" => Backend::Auto,
                "cpu" => Backend::Cpu,
                "cuda" => Backend::Cuda,
                _ => return Err(wrong("auto, cpu or cuda")),
            }
        }
        "device" => settings.device = Some(whole(value).ok_or_else(|| wrong("an ordinal from 0"))?),
        "num_threads" => {
            settings.num_threads = whole(value)
                .filter(|&n| n <= MAX_THREADS)
                .ok_or_else(|| wrong("a count from 0 (all cores) to 4096"))?;
        }
        "log" => {
            settings.log = match value {
                "off" => LogLevel::Off,
                "error" => LogLevel::Error,
                "warn" => LogLevel::Warn,
                "info" => LogLevel::Info,
                "debug" => LogLevel::Debug,
                _ => return Err(wrong("off, error, warn, info or debug")),
            }
        }
        _ => unreachable!("a key of KEYS"),
    }
    Ok(())
}

/// A number of digits alone.
fn whole(text: &str) -> Option<usize> {
    text.parse().ok().filter(|_| text.bytes().all(|c| c.is_ascii_digit()))
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { backend: Backend::Auto, device: None, num_threads: 0, log: LogLevel::Off }
    }
}

/// The ordinal behind the last "--device" of a command line.
pub(crate) fn device_argument(words: &[&[u8]]) -> Result<Option<usize>> {
    let mut device = None;
    let mut words = words.iter().skip(1); // the program's name
    while let Some(word) = words.next() {
        let value = match word.strip_prefix(b"--device") {
            Some(b"") => words.next().copied().unwrap_or_default(),
            Some([b'=', value @ ..]) => value,
            _ => continue,
        };
        let text = String::from_utf8_lossy(value);
        let shown = quoted(&*text);
        let rule = || Error::invalid(format!("--device is {shown}; it is an ordinal from 0"));
        device = Some(whole(&text).ok_or_else(rule)?);
    }
    Ok(device)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(name: &str) -> Option<OsString> {
        let value = match name {
            "GPUMEX_BACKEND" => "cpu",
            "GPUMEX_NUM_THREADS" => "3",
            "GPUMEX_DEVICE" => "",
            _ => return None,
        };
        Some(value.into())
    }

    #[test]
    fn an_override_beats_the_environment_and_empty_is_unset() {
        let settings = read(&[("num_threads", "5".to_string())], environment).unwrap();
        assert_eq!(settings, Settings { backend: Backend::Cpu, num_threads: 5, ..Settings::default() });
    }

    #[test]
    fn a_wrong_value_names_the_variable_the_value_and_the_rule() {
        let error = read(&[], |name| (name == "GPUMEX_DEVICE").then(|| "-3".into())).unwrap_err();
        assert_eq!(
            error.message(),
            "environment variable GPUMEX_DEVICE: device is \"-3\"; it is an ordinal from 0"
        );
    }

    #[test]
    fn an_unknown_key_is_an_error() {
        assert!(configure("threads", "2").unwrap_err().message().contains("\"threads\" is unknown"));
    }

    #[test]
    fn numbers_are_digits_alone() {
        for (key, value) in [("device", "+1"), ("num_threads", "+1"), ("num_threads", ""), ("device", "1 ")] {
            let error = read(&[(key, value.to_string())], |_| None).unwrap_err();
            assert!(error.message().starts_with(&format!("{key} is \"{value}\"; it is ")), "{error}");
        }
        assert_eq!(read(&[("device", "007".to_string())], |_| None).unwrap().device, Some(7));
    }

    /// What reaches a log or a terminal has no line of its own and no control sequence.
    #[test]
    fn a_value_is_told_without_its_control_characters() {
        let messages = [
            configure("log\n", "off").unwrap_err(),
            configure("log", "\u{1b}[2J").unwrap_err(),
            device_argument(&[b"p", b"--device=\r\x07\xff"]).unwrap_err(),
        ];
        assert_eq!(
            messages.each_ref().map(|error| error.message()),
            [
                "key \"log\\n\" is unknown; known are backend, device, num_threads, log",
                "log is \"\\u{1b}[2J\"; it is off, error, warn, info or debug",
                "--device is \"\\r\\u{7}\u{fffd}\"; it is an ordinal from 0",
            ]
        );
    }

    fn device(line: &str) -> std::result::Result<Option<usize>, String> {
        let words: Vec<&[u8]> = line.split(' ').map(str::as_bytes).collect();
        device_argument(&words).map_err(|error| error.message().to_string())
    }

    #[test]
    fn the_last_device_counts_and_the_rest_is_left_alone() {
        assert_eq!(device("program"), Ok(None));
        assert_eq!(device("program -v --device 2 file"), Ok(Some(2)));
        assert_eq!(device("program --device=3 --device 1 --devices 7"), Ok(Some(1)));
        assert_eq!(device("--device 2"), Ok(None), "the first word is the program's name");
    }

    #[test]
    fn an_ordinal_that_is_none_is_refused_by_name() {
        for (line, value) in [
            ("p --device", ""),
            ("p --device=", ""),
            ("p --device -1", "-1"),
            ("p --device +1", "+1"),
            ("p --device gpu", "gpu"),
        ] {
            assert_eq!(
                device(line),
                Err(format!("--device is \"{value}\"; it is an ordinal from 0")),
                "{line}"
            );
        }
    }
}
