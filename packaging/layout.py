"""Where the files of an installation lie. The settings are those of GNU: prefix, libdir ... in capitals or not, from make's command
line or the environment; DESTDIR stands before each folder. And the list of what was installed, by which it is removed again."""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Failure(Exception):
    """A sentence that says what to do."""


def setting(name, default):
    return os.environ.get(name.upper()) or os.environ.get(name.lower()) or default


class Layout:
    def __init__(self):
        self.destdir = setting("destdir", "")
        self.prefix = os.path.abspath(setting("prefix", "/usr/local"))
        exec_prefix = self.folder("exec_prefix", ".")
        self.lib = self.folder("libdir", os.path.join(exec_prefix, "lib"))
        self.include = self.folder("includedir", "include")
        data = self.folder("datarootdir", "share")
        self.lab = self.folder("labdir", os.path.join(data, "gpumex", "lab"))
        self.man = self.folder("mandir", os.path.join(data, "man"))
        self.doc = self.folder("docdir", os.path.join(data, "doc", "gpumex"))
        self.pkgconfig = self.folder("pkgconfigdir", os.path.join(self.lib, "pkgconfig"))
        self.cmake = self.folder("cmakedir", os.path.join(self.lib, "cmake", "gpumex"))

    def folder(self, name, default):
        return os.path.normpath(os.path.join(self.prefix, setting(name, default)))

    def staged(self, path):
        """The path with DESTDIR before it."""
        return self.destdir + path if self.destdir else path

    def record(self, version):
        return os.path.join(self.staged(self.doc), f"installed-{version}")

    def records(self):
        """The lists of all versions that are there."""
        folder = self.staged(self.doc)
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return [os.path.join(folder, name) for name in names if name.startswith("installed-")]


def version():
    with open(os.path.join(ROOT, "Cargo.toml"), encoding="utf-8") as file:
        return re.search(r'^version = "(.*)"', file.read(), re.M)[1]


def read_record(path):
    """The paths of a list. It has them relative to its own folder, so that a prefix can be moved; folders end in a slash."""
    if not os.path.exists(path):
        return []
    folder = os.path.dirname(path)
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        lines = [line for line in file.read().split("\n") if line]
    return [os.path.normpath(os.path.join(folder, line)) + "/" * line.endswith("/") for line in lines]


def write_record(path, paths):
    folder = os.path.dirname(path)
    lines = [os.path.relpath(one, folder) + "/" * one.endswith("/") + "\n" for one in sorted(set(paths))]
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.writelines(lines)
    os.chmod(path, 0o644)


def run(main):
    """Ends with a sentence where something cannot be done."""
    try:
        main()
    except Failure as failure:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {failure}")
    except OSError as error:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {error.filename or ''}: {error.strerror}")
