//! Evaluates expressions in a page.

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::cdp::CallFailure;
use super::page::{Page, Trouble};
use super::tabs::{Happening, Interruption};
use super::{Evaluation, Verdict};
use crate::error::{Code, Error};

const GROUP: &str = "axpress-eval";
/// Makes JSON of what has a form in it.
const TO_JSON: &str = "function() {
    if (typeof this === 'function' || this instanceof Node || this instanceof Error) return null;
    try { return JSON.stringify(this) ?? null; } catch { return null; }
}";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Evaluated {
    result: RemoteObject,
    exception_details: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RemoteObject {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    subtype: String,
    value: Option<Value>,
    unserializable_value: Option<String>,
    description: Option<String>,
    object_id: Option<String>,
}

/// Evaluates; a promise is awaited. What it did to the page is said too.
pub(super) async fn eval(page: &Page<'_>, expression: &str) -> Result<Evaluation, Error> {
    let _turn = page.turn().await?;
    page.check_place()?;
    if let Some(interruption) = page.tabs.state().interruption(page.tab) {
        return Err(Trouble::Interruption(interruption).error(Code::EvalFailed, "the evaluation"));
    }
    page.tabs.with(page.tab, |tab| tab.happenings.clear());
    let deadline = Instant::now() + page.limits.eval;
    let evaluated = evaluate(page, expression, deadline).await;
    let text = match evaluated {
        Ok(text) => text?,
        Err(Trouble::Interruption(Interruption::Dialog(_, dialog))) => {
            let verdict = Verdict::Dialog { kind: dialog.kind, message: dialog.message };
            return Ok(Evaluation { text: String::new(), verdict: Some(verdict) });
        }
        Err(Trouble::Call(CallFailure::Late)) => {
            // A loop would hold the page for ever.
            page.session.post("Runtime.terminateExecution", json!({}));
            let seconds = page.limits.eval.as_secs();
            return Err(Error::new(
                Code::EvalFailed,
                format!("the expression took longer than {seconds} s and was ended"),
            ));
        }
        Err(Trouble::Call(failure)) if failure.lost_its_document() => String::new(),
        Err(trouble) => return Err(trouble.error(Code::EvalFailed, "the evaluation")),
    };
    Ok(Evaluation { text, verdict: happened(page).await })
}

async fn evaluate(page: &Page<'_>, expression: &str, deadline: Instant) -> Result<Result<String, Error>, Trouble> {
    let params = json!({
        "expression": expression, "awaitPromise": true, "userGesture": true, "replMode": true, "objectGroup": GROUP,
    });
    let Evaluated { result, exception_details } = page.ask("Runtime.evaluate", params, deadline).await?;
    if let Some(details) = exception_details {
        return Ok(Err(thrown(page, &details)));
    }
    // At the top level of a page's console a promise is not awaited by itself.
    let result = match &result {
        RemoteObject { subtype, object_id: Some(promise), .. } if subtype == "promise" => {
            let params = json!({"promiseObjectId": promise});
            let awaited: Evaluated = page.ask("Runtime.awaitPromise", params, deadline).await?;
            if let Some(details) = awaited.exception_details {
                return Ok(Err(thrown(page, &details)));
            }
            awaited.result
        }
        _ => result,
    };
    let text = match &result {
        RemoteObject { subtype, .. } if subtype == "null" => "null".to_owned(),
        RemoteObject { value: Some(value), .. } => value.to_string(),
        RemoteObject { unserializable_value: Some(text), .. } => text.clone(),
        RemoteObject { object_id: Some(object), description, kind, .. } => {
            let params = json!({"functionDeclaration": TO_JSON, "objectId": object, "returnByValue": true});
            let json: Value = page.ask("Runtime.callFunctionOn", params, deadline).await?;
            let json = json["result"]["value"].as_str().map(str::to_owned);
            json.or_else(|| description.clone()).unwrap_or_else(|| kind.clone())
        }
        RemoteObject { description: Some(text), .. } => text.clone(),
        RemoteObject { kind, .. } => kind.clone(),
    };
    page.session.post("Runtime.releaseObjectGroup", json!({"objectGroup": GROUP}));
    Ok(Ok(text))
}

/// What the expression threw.
fn thrown(page: &Page<'_>, details: &Value) -> Error {
    let thrown = &details["exception"];
    let what = thrown["description"].as_str().or(thrown["value"].as_str()).or(details["text"].as_str());
    let what = what.unwrap_or("an exception").lines().next().unwrap_or_default();
    page.session.post("Runtime.releaseObjectGroup", json!({"objectGroup": GROUP}));
    Error::new(Code::EvalFailed, format!("the page threw {what}"))
}

/// Where the expression took the page.
async fn happened(page: &Page<'_>) -> Option<Verdict> {
    // What a page asks of Chrome comes a moment after the answer.
    let moment = Instant::now() + std::time::Duration::from_millis(30);
    let leaving = page.tabs.until(moment, |state| {
        let tab = state.tabs.get(&page.tab)?;
        (tab.is_leaving() || tab.dialog.is_some() || !tab.happenings.is_empty()).then_some(tab.is_leaving())
    });
    if leaving.await == Some(true) {
        let _ = page.until_loaded(Instant::now() + std::time::Duration::from_secs(5)).await;
    }
    page.tabs.with(page.tab, |tab| {
        if let Some(dialog) = tab.dialog.clone() {
            return Some(Verdict::Dialog { kind: dialog.kind, message: dialog.message });
        }
        tab.happenings.iter().rev().find_map(|happening| match happening {
            Happening::Navigated { url } => Some(Verdict::Navigated { url: url.clone() }),
            Happening::Refused { url } => Some(Verdict::UrlRefused { url: url.clone() }),
            Happening::Opened(tab) => Some(Verdict::NewTab { tab: *tab, url: String::new() }),
            Happening::Download { .. } | Happening::Saved { .. } => None,
        })
    })?
}
