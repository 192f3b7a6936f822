//! Lines: the view before it is put together, one entry a line, all text in one string.

use alloc::string::String;
use alloc::vec::Vec;

use super::Uid;
use super::page::Text;

/// What a line is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// The page's title.
    Page,
    /// Text of the page alone.
    Text,
    /// Text with controls in it.
    Mixed,
    /// Controls alone.
    Controls,
    /// Items of controls alone, on one line without marks.
    Tight,
    /// A container: what it holds stands deeper.
    Container,
    Row,
    /// A part of a line of controls: buttons whose word stood further to the left.
    Buttons,
    /// A part of a line that would be taken for a notice of ours at the beginning of one.
    Escaped,
    /// A line of a value.
    Value,
}

/// A name that is shown: a range of the page's names or of its reading text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Named(Text),
    Said(Text),
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) kind: LineKind,
    pub(super) level: u32,
    /// It ends with several buttons that share their role's word: nothing may be put after them.
    pub(super) plural: bool,
    /// It ends with the options of a select: a name put after them would read as one.
    pub(super) options: bool,
    /// Of [`Lines::marks`]: `- `, `3. `, `## `.
    pub(super) mark: Text,
    /// Of [`Lines::text`].
    pub(super) text: Text,
    /// The first item that stands on it.
    pub(super) item: u32,
    /// The name of the control that it begins with.
    pub(super) first: Option<Name>,
    /// Its handles: from here on in [`Lines::uids`], to where the next line's begin.
    pub(super) uids: u32,
}

/// All lines of a view.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) list: Vec<Line>,
    /// Their texts, each with a space after it: so neighbours can become one by joining their ranges.
    pub(super) text: String,
    pub(super) marks: String,
    pub(super) uids: Vec<Uid>,
    /// Of the finish: where blocks end, and what a line stands under.
    pub(super) ends: Vec<u32>,
    pub(super) above: Vec<(u32, u32)>,
}

impl Lines {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.text.clear();
        self.marks.clear();
        self.uids.clear();
    }

    pub(super) fn text(&self, line: &Line) -> &str {
        line.text.of(&self.text)
    }

    pub(super) fn mark(&self, line: &Line) -> &str {
        line.mark.of(&self.marks)
    }

    pub(super) fn is_heading(&self, line: &Line) -> bool {
        self.mark(line).ends_with("# ")
    }

    /// Takes back the line made last.
    pub(super) fn pop(&mut self) {
        if let Some(line) = self.list.pop() {
            self.text.truncate(line.text.start());
            self.marks.truncate(line.mark.start());
        }
    }
}
