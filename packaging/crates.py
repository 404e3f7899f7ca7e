"""What is linked into the library: its crates, Rust's standard library and CUDA's runtime."""

import html
import json
import os
import re
import subprocess
from pathlib import Path

from layout import ROOT, Failure


def said_by(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def crates(target):
    """(name, version, folder) of each crate of others that is linked into the library for a target, or made its code."""
    tree = said_by("cargo", "tree", "--locked", "--package", "gpumex-c", "--edges", "normal", "--target", target,
                   "--prefix", "none", "--no-dedupe", "--format", "{p}")
    linked = {tuple(line.split()[:2]) for line in tree.splitlines()}
    metadata = json.loads(said_by("cargo", "metadata", "--locked", "--format-version", "1"))
    found = [package for package in metadata["packages"] if (package["name"], "v" + package["version"]) in linked]
    return sorted((package["name"], package["version"], Path(package["manifest_path"]).parent)
                  for package in found if package["source"])


def rust_notices():
    """The toolchain's file of the licences of the standard library and of the crates in it."""
    file = Path(said_by("rustc", "--print", "sysroot").strip()) / "share/doc/rust/COPYRIGHT-library.html"
    if not file.exists():
        raise Failure(f"{file} is not there; toolchains from rustup have it")
    return file


def crates_of_std():
    """(name, version, licence) of each, from the notices."""
    text = html.unescape(re.sub(r"<[^>]*>", "", rust_notices().read_text(encoding="utf-8")))
    found = re.findall(r"📦 (\S+?)-(\d\S*)\s.*?License: ([^\n]*)", text, re.S)
    if not found:
        raise Failure(f"{rust_notices()} lists no crate in the form that was known")
    return [(name, version, licence.strip()) for name, version, licence in found]


def cuda_runtime():
    """(version, licence file) of the CUDA runtime that is linked in; None where there are no kernels."""
    nvcc = os.environ.get("GPUMEX_DIST_NVCC")
    if not nvcc:
        return None
    toolkit = Path(nvcc).parent.parent
    for folder in toolkit.parent.parent.glob("nvidia_cuda_runtime-*.dist-info"):  # a wheel
        return folder.name.split("-")[1].removesuffix(".dist"), folder / "licenses/License.txt"
    version = re.search(r"V([\d.]+)", subprocess.run([nvcc, "--version"], check=True, capture_output=True, text=True).stdout)
    for file in (toolkit / "EULA.txt", toolkit / "LICENSE"):
        if file.exists():
            return version[1], file
    raise Failure(f"the licence of the CUDA toolkit is neither beside {toolkit} nor in it")
