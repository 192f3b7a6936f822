//! The finish: what can only be said once all lines are there.

use super::lines::{Line, LineKind, Lines};
use super::page::{Page, Text};
use super::words;
use crate::roles;

/// Most headings of the first level that are compared with the title.
const HEADINGS: usize = 16;
/// Fewest lines of a landmark that stand at its own level.
const LONG_LANDMARK: usize = 8;
/// What stands between the parts of a page's title.
const TITLE_BREAKS: [&str; 8] = [" | ", " - ", " \u{2013} ", " \u{2014} ", " \u{00b7} ", ": ", " \u{00bb} ", " :: "];

impl Lines {
    pub(super) fn finish(&mut self, page: &Page) {
        self.title_once();
        self.merge_items();
        self.open_main(page);
        self.open_last(page);
        self.join_words(page);
    }

    /// The page's title says only what the headings do not: the first one, and those of the first level.
    fn title_once(&mut self) {
        let Some(title) = self.list.first().copied().filter(|line| line.kind == LineKind::Page) else { return };
        let headings = self.list.iter().filter(|line| self.is_heading(line)).enumerate();
        let main = headings.filter(|&(number, line)| number == 0 || !self.mark(line).ends_with("## "));
        let rest = main.take(HEADINGS).find_map(|(_, heading)| self.unsaid(&title, heading));
        match (rest, self.list.first_mut()) {
            (Some(rest), _) if rest.is_empty() => drop(self.list.remove(0)),
            (Some(rest), Some(first)) => first.text = rest,
            _ => {}
        }
    }

    /// What a heading leaves of the title; none where they have nothing to do with one another.
    fn unsaid(&self, title: &Line, heading: &Line) -> Option<Text> {
        let (full, said) = (self.text(title), self.text(heading));
        let (start, end) = (title.text.start(), title.text.end());
        if words::says(said, full) {
            return Some(Text::new(start, start));
        }
        // Between a `\` and its `@` nothing ends.
        let ends = |after: &&str| !words::joins_words(said, after) && !after.starts_with('@');
        if let Some(after) = full.strip_prefix(said).filter(ends) {
            let part = TITLE_BREAKS.iter().find(|part| after.starts_with(**part)).map_or(0, |part| part.len());
            return Some(Text::new(start + said.len() + part, end).trimmed(&self.text));
        }
        let before = full.strip_suffix(said)?;
        let before = TITLE_BREAKS.iter().find_map(|part| before.strip_suffix(part))?;
        Some(Text::new(start, start + before.len()).trimmed(&self.text))
    }

    /// Neighbouring items that are one line of controls share a line without marks.
    fn merge_items(&mut self) {
        let mut kept = 0_usize;
        for at in 0..self.list.len() {
            let Some(mut line) = self.list.get(at).copied() else { continue };
            let nests = self.list.get(at + 1).is_some_and(|next| next.level > line.level);
            if line.kind == LineKind::Controls && self.mark(&line) == "- " && !nests {
                line.kind = LineKind::Tight;
                line.mark = Text::NONE;
                let last = kept.checked_sub(1).and_then(|last| self.list.get_mut(last));
                if let Some(last) = last.filter(|last| {
                    last.kind == LineKind::Tight && last.level == line.level && !last.plural && !last.options
                }) {
                    // Their texts stand side by side, a space between them.
                    last.text = Text::new(last.text.start(), line.text.end());
                    last.plural = line.plural;
                    last.options = line.options;
                    continue;
                }
            }
            if let Some(place) = self.list.get_mut(kept) {
                *place = line;
            }
            kept += 1;
        }
        self.list.truncate(kept);
    }

    /// What a landmark in a landmark holds stands at its own level where it is long and nothing else of the outer one
    /// follows it: a deeper level costs each line a token.
    fn open_last(&mut self, page: &Page) {
        let Self { list, ends, above, .. } = self;
        // Where each line's block ends, from the last line up: the first line after it that is no deeper.
        ends.clear();
        ends.resize(list.len(), 0);
        for at in (0..list.len()).rev() {
            let level = list.get(at).map_or(0, |line| line.level);
            let mut end = at + 1;
            while list.get(end).is_some_and(|line| line.level > level) {
                end = ends.get(end).map_or(list.len(), |&end| end as usize);
            }
            if let Some(place) = ends.get_mut(at) {
                *place = end as u32;
            }
        }
        // Above each line: the lines that it stands under, and by how much what they hold has moved.
        above.clear();
        for at in 0..list.len() {
            let end = ends.get(at).map_or(0, |&end| end as usize);
            let after = list.get(end).map_or(0, |after| after.level);
            let Some(line) = list.get_mut(at) else { continue };
            while above.last().is_some_and(|&(level, _)| level >= line.level) {
                above.pop();
            }
            let moved = above.last().map_or(0, |&(_, moved)| moved);
            let landmark = page.item(line.item).is_some_and(|item| item.role().landmark);
            let last = line.kind == LineKind::Container && landmark && after < line.level && end > at + LONG_LANDMARK;
            above.push((line.level, moved + u32::from(last)));
            line.level -= moved;
        }
    }

    /// A container without a name that holds one line of text has it on its own line: `status Ready`.
    fn join_words(&mut self, page: &Page) {
        let mut kept = 0_usize;
        for at in 0..self.list.len() {
            let Some(line) = self.list.get(at).copied() else { continue };
            let after = self.list.get(at + 1).map_or(0, |after| after.level);
            let above = kept.checked_sub(1).and_then(|above| self.list.get(above)).copied();
            let joins = above.is_some_and(|above| {
                let plain = page.item(above.item).is_some_and(|item| page.word(item) == self.text(&above));
                above.kind == LineKind::Container
                    && plain
                    && line.kind == LineKind::Text
                    && line.mark.is_empty()
                    && line.level == above.level + 1
                    && after <= above.level
                    && line.text.start() == above.text.end() + 1
            });
            if let Some(above) = above.filter(|_| joins) {
                if let Some(place) = self.list.get_mut(kept - 1) {
                    place.kind = LineKind::Text;
                    place.text = Text::new(above.text.start(), line.text.end());
                }
                continue;
            }
            if let Some(place) = self.list.get_mut(kept) {
                *place = line;
            }
            kept += 1;
        }
        self.list.truncate(kept);
    }

    /// What `main` holds stands at its own level where only containers follow it; where nothing is before it, it says
    /// nothing.
    fn open_main(&mut self, page: &Page) {
        let is_main = |line: &Line| {
            line.kind == LineKind::Container && page.item(line.item).is_some_and(|item| item.role == roles::MAIN)
        };
        let Some(start) = self.list.iter().position(is_main) else { return };
        let (before, rest) = self.list.split_at_mut(start);
        let Some((main, rest)) = rest.split_first_mut() else { return };
        let end = rest.iter().position(|line| line.level <= main.level).unwrap_or(rest.len());
        let (inside, after) = rest.split_at_mut(end);
        if after.iter().any(|line| line.kind != LineKind::Container && line.level <= main.level) {
            return;
        }
        for line in inside {
            line.level -= 1;
        }
        let first = main.level == 0 && before.iter().all(|line| line.kind == LineKind::Page);
        if first && main.text.of(&self.text) == "main" {
            self.list.remove(start);
        }
    }
}
