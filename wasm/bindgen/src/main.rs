//! `axpress-wasm-bindgen INPUT.wasm FOLDER NAME`: writes `NAME.js` and `NAME_bg.wasm` into the folder.
//!
//! What `wasm-bindgen --target web` does, as a program that our own lock pins and that builds in a fraction of the
//! time. The types are written by hand, so none are made here. The glue can begin anew with a fresh instance: that is
//! how the package outlives a call for which there was no memory.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder, name] = arguments.as_slice() else {
        eprintln!("usage: axpress-wasm-bindgen INPUT.wasm FOLDER NAME");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(input)
        .out_name(name)
        .typescript(false)
        .omit_default_module_path(true)
        .reset_state_function(true)
        .remove_name_section(true)
        .remove_producers_section(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("axpress-wasm-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
