//! The C ABI and its hosts, from outside: same bytes, clean memory, caught panics, right names. `make hosts` runs these.
//!
//! Each test names the program that it needs and fails where it is missing.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
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
fn a_leak_and_the_use_of_a_freed_result_are_seen_by_the_sanitizer() {
    let flags = ["-fsanitize=address", "-O1", "-g1"];
    for (misuse, said) in [("leaked", "LeakSanitizer"), ("result-used-after-free", "heap-use-after-free")] {
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

/// The commands of a README: its first block of this language.
fn block(readme: &str, language: &str) -> String {
    let readme = fs::read_to_string(root().join(readme)).expect("the README is there");
    let start = format!("```{language}\n");
    let block = readme.split(&start).nth(1).and_then(|rest| rest.split("```").next());
    block.unwrap_or_else(|| panic!("the README has no {language}")).to_owned()
}

/// An empty folder.
fn empty(name: &str) -> PathBuf {
    let folder = FOLDER.join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder can be emptied");
    }
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// The Go tool, in the module, with the library that it links.
fn go(arguments: &[&str]) -> Command {
    let mut hasher = DefaultHasher::new();
    fs::read(&SHIPPED.archive).expect("the library can be read").hash(&mut hasher);
    let mut go = command("go", "golang-go");
    // Go does not look into a library when it asks whether a program is up to date; it does look at flags.
    go.env("CGO_CFLAGS", format!("-O2 -g -DAXPRESS_LIBRARY={}", hasher.finish()));
    go.current_dir(root().join("ffi/go")).args(arguments);
    go
}

fn said(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Lines of a test's output that tell figures.
fn figures(output: &str, marks: &[&str]) {
    for line in output.lines().filter(|line| marks.iter().any(|mark| line.contains(mark))) {
        eprintln!("{}", line.trim());
    }
}

#[test]
fn go_gives_the_bytes_of_rust() {
    let mut transcript = go(&["run", "./internal/transcript"]);
    assert_same_transcript("Go", &run(transcript.arg(&EXPECTED.0.file)).stdout);
}

#[test]
fn go_passes_its_own_tests_under_the_race_detector() {
    run(&mut go(&["vet", "-tags", "chrome", "./..."]));
    let output = said(&run(&mut go(&["test", "-count=1", "-race", "./..."])));
    figures(&output, &["ok "]);
}

#[test]
fn go_keeps_memory_flat_over_100_000_calls() {
    let output =
        said(&run(&mut go(&["test", "-count=1", "-v", "-run", "MemoryStaysFlat", ".", "-memory-calls=100000"])));
    assert!(output.contains("100000 calls"), "{output}");
    figures(&output, &["calls:"]);
}

#[test]
fn go_makes_the_outline_of_a_page_in_a_live_chromium() {
    let output = said(&run(&mut go(&["test", "-count=1", "-v", "-tags", "chrome", "-run", "LiveChromium", "."])));
    assert!(output.contains("--- PASS: TestCdpGetAXOutlineWithALiveChromium"), "{output}");
    figures(&output, &["--- PASS", "RootWebArea"]);
}

#[test]
fn go_benchmarks_run() {
    let output =
        said(&run(&mut go(&["test", "-count=1", "-run", "^$", "-bench", ".", "-benchtime", "20x", "-benchmem", "."])));
    figures(&output, &["Benchmark"]);
}

#[test]
fn go_is_built_by_the_commands_of_its_readme_in_an_empty_folder() {
    drop(command("go", "golang-go"));
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", &block("ffi/go/README.md", "sh")]).current_dir(empty("go")).env("AXPRESS", root());
    let output = said(&run(&mut shell));
    assert!(output.contains("button Sign in @24") && output.contains("9 uids"), "{output}");
}

/// A Python with the package in it, installed by the command of its README.
static PYTHON: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = FOLDER.join("venv");
    let python = folder.join("bin/python");
    run(command("python3", "python3").args(["-m", "venv"]).arg(&folder));
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "mypy==2.4.1"]));
    let install = block("ffi/python/README.md", "sh");
    let mut shell = Command::new("sh");
    let path = std::env::var("PATH").unwrap_or_default();
    shell.env("PATH", format!("{}:{path}", folder.join("bin").display())).current_dir(root());
    run(shell.args(["-e", "-c", &install]));
    python
});

fn python(arguments: &[&str]) -> Command {
    let mut python = Command::new(&*PYTHON);
    // Not where a folder is named as the package is.
    python.current_dir(root().join("ffi/python/tests")).args(arguments);
    python
}

#[test]
fn python_gives_the_bytes_of_rust() {
    assert_same_transcript("Python", &run(python(&["transcript.py"]).arg(&EXPECTED.0.file)).stdout);
}

#[test]
fn python_passes_its_own_tests_and_keeps_memory_flat_over_100_000_calls() {
    let mut tests = python(&["-m", "unittest", "test_axpress"]);
    let output = said(&run(tests.env("AXPRESS_MEMORY_CALLS", "100000")));
    assert!(output.contains("Python: 100000 calls"), "{output}");
    figures(&output, &["Python:"]);
}

#[test]
fn python_is_typed_for_mypy_in_strict_mode() {
    let mut mypy = python(&["-m", "mypy", "--strict", "axpress", "tests"]);
    eprint!("mypy: {}", said(&run(mypy.current_dir(root().join("ffi/python")))));
}

#[test]
fn python_runs_what_its_readme_shows() {
    let program = block("ffi/python/README.md", "python");
    let output = said(&run(python(&["-c", &program]).current_dir(root())));
    assert!(output.contains("button Sign in @24") && output.ends_with("invalid-json 1000\n"), "{output}");
}

#[test]
fn python_has_one_wheel_for_all_cpythons() {
    let tags = "import importlib.metadata as m; print(m.distribution('axpress').read_text('WHEEL'))";
    let wheel = said(&run(&mut python(&["-c", tags])));
    assert!(wheel.contains("Tag: py3-none-"), "{wheel}");
    figures(&wheel, &["Tag:"]);
}

#[test]
fn what_is_installed_is_found_by_pkg_config_shared_and_static() {
    let folder = empty("installed");
    let prefix = "/opt/axpress";
    let mut make = command("make", "make");
    run(make
        .current_dir(root())
        .arg("install")
        .arg(format!("PREFIX={prefix}"))
        .arg(format!("DESTDIR={}", folder.display())));
    let installed = folder.join(prefix.trim_start_matches('/'));
    let flags = |arguments: &[&str]| -> Vec<String> {
        let mut pkg_config = command("pkg-config", "pkgconf");
        // What is staged is where it will be, below the folder.
        pkg_config.env("PKG_CONFIG_PATH", installed.join("lib/pkgconfig")).args(arguments);
        pkg_config.arg(format!("--define-variable=prefix={}", installed.display())).arg("axpress");
        said(&run(&mut pkg_config)).split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(flags(&["--modversion"]), [env!("CARGO_PKG_VERSION")]);
    let expected = "ccr_7c9029192ec71d3ed1dca1e6e931ac40";
    for (name, kind) in [("shared", &["--cflags", "--libs"][..]), ("static", &["--cflags", "--libs", "--static"][..])] {
        let program = folder.join(name);
        let mut compiler = compiler("c99");
        compiler.arg("-o").arg(&program).arg(root().join("ffi/examples/view.c"));
        if name == "static" {
            // Only this one library: the system's own stay shared.
            let mut flags = flags(kind);
            for flag in &mut flags {
                if flag == "-laxpress" {
                    *flag = "-l:libaxpress.a".to_owned();
                }
            }
            compiler.args(flags);
        } else {
            compiler.args(flags(kind));
        }
        run(&mut compiler);
        let mut view = Command::new(&program);
        if name == "shared" {
            let without = Command::new(&program).output().expect("the program starts");
            assert!(!without.status.success(), "it is not linked with the shared library");
            view.env("LD_LIBRARY_PATH", installed.join("lib"));
        }
        let output = said(&run(view.arg(root().join("tests/fixtures/login/ax.json"))));
        assert!(output.contains(expected), "{output}");
        let size = |file: &Path| fs::metadata(file).map_or(0, |file| file.len());
        eprintln!("view.c, {name}: {} bytes", size(&program));
    }
    let size = |name: &str| fs::metadata(installed.join("lib").join(name)).map_or(0, |file| file.len());
    eprintln!(
        "installed: libaxpress.so.1 {} bytes, libaxpress.a {} bytes",
        size("libaxpress.so.1"),
        size("libaxpress.a")
    );
    let mut make = command("make", "make");
    run(make
        .current_dir(root())
        .arg("uninstall")
        .arg(format!("PREFIX={prefix}"))
        .arg(format!("DESTDIR={}", folder.display())));
    assert!(!installed.join("include/axpress.h").exists() && size("libaxpress.a") == 0);
}

#[test]
fn the_link_flags_that_are_written_down_are_those_of_rustc() {
    let native: Vec<&str> = SHIPPED.native.iter().map(String::as_str).filter(|flag| *flag != "-lc").collect();
    assert!(!native.is_empty(), "rustc has said nothing");
    let flags = native.join(" ");
    for file in ["ffi/README.md", "ffi/go/link_checkout.go", "Makefile"] {
        let text = fs::read_to_string(root().join(file)).expect("the file can be read");
        assert!(text.contains(&flags), "{file} lacks {flags}");
    }
    eprintln!("native libraries: {flags}");
}

#[test]
fn the_c_example_has_under_60_lines_and_stands_in_the_readme() {
    let example = fs::read_to_string(root().join("ffi/examples/view.c")).expect("the example is there");
    assert!(example.lines().count() < 60);
    let readme = fs::read_to_string(root().join("README.md")).expect("the README is there");
    assert!(readme.contains(&format!("```c\n{example}```")), "README.md has another C example");
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
