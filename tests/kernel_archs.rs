//! Inline assembly of the kernels: an instruction that not every architecture of `make dist` has stands where these are excluded. The tests
//! compile for one architecture, in which ptxas finds nothing of it.

use crate::layers::files_under;

/// The first of these parts of an instruction that it has, and the architecture from which on there is such a one (PTX ISA).
const FROM: &[(&str, u32)] = &[
    ("wgmma.", 900),
    ("setmaxnreg.", 900),
    ("griddepcontrol.", 900),
    ("cp.async.bulk", 900),
    ("mapa.", 900),
    ("st.async", 900),
    ("::cluster", 900),
    ("barrier.cluster", 900),
    ("fence.proxy", 900),
    ("fence.mbarrier_init", 900),
    ("mbarrier.try_wait", 900),
    ("mma.sync.aligned.m16n8k8.row.col.f64", 900),
    ("mma.sync.aligned.m16n8k4.row.col.f64", 900),
    ("mbarrier.", 800),
    ("cp.async", 800),
    ("redux.", 800),
    (".NaN", 800),
    (".bf16", 800),
    (".tf32", 800),
    ("mma.sync.aligned.m8n8k4.row.col.f64", 800),
    ("createpolicy.", 800),
];

#[test]
fn instructions_are_compiled_where_they_exist() {
    let files = [files_under("kernels", "cu"), files_under("kernels", "cuh")].concat();
    let (mut guarded, mut found) = (0, Vec::new());
    for (file, text) in &files {
        for (line, instruction, least, condition) in instructions(text) {
            match condition >= least {
                true => guarded += usize::from(least > 0),
                false => {
                    found.push(format!("{file}:{line}: {instruction} is there from sm_{} on", least / 10))
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(guarded > 30, "{guarded} instructions of some architectures alone: are these all kernels?");
}

#[test]
fn an_instruction_without_its_condition_is_found() {
    let text = "#if __CUDA_ARCH__ >= 800\nasm(\"redux.sync\");\n#else\nasm(\"max.NaN.f32 %0;\");\n#endif\n\
                asm volatile(\n    \"wgmma.fence\");\n// asm(\"redux.sync\");\n#if __CUDA_ARCH__ < 800\n#else\nasm(\"cp.async\");\n#endif\n";
    let missing: Vec<_> = instructions(text).filter(|(_, _, least, condition)| condition < least).collect();
    assert_eq!(
        missing.iter().map(|(line, ..)| *line).collect::<Vec<_>>(),
        [4, 7],
        "{missing:?} of {:?}",
        instructions(text).collect::<Vec<_>>()
    );
}

/// Each string of an `asm` statement: its line, it, the architecture that it needs, and the one from which on it is compiled.
fn instructions(text: &str) -> impl Iterator<Item = (usize, &str, u32, u32)> {
    let (mut conditions, mut is_asm) = (Vec::new(), false);
    text.lines().enumerate().flat_map(move |(index, line)| {
        let code = line.split("//").next().unwrap_or("");
        let mut words = code.trim().trim_start_matches('#').split_whitespace();
        match (code.trim_start().starts_with('#'), words.next()) {
            (true, Some("if" | "ifdef" | "ifndef")) => conditions.push(least_of(code)),
            (true, Some("elif")) => *conditions.last_mut().expect("an #if before") = least_of(code),
            (true, Some("else")) => {
                let condition = conditions.last_mut().expect("an #if before");
                *condition = (condition.1, condition.0);
            }
            (true, Some("endif")) => drop(conditions.pop()),
            _ => (),
        }
        is_asm |= code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "asm");
        let condition = conditions.iter().map(|(least, _)| *least).max().unwrap_or(0);
        let strings = if is_asm { code.split('"').skip(1).step_by(2).collect() } else { Vec::new() };
        is_asm &= !code.contains(';') || code.trim_end().ends_with('"');
        strings.into_iter().map(move |string| {
            let least = FROM.iter().find(|(part, _)| string.contains(part)).map_or(0, |(_, least)| *least);
            (index + 1, string, least, condition)
        })
    })
}

/// The architecture from which on the lines of a condition are compiled, and those behind its #else.
fn least_of(condition: &str) -> (u32, u32) {
    let number = |sign: &str| {
        let behind = condition.split("__CUDA_ARCH__").nth(1)?.trim_start().strip_prefix(sign)?;
        behind.split_whitespace().next()?.trim_end_matches(')').parse().ok()
    };
    match condition.contains("__CUDA_ARCH_FEAT_SM90_ALL") {
        true => (900, 0),
        false => {
            (number(">=").unwrap_or(0), number("<").filter(|_| !condition.contains("defined")).unwrap_or(0))
        }
    }
}
