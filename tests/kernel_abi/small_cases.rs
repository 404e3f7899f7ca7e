//! The generator on small headers: what changes the ABI changes the declarations, and what it does not know it refuses.

use super::*;

const SMALL: &str = "/* small.h — a header. */
typedef struct CUstream_st *gpumexk_stream;

/* What is sorted: data[i]. */
typedef struct gpumexk_sort_args {
    const void *keys;   /* (count) */
    void *sorted, *scratch;
    size_t count;
    int dtype;
    double lo;
} gpumexk_sort_args;
GPUMEXK_SIZE(gpumexk_sort_args, 48);

/* sort.cu — sorts. */
#define GPUMEXK_SORT_MAX 16 /* keys */
int gpumexk_sort(const gpumexk_sort_args *args, size_t count, int dtype, gpumexk_stream stream); /* waits */
const char *gpumexk_text(int error);
void gpumexk_clear(void);
";

#[test]
fn a_header_becomes_structs_constants_layouts_and_launchers() {
    let text = declarations(SMALL).unwrap();
    for line in [
        "//! small.h — a header.",
        "pub type Stream = *mut c_void;",
        "/// What is sorted: data\\[i\\].",
        "pub struct SortArgs {",
        "    /// (count)\n    pub keys: *const c_void,\n    pub sorted: *mut c_void,\n    pub scratch: *mut c_void,",
        "/// keys\npub const SORT_MAX: usize = 16;",
        "    SortArgs, 48: keys 0, sorted 8, scratch 16, count 24, dtype 32, lo 40;",
        "    /// sort.cu — sorts.\n    ///\n    /// waits\n    fn gpumexk_sort(args: *const SortArgs, count: usize, dtype: c_int, stream: Stream) -> c_int;",
        "    fn gpumexk_text(error: c_int) -> *const c_char;",
        "    fn gpumexk_clear() -> ();",
    ] {
        assert!(text.contains(line), "{line}\nis not in\n{text}");
    }
}

#[test]
fn whatever_changes_the_abi_is_found() {
    let committed = declarations(SMALL).unwrap();
    for (what, from, to) in [
        ("two fields of one type, swapped", "*sorted, *scratch", "*scratch, *sorted"),
        ("two fields, swapped", "    size_t count;\n    int dtype;", "    int dtype;\n    size_t count;"),
        ("a field with another name", "size_t count;", "size_t length;"),
        ("a field of another type", "size_t count;", "uint64_t count;"),
        ("a pointer to const", "    void *sorted", "    const void *sorted"),
        ("two parameters, swapped", "size_t count, int dtype,", "int dtype, size_t count,"),
        ("a parameter of another type", "size_t count, int dtype,", "size_t count, unsigned dtype,"),
        ("a parameter more", "size_t count, int dtype,", "size_t count, int dtype, int op,"),
        ("another result", "void gpumexk_clear", "int gpumexk_clear"),
        ("another constant", "MAX 16", "MAX 32"),
        ("a function less", "void gpumexk_clear(void);\n", ""),
    ] {
        let changed = SMALL.replacen(from, to, 1);
        assert_ne!(changed, SMALL, "{what}");
        let changed = declarations(&changed).unwrap_or_else(|reason| panic!("{what}: {reason}"));
        assert!(first_difference(&committed, &changed).is_some(), "{what}");
    }
}

#[test]
fn a_struct_of_another_size_is_refused_until_the_compiler_checks_that_size() {
    let refusal = |from: &str, to: &str| declarations(&SMALL.replacen(from, to, 1)).unwrap_err();
    assert_eq!(
        refusal("int dtype;", "int dtype, op, last;"),
        "kernels/kernels.h: gpumexk_sort_args has 56 bytes, GPUMEXK_SIZE says 48"
    );
    assert_eq!(
        refusal("GPUMEXK_SIZE(gpumexk_sort_args, 48);\n", ""),
        "kernels/kernels.h: GPUMEXK_SIZE (gpumexk_sort_args, 48) is missing"
    );
}

#[test]
fn arrays_and_enums_are_laid_out_as_in_c() {
    let text = declarations(
        "typedef enum gpumexk_rule { GPUMEXK_EVEN, GPUMEXK_EDGES = 2 } gpumexk_rule;
         #define GPUMEXK_N 3
         typedef struct gpumexk_bins { uint8_t first; uint16_t sizes[GPUMEXK_N]; gpumexk_rule rule; float *at[2]; } gpumexk_bins;
         GPUMEXK_SIZE(gpumexk_bins, 32);",
    );
    let text = text.unwrap();
    for line in [
        "pub type Rule = c_int;",
        "pub const EDGES: Rule = 2;",
        "    pub sizes: [u16; 3],\n    pub rule: Rule,\n    pub at: [*mut f32; 2],",
        "    Bins, 32: first 0, sizes 2, rule 8, at 16;",
    ] {
        assert!(text.contains(line), "{line}\nis not in\n{text}");
    }
}

#[test]
fn what_the_generator_does_not_know_is_refused_with_its_line() {
    for (header, reason) in [
        (
            "typedef union gpumexk_a { int b; } gpumexk_a;",
            "line 1: a typedef of neither a struct nor an enum",
        ),
        ("\ntypedef struct gpumexk_a {\n  int b : 2;\n} gpumexk_a;", "line 3: : where ; is expected"),
        ("#define GPUMEXK_A 1.5", "line 1: 1.5 where a number is expected"),
        ("int gpumexk_a(long_type b);", "the type long_type is not known"),
        ("int gpumexk_a(void **b);", "line 1: * where a name is expected"),
        ("/* no end", "line 1: a comment without an end"),
        ("int gpumexk_a(", "line 1: the end"),
    ] {
        assert_eq!(declarations(header).unwrap_err(), format!("kernels/kernels.h: {reason}"));
    }
}
