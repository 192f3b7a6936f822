//! The selection: the view of a part of the lines, as a query, a budget or both of them ask for it.
//!
//! Takes the page and all of its lines; writes the text, gathers its handles, and counts what was left out.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::budget::{Budget, Work};
use super::lines::Lines;
use super::page::Page;
use super::picks::Pick;
use super::query::Query;
use super::{Uid, ViewOptions, escape, print};
use crate::error::{Error, ErrorKind};
use crate::text::{push_number, split, trim, words};

/// Most bytes of a query that are said again.
const QUERY_SAID: usize = 60;

/// What of a page's full view is not in a view, because of its query or its budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// Handles.
    pub controls: usize,
    /// Characters of the lines, without indentation and line breaks.
    pub characters: usize,
    /// Lines of which nothing is in the view.
    pub lines: usize,
    /// Rows, items and lines that match the query and are not shown: others match better, or come first.
    pub matches: usize,
}

/// What a selection is made with, kept for the next one.
#[derive(Debug, Default)]
pub(super) struct Selection {
    pub(super) query: Query,
    budget: Budget,
    picks: Vec<Pick>,
    /// The handles of the text.
    pub(super) uids: Vec<Uid>,
    /// What follows the lines: a notice about the query.
    tail: String,
}

impl Selection {
    /// Writes the text, where it is not all lines: nothing, and `None`, where it is.
    pub(super) fn write(
        &mut self,
        page: &Page,
        items: Range<usize>,
        lines: &Lines,
        options: &ViewOptions<'_>,
        limit: usize,
        out: &mut String,
    ) -> Result<Option<LeftOut>, Error> {
        let query = options.query.filter(|query| self.query.set(query));
        let budget = options.max_bytes.map(|most| most.min(limit));
        let lengths = || lines.list.iter().map(|line| lines.length(line));
        match budget {
            None if query.is_none() => return Ok(None),
            Some(budget) if query.is_none() && fits(lengths(), budget) => {
                // Else it could grow past the budget.
                out.clear();
                out.reserve_exact(lengths().sum());
                return Ok(None);
            }
            _ => {}
        }
        self.tail.clear();
        self.picks.clear();
        match query {
            Some(query) => {
                self.query.pick(page, items.clone(), lines);
                self.picks.extend_from_slice(&self.query.picks);
                self.write_tail(query);
            }
            None => self.picks.extend((0..lines.list.len()).map_while(|at| lines.pick(at))),
        }
        out.clear();
        self.uids.clear();
        let Self { budget: fitted, picks, uids, tail, query: answer } = self;
        let most = budget.unwrap_or(limit).saturating_sub(tail.len() + usize::from(!tail.is_empty()));
        let mut shown = Shown { lines, uids, characters: 0, count: 0, last: None };
        if fits(picks.iter().map(|pick| lines.length(&pick.line)), most) {
            out.reserve_exact(picks.iter().map(|pick| lines.length(&pick.line)).sum::<usize>() + tail.len());
            for pick in picks.iter() {
                lines.push(&pick.line, out);
                shown.add(pick, pick.controls());
            }
        } else if budget.is_none() {
            return Err(Error::new(ErrorKind::OutputTooLarge, 0));
        } else {
            fitted.ranks.set(page, items, lines, options.viewport);
            let work = Work { page, lines, picks };
            let length = fitted.fit(work, most);
            let tail_length = tail.len() + usize::from(!tail.is_empty());
            out.reserve_exact(length + tail_length);
            fitted.print(work, out, |pick, controls| shown.add(pick, controls));
        }
        let (characters, count) = (shown.characters, shown.count);
        if !tail.is_empty() {
            print::push_start(0, out);
            out.push_str(tail);
        }
        let all: usize = lines.list.iter().map(|line| lines.characters(line) as usize).sum();
        Ok(Some(LeftOut {
            controls: lines.uids.len() - self.uids.len(),
            characters: all.saturating_sub(characters),
            lines: lines.list.len() - count,
            matches: if query.is_some() { answer.more + answer.weaker } else { 0 },
        }))
    }

    /// What there is to say about the query: that nothing matches, or how much more does.
    fn write_tail(&mut self, query: &str) {
        let Self { query: Query { more, weaker, found, .. }, tail, .. } = self;
        if !*found {
            tail.push_str("no match for \"");
            let query = trim(query);
            let mut end = query.len().min(QUERY_SAID);
            while !query.is_char_boundary(end) {
                end -= 1;
            }
            let said = query.get(..end).unwrap_or_default();
            for (number, word) in words(said).enumerate() {
                if number > 0 {
                    tail.push(' ');
                }
                // Its quotes could end ours.
                for (number, part) in split(word, b'"').enumerate() {
                    tail.push_str(if number > 0 { "'" } else { "" });
                    escape::push_safe(part, tail);
                }
            }
            if end < query.len() {
                tail.push('…');
            }
            tail.push('"');
            return;
        }
        let matches = |count: usize| if count == 1 { " match" } else { " matches" };
        let (more, weaker) = (*more, *weaker);
        if more + weaker > 0 {
            tail.push_str("… +");
        }
        if more > 0 {
            push_number(more as u64, tail);
            tail.push_str(matches(more));
            tail.push_str(if weaker > 0 { ", " } else { "" });
        }
        if weaker > 0 {
            push_number(weaker as u64, tail);
            tail.push_str(" weaker");
        }
        tail.push_str(match (more, weaker) {
            (0, 0) => "",
            (0, weaker) => matches(weaker),
            _ => "; narrow the query",
        });
    }
}

/// What is printed, as it is printed.
struct Shown<'a> {
    lines: &'a Lines,
    uids: &'a mut Vec<Uid>,
    characters: usize,
    /// Lines of which something is.
    count: usize,
    last: Option<u32>,
}

impl Shown<'_> {
    fn add(&mut self, pick: &Pick, controls: u32) {
        let handles = pick.line.uids as usize..(pick.line.uids + controls) as usize;
        self.uids.extend_from_slice(self.lines.uids.get(handles).unwrap_or_default());
        self.characters += self.lines.characters(&pick.line) as usize;
        self.count += usize::from(self.last != Some(pick.at));
        self.last = Some(pick.at);
    }
}

/// Are these lines, each with its line break, no longer than `most` without the first one's?
fn fits(lengths: impl Iterator<Item = usize>, most: usize) -> bool {
    let mut sum = 0_usize;
    for length in lengths {
        sum += length;
        if sum > most + 1 {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec::Vec;

    use crate::reader::Reader;
    use crate::view::{Scratch, Snapshot, ViewOptions};

    #[test]
    fn the_text_never_has_room_for_more_than_the_budget() {
        let node = |id: usize, role: &str, name: &str, below: &str| {
            format!(
                r#"{{"nodeId":"{id}","backendDOMNodeId":{id},"role":{{"value":"{role}"}},"name":{{"value":"{name}"}},"childIds":[{below}]}}"#
            )
        };
        for lines in [3, 30, 900] {
            let below: Vec<_> = (2..lines + 2).map(|id| format!(r#""{id}""#)).collect();
            let mut nodes = node(1, "RootWebArea", "Harbour", &below.join(","));
            for id in 2..lines + 2 {
                nodes.push(',');
                nodes.push_str(&node(id, "paragraph", &format!("Line {id} of a story @{id}"), ""));
            }
            let payload = format!(r#"{{"nodes":[{nodes}]}}"#);
            for (query, most) in [(None, 200), (None, 777), (None, 5000), (Some("line"), 250), (Some("fog"), 200)] {
                let options = ViewOptions { query, max_bytes: Some(most), ..ViewOptions::default() };
                let mut scratch = Scratch::default();
                let snapshot = Snapshot::from(payload.as_bytes());
                let length = scratch.view(&mut Reader::default(), &snapshot, &options).unwrap().text.len();
                assert!(length <= most && scratch.text.capacity() <= most, "{lines}, {query:?}, {most}");
            }
        }
    }
}
