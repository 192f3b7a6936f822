//! Which objects are alive: kept only in a build with debug assertions, where a wrong pointer ends the process with a
//! message that names it. A release build keeps nothing and checks nothing.

#[cfg(debug_assertions)]
mod register {
    use std::collections::BTreeMap;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// Addresses of live objects, with their types.
    static LIVE: Mutex<BTreeMap<usize, &'static str>> = Mutex::new(BTreeMap::new());

    fn live() -> MutexGuard<'static, BTreeMap<usize, &'static str>> {
        LIVE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(message: &str, address: usize, name: &str) -> ! {
        eprintln!("axpress: {message}: {address:#x} as {name}");
        std::process::abort();
    }

    pub(crate) fn born(address: usize, name: &'static str) {
        live().insert(address, name);
    }

    pub(crate) fn freed(address: usize, name: &'static str) {
        let found = live().remove(&address);
        match found {
            Some(found) if found == name => {}
            Some(found) => fail(&format!("freed with another type's free, this is {found}"), address, name),
            None => fail("freed twice, or never made by this library", address, name),
        }
    }

    pub(crate) fn used(address: usize, name: &'static str) {
        let found = live().get(&address).copied();
        match found {
            Some(found) if found == name => {}
            Some(found) => fail(&format!("used as another type, this is {found}"), address, name),
            None => fail("used after it was freed, or never made by this library", address, name),
        }
    }
}

#[cfg(not(debug_assertions))]
mod register {
    pub(crate) const fn born(_address: usize, _name: &'static str) {}
    pub(crate) const fn freed(_address: usize, _name: &'static str) {}
    pub(crate) const fn used(_address: usize, _name: &'static str) {}
}

pub(crate) use register::{born, freed, used};
