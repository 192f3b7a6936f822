//! What every entry goes through: NULL, re-entry, panics.
//!
//! An object is a [`Guarded`] on the heap, and C has its address. A call takes it exclusively or shared with other
//! readers; who finds it taken gets `AXP_BUSY` and touches nothing. No panic gets past here.

use std::any::Any;
use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicIsize, Ordering};

use crate::failure::Failure;
use crate::live;
use crate::status::{AXP_BUSY, AXP_NULL_ARGUMENT, AXP_OK, AXP_PANIC, axp_status};

/// An object that C holds, and who is using it.
#[derive(Debug, Default)]
pub(crate) struct Guarded<T> {
    /// -1: one call that may change it. Else the number of calls that read it.
    users: AtomicIsize,
    value: UnsafeCell<T>,
}

/// A type that C has by pointer.
pub(crate) trait Object: Sized {
    /// Its name in C.
    const NAME: &'static str;
    /// What it guards.
    type Value;
    /// An object of this value.
    fn new(value: Guarded<Self::Value>) -> Self;
    /// The guard.
    fn guarded(&self) -> &Guarded<Self::Value>;
}

/// Makes a type that C has by pointer out of what it holds.
macro_rules! object {
    ($name:ident, $value:ty) => {
        impl $crate::guard::Object for $name {
            const NAME: &'static str = stringify!($name);
            type Value = $value;
            fn new(value: $crate::guard::Guarded<$value>) -> Self {
                Self { guarded: value }
            }
            fn guarded(&self) -> &$crate::guard::Guarded<$value> {
                &self.guarded
            }
        }
    };
}
pub(crate) use object;

/// Gives the object back when a call is through with it, however it ends.
struct Release<'a>(&'a AtomicIsize, isize);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(self.1, Ordering::Release);
    }
}

impl<T> Guarded<T> {
    /// The value for one call alone; `None` where it is in use.
    fn exclusive(&self) -> Option<Release<'_>> {
        self.users.compare_exchange(0, -1, Ordering::Acquire, Ordering::Relaxed).ok()?;
        Some(Release(&self.users, -1))
    }

    /// The value for reading, beside other readers; `None` where a call is changing it.
    fn shared(&self) -> Option<Release<'_>> {
        let more = |users: isize| (users >= 0).then(|| users.saturating_add(1));
        self.users.fetch_update(Ordering::Acquire, Ordering::Relaxed, more).ok()?;
        Some(Release(&self.users, 1))
    }
}

/// The object behind a pointer of C.
///
/// # Safety
/// The pointer is NULL or that of a live object of this type.
unsafe fn behind<'a, O: Object + 'a>(pointer: *const O) -> Result<&'a Guarded<O::Value>, Failure> {
    if pointer.is_null() {
        return Err(Failure::of_status(AXP_NULL_ARGUMENT));
    }
    live::used(pointer as usize, O::NAME);
    // SAFETY: not NULL, and by the caller's promise alive.
    Ok(unsafe { &*pointer }.guarded())
}

/// Uses an object's value for one call alone.
///
/// # Safety
/// The pointer is NULL or that of a live object of this type.
pub(crate) unsafe fn change<O: Object>(
    pointer: *const O,
    work: impl FnOnce(&mut O::Value) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // SAFETY: the same promise.
    let guarded = unsafe { behind(pointer) }?;
    let Some(_release) = guarded.exclusive() else { return Err(Failure::of_status(AXP_BUSY)) };
    // SAFETY: no other reference to the value exists while the object is held exclusively.
    work(unsafe { &mut *guarded.value.get() })
}

/// Reads an object's value, beside other readers.
///
/// # Safety
/// The pointer is NULL or that of a live object of this type.
pub(crate) unsafe fn read<O: Object, R>(
    pointer: *const O,
    work: impl FnOnce(&O::Value) -> Result<R, Failure>,
) -> Result<R, Failure> {
    // SAFETY: the same promise.
    let guarded = unsafe { behind(pointer) }?;
    let Some(_release) = guarded.shared() else { return Err(Failure::of_status(AXP_BUSY)) };
    // SAFETY: no one changes the value while the object is held shared.
    work(unsafe { &*guarded.value.get() })
}

/// Makes an object and hands it to C.
///
/// # Safety
/// `out` is NULL or may be written.
pub(crate) unsafe fn create<O: Object>(out: *mut *mut O, value: O::Value) -> Result<(), Failure> {
    // SAFETY: the same promise.
    let out = unsafe { output(out) }?;
    let guarded = Guarded { users: AtomicIsize::new(0), value: UnsafeCell::new(value) };
    let pointer = Box::into_raw(Box::new(O::new(guarded)));
    live::born(pointer as usize, O::NAME);
    *out = pointer;
    Ok(())
}

/// Frees an object; NULL is fine. One that another call is using is not freed: that memory is lost instead of being
/// used after its end.
///
/// # Safety
/// The pointer is NULL or that of a live object of this type, which is not used again.
pub(crate) unsafe fn free<O: Object>(pointer: *mut O) {
    if pointer.is_null() {
        return;
    }
    live::freed(pointer as usize, O::NAME);
    plain((), || {
        // SAFETY: not NULL, and by the caller's promise alive.
        let free = unsafe { &*pointer }.guarded().users.compare_exchange(0, -1, Ordering::Acquire, Ordering::Relaxed);
        if free.is_ok() {
            // SAFETY: `create` made it with `Box::into_raw`, and it is in no one's use.
            drop(unsafe { Box::from_raw(pointer) });
        }
    });
}

/// The place of an output.
///
/// # Safety
/// `out` is NULL or may be written.
pub(crate) unsafe fn output<'a, T>(out: *mut T) -> Result<&'a mut T, Failure> {
    // SAFETY: NULL is asked for; the rest is the caller's promise.
    unsafe { out.as_mut() }.ok_or(Failure::of_status(AXP_NULL_ARGUMENT))
}

/// Does the work of an entry and makes a status of how it went.
pub(crate) fn entry(work: impl FnOnce() -> Result<(), Failure>) -> axp_status {
    match catch(work) {
        Ok(Ok(())) => AXP_OK,
        Ok(Err(failure)) => failure.status,
        Err(panic) => {
            forget(panic);
            AXP_PANIC
        }
    }
}

/// Does the work of an entry that can't fail.
pub(crate) fn plain<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch(work).unwrap_or_else(|panic| {
        forget(panic);
        otherwise
    })
}

/// What a panic carries.
pub(crate) type Panic = Box<dyn Any + Send>;

/// Runs `work`; a panic is caught. What it leaves half done belongs to an object that is poisoned, or to no one.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(work))
}

/// Drops what a panic carried, which may panic in its turn.
pub(crate) fn forget(panic: Panic) {
    if let Err(panic) = catch(move || drop(panic)) {
        std::mem::forget(panic);
    }
}
