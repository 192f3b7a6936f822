//! Every stage of the core, and its peers, by payload: bytes a second.

use axpress_benches::{payloads, stages};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn stages(criterion: &mut Criterion) {
    let payloads = payloads::load(&payloads::folder(), 0).expect("the folder of payloads can be read");
    for payload in &payloads {
        stages::check(&payload.name, &payload.bytes);
    }
    for mut stage in stages::core().into_iter().chain(stages::peers()) {
        let mut group = criterion.benchmark_group(stage.name);
        for payload in &payloads {
            if (stage.run)(&payload.bytes) == 0 {
                // A peer that refuses this payload.
                continue;
            }
            group.throughput(Throughput::Bytes(payload.bytes.len() as u64));
            group.bench_with_input(BenchmarkId::from_parameter(&payload.name), &payload.bytes, |bencher, bytes| {
                bencher.iter(|| (stage.run)(bytes));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, stages);
criterion_main!(benches);
