use super::*;
use rand::{Rng, RngExt, SeedableRng};

fn text<const N: usize>(format: &str, dtype: Dtype, element: [u8; N]) -> String {
    assert_eq!(dtype.size(), N);
    let mut text = Vec::new();
    Format::parse(format.as_bytes(), dtype).unwrap().append(&element, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn sentence(format: &[u8], dtype: Dtype) -> String {
    let error = Format::parse(format, dtype).unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    error.message().to_string()
}

#[test]
fn every_dtype_prints_its_extremes() {
    use Dtype::*;
    let mut cases = vec![
        (text("%d", I8, i8::MIN.to_ne_bytes()), "-128"),
        (text("%i", I16, i16::MIN.to_ne_bytes()), "-32768"),
        (text("%d", I32, i32::MIN.to_ne_bytes()), "-2147483648"),
        (text("%d", I64, i64::MIN.to_ne_bytes()), "-9223372036854775808"),
        (text("%d", I64, i64::MAX.to_ne_bytes()), "9223372036854775807"),
        (text("%u", U8, u8::MAX.to_ne_bytes()), "255"),
        (text("%u", U16, u16::MAX.to_ne_bytes()), "65535"),
        (text("%d", U32, u32::MAX.to_ne_bytes()), "4294967295"),
        (text("%i", U64, u64::MAX.to_ne_bytes()), "18446744073709551615"),
    ];
    cases.extend([
        (text("%g", F32, f32::MAX.to_ne_bytes()), "3.40282e+38"),
        (text("%.9g", F32, 0.1f32.to_ne_bytes()), "0.100000001"),
        (text("%a", F32, f32::from_bits(1).to_ne_bytes()), "0x1p-149"),
        (text("%G", F64, f64::MAX.to_ne_bytes()), "1.79769E+308"),
        (text("%g", F64, f64::INFINITY.to_ne_bytes()), "inf"),
        (text("%F", F64, f64::NEG_INFINITY.to_ne_bytes()), "-INF"),
        (text("%f", F32, f32::NAN.to_ne_bytes()), "nan"),
        (text("%e", F64, (-0.0f64).to_ne_bytes()), "-0.000000e+00"),
    ]);
    for (got, want) in cases {
        assert_eq!(got, want);
    }
}

#[test]
fn unsigned_conversions_show_the_twos_complement_of_the_dtype() {
    assert_eq!(text("%x", Dtype::I8, (-1i8).to_ne_bytes()), "ff");
    assert_eq!(text("%X", Dtype::I16, (-2i16).to_ne_bytes()), "FFFE");
    assert_eq!(text("%u", Dtype::I32, (-1i32).to_ne_bytes()), "4294967295");
    assert_eq!(text("%o", Dtype::I64, (-1i64).to_ne_bytes()), "1777777777777777777777");
}

#[test]
fn flags_width_and_precision_mean_what_printf_means() {
    let seven = |format| text(format, Dtype::I32, 7i32.to_ne_bytes());
    let pi = |format| text(format, Dtype::F64, std::f64::consts::PI.to_ne_bytes());
    let cases = [
        (seven("%6d"), "     7"),
        (seven("%-6d|"), "7     |"),
        (seven("%+d"), "+7"),
        (seven("% d"), " 7"),
        (seven("%+-5d|"), "+7   |"),
        (seven("%#x %%"), "0x7 %"),
        (seven("%06.3d"), "   007"),
        (seven("%---006d|"), "7     |"),
        (pi("%6.2lf"), "  3.14"),
        (pi("%#.0f"), "3."),
        (pi("%.f"), "3"),
        (pi("%+08.3e"), "+3.142e+00"),
        (pi("%A"), "0X1.921FB54442D18P+1"),
        (pi("%#g"), "3.14159"),
    ];
    for (got, want) in cases {
        assert_eq!(got, want);
    }
}

#[test]
fn text_stands_around_the_conversion() {
    assert_eq!(text("100%%: <%d>%%d", Dtype::U8, [5]), "100%: <5>%d");
    let mut bytes = Vec::new();
    Format::parse(b"\xff\0%u\xfe", Dtype::U8).unwrap().append(&[5], &mut bytes).unwrap();
    assert_eq!(bytes, b"\xff\x005\xfe");
}

#[test]
fn the_length_of_an_argument_is_the_dtypes() {
    for length in ["hh", "h", "l", "ll", "j", "z", "t", "L", "q"] {
        let wide = text(&format!("%{length}d"), Dtype::I64, i64::MIN.to_ne_bytes());
        assert_eq!(wide, "-9223372036854775808", "{length}");
        assert_eq!(text(&format!("%.1{length}f"), Dtype::F32, 0.5f32.to_ne_bytes()), "0.5", "{length}");
    }
}

#[test]
fn bytes_are_characters_where_asked() {
    assert_eq!(text("%c", Dtype::U8, *b"A"), "A");
    assert_eq!(text("%-#03.9c|", Dtype::I8, *b"z"), "z  |");
    assert_eq!(text("%c", Dtype::U8, [0]), "\0");
}

#[test]
fn flags_that_mean_nothing_are_dropped() {
    assert_eq!(text("%+d", Dtype::U8, [5]), "5");
    assert_eq!(text("%#u", Dtype::I8, [5]), "5");
    assert_eq!(text("%#i", Dtype::I8, [5]), "5");
}

#[test]
fn the_largest_number_at_the_largest_precision_has_room() {
    let lowest = text("%+#512.512f", Dtype::F64, f64::MIN.to_ne_bytes());
    assert_eq!(lowest.len(), 1 + 309 + 1 + 512);
    assert_eq!(text("%#512.512o", Dtype::U64, u64::MAX.to_ne_bytes()).len(), 512);
}

#[test]
fn refusals_name_the_format_the_conversion_and_the_rule() {
    let cases: [(&str, Dtype, &str); 18] = [
        ("", Dtype::I32, "it has no conversion; GPUMEX_DTYPE_I32 takes one of d i u o x X"),
        ("100%%", Dtype::I8, "it has no conversion; GPUMEX_DTYPE_I8 takes one of d i u o x X c"),
        ("%d, %d", Dtype::I32, "%d is a second conversion; an array has one"),
        ("%d %n", Dtype::I32, "%n is a second conversion; an array has one"),
        ("%d%", Dtype::I32, "% has no letter at its end"),
        ("%-5.3ll", Dtype::I32, "%-5.3ll has no letter at its end"),
        ("%s", Dtype::I8, "%s does not fit GPUMEX_DTYPE_I8, which takes one of d i u o x X c"),
        ("%n", Dtype::I32, "%n does not fit GPUMEX_DTYPE_I32, which takes one of d i u o x X"),
        ("%p", Dtype::U64, "%p does not fit GPUMEX_DTYPE_U64, which takes one of d i u o x X"),
        ("%f", Dtype::I64, "%f does not fit GPUMEX_DTYPE_I64, which takes one of d i u o x X"),
        ("%d", Dtype::F64, "%d does not fit GPUMEX_DTYPE_F64, which takes one of f F e E g G a A"),
        ("%c", Dtype::U16, "%c does not fit GPUMEX_DTYPE_U16, which takes one of d i u o x X"),
        ("%'d", Dtype::I32, "%\\' does not fit GPUMEX_DTYPE_I32, which takes one of d i u o x X"),
        ("%*d", Dtype::I32, "%* takes its size from an argument; write it in digits"),
        ("%5.*f", Dtype::F32, "%5.* takes its size from an argument; write it in digits"),
        ("%1$d", Dtype::I32, "%1$ counts arguments; there is one, and no need to"),
        ("%513d", Dtype::I32, "%513d has a width or a precision above 512"),
        (
            "%.99999999999999999999f",
            Dtype::F32,
            "%.99999999999999999999f has a width or a precision above 512",
        ),
    ];
    for (format, dtype, rule) in cases {
        assert_eq!(
            sentence(format.as_bytes(), dtype),
            format!("format \"{}\": {rule}", format.escape_default())
        );
    }
    assert_eq!(sentence(&[b' '; 1025], Dtype::I8), "format has 1025 bytes, 1024 are the most");
}

/// Random formats of what formats are made of: each is refused, or prints any bits.
#[test]
fn random_formats_are_printed_or_refused() {
    const PARTS: &[u8] = b"%%%%%%dixXoucfFeEgGaAs*$.-+ #0123459hlLqjztnp'I|\xff\0";
    let mut random = rand_pcg::Pcg64::seed_from_u64(1);
    let numbers: Vec<Dtype> = Dtype::ALL
        .iter()
        .copied()
        .filter(|dtype| !dtype.is_complex() && !matches!(dtype, Dtype::None | Dtype::F16 | Dtype::Bf16))
        .collect();
    let (mut printed, mut refused) = (0, 0);
    for _ in 0..200_000 {
        let format: Vec<u8> =
            (0..random.random_range(0..9)).map(|_| PARTS[random.random_range(0..PARTS.len())]).collect();
        let dtype = numbers[random.random_range(0..numbers.len())];
        let Ok(format) = Format::parse(&format, dtype) else {
            refused += 1;
            continue;
        };
        let (mut element, mut text) = ([0; 8], Vec::new());
        random.fill_bytes(&mut element);
        format.append(&element[..dtype.size()], &mut text).unwrap();
        assert!(!text.is_empty() || format.conversion.to_bytes().contains(&b'.'), "{format:?}");
        printed += 1;
    }
    assert!(printed > 2000 && refused > 2000, "{printed} printed, {refused} refused");
}
