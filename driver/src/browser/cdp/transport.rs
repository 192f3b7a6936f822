//! What carries messages, whole, in both directions.

use std::future::Future;
use std::io;

use bytes::Bytes;

/// The half that messages come from.
pub(crate) trait Incoming: Send + 'static {
    /// The next message; none where the other side has ended the connection.
    fn receive(&mut self) -> impl Future<Output = io::Result<Option<Bytes>>> + Send;
}

/// The half that messages go to. Dropping it tells the other side that there will be no more.
pub(crate) trait Outgoing: Send + 'static {
    /// Sends a message.
    fn send(&mut self, message: Vec<u8>) -> impl Future<Output = io::Result<()>> + Send;
}

/// What is said of a message over the limit.
pub(super) fn too_large(most: usize) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("a message was larger than the limit of {most} bytes"))
}
