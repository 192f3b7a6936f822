//! `browser_eval` and `browser_screenshot`.

use std::fmt::Write;

use super::answer::{Answer, Content, beginning, on_a_line};
use super::given::Given;
use super::{Pages, Session, Tools};
use crate::error::{Code, Error};
use crate::tokens;

/// Most bytes of a value.
const VALUE_BYTES: usize = 16 << 10;
/// Most bytes of an expression.
const EXPRESSION_BYTES: usize = 1 << 20;

impl<P: Pages> Tools<P> {
    pub(super) async fn eval(&self, session: &Session, given: Given<'_>) -> Result<Answer, Error> {
        let missing = || Error::new(Code::InvalidArguments, "`expression` is missing");
        let expression = given.text("expression")?.ok_or_else(missing)?;
        if expression.len() > EXPRESSION_BYTES {
            return Err(Error::new(Code::InvalidArguments, "`expression` is longer than 1 MiB"));
        }
        let tab = self.tab(session, given.tab()?).await?;
        session.uses(tab);
        let evaluation = self.pages.eval(tab, expression).await?;
        let value = beginning(&evaluation.text, VALUE_BYTES);
        let mut text = value.to_owned();
        let (all, cut) = (evaluation.text.len(), value.len() < evaluation.text.len());
        if cut {
            let _ = write!(text, "\n… cut: {} of {all} bytes; evaluate a part of it to see more", value.len());
        }
        if let Some(verdict) = &evaluation.verdict {
            let _ = write!(text, "\n… {}", on_a_line(&verdict.to_string()));
        }
        let after = tokens::count(&text);
        Ok(Answer::text(text).with("tab", tab.0).with("bytes", all).with("cut", cut).with("tokens_after", after))
    }

    pub(super) async fn screenshot(&self, session: &Session, given: Given<'_>) -> Result<Answer, Error> {
        let uid = given.uid("uid")?;
        let tab = self.tab(session, given.tab()?).await?;
        session.uses(tab);
        let picture = self.pages.screenshot(tab, uid).await?;
        Ok(Answer { content: vec![Content::Image(picture.base64)], ..Answer::default() }.with("tab", tab.0))
    }
}
