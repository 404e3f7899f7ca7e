//! Object files that are compiled only when something that they are made of has changed: the source, a file that it includes
//! (nvcc's depfile), the flags, the architectures, or the compiler. Files are compared by content, so that a new checkout or
//! another branch and back compile nothing.
//!
//!   target/kernels/<architectures and a hash of compiler and flags>/life-shmem.o     the object of kernels/life/shmem.cu
//!                                                                    life-shmem.d     what nvcc read
//!                                                                    life-shmem.hash  hash of the contents of all that
//!
//! The same source gives the same bytes in any folder: names of unnamed namespaces are made from the path relative to the project
//! (`--orig_src_path_name`), and nvcc's intermediate files have fixed names (`--keep`).

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::compiler::Compiler;
use crate::kernels::KERNELS;

const FLAGS: &[&str] = &[
    "-std=c++17",
    "-compress-mode=size", // machine code shrinks to a fifth; the driver unpacks what it loads
    "-Xcompiler=-Wall,-Wextra,-fPIC,-fno-exceptions,-fno-rtti,-fvisibility=hidden",
];

pub struct Objects {
    folder: PathBuf,
    build: cc::Build,
    /// Hashes of the contents of files, each read once.
    contents: Mutex<HashMap<PathBuf, u64>>,
}

impl Objects {
    pub fn new(root: &Path, compiler: &Compiler) -> Objects {
        let mut build = cc::Build::new();
        build.cuda(true).cudart("none").ccbin(false).cpp_link_stdlib(None);
        build.cargo_metadata(false).warnings(false).include(KERNELS);
        build.opt_level(1).debug(false); // of the host code; device code has -O3 always
        for flag in FLAGS {
            build.flag(flag);
        }
        for code in &compiler.code {
            build.flag("-gencode").flag(code);
        }
        let made_by = hash(&(&compiler.version, build.get_compiler().args()));
        let folder = root.join(format!("{}-{made_by:016x}", compiler.archs.replace(", ", "-")));
        fs::create_dir_all(&folder).expect("the target folder is writable");
        Objects { folder, build, contents: Mutex::default() }
    }

    pub fn object_of(&self, source: &Path) -> PathBuf {
        self.beside(source, "o")
    }

    pub fn bring_up_to_date(&self, source: &Path) {
        let (object, depfile, record) =
            (self.object_of(source), self.beside(source, "d"), self.beside(source, "hash"));
        let recorded = fs::read_to_string(&record).ok();
        if recorded.is_some() && recorded == self.hash_of_inputs(&depfile) && object.exists() {
            return;
        }
        let _ = fs::remove_file(&record);
        self.compile(source, &object, &depfile);
        let inputs = self.hash_of_inputs(&depfile).expect("nvcc has listed the files that it read");
        fs::write(&record, inputs).expect("the target folder is writable");
    }

    /// The path below kernels/ names the object, since two folders may have files of one name.
    fn beside(&self, source: &Path, extension: &str) -> PathBuf {
        let below =
            source.strip_prefix(KERNELS).expect("sources() finds files below kernels/").with_extension("");
        let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        self.folder.join(format!("{}.{extension}", parts.join("-")))
    }

    /// A file is compiled by itself: several at once make cc ask for relocatable device code, which costs the blocked matrix
    /// product 40 % of its speed.
    fn compile(&self, source: &Path, object: &Path, depfile: &Path) {
        let work = self.beside(source, &format!("{}.work", std::process::id()));
        fs::create_dir_all(&work).expect("the target folder is writable");
        let mut build = self.build.clone();
        build.file(source).out_dir(&work);
        build.flag("-MD").flag("-MF").flag(depfile);
        build.flag("--keep").flag("--keep-dir").flag(&work);
        build.flag(format!("-Xcudafe=--orig_src_path_name={}", source.display()));
        let compiled = build.compile_intermediates();
        fs::rename(&compiled[0], object).expect("the target folder is writable");
        let _ = fs::remove_dir_all(work);
    }

    /// None when there is no depfile, or a file that it names is gone.
    fn hash_of_inputs(&self, depfile: &Path) -> Option<String> {
        let contents: Option<Vec<u64>> =
            inputs_of(depfile)?.iter().map(|file| self.content_of(file)).collect();
        Some(format!("{:016x}", hash(&contents?)))
    }

    fn content_of(&self, file: &Path) -> Option<u64> {
        let mut contents = self.contents.lock().expect("no thread panics with the lock");
        if let Some(&known) = contents.get(file) {
            return Some(known);
        }
        let content = hash(&fs::read(file).ok()?);
        contents.insert(file.to_path_buf(), content);
        Some(content)
    }
}

/// What a rule of make, `target : file file \`, depends on. A blank in a name has a backslash before it.
fn inputs_of(depfile: &Path) -> Option<Vec<PathBuf>> {
    const BLANK: &str = "\0";
    let rule = fs::read_to_string(depfile).ok()?.replace("\\\n", " ").replace("\\ ", BLANK);
    let (_, files) = rule.split_once(" : ")?;
    Some(files.split_whitespace().map(|file| file.replace(BLANK, " ").into()).collect())
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
