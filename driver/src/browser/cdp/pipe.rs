//! Messages over a pair of pipes, each ended by a zero byte: Chrome's `--remote-debugging-pipe`.
//!
//! No port is open, and the other side sees at once when this one ends, however it ends.

use std::io;
use std::os::fd::OwnedFd;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe;

use super::transport::{Arrival, Incoming, Outgoing};

/// How much is read at once, at least.
const CHUNK: usize = 1 << 16;

/// How much is kept of a message over the limit: which request it answers stands at its beginning.
const HEAD: usize = 256;

/// The reading end of the pipe that Chrome writes to.
pub(crate) struct PipeReader {
    pipe: pipe::Receiver,
    /// What was read and belongs to the next messages.
    read: BytesMut,
    /// How much of it is known to have no zero byte.
    searched: usize,
    most: usize,
    /// The beginning of a message over the limit, whose rest is passed over.
    head: Option<Bytes>,
}

/// The writing end of the pipe that Chrome reads from.
pub(crate) struct PipeWriter(pipe::Sender);

/// Both ends of ours, and how large a message may be.
pub(crate) fn connect(from: OwnedFd, to: OwnedFd, most: usize) -> io::Result<(PipeReader, PipeWriter)> {
    let reader =
        PipeReader { pipe: pipe::Receiver::from_owned_fd(from)?, read: BytesMut::new(), searched: 0, most, head: None };
    Ok((reader, PipeWriter(pipe::Sender::from_owned_fd(to)?)))
}

impl Incoming for PipeReader {
    async fn receive(&mut self) -> io::Result<Option<Arrival>> {
        loop {
            if let Some(length) = self.read[self.searched..].iter().position(|&byte| byte == 0) {
                let message = self.read.split_to(self.searched + length).freeze();
                let _ = self.read.split_to(1);
                self.searched = 0;
                return Ok(Some(match self.head.take() {
                    None if message.len() <= self.most => Arrival::Message(message),
                    None => Arrival::TooLarge(message.slice(..HEAD.min(message.len()))),
                    Some(head) => Arrival::TooLarge(head),
                }));
            }
            self.searched = self.read.len();
            if self.searched > self.most || self.head.is_some() {
                // What it took is let go of at once.
                let read = std::mem::take(&mut self.read);
                self.head.get_or_insert_with(|| Bytes::copy_from_slice(&read[..HEAD.min(read.len())]));
                self.searched = 0;
            }
            // A large message doubles what it has room for, so that it is moved few times.
            self.read.reserve(CHUNK.max(self.searched));
            if self.pipe.read_buf(&mut self.read).await? == 0 {
                return Ok(None);
            }
        }
    }

    fn most(&self) -> usize {
        self.most
    }
}

impl Outgoing for PipeWriter {
    async fn send(&mut self, mut message: Vec<u8>) -> io::Result<()> {
        message.push(0);
        self.0.write_all(&message).await
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{Arrival, Incoming, connect};

    #[tokio::test]
    async fn messages_are_cut_at_zero_bytes_however_they_arrive() {
        let (from, mut writer) = std::io::pipe().expect("a pipe");
        let (_other, to) = std::io::pipe().expect("a pipe");
        let (mut reader, _sender) = connect(from.into(), to.into(), 1 << 20).expect("our ends");
        let large = "x".repeat(300_000);
        let sent = large.clone();
        let feeder = std::thread::spawn(move || {
            for part in ["{\"a\"", ":1}\0{}\0", &sent, "\0", "cut off"] {
                writer.write_all(part.as_bytes()).expect("the pipe takes it");
            }
        });
        for expected in ["{\"a\":1}", "{}", &large] {
            let arrival = reader.receive().await.expect("a message").expect("not the end");
            assert_eq!(arrival, Arrival::Message(expected.to_owned().into()));
        }
        assert!(reader.receive().await.expect("the end").is_none());
        feeder.join().expect("all was written");
    }

    #[tokio::test]
    async fn of_a_message_over_the_limit_the_beginning_is_kept_and_the_next_one_comes_whole() {
        for length in [11, 5_000, 3_000_000] {
            let (from, mut writer) = std::io::pipe().expect("a pipe");
            let (_other, to) = std::io::pipe().expect("a pipe");
            let (mut reader, _sender) = connect(from.into(), to.into(), 10).expect("our ends");
            let large = "x".repeat(length);
            let sent = format!("{large}\0{large}\0{{}}\0");
            let feeder = std::thread::spawn(move || writer.write_all(sent.as_bytes()).expect("the pipe takes it"));
            for _ in 0..2 {
                let arrival = reader.receive().await.expect("a message").expect("not the end");
                let Arrival::TooLarge(head) = arrival else { panic!("{length}") };
                assert!(!head.is_empty() && head.len() <= 256 && large.as_bytes().starts_with(&head), "{length}");
            }
            let arrival = reader.receive().await.expect("a message").expect("not the end");
            assert_eq!(arrival, Arrival::Message("{}".into()));
            feeder.join().expect("all was written");
        }
    }
}
