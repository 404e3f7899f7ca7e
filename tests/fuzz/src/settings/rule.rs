//! What README and gpumex_configure say of the settings, written anew: the values that each takes, and which one is in force.

/// The numbers of a gpumex_backend.
pub const AUTO: u64 = 0;
pub const CPU: u64 = 1;

/// A setting: its key, its variable, its rule in the words of a sentence, and the words that it takes, by their numbers.
pub struct Setting {
    pub key: &'static str,
    pub variable: &'static str,
    pub rule: &'static str,
    pub words: &'static [&'static str],
    most: u64, // of a setting that is a number
}

pub const BACKEND: usize = 0;
pub const DEVICE: usize = 1;
pub const THREADS: usize = 2;
pub const LOG: usize = 3;

pub const SETTINGS: [Setting; 4] = [
    Setting {
        key: "backend",
        variable: "GPUMEX_BACKEND",
        rule: "auto, cpu or cuda",
        words: &["auto", "cpu", "cuda"],
        most: 0,
    },
    Setting {
        key: "device",
        variable: "GPUMEX_DEVICE",
        rule: "an ordinal from 0",
        words: &[],
        most: u64::MAX,
    },
    Setting {
        key: "num_threads",
        variable: "GPUMEX_NUM_THREADS",
        rule: "a count from 0 (all cores) to 4096",
        words: &[],
        most: 4096,
    },
    Setting {
        key: "log",
        variable: "GPUMEX_LOG",
        rule: "off, error, warn, info or debug",
        words: &["off", "error", "warn", "info", "debug"],
        most: 0,
    },
];

impl Setting {
    /// The number that a text stands for; None where the setting does not take it.
    pub fn read(&self, text: &[u8]) -> Option<u64> {
        if !self.words.is_empty() {
            return self.words.iter().position(|word| word.as_bytes() == text).map(|number| number as u64);
        }
        let mut number = 0u64;
        for &letter in text {
            let digit = letter.is_ascii_digit().then(|| u64::from(letter - b'0'))?;
            number = number.checked_mul(10)?.checked_add(digit)?;
        }
        (!text.is_empty() && number <= self.most).then_some(number)
    }

    /// What holds where nothing is set: AUTO, all cores, off; a device of its own has no number.
    fn default(&self) -> Option<u64> {
        (self.key != "device").then_some(0)
    }
}

/// Whether the same key names a setting.
pub fn setting(key: &[u8]) -> Option<usize> {
    SETTINGS.iter().position(|setting| setting.key.as_bytes() == key)
}

/// What a process has set: the environment, and gpumex_configure, which beats it.
#[derive(Clone, Default)]
pub struct Sources {
    pub environment: [Option<Vec<u8>>; SETTINGS.len()],
    pub configured: [Option<u64>; SETTINGS.len()],
}

impl Sources {
    /// The number of a setting, None where a device is not named; an error where the environment has a wrong value.
    pub fn get(&self, setting: usize) -> Result<Option<u64>, ()> {
        if self.configured[setting].is_some() {
            return Ok(self.configured[setting]);
        }
        match &self.environment[setting] {
            Some(text) if !text.is_empty() => SETTINGS[setting].read(text).map(Some).ok_or(()),
            _ => Ok(SETTINGS[setting].default()),
        }
    }

    /// The settings whose value is wrong.
    pub fn wrong(&self) -> Vec<usize> {
        (0..SETTINGS.len()).filter(|&setting| self.get(setting).is_err()).collect()
    }

    /// The level of the log: a wrong one is off, and wrong values of others do not silence it.
    pub fn log_level(&self) -> u64 {
        self.get(LOG).ok().flatten().unwrap_or(0)
    }
}
