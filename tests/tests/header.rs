//! `include/axpress.h` is what cbindgen makes of `ffi`, and says of every function what a caller must know.
//!
//! `AXP_UPDATE=1` writes the header.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use axpress_core::ErrorKind;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What cbindgen makes of the crate; written where that is asked for, before any test reads the header.
static MADE: LazyLock<String> = LazyLock::new(|| {
    let folder = root().join("ffi");
    let configuration = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml can be read");
    let builder = cbindgen::Builder::new().with_crate(&folder).with_config(configuration);
    let mut made = Vec::new();
    builder.generate().expect("cbindgen reads the crate").write(&mut made);
    let made = String::from_utf8(made).expect("a header is text");
    if std::env::var_os("AXP_UPDATE").is_some() {
        fs::write(root().join("include/axpress.h"), &made).expect("the header can be written");
    }
    made
});

fn header() -> String {
    LazyLock::force(&MADE);
    fs::read_to_string(root().join("include/axpress.h")).expect("the header is there")
}

/// The comment before each function, and the function up to its semicolon.
fn functions(header: &str) -> Vec<(String, String)> {
    let mut functions = Vec::new();
    let (mut comment, mut declaration) = (String::new(), String::new());
    let mut in_comment = false;
    for line in header.lines() {
        if line.starts_with("/**") {
            comment.clear();
            in_comment = true;
        } else if line.starts_with(" */") {
            in_comment = false;
        } else if in_comment {
            comment.push_str(line.trim_start_matches(" *").trim_start());
            comment.push(' ');
        } else if !declaration.is_empty() || line.contains(" axp_") || line.starts_with("axp_") {
            if !line.starts_with('}') && !line.starts_with("typedef") {
                declaration.push_str(line);
            }
            if line.ends_with(';') || line.ends_with('{') {
                if declaration.contains('(') {
                    functions.push((comment.clone(), declaration.clone()));
                }
                declaration.clear();
            }
        }
    }
    functions
}

#[test]
fn the_header_is_what_cbindgen_makes_of_the_crate() {
    let (made, committed) = (&*MADE, header());
    let line = committed.lines().zip(made.lines()).position(|(one, other)| one != other);
    assert!(
        committed == *made,
        "include/axpress.h is not what cbindgen makes of ffi, from line {}: AXP_UPDATE=1 writes it",
        line.map_or(committed.lines().count().min(made.lines().count()), |line| line) + 1
    );
}

#[test]
fn every_exported_function_is_in_the_header() {
    let names: Vec<String> = functions(&header()).into_iter().map(|(_, declaration)| name(&declaration)).collect();
    let mut exported = 0;
    for file in fs::read_dir(root().join("ffi/src")).expect("the sources are there") {
        let source = fs::read_to_string(file.expect("a source").path()).expect("a source can be read");
        for part in source.split("extern \"C\" fn ").skip(1) {
            let function = part.split('(').next().unwrap_or_default();
            if function != "axp_compressor_force_panic" {
                exported += 1;
                assert!(names.iter().any(|name| name == function), "{function} is not in the header");
            }
        }
    }
    assert_eq!(names.len(), exported, "{names:?}");
    assert!(exported > 30, "only {exported} functions were found");
}

fn name(declaration: &str) -> String {
    let before = declaration.split('(').next().unwrap_or_default();
    before.rsplit([' ', '*']).next().unwrap_or_default().to_owned()
}

#[test]
fn every_function_says_what_null_does_who_may_call_it_and_how_long_its_results_live() {
    for (comment, declaration) in functions(&header()) {
        let name = name(&declaration);
        assert!(comment.contains("NULL: "), "{name} does not say what NULL does");
        assert!(comment.contains("Threads: "), "{name} does not say who may call it");
        let gives_or_borrows = declaration.contains("**")
            || declaration.contains("const uint8_t *")
            || declaration.contains("axp_bytes")
            || name.ends_with("_free");
        assert!(!gives_or_borrows || comment.contains("Lifetime: "), "{name} does not say how long what lives");
        let texts = declaration.contains("const uint8_t *") || declaration.starts_with("axp_bytes");
        assert!(!texts || comment.contains("Encoding: "), "{name} does not say how bytes are encoded");
        for pointer in declaration.split('*').skip(1) {
            let argument: String =
                pointer.chars().take_while(|&letter| letter == '_' || letter.is_alphanumeric()).collect();
            let told = comment.contains(&format!("`{argument}` NULL"))
                || comment.contains(&format!("`{argument}` or "))
                || comment.contains("any pointer NULL")
                || name.ends_with("_free");
            assert!(argument.is_empty() || told, "{name} does not say what {argument} NULL does");
        }
    }
}

#[test]
fn every_kind_of_failure_has_its_number_in_the_header() {
    let header = header();
    for kind in ErrorKind::ALL {
        let constant = kind.code().to_uppercase().replace('-', "_");
        let line = format!("#define AXP_{constant} {}\n", kind.number());
        assert!(header.contains(&line), "the header lacks {line}");
        assert!(header.contains(&format!("`{}`: ", kind.code())), "the header does not explain {}", kind.code());
    }
}

#[test]
fn the_shared_library_is_named_after_the_abi_version() {
    let build = fs::read_to_string(root().join("ffi/build.rs")).expect("the build script is there");
    let number = |text: &str, before: &str| -> u32 {
        let rest = text.split(before).nth(1).unwrap_or_default();
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().expect("a number")
    };
    assert_eq!(number(&header(), "#define AXP_ABI_VERSION "), number(&build, "const ABI_VERSION: u32 = "));
}
