//! `axpress completions` and `axpress man`: what a package installs beside the program.

use std::fs;
use std::io;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::arguments::{Arguments, Completions, Manual};
use crate::failure::Failure;
use crate::output;

pub(crate) fn completions(arguments: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "axpress", &mut script);
    output::bytes(&script)
}

pub(crate) fn manual(arguments: &Manual) -> Result<(), Failure> {
    let failed = |name: String| move |cause: io::Error| Failure::Write { name, cause };
    let Some(folder) = &arguments.output else {
        let mut page = Vec::new();
        Man::new(Arguments::command()).render(&mut page).map_err(failed("the manual page".to_owned()))?;
        return output::bytes(&page);
    };
    fs::create_dir_all(folder).map_err(failed(folder.display().to_string()))?;
    clap_mangen::generate_to(Arguments::command(), folder).map_err(failed(folder.display().to_string()))
}
