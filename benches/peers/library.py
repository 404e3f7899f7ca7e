"""gpumex.h by ctypes, for the programs beside it."""
import ctypes
import re
import sys

C_TYPES = {"size_t": ctypes.c_size_t, "int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64,
           "double": ctypes.c_double}


class Library:
    """The functions, and the option structs, which are read from the header."""

    def __init__(self, path, header):
        self.c = ctypes.CDLL(path)
        self.c.gpumex_last_error.restype = ctypes.c_char_p
        self.ctx = None
        text = re.sub(r"/\*.*?\*/", "", open(header).read(), flags=re.S)
        self.structs = {}
        for name, body in re.findall(r"typedef struct gpumex_(\w+)_options \{(.*?)\}", text, re.S):
            fields = re.findall(r"([\w ]+?(?:\s*\*\s*(?:const)?\s*)*)\b(\w+);", body)
            made = [(field, C_TYPES.get(kind.strip(), ctypes.c_void_p)) for kind, field in fields]
            self.structs[name] = type(name, (ctypes.Structure,), {"_fields_": made})

    def open(self, create, *arguments):
        """The context of the calls, by one of gpumex_context_create and its like."""
        create = getattr(self.c, "gpumex_" + create)
        create.restype = ctypes.c_void_p
        self.ctx = ctypes.c_void_p(create(*arguments))
        if not self.ctx:
            sys.exit(self.c.gpumex_last_error().decode())
        return self

    def options(self, operation, **values):
        struct = self.structs[operation]
        made = struct(size=ctypes.sizeof(struct))
        made.kept = []  # what its pointers refer to
        for name, value in values.items():
            if isinstance(value, ctypes.Array):
                made.kept.append(value)
                value = ctypes.cast(value, ctypes.c_void_p)
            elif isinstance(value, bytes):
                made.kept.append(value)
                value = ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p)
            setattr(made, name, value)
        return made

    def call(self, function, *arguments):
        if getattr(self.c, "gpumex_" + function)(self.ctx, *arguments) != 0:
            raise RuntimeError(self.c.gpumex_last_error().decode())

    def prepared(self, function, options, *arguments):
        """A call with these arguments, which are made once."""
        called = getattr(self.c, "gpumex_" + function)
        arguments = (self.ctx, ctypes.byref(options), *arguments)

        def call():
            if called(*arguments) != 0:
                raise RuntimeError(self.c.gpumex_last_error().decode())

        return call
