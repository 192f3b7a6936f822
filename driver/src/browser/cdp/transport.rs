//! What carries messages, whole, in both directions.

use std::future::Future;
use std::io;

use bytes::Bytes;

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// A message.
    Message(Bytes),
    /// The beginning of a message over the limit; the rest of it was passed over.
    TooLarge(Bytes),
}

/// The half that messages come from.
pub(crate) trait Incoming: Send + 'static {
    /// What comes next; none where the other side has ended the connection. After a failure of the kind
    /// [`io::ErrorKind::FileTooLarge`] a message over the limit was not passed over, so that the connection is of no use.
    fn receive(&mut self) -> impl Future<Output = io::Result<Option<Arrival>>> + Send;

    /// Most bytes of a message.
    fn most(&self) -> usize;
}

/// The half that messages go to. Dropping it tells the other side that there will be no more.
pub(crate) trait Outgoing: Send + 'static {
    /// Sends a message.
    fn send(&mut self, message: Vec<u8>) -> impl Future<Output = io::Result<()>> + Send;
}
