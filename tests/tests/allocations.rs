//! The second call of a size allocates nothing: 0 allocations and 0 reallocations, for every call and every fixture.

use std::process::ExitCode;

use axpress_tests::allocations::{self, Counting, Counts};
use axpress_tests::fixtures;
use axpress_tests::operations::OPERATIONS;
use libtest_mimic::{Arguments, Trial};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![Trial::test("this_program_counts_its_allocations", || {
        if allocations::is_counting() { Ok(()) } else { Err("an allocation was not counted".into()) }
    })];
    let fixtures: &'static [fixtures::Fixture] = fixtures::all().leak();
    for operation in OPERATIONS {
        trials.push(Trial::test(format!("second_call_allocates_nothing::{}", operation.name()), || {
            let allocating = fixtures.iter().filter_map(|fixture| {
                let counts = operation.second_call(&fixture.payload);
                (counts != Counts::default()).then(|| format!("{}: {counts:?}", fixture.name))
            });
            let allocating: Vec<_> = allocating.collect();
            if allocating.is_empty() { Ok(()) } else { Err(allocating.join("\n").into()) }
        }));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
