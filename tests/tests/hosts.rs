//! The C ABI and its hosts, from outside: same bytes, clean memory, caught panics, right names. `make hosts` runs these.
//!
//! Each test names the program that it needs and fails where it is missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use axpress_tests::hosts::{self, Cases, Libraries, command, root, run};

/// Where what is built and made here goes.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = root().join("target/hosts");
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
});

/// The libraries as they ship, where `make library` and the Go module have them too.
static SHIPPED: LazyLock<Libraries> = LazyLock::new(|| hosts::build(&root().join("target"), &["--release"]));

/// The libraries with debug assertions.
static CHECKED: LazyLock<Libraries> = LazyLock::new(|| hosts::build(&FOLDER.join("checked"), &[]));

/// The cases, and what Rust makes of them.
static EXPECTED: LazyLock<(Cases, Vec<u8>)> = LazyLock::new(|| {
    let cases = Cases::write(&FOLDER.join("cases"));
    let transcript = hosts::transcript(&cases.cases);
    (cases, transcript)
});

const WARNINGS: [&str; 7] =
    ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Werror"];

fn compiler(language: &str) -> Command {
    let mut compiler = match language {
        "c99" => command("gcc", "gcc"),
        _ => command("g++", "g++"),
    };
    compiler.arg(format!("-std={language}")).args(WARNINGS).arg("-g").arg("-I").arg(root().join("include"));
    compiler
}

/// Compiles one of our C programs and links it statically.
fn program(language: &str, source: &str, library: &Libraries, flags: &[&str]) -> PathBuf {
    let stem = Path::new(source).file_stem().expect("a source has a name").to_string_lossy().into_owned();
    let program = FOLDER.join(format!("{stem}-{language}{}", flags.concat()));
    let mut compiler = compiler(language);
    compiler.args(flags).arg("-o").arg(&program);
    if language.starts_with("c++") {
        compiler.args(["-x", "c++"]);
    }
    compiler.arg(root().join("ffi").join(source)).args(["-x", "none"]).arg(&library.archive).args(&library.native);
    run(&mut compiler);
    program
}

/// Compares a host's transcript with Rust's, and says what was compared.
fn assert_same_transcript(host: &str, found: &[u8]) {
    let (cases, expected) = &*EXPECTED;
    if let Some(difference) = hosts::difference(expected, found) {
        let file = FOLDER.join(format!("{host}.transcript"));
        fs::write(&file, found).expect("the transcript can be written");
        panic!("{host} does not give what Rust gives: {difference}\nall of it: {}", file.display());
    }
    eprintln!("{host}: {} cases, {} bytes, equal to Rust's", cases.cases.len(), expected.len());
}

#[test]
fn c_gives_the_bytes_of_rust() {
    let transcript = program("c99", "tests/c/transcript.c", &SHIPPED, &["-O2"]);
    assert_same_transcript("C", &run(Command::new(transcript).arg(&EXPECTED.0.file)).stdout);
}

#[test]
fn c_gives_the_bytes_of_rust_through_the_shared_library() {
    let program = FOLDER.join("transcript-shared");
    let folder = SHIPPED.shared.parent().expect("a library is in a folder");
    // The loader looks for the soname, which `make install` gives to the file.
    let named = folder.join("libaxpress.so.1");
    fs::copy(&SHIPPED.shared, named).expect("the library can be copied");
    let mut compiler = compiler("c99");
    compiler.arg("-o").arg(&program).arg(root().join("ffi/tests/c/transcript.c")).arg(&SHIPPED.shared);
    run(&mut compiler);
    let mut command = Command::new(program);
    command.arg(&EXPECTED.0.file).env("LD_LIBRARY_PATH", folder);
    assert_same_transcript("C, shared library", &run(&mut command).stdout);
}

#[test]
fn the_header_and_all_c_sources_compile_as_c99_and_as_cpp17_without_a_warning() {
    for language in ["c99", "c++17"] {
        for source in
            ["examples/view.c", "tests/c/abi.c", "tests/c/nulls.c", "tests/c/threads.c", "tests/c/transcript.c"]
        {
            program(language, source, &SHIPPED, &[]);
        }
    }
    for program in ["abi-c++17", "nulls-c++17", "threads-c++17"] {
        run(&mut Command::new(FOLDER.join(program)));
    }
}

const C_TESTS: [&str; 3] = ["abi", "nulls", "threads"];

#[test]
fn c_tests_are_clean_under_address_and_leak_sanitizer() {
    let flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O1"];
    let options = |command: &mut Command| {
        command.env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1");
    };
    for test in C_TESTS {
        let mut command = Command::new(program("c99", &format!("tests/c/{test}.c"), &SHIPPED, &flags));
        options(&mut command);
        eprint!("sanitized {}", String::from_utf8_lossy(&run(&mut command).stdout));
    }
    let mut command = Command::new(program("c99", "tests/c/transcript.c", &SHIPPED, &flags));
    options(&mut command);
    assert_same_transcript("C, sanitized", &run(command.arg(&EXPECTED.0.file)).stdout);
}

#[test]
fn a_leak_and_a_use_after_free_are_seen_by_the_sanitizer() {
    let flags = ["-fsanitize=address", "-O1", "-g1"];
    for (misuse, said) in [("leaked", "LeakSanitizer"), ("used-after-free", "heap-use-after-free")] {
        let program = program("c99", "tests/c/misuse.c", &SHIPPED, &flags);
        let output = Command::new(program).arg(misuse).output().expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && errors.contains(said), "{misuse}: {errors}");
    }
}

#[test]
fn c_tests_are_clean_under_valgrind() {
    for test in C_TESTS {
        let program = program("c99", &format!("tests/c/{test}.c"), &SHIPPED, &["-O1"]);
        let mut valgrind = command("valgrind", "valgrind libc6-dbg");
        valgrind.args([
            "--error-exitcode=9",
            "--leak-check=full",
            "--show-leak-kinds=all",
            "--errors-for-leak-kinds=all",
        ]);
        let output = run(valgrind.arg(program));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("ERROR SUMMARY: 0 errors"), "{said}");
        let summary = said.lines().find(|line| line.contains("in use at exit")).unwrap_or_default();
        eprintln!("valgrind {test}: 0 errors;{}", summary.split("==").last().unwrap_or_default());
    }
}

#[test]
fn a_library_as_it_ships_returns_the_status_of_a_panic_and_poisons_only_that_handle() {
    let library = hosts::build(&FOLDER.join("panic"), &["--release", "--features", "forced-panic"]);
    for language in ["c99", "c++17"] {
        let mut panic = Command::new(program(language, "tests/c/panic.c", &library, &[]));
        eprint!("{language}, release: {}", String::from_utf8_lossy(&run(&mut panic).stdout));
    }
}

#[test]
fn a_library_with_debug_assertions_names_what_was_freed_or_used_wrongly() {
    let program = program("c99", "tests/c/misuse.c", &CHECKED, &["-DCHECKED"]);
    for (misuse, said) in [
        ("freed-twice", "freed twice"),
        ("freed-as-another", "another type's free, this is axp_view_options"),
        ("used-after-free", "used after it was freed"),
        ("used-as-another", "used as another type, this is axp_view_options"),
    ] {
        let output = Command::new(&program).arg(misuse).output().expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && errors.contains(said), "{misuse}: {errors}");
    }
}

#[test]
fn the_shared_library_exports_only_axp_symbols_and_has_its_soname() {
    let symbols = run(command("nm", "binutils").args(["-D", "--defined-only"]).arg(&SHIPPED.shared)).stdout;
    let symbols = String::from_utf8_lossy(&symbols).into_owned();
    let names: Vec<_> = symbols.lines().filter_map(|line| line.split_whitespace().last()).collect();
    assert!(names.len() > 30, "{names:?}");
    for name in &names {
        assert!(name.starts_with("axp_"), "{name} is exported");
    }
    assert!(!names.contains(&"axp_compressor_force_panic"), "what is for tests alone is in what ships");
    let header = fs::read_to_string(root().join("include/axpress.h")).expect("the header is there");
    for name in &names {
        assert!(header.contains(&format!("{name}(")), "{name} is exported and not in the header");
    }
    let dynamic = run(command("objdump", "binutils").arg("-p").arg(&SHIPPED.shared)).stdout;
    assert!(String::from_utf8_lossy(&dynamic).contains("SONAME               libaxpress.so.1\n"));
    eprintln!("libaxpress.so: {} symbols, all axp_; soname libaxpress.so.1", names.len());
}
