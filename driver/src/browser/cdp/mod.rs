//! The Chrome `DevTools` protocol: requests, replies and events over one connection.
//!
//! [`mod@transport`] says what carries whole messages, [`mod@pipe`] and [`mod@socket`] do so (with [`mod@tls`] where that is asked),
//! [`mod@message`] takes a message apart without copying it, [`mod@client`] pairs replies with requests. The bytes of a result are
//! a slice of the message as it came. Events go to a listener in the order in which they came, and before any reply that
//! came after them: what an event says is known when a later reply is read. Fields and events that are not used are
//! skipped.

mod client;
mod failure;
pub(crate) mod mend;
mod message;
#[cfg(unix)]
pub(crate) mod pipe;
pub(crate) mod socket;
mod tls;
mod transport;

#[cfg(test)]
pub(crate) mod fake;

pub(crate) use client::{Client, Listener, Session};
pub(crate) use failure::CallFailure;
pub(crate) use mend::from_slice;
pub(crate) use message::Event;
pub(crate) use tls::Refused;
