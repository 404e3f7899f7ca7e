"""matlab_toolbox.py signatures TOOLBOX | prototype TOOLBOX LIBRARY - parts of the MATLAB toolbox that MATLAB alone reads.

signatures: functionSignatures.json has the form that MATLAB's documentation gives ("Customize Code Suggestions and
Completions"), an entry for each function, and of each the inputs, options and choices that the .m files and the gateways have.
prototype: gpumex_proto.m and its thunks describe the header, and the library gives right answers through them.

Prints what it did; exits with 1 and says why where something is wrong.
"""

import ctypes
import glob
import json
import os
import random
import re
import struct
import sys

# ------------------------------------------------------------------------------------------------------- the signatures

KINDS = ["required", "ordered", "namevalue"]
TYPES = {
    "numeric", "logical", "char", "struct", "single", "double", "uint8", "uint64", "function_handle", "gpumex.array",
    "scalar", "vector", "2d", "integer", "nonnegative", "positive",
}  # fmt: skip
INTERNAL = {
    "Contents", "gpumex_along", "gpumex_array_call", "gpumex_array_error", "gpumex_assign", "gpumex_call", "gpumex_elementwise",
    "gpumex_gateway", "gpumex_index", "gpumex_narrow_call", "gpumex_order_options", "gpumex_proto", "gpumex_read_options", "gpumex_refused",
    "gpumex_set_call", "gpumex_shapes",
}  # fmt: skip

# Arguments whose words the function in M compares.
SETS = ("unique", "union", "intersect", "setdiff", "setxor", "ismember")
IN_M = {
    ("gpumex.comm", "transport"), ("gpumex.device", "action"), ("gpumex.histcounts", "BinMethod"), ("gpumex.histcounts", "Normalization"),
    ("gpumex.sort_keys", "MissingPlacement"), ("gpumex.sort_keys", "ComparisonMethod"), ("gpumex.sortrows", "MissingPlacement"),
    ("gpumex.sortrows", "ComparisonMethod"),
} | {("gpumex." + name, words) for name in SETS for words in ("order", "which", "rows")}  # fmt: skip


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def distinct(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), f"twice: {sorted(n for n in names if names.count(n) > 1)}"
    return dict(pairs)


def is_type(kind):
    if isinstance(kind, list):
        return bool(kind) and all(is_type(part) for part in kind)
    return kind in TYPES or re.fullmatch(r"choices=\{'[^']+'(,'[^']+')*\}|numel=\d+|file=\*\.[\w*]+(,\*\.[\w*]+)*", kind)


def check_form(name, function):
    assert set(function) == {"inputs"}, f"{name}: properties {sorted(function)}"
    at = 0
    for argument in function["inputs"]:
        where = f"{name}, {argument.get('name')}"
        assert {"name", "kind", "type", "purpose"} == set(argument), f"{where}: properties {sorted(argument)}"
        assert argument["kind"] in KINDS and KINDS.index(argument["kind"]) >= at, f"{where}: its kind or its place"
        at = KINDS.index(argument["kind"])
        assert is_type(argument["type"]), f"{where}: the type {argument['type']}"


def choices(kind):
    """The words of a type, however deep."""
    if isinstance(kind, list):
        return [word for part in kind for word in choices(part)]
    return re.findall(r"'([^']+)'", kind) if kind.startswith("choices=") else []


def functions_of(toolbox):
    """name: path of each function for users."""
    package = {"gpumex." + name_of(path): path for path in glob.glob(os.path.join(toolbox, "+gpumex", "*.m"))}
    beside = {name_of(path): path for path in glob.glob(os.path.join(toolbox, "*.m"))}
    return package | {name: path for name, path in beside.items() if name not in INTERNAL}


def name_of(path):
    return os.path.basename(path).removesuffix(".m")


def inputs_of(name, code):
    """The inputs of a function in its order, and how many a call needs."""
    short = name.removeprefix("gpumex.")
    line = re.search(rf"^\s*function (?:[^\n=]*= ?)?{short}(?:\(([^)]*)\))?$", code, re.M)
    assert line, f"{name}: no line with its inputs"
    inputs = [given for given in re.split(r",\s*", line[1] or "") if given not in ("", "varargin")]
    refusal = re.search(r"if nargin (?:<|~=) (\d+)[^\n]*\n\s*error", code)
    return inputs, int(refusal[1]) if refusal else 0


def options_of(operation, code, gateway):
    """The names of its options: in the calls of gpumex_call, or where those have none in the gateway's list."""
    lists = re.findall(r"\{((?:'[A-Z]\w*'(?:, )?)+)\}", code)
    if not lists and "varargin" in code:
        lists = re.findall(r"const names\[\] = \{([^}]*), NULL\}", gateway)
    return {name for names in lists for name in re.findall(r"['\"](\w+)['\"]", names)}


def enumerators(code):
    """The word lists of a C file: {word: enumerator}."""
    lists = re.findall(r"enumerator \w+\[\] = \{(.*?)\{NULL, 0\}\};", code, re.S)
    return [dict(re.findall(r'\{"([^"]+)",\s*(\w+)\}', words)) for words in lists]


def gateway_of(toolbox, operation):
    """The source file that runs an operation."""
    symbol = dict(re.findall(r'\{"(\w+)", (\w+)\}', read(toolbox, "mex", "gpumex_mex.c"))).get(operation)
    files = [read(path) for path in sorted(glob.glob(os.path.join(toolbox, "mex", "*_mex.c")))]
    return next((code for code in files if re.search(rf"^void {symbol}\(", code, re.M)), "")


def check_choices(where, words, lists):
    """The words name every value of one list."""
    fitting = [known for known in lists if set(words) <= set(known)]
    assert fitting, f"{where}: no gateway knows all of {words}"
    missing = min(([w for w, n in known.items() if n not in {known[word] for word in words}] for known in fitting), key=len)
    assert not missing, f"{where}: the gateway knows {missing}, too"


def check_function(toolbox, name, path, arguments):
    operation = name.removeprefix("gpumex.")
    code = read(path)
    gateway = gateway_of(toolbox, operation) if name.startswith("gpumex.") else ""
    positional = [argument for argument in arguments if argument["kind"] != "namevalue"]
    inputs, needed = inputs_of(name, code)
    listed = [argument["name"] for argument in positional][: len(inputs)]
    assert listed == inputs, f"{name}: inputs {listed}, the function has {inputs}"
    required = sum(argument["kind"] == "required" for argument in positional)
    assert required >= needed, f"{name}: {required} inputs are required, the function needs {needed}"
    named = {argument["name"] for argument in arguments if argument["kind"] == "namevalue"}
    options = options_of(operation, code, gateway) if name.startswith("gpumex.") else set()
    assert named == options, f"{name}: options {sorted(named)}, the function has {sorted(options)}"

    common = [words for file in ("arguments.c", "vectors.c", "along_mex.c") for words in enumerators(read(toolbox, "mex", file))]
    own = enumerators(gateway)
    for argument in arguments:
        words = choices(argument["type"])
        compares_itself = not name.startswith("gpumex.") or (name, argument["name"]) in IN_M
        if words and not compares_itself:
            lists = own if argument["name"] == "Variant" and any("auto" in known for known in own) else own + common
            lists = [known for known in lists if "sequential" in known] or common if argument["name"] == "Variant" else lists
            check_choices(f"{name}, {argument['name']}", words, lists)


def signatures(toolbox):
    text = read(toolbox, "resources", "functionSignatures.json")
    found = json.loads(text, object_pairs_hook=distinct)
    assert found.pop("_schemaVersion") == "1.0.0" and text.lstrip("{ \n").startswith('"_schemaVersion"')
    functions = functions_of(toolbox)
    assert len(functions) > 40, f"only {sorted(functions)}"
    assert set(found) == set(functions), f"without a function or an entry: {sorted(set(found) ^ set(functions))}"
    for name, path in functions.items():
        check_form(name, found[name])
        check_function(toolbox, name, path, found[name]["inputs"])
    print(f"{len(functions)} functions have signatures")


# ------------------------------------------------------------------------------------------------------- the prototype

RESULTS = {"int32": ctypes.c_int, "uint64": ctypes.c_ulong, "cstring": ctypes.c_char_p, "void": None, "double": ctypes.c_double}
SIZES = {"int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "uint64": 8, "single": 4, "double": 8}


class Prototype:
    """What gpumex_proto.m says, by its text."""

    def __init__(self, text):
        pattern = r"name\{\d+\} = '(\w+)'.*?\nfcns.thunkname\{\d+\} = '(\w+)';\nfcns.LHS\{\d+\} = (.*?); fcns.RHS\{\d+\} = (.*?);"
        self.functions = {
            name: (thunk, left.strip("'"), re.findall(r"'([^']+)'", right))
            for name, thunk, left, right in re.findall(pattern, text)
        }
        self.structs = {
            name: re.findall(r"'(\w+)', '([^']+)'", members)
            for name, members in re.findall(r"structs\.(\w+)\.members = struct\((.*?)\);", text, re.S)
        }
        enums = re.findall(r"enuminfo\.\w+ = struct\((.*?)\);", text, re.S)
        self.constants = {name: int(value) for enum in enums for name, value in re.findall(r"'(\w+)', (-?\d+)", enum)}

    def size(self, name):
        """The bytes of a struct."""
        at, widest = 0, 1
        for _, kind in self.structs[name]:
            base, _, count = kind.partition("#")
            width = SIZES.get(base, 8)
            at = -(-at // width) * width + width * int(count or 1)
            widest = max(widest, width)
        return -(-at // widest) * widest


class Thunks:
    """The library as calllib sees it through the thunks: arguments in slots of 8 bytes."""

    def __init__(self, prototype, thunks, library):
        self.prototype, self.thunks, self.library = prototype, thunks, library

    def __getattr__(self, name):
        thunk_name, result, types = self.prototype.functions[name]
        thunk = getattr(self.thunks, thunk_name)
        thunk.restype = RESULTS.get(result, ctypes.c_void_p)
        thunk.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        function = ctypes.cast(getattr(self.library, name), ctypes.c_void_p)

        def call(*arguments):
            assert len(arguments) == len(types), f"{name} takes {types}"
            slots = b"".join(slot(kind, argument) for kind, argument in zip(types, arguments, strict=True))
            return thunk(function, slots, len(slots))

        call.__name__ = name
        return call


def slot(kind, argument):
    if not (kind.endswith("Ptr") or kind == "cstring"):
        return struct.pack("d" if kind == "double" else "q", argument)
    if isinstance(argument, ctypes.Structure):
        argument = ctypes.addressof(argument)
    elif hasattr(argument, "_obj"):  # ctypes.byref
        argument = ctypes.addressof(argument._obj)
    elif not isinstance(argument, (int, type(None))):
        argument = ctypes.cast(argument, ctypes.c_void_p).value
    return struct.pack("Q", argument or 0)


def prototype(toolbox, path):
    from loadlibrary import Header, check_context, check_plain_functions, preprocessed

    include = os.path.join(toolbox, "include")
    header = Header(preprocessed(os.path.join(toolbox, "gpumex_matlab.h"), [f"-I{include}"]), [include])
    found = Prototype(read(toolbox, "gpumex_proto.m"))
    assert set(found.functions) == set(header.functions), f"{sorted(set(found.functions) ^ set(header.functions))}"
    for name, (_, _, types) in found.functions.items():
        parameters = header.functions[name].args.params
        count = 0 if header.ctype(parameters[0].type) is None else len(parameters)
        assert len(types) == count, f"{name}: {len(types)} arguments, not {count}"
    assert found.constants == header.constants, f"{sorted(set(found.constants) ^ set(header.constants))}"
    for name, definition in header.structs.items():
        if name and name.startswith("gpumex_"):
            fields = [field.name for field in definition.decls]
            assert [field for field, _ in found.structs[name]] == fields, name
            assert found.size(name) == ctypes.sizeof(header.struct(name)), f"{name}: {found.size(name)} bytes"
    library = Thunks(found, ctypes.CDLL(os.path.join(toolbox, "gpumex_thunk_glnxa64.so")), ctypes.CDLL(path))
    rng = random.Random(2026)
    check_plain_functions(library, rng)
    device = check_context(header, library, rng)
    print(f"{len(found.functions)} functions in the prototype file, right answers through the thunks on {device}")


if __name__ == "__main__":
    checks = {"signatures": signatures, "prototype": prototype}
    if len(sys.argv) < 3 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    try:
        checks[sys.argv[1]](*sys.argv[2:])
    except AssertionError as error:
        sys.exit(f"matlab_toolbox.py: {error}")
