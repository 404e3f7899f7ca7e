//! packaging/device-code: what of a call decides about its output, with a program in the place of NVIDIA's cicc and ptxas that counts its
//! calls and writes its input, its arguments and that count.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::prefix::Folder;
use crate::c_abi::programs::root;

const CICC: &str = "bin/cicc --c++17 --orig_src_path_name /tree/a.cu --orig_src_path_name=kernels/a.cu -arch compute_80 \
                    --module_id_file_name module --stub_file_name stub --gen_c_file_name x.c";

fn tools() -> Folder {
    let folder = Folder::new();
    folder.sh("mkdir bin tools kept; touch count; echo id >module; echo '# 1 \"/here/a.h\"' >a.ii; echo 'int a;' >>a.ii");
    let script = "#!/bin/sh\necho >>count\nfor to; do [ \"$last\" != -o ] && [ \"$last\" != --stub_file_name ] || \
                  wc -l <count >\"$to\"; last=$to; done\n[ ! -e broken ]\n";
    for name in ["cicc", "ptxas"] {
        let tool = folder.path().join("tools").join(name);
        fs::write(&tool, script).expect("a temporary file");
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).expect("our own file");
        symlink(root().join("packaging/device-code"), folder.path().join("bin").join(name))
            .expect("a new name");
    }
    folder
}

/// Runs a command, and says which call of the program made what its last argument names.
fn made_by(folder: &Folder, command: &str) -> String {
    let output = command.rsplit(' ').next().unwrap();
    folder.sh(&format!(
        "export GPUMEX_DEVICE_TOOLS=$PWD/tools GPUMEX_DEVICE_CODE=$PWD/kept; {command}; cat {output}"
    ))
}

#[test]
fn the_same_input_and_arguments_are_compiled_once() {
    let folder = tools();
    assert_eq!(made_by(&folder, &format!("{CICC} a.ii -o a.ptx")), "1");
    folder.sh("echo '# 7 \"/there/a.h\"' >b.ii; echo 'int a;' >>b.ii; rm stub");
    let elsewhere =
        CICC.replace("/tree/", "/other/").replace("--c++17", "--unsigned_chars --arm_cross_compiler --c++17");
    assert_eq!(made_by(&folder, &format!("{elsewhere} b.ii -o b.ptx")), "1", "names of folders and machines");
    assert_eq!(folder.sh("cat stub"), "1", "the other output is there, too");
    assert_eq!(made_by(&folder, "bin/ptxas -arch=sm_80 -m64 a.ptx -o a.cubin"), "2");
    assert_eq!(made_by(&folder, "bin/ptxas -arch=sm_80 -m64 b.ptx -o b.cubin"), "2");
}

#[test]
fn another_input_argument_or_program_is_compiled_anew() {
    let folder = tools();
    assert_eq!(made_by(&folder, &format!("{CICC} a.ii -o a.ptx")), "1");
    for (count, change) in ["echo 'int b;' >>a.ii", "echo other >module"].into_iter().enumerate() {
        folder.sh(change);
        assert_eq!(made_by(&folder, &format!("{CICC} a.ii -o a.ptx")), (count + 2).to_string(), "{change}");
    }
    for (count, (from, to)) in
        [("compute_80", "compute_90a"), ("=kernels/a", "=kernels/b")].into_iter().enumerate()
    {
        let command = format!("{} a.ii -o a.ptx", CICC.replace(from, to));
        assert_eq!(made_by(&folder, &command), (count + 4).to_string(), "{to}");
    }
    assert_eq!(made_by(&folder, "bin/ptxas -arch=sm_80 a.ptx -o a.cubin"), "6");
    assert_eq!(made_by(&folder, "bin/ptxas -arch=sm_90a a.ptx -o a.cubin"), "7");
}

#[test]
fn a_program_that_fails_leaves_nothing() {
    let folder = tools();
    folder.sh("touch broken");
    let command = format!("GPUMEX_DEVICE_TOOLS=tools GPUMEX_DEVICE_CODE=kept {CICC} a.ii -o a.ptx");
    assert_eq!(folder.try_sh(&command).status.code(), Some(1));
    assert_eq!(folder.sh("ls kept"), "");
    folder.sh("rm broken");
    assert_eq!(made_by(&folder, &format!("{CICC} a.ii -o a.ptx")), "2");
}
