//! The figures of an answer are those of the answer: of a thousand different ones, counted anew.

use std::collections::{BTreeSet, HashMap, HashSet};

use axpress_core::{Compressor, ViewOptions};
use axpress_tests::{fixtures, generate};
use serde_json::{Value, json};

use super::fake::{Fake, call, none, page, tools};
use crate::tokens;
use crate::tools::Session;

/// How many answers are counted.
const ANSWERS: usize = 1000;

/// `o200k_base` as its paper has it: of all pairs side by side, the one of the lowest rank becomes one, until none is a
/// token. Slow and plain, and with nothing of what makes the program's count fast.
struct Plain(HashMap<Vec<u8>, u32>);

impl Plain {
    fn new() -> Self {
        let bpe = &bpe_openai::o200k_base().bpe;
        let ranks = 0..u32::try_from(bpe.num_tokens()).unwrap();
        Self(ranks.map(|rank| (bpe.token_bytes(rank).to_vec(), rank)).collect())
    }

    fn count(&self, text: &str) -> usize {
        bpe_openai::o200k_base().split(text).map(|piece| self.piece(piece.as_bytes())).sum()
    }

    fn piece(&self, piece: &[u8]) -> usize {
        // Where each part begins, and where the last one ends.
        let mut bounds: Vec<usize> = (0..=piece.len()).collect();
        loop {
            let pairs = bounds.windows(3).enumerate();
            let ranked = pairs.filter_map(|(at, pair)| Some((*self.0.get(&piece[pair[0]..pair[2]])?, at)));
            let Some((_, lowest)) = ranked.min() else { return bounds.len() - 1 };
            bounds.remove(lowest + 1);
        }
    }
}

#[test]
fn the_plain_count_is_that_of_the_program() {
    let plain = Plain::new();
    for text in
        ["", "button Save order @2462", "  \n\n Zoë 🎉 語語 ORD-0123|EUR 20.50", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]
    {
        assert_eq!(plain.count(text), tokens::count(text), "{text:?}");
    }
}

/// What is asked of a page: all of it, what answers words of it, and both within budgets.
fn requests(view: &str) -> Vec<Value> {
    let words: BTreeSet<&str> = view.split([' ', '\n']).filter(|word| word.chars().count() > 3).collect();
    let every = words.len().div_ceil(14).max(1);
    let mut requests = vec![none()];
    for (number, word) in words.into_iter().step_by(every).enumerate() {
        requests.push(json!({ "query": word }));
        requests.push(json!({ "query": format!("{word} button"), "max_tokens": 256 + number * 7 }));
        requests.push(json!({ "max_tokens": 256 + number * 43 }));
    }
    requests
}

#[tokio::test]
async fn tokens_after_is_exact_in_a_thousand_of_a_thousand_answers() {
    let plain = Plain::new();
    let generated = [
        generate::berths(60, "Nothing checked yet"),
        generate::catches(40, "Idle"),
        generate::cards(40, "Idle"),
        generate::berths(35, "One is checked"),
    ];
    let payloads = fixtures::all().into_iter().map(|fixture| fixture.payload).chain(generated);
    let mut counted = HashSet::new();
    for payload in payloads {
        let mut compressor = Compressor::new();
        let Ok(view) = compressor.view(&*payload, &ViewOptions::default()) else { continue };
        let requests = requests(view.text);
        let tools = tools(&Fake::of([page(payload.clone())]));
        let session = Session::default();
        for request in requests {
            let answer = call(&tools, &session, "browser_snapshot", request.clone()).await;
            // A tree that does not get smaller has no view.
            if answer.is_error || !counted.insert(answer.texts()) {
                continue;
            }
            let text = answer.texts();
            let all = plain.count(&text);
            assert_eq!(answer.meta["tokens_after"], all, "{request}: {text}");
            assert!(text.ends_with(&format!(" to {all} tokens, inferred")), "{request}: {text}");
            let view = text.rsplit_once('\n').map_or("", |(view, _)| view);
            assert_eq!(answer.meta["view_tokens"], plain.count(view), "{request}: {text}");
            assert!(all - plain.count(view) <= 30, "{request}: {text}");
            assert!(all as u64 <= request["max_tokens"].as_u64().unwrap_or(5000), "{request}: {text}");
        }
    }
    assert!(counted.len() >= ANSWERS, "{} different answers", counted.len());
}
