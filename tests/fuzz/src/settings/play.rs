//! The calls of one process, and what they have to give.

use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;

use super::draw::{Case, Pair, valid};
use super::log::Log;
use super::rule::{AUTO, BACKEND, CPU, DEVICE, LOG, SETTINGS, Setting, Sources, THREADS, setting};
use crate::dice::Dice;
use crate::environment::CUDA;
use crate::header::Header;
use crate::library::Library;

const NULL_POINTER: u32 = 1;
const INVALID: u32 = 2;
const NO_DEVICE: u32 = 4;
const BUSY: u32 = 7;

/// Levels of the log.
const ERROR: u64 = 1;
const WARN: u64 = 2;
const INFO: u64 = 3;
const DEBUG: u64 = 4;

const LONGEST_SENTENCE: usize = 1000;

type Checked = Result<(), String>;

struct Process<'a> {
    library: &'a Library,
    header: &'a Header,
    sources: Sources,
    in_force: bool,
    log: Log,
    dice: Dice,
}

/// Makes the calls of a case in this process, which has used the library for nothing else; the first problem.
pub fn play(library: &Library, header: &Header, case: &Case, dice: Dice) -> Checked {
    let sources = Sources { environment: case.environment.clone(), ..Sources::default() };
    set_environment(case);
    let mut process = Process { library, header, sources, in_force: false, log: Log::take()?, dice };
    for pair in &case.before {
        process.configure(pair)?;
    }
    process.meet_wrong_values()?;
    process.use_contexts()?;
    set(SETTINGS[THREADS].variable, Some(b"5"));
    set(SETTINGS[LOG].variable, Some(b"loud"));
    for pair in &case.after {
        process.configure(pair)?;
    }
    process.use_contexts()
}

fn set_environment(case: &Case) {
    for (setting, value) in SETTINGS.iter().zip(&case.environment) {
        set(setting.variable, value.as_deref());
    }
    for (name, value) in &case.others {
        set(name, Some(value));
    }
}

fn set(name: &str, value: Option<&[u8]>) {
    // SAFETY: this process has one thread that reads the environment, this one.
    unsafe {
        match value {
            Some(value) => std::env::set_var(name, OsStr::from_bytes(value)),
            None => std::env::remove_var(name),
        }
    }
}

/// The statuses that a call of gpumex_configure may give: one for each rule that it breaks.
fn statuses((key, value): &Pair, in_force: bool) -> Vec<u32> {
    let is_null = key.is_none() || value.is_none();
    let is_text = [key, value].into_iter().flatten().all(|text| std::str::from_utf8(text).is_ok());
    let known = key.as_deref().map(setting);
    let is_wrong = match (known, value) {
        (Some(None), _) => true,
        (Some(Some(setting)), Some(value)) => SETTINGS[setting].read(value).is_none(),
        _ => false,
    };
    let broken = [(is_null, NULL_POINTER), (!is_text || is_wrong, INVALID)];
    let broken: Vec<u32> = broken.into_iter().filter_map(|(is, status)| is.then_some(status)).collect();
    match broken.is_empty() {
        true => vec![if in_force { BUSY } else { 0 }],
        false => broken,
    }
}

/// Whether a sentence names a setting, its rule and a value that is short and plain.
fn names(sentence: &str, setting: &Setting, value: &[u8]) -> bool {
    let is_plain = |letter: &u8| (b' '..=b'~').contains(letter) && !b"\"'\\".contains(letter);
    let is_shown = value.len() > 60 || !value.iter().all(is_plain) || {
        sentence.contains(&format!("{} is \"{}\"", setting.key, String::from_utf8_lossy(value)))
    };
    is_shown && sentence.contains(setting.key) && sentence.contains(setting.rule)
}

impl Process<'_> {
    fn configure(&mut self, pair: &Pair) -> Checked {
        let text = |text: &Option<Vec<u8>>| {
            text.as_ref().map(|text| CString::new(text.clone()).expect("no NUL is drawn"))
        };
        let (key, value) = (text(&pair.0), text(&pair.1));
        let address = |text: &Option<CString>| text.as_ref().map_or(0, |text| text.as_ptr() as u64);
        let status = self.library.invoke("gpumex_configure", &[address(&key), address(&value)]) as u32;
        let allowed = statuses(pair, self.in_force);
        let shown = format!("gpumex_configure ({}, {})", super::shown(&pair.0), super::shown(&pair.1));
        if !allowed.contains(&status) {
            return Err(format!(
                "status {status} where {allowed:?} is due: {shown}: {}",
                self.library.last_error()
            ));
        }
        let known = pair.0.as_deref().and_then(setting).zip(pair.1.as_deref());
        if let (0, Some((known, value))) = (status, known) {
            self.sources.configured[known] = SETTINGS[known].read(value);
        }
        if let (INVALID, Some((known, value)), Ok(_)) =
            (status, known, std::str::from_utf8(pair.1.as_deref().unwrap_or_default()))
        {
            self.sentence_names(&[(known, value.to_vec())], "")?;
        }
        self.told("gpumex_configure", status == 0).map_err(|problem| format!("{problem}: {shown}"))
    }

    /// The sentence of the last error has the variable (or nothing), the key, the value and the rule of one of these settings.
    fn sentence_names(&self, wrong: &[(usize, Vec<u8>)], variable: &str) -> Checked {
        let sentence = self.library.last_error();
        let is_of = |(index, value): &(usize, Vec<u8>)| {
            let setting = &SETTINGS[*index];
            (variable.is_empty() || sentence.contains(&format!("{variable} {}:", setting.variable)))
                && names(&sentence, setting, value)
        };
        match wrong.iter().any(is_of) {
            true => Ok(()),
            false => Err(format!("the sentence does not name the value and its rule: {sentence}")),
        }
    }

    /// What a call has told the log, by the level in force.
    fn told(&mut self, call: &str, succeeded: bool) -> Checked {
        let (level, news, sentence) = (self.sources.log_level(), self.log.news()?, self.library.last_error());
        let is_creation = call == "gpumex_context_create" || (call == "histogram" && succeeded);
        let is_right = match (succeeded, level) {
            (false, ERROR..) => news.contains(&sentence),
            (true, DEBUG..) => news.contains(&format!("gpumex: {call}: done\n")),
            (true, INFO) if is_creation => {
                let is_there = call == "histogram" && news.is_empty(); // the default context
                is_there || (news.starts_with("gpumex: ") && !news.contains(": done"))
            }
            (true, WARN) if is_creation => !news.contains(" backend: "),
            _ => news.is_empty(),
        };
        if !succeeded && (sentence.len() > LONGEST_SENTENCE || sentence.contains(char::is_control)) {
            return Err(format!("a sentence of {} bytes, or with control characters", sentence.len()));
        }
        if !succeeded && !sentence.starts_with(&format!("{call}: ")) {
            return Err(format!("another sentence after {call}: {sentence}"));
        }
        match is_right {
            true => Ok(()),
            false => Err(format!("the log at level {level} after {call} ({sentence}): {news:?}")),
        }
    }

    /// Calls are refused while the environment has a wrong value; each sentence names one. gpumex_configure mends it.
    fn meet_wrong_values(&mut self) -> Checked {
        let of = |setting: usize| (setting, self.sources.environment[setting].clone().unwrap_or_default());
        let wrong: Vec<_> = self.sources.wrong().into_iter().map(of).collect();
        if wrong.is_empty() {
            return Ok(());
        }
        for _ in 0..2 {
            let context = self.library.invoke("gpumex_context_create", &[AUTO, u64::MAX]);
            let status = self.library.invoke("gpumex_last_status", &[]) as u32;
            self.is_refused("gpumex_context_create", if context == 0 { status } else { 0 }, &wrong)?;
            let status = self.count("histogram", &[])?;
            self.is_refused("histogram", status, &wrong)?;
        }
        for (index, _) in wrong {
            let value = valid(&mut self.dice, &SETTINGS[index]);
            self.configure(&(Some(SETTINGS[index].key.into()), Some(value.into())))?;
        }
        Ok(())
    }

    fn is_refused(&mut self, call: &str, status: u32, wrong: &[(usize, Vec<u8>)]) -> Checked {
        if status != INVALID {
            return Err(format!("status {status} of {call} with a wrong value in the environment"));
        }
        self.sentence_names(wrong, "environment variable")?;
        self.told(call, false)
    }

    /// Contexts are as the settings say; these are in force from the first one on.
    fn use_contexts(&mut self) -> Checked {
        let backend = self.setting(BACKEND).unwrap_or(AUTO);
        for asked in [AUTO, CPU] {
            let due = if asked == AUTO { backend } else { asked };
            let context = self.library.invoke("gpumex_context_create", &[asked, u64::MAX]);
            self.in_force = true;
            self.told("gpumex_context_create", context != 0)?;
            let status = self.library.invoke("gpumex_last_status", &[]) as u32;
            match context {
                0 if due == CUDA && status == NO_DEVICE => continue,
                0 => return Err(format!("status {status}, no context: {}", self.library.last_error())),
                _ => self.use_context(context, due)?,
            }
        }
        let status = self.count("histogram", &[])?;
        let is_due = status == 0 || (backend == CUDA && status == NO_DEVICE);
        self.told("histogram", status == 0)?;
        if is_due {
            Ok(())
        } else {
            Err(format!("status {status} of histogram: {}", self.library.last_error()))
        }
    }

    fn setting(&self, setting: usize) -> Option<u64> {
        self.sources.get(setting).expect("wrong values were mended")
    }

    fn use_context(&mut self, context: u64, due: u64) -> Checked {
        let [backend, device, threads] = self.info(context)?;
        self.log.news()?;
        if due != AUTO && backend != due {
            return Err(format!("a context on backend {backend}, where {due} is set"));
        }
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
        let due = self.setting(THREADS).filter(|&count| count != 0).unwrap_or(cores);
        if backend == CPU && threads != due {
            return Err(format!("{threads} threads, where {due} are set"));
        }
        if let (CUDA, Some(due)) = (backend, self.setting(DEVICE).filter(|&due| due != device)) {
            return Err(format!("device {device}, where {due} is set"));
        }
        let status = self.count("gpumex_histogram", &[context, 0])?;
        self.told("gpumex_histogram", status == 0)?;
        let ended = self.library.invoke("gpumex_context_destroy", &[context]) as u32;
        self.told("gpumex_context_destroy", ended == 0)?;
        if (status, ended) == (0, 0) {
            Ok(())
        } else {
            Err(format!("status {status} of gpumex_histogram, {ended} at the end"))
        }
    }

    /// Backend, device and multiprocessors of a context.
    fn info(&self, context: u64) -> Result<[u64; 3], String> {
        let structure = self.header.structure("gpumex_device_info").ok_or("no gpumex_device_info")?;
        let structure = &self.header.structs[structure];
        let mut bytes = vec![0u8; structure.size];
        bytes[..8].copy_from_slice(&(structure.size as u64).to_le_bytes());
        self.library.must("gpumex_context_device_info", &[context, bytes.as_mut_ptr() as u64]);
        let number = |name: &str| {
            let offset = structure.fields.iter().find(|field| field.name == name)?.offset;
            Some(u64::from(u32::from_le_bytes(bytes[offset..][..4].try_into().ok()?)))
        };
        let numbers = ["backend", "device", "multiprocessors"].map(number);
        numbers
            .map(|number| number.ok_or("a field of gpumex_device_info is missing"))
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?
            .try_into()
            .map_err(|_| "three numbers".into())
    }

    /// Counts bytes, of which there are enough for several threads; an error where the counts are wrong.
    fn count(&self, function: &str, before: &[u64]) -> Result<u32, String> {
        const BYTES: usize = 300_000;
        let (data, mut counts) = (vec![7u8; BYTES], [0u64; 256]);
        let own = [data.as_ptr() as u64, BYTES as u64, counts.as_mut_ptr() as u64, 256];
        let status = self.library.invoke(function, &[before, &own].concat()) as u32;
        match status == 0 && counts[7] != BYTES as u64 {
            true => Err(format!("{function} counts {} of {BYTES} bytes", counts[7])),
            false => Ok(status),
        }
    }
}
