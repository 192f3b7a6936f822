//! A global allocator that counts, for the rule that the second call of a size allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Allocations and reallocations of this thread: tests beside it do not count.
    static COUNTS: Cell<Counts> = const { Cell::new(Counts { allocations: 0, reallocations: 0 }) };
}

/// How often a thread asked for memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls for new memory.
    pub allocations: u64,
    /// Calls for more or less of what there is.
    pub reallocations: u64,
}

/// The system's allocator, counting. A program that counts declares it as its `#[global_allocator]`.
#[derive(Debug)]
pub struct Counting;

fn count(change: impl FnOnce(&mut Counts)) {
    // A thread that is ending may free and allocate after its counts are gone.
    let _ = COUNTS.try_with(|cell| {
        let mut counts = cell.get();
        change(&mut counts);
        cell.set(counts);
    });
}

// SAFETY: every call goes to the system's allocator as it came in; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(|counts| counts.allocations += 1);
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(|counts| counts.allocations += 1);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(|counts| counts.reallocations += 1);
        // SAFETY: as above; the memory came from the same allocator.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// What `work` asks for. Meaningful only in a program whose allocator is [`Counting`]: [`is_counting`] tells.
pub fn during(work: impl FnOnce()) -> Counts {
    let before = COUNTS.get();
    work();
    let after = COUNTS.get();
    Counts {
        allocations: after.allocations - before.allocations,
        reallocations: after.reallocations - before.reallocations,
    }
}

/// Whether this program counts: a check that would pass anyway if it did not must ask first.
#[must_use]
pub fn is_counting() -> bool {
    let counts = during(|| {
        let mut bytes = std::hint::black_box(vec![0_u8; 100]);
        bytes.reserve_exact(10_000);
        std::hint::black_box(bytes);
    });
    counts.allocations == 1 && counts.reallocations == 1
}
