//! Takes a message apart.
//!
//! A reply's result is a slice of the message. Chrome writes `{"id":1,"result":{…},"sessionId":"…"}`; of a message in
//! that form only both ends are read, since a payload of megabytes is validated by who reads it. Any other form is read
//! as JSON.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::CallFailure;

/// A message from Chrome.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Message {
    Reply {
        id: u64,
        result: Result<Bytes, CallFailure>,
    },
    Event(Event),
    /// None that is known: it is skipped.
    Other,
}

/// Something that happened.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// The session it belongs to; none for the browser's own.
    pub(crate) session: Option<String>,
    pub(crate) method: String,
    /// JSON, of any length.
    pub(crate) params: Bytes,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    method: Option<String>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(rename = "sessionId")]
    session: Option<String>,
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
}

/// Reads a message.
pub(crate) fn read(message: &Bytes) -> Message {
    if let Some((id, result)) = plain_reply(message) {
        return Message::Reply { id, result: Ok(result) };
    }
    let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(message) else { return Message::Other };
    let slice = |raw: &RawValue| message.slice_ref(raw.get().as_bytes());
    match envelope {
        Envelope { id: Some(id), error: Some(error), .. } => {
            let Refusal { code, message } = super::from_slice(error.get().as_bytes())
                .unwrap_or(Refusal { code: 0, message: error.get().to_owned() });
            Message::Reply { id, result: Err(CallFailure::Refused { code, message }) }
        }
        Envelope { id: Some(id), result, .. } => {
            Message::Reply { id, result: Ok(result.map_or(Bytes::from_static(b"{}"), slice)) }
        }
        Envelope { method: Some(method), params, session, .. } => {
            Message::Event(Event { session, method, params: params.map_or(Bytes::from_static(b"{}"), slice) })
        }
        Envelope { .. } => Message::Other,
    }
}

/// The request that a message answers, by the message's beginning alone.
pub(crate) fn answered(head: &[u8]) -> Option<u64> {
    plain_id(head).map(|(id, _)| id)
}

/// The id that a message in Chrome's own form begins with, and what comes after it.
fn plain_id(message: &[u8]) -> Option<(u64, &[u8])> {
    let rest = message.strip_prefix(b"{\"id\":")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let id = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    Some((id, &rest[digits..]))
}

/// A reply in Chrome's own form.
fn plain_reply(message: &Bytes) -> Option<(u64, Bytes)> {
    let (id, rest) = plain_id(message)?;
    let rest = rest.strip_prefix(b",\"result\":")?;
    let rest = rest.strip_suffix(b"}")?;
    // A result is an object, so that a message that ends in a string ends in its session.
    let result = match rest.strip_suffix(b"\"") {
        None => rest,
        Some(rest) => {
            let session = rest.iter().rposition(|&byte| byte == b'"')?;
            rest[..session].strip_suffix(b",\"sessionId\":")?
        }
    };
    (result.starts_with(b"{") && result.ends_with(b"}")).then(|| (id, message.slice_ref(result)))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::{Event, Message, read};
    use crate::browser::cdp::CallFailure;

    fn reply(id: u64, result: &'static str) -> Message {
        Message::Reply { id, result: Ok(Bytes::from_static(result.as_bytes())) }
    }

    #[test]
    fn a_result_is_the_bytes_as_they_came() {
        for (message, id, result) in [
            (r#"{"id":1,"result":{}}"#, 1, "{}"),
            (r#"{"id":12,"result":{"a":1.50,"b":"\ud83d"},"sessionId":"AB"}"#, 12, r#"{"a":1.50,"b":"\ud83d"}"#),
            (r#"{"id":1,"result":{"sessionId":"AB"}}"#, 1, r#"{"sessionId":"AB"}"#),
            (r#"{"id":1,"result":{"a":{},"sessionId":"AB"},"sessionId":"CD"}"#, 1, r#"{"a":{},"sessionId":"AB"}"#),
            (r#"{"sessionId":"AB","result":{"a": [1, 2]},"id":1,"new":{}}"#, 1, r#"{"a": [1, 2]}"#),
            (r#"{ "id" : 1, "result" : { } }"#, 1, "{ }"),
            (r#"{"id":7}"#, 7, "{}"),
        ] {
            assert_eq!(read(&Bytes::from_static(message.as_bytes())), reply(id, result), "{message}");
        }
    }

    #[test]
    fn a_refusal_keeps_chromes_words() {
        let message = br#"{"id":3,"error":{"code":-32000,"message":"No node \ud800","data":1},"sessionId":"A"}"#;
        let failure = CallFailure::Refused { code: -32000, message: "No node \u{fffd}".to_owned() };
        assert_eq!(read(&Bytes::from_static(message)), Message::Reply { id: 3, result: Err(failure) });
    }

    #[test]
    fn an_event_has_its_session_and_its_parameters() {
        let message = br#"{"method":"Page.loadEventFired","params":{"timestamp":1.5},"sessionId":"A"}"#;
        let event = Event {
            session: Some("A".to_owned()),
            method: "Page.loadEventFired".to_owned(),
            params: Bytes::from_static(br#"{"timestamp":1.5}"#),
        };
        assert_eq!(read(&Bytes::from_static(message)), Message::Event(event));
    }

    #[test]
    fn what_is_not_understood_is_skipped() {
        for message in ["", "x", "[]", "{}", r#"{"id":-1,"result":{}}"#, r#"{"id":1,"result":{"#, "\u{0}\u{1}"] {
            assert_eq!(read(&Bytes::from_static(message.as_bytes())), Message::Other, "{message}");
        }
        assert_eq!(read(&Bytes::from_static(b"\xff\xfe")), Message::Other);
    }
}
