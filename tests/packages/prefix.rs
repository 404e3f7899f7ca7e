//! An installation for the tests, and folders beside it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::{env, fs};

use crate::c_abi::programs::{built, root};
use crate::common::SETTINGS;

/// A folder outside the source tree, with a blank in its name; gone with its value.
pub struct Folder {
    path: PathBuf,
    /// What a shell in it finds in its environment.
    variables: Vec<(&'static str, PathBuf)>,
}

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name =
            format!("gpumex packages {} {}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("the folder for temporary files is writable");
        Folder { path, variables: Vec::new() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs a shell here, which must succeed; its standard output.
    #[track_caller]
    pub fn sh(&self, script: &str) -> String {
        let output = self.try_sh(script);
        let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success(), "{script}: {}\n{stdout}{stderr}", output.status);
        stdout.trim().to_string()
    }

    pub fn try_sh(&self, script: &str) -> Output {
        let mut command = Command::new("bash");
        command.args(["-euo", "pipefail", "-c", script]).current_dir(&self.path);
        // cargo's path has the library of this build, and make's and our own settings would be the installation's.
        for name in
            ["LD_LIBRARY_PATH", "MAKEFLAGS", "MAKELEVEL", "PREFIX", "DESTDIR", "LIBDIR", "GPUMEX_BUILT"]
        {
            command.env_remove(name);
        }
        for setting in SETTINGS {
            command.env_remove(setting);
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.output().unwrap_or_else(|error| panic!("bash: {error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.path); // after a failure the files stay, to be looked at
        }
    }
}

/// The library of this build: installed below DESTDIR, then moved.
pub struct Installed(Folder);

impl Installed {
    /// The one that all tests share while they run.
    pub fn here() -> Arc<Installed> {
        static SHARED: Mutex<Weak<Installed>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(|poison| poison.into_inner());
        shared.upgrade().unwrap_or_else(|| {
            let installed = Arc::new(Installed::new());
            *shared = Arc::downgrade(&installed);
            installed
        })
    }

    fn new() -> Installed {
        let folder = Folder::new();
        folder.sh(&format!(
            "GPUMEX_BUILT='{}' PREFIX=/usr DESTDIR=\"$PWD/staged\" '{}' && mv staged/usr 'moved here' && rmdir staged",
            built().display(),
            root().join("packaging/install").display()
        ));
        Installed(folder)
    }

    pub fn prefix(&self) -> PathBuf {
        self.0.path.join("moved here")
    }

    /// A folder whose shells know PREFIX and LIB, and where pkg-config finds the library.
    pub fn folder(&self, name: &str) -> Folder {
        let path = self.0.path.join(name);
        fs::create_dir_all(&path).expect("the folder for temporary files is writable");
        let lib = self.prefix().join("lib");
        let variables =
            vec![("PREFIX", self.prefix()), ("PKG_CONFIG_PATH", lib.join("pkgconfig")), ("LIB", lib)];
        Folder { path, variables }
    }
}
