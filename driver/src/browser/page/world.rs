//! The world of a document that our own scripts run in: the page can neither see nor change it, and it goes with the
//! document. It is the same one whenever it is asked for.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tokio::time::Instant;

use crate::browser::cdp::{CallFailure, Session};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entered {
    execution_context_id: i64,
}

/// The answer of a script that gives a value.
#[derive(Deserialize)]
pub(crate) struct Returned<T> {
    pub(crate) result: Valued<T>,
}

/// The value itself.
#[derive(Deserialize)]
pub(crate) struct Valued<T> {
    pub(crate) value: T,
}

/// The world of the document that a frame has now.
pub(crate) async fn enter(session: &Session, frame: &str, deadline: Instant) -> Result<i64, CallFailure> {
    let world = json!({"frameId": frame, "worldName": "axpress"});
    let Entered { execution_context_id } = session.ask("Page.createIsolatedWorld", world, deadline).await?;
    Ok(execution_context_id)
}

/// Evaluates an expression there; a promise is awaited.
pub(crate) async fn evaluate<T: DeserializeOwned>(
    session: &Session,
    frame: &str,
    expression: &str,
    deadline: Instant,
) -> Result<T, CallFailure> {
    let params = json!({
        "expression": expression, "contextId": enter(session, frame, deadline).await?, "returnByValue": true,
        "awaitPromise": true,
    });
    let Returned { result } = session.ask("Runtime.evaluate", params, deadline).await?;
    Ok(result.value)
}
