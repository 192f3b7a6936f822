//! Messages over a pair of pipes, each ended by a zero byte: Chrome's `--remote-debugging-pipe`.
//!
//! No port is open, and the other side sees at once when this one ends, however it ends.

use std::io;
use std::os::fd::OwnedFd;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe;

use super::transport::{Incoming, Outgoing, too_large};

/// How much is read at once, at least.
const CHUNK: usize = 1 << 16;

/// The reading end of the pipe that Chrome writes to.
pub(crate) struct PipeReader {
    pipe: pipe::Receiver,
    /// What was read and belongs to the next messages.
    read: BytesMut,
    /// How much of it is known to have no zero byte.
    searched: usize,
    most: usize,
}

/// The writing end of the pipe that Chrome reads from.
pub(crate) struct PipeWriter(pipe::Sender);

/// Both ends of ours, and how large a message may be.
pub(crate) fn connect(from: OwnedFd, to: OwnedFd, most: usize) -> io::Result<(PipeReader, PipeWriter)> {
    let reader = PipeReader { pipe: pipe::Receiver::from_owned_fd(from)?, read: BytesMut::new(), searched: 0, most };
    Ok((reader, PipeWriter(pipe::Sender::from_owned_fd(to)?)))
}

impl Incoming for PipeReader {
    async fn receive(&mut self) -> io::Result<Option<Bytes>> {
        loop {
            if let Some(length) = self.read[self.searched..].iter().position(|&byte| byte == 0) {
                let message = self.read.split_to(self.searched + length).freeze();
                let _ = self.read.split_to(1);
                self.searched = 0;
                return Ok(Some(message));
            }
            self.searched = self.read.len();
            if self.searched > self.most {
                return Err(too_large(self.most));
            }
            // A large message doubles what it has room for, so that it is moved few times.
            self.read.reserve(CHUNK.max(self.searched));
            if self.pipe.read_buf(&mut self.read).await? == 0 {
                return Ok(None);
            }
        }
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

    use super::{Incoming, connect};

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
            assert_eq!(reader.receive().await.expect("a message").expect("not the end"), expected.as_bytes());
        }
        assert!(reader.receive().await.expect("the end").is_none());
        feeder.join().expect("all was written");
    }

    #[tokio::test]
    async fn a_message_over_the_limit_is_an_error_that_says_so() {
        let (from, mut writer) = std::io::pipe().expect("a pipe");
        let (_other, to) = std::io::pipe().expect("a pipe");
        let (mut reader, _sender) = connect(from.into(), to.into(), 10).expect("our ends");
        writer.write_all(b"a message that is too long").expect("the pipe takes it");
        let error = reader.receive().await.expect_err("over the limit");
        assert_eq!(error.to_string(), "a message was larger than the limit of 10 bytes");
    }
}
