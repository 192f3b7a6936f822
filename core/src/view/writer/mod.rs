//! The writer: walks the items once in reading order and makes the lines.
//!
//! Here is the walk and what ends a line; [`text`], [`controls`], [`containers`] and [`tables`] say what each kind of
//! item adds to it.

mod containers;
mod controls;
mod tables;
mod text;

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::ViewOptions;
use super::control::{has_lines, push_squeezed};
use super::covers::Covers;
use super::escape::begins_like_ours;
use super::lines::{Line, LineKind, Lines, Name};
use super::page::{Item, Page, Text};
use super::run::Run;
use super::words;
use crate::roles::Kind;
use crate::text::{leading, split, trim};

/// What is to be done at the end of an item's subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leave {
    Nothing,
    Block,
    Math,
    Code,
    Label,
    Value,
    Control,
    Container,
    Heading,
    Item,
    Row,
    Cell,
}

/// Whether the walk goes on below an item, and what is to be done after it.
#[derive(Clone, Copy, Debug)]
struct Step {
    leave: Leave,
    into: bool,
}

const LEAF: Step = Step { leave: Leave::Nothing, into: false };

const fn into(leave: Leave) -> Step {
    Step { leave, into: true }
}

/// The mark of a list item, until a number takes its place.
const BULLET: &str = "- ";

/// What the writer works with, kept for the next view.
#[derive(Debug, Default)]
pub(super) struct Desk {
    pub(super) lines: Lines,
    run: Run,
    covers: Covers,
    open: Vec<(u32, Leave)>,
    /// `- ` or `## `, waiting for the next line.
    mark: String,
    /// A mark or a text while it is made.
    spare: String,
    row: tables::RowText,
    /// Controls of the run whose value stands below it.
    values: Vec<u32>,
}

/// The walk over one page.
pub(super) struct Writer<'a> {
    page: &'a Page,
    options: &'a ViewOptions<'a>,
    desk: &'a mut Desk,
    level: u32,
    run_level: u32,
    /// The level of the line that the mark waits for, where there is a mark.
    mark_level: Option<u32>,
    /// A block ended: the next piece starts a line.
    apart: bool,
    /// Rows and headings around that stand on one line.
    flat: u32,
    in_row: bool,
    code: u32,
    /// The run is a line of preformatted text: all of it counts.
    prose: bool,
}

impl Desk {
    /// Makes the lines of these items of a page: all, or a subtree.
    pub(super) fn write(&mut self, page: &Page, items: Range<usize>, options: &ViewOptions<'_>) {
        self.lines.clear();
        self.run.clear();
        self.covers.clear();
        self.open.clear();
        self.mark.clear();
        self.values.clear();
        let mut writer = Writer {
            page,
            options,
            desk: self,
            level: 0,
            run_level: 0,
            mark_level: None,
            apart: false,
            flat: 0,
            in_row: false,
            code: 0,
            prose: false,
        };
        writer.walk(items);
    }
}

impl Writer<'_> {
    fn walk(&mut self, items: Range<usize>) {
        let page = self.page;
        let mut at = items.start;
        loop {
            while let Some(&(open, leave)) = self.desk.open.last() {
                let Some(item) = page.item(open).filter(|item| item.end as usize <= at) else { break };
                self.desk.open.pop();
                self.leave(item, leave);
            }
            let Some(item) = page.items.get(at).filter(|_| at < items.end) else { break };
            let step = if item.silent { LEAF } else { self.enter(item) };
            if step.leave != Leave::Nothing {
                self.desk.open.push((item.index, step.leave));
            }
            at = if step.into { at + 1 } else { item.end as usize };
        }
        self.flush();
    }

    fn enter(&mut self, item: &Item) -> Step {
        match item.kind {
            Kind::Text => self.enter_text(item),
            Kind::Break => self.enter_break(),
            Kind::Marker if !item.has_uid() => self.enter_marker(item),
            Kind::Image => self.enter_image(item),
            Kind::Value => self.enter_value(item),
            Kind::Unread => self.enter_unread(item),
            Kind::Frame => self.enter_frame(item),
            Kind::Root => self.enter_root(item),
            Kind::Heading => self.enter_heading(item),
            Kind::Item => self.enter_item(item),
            Kind::Row => self.enter_row(item),
            Kind::Cell => self.enter_cell(item),
            Kind::Control => self.enter_control(item),
            Kind::Land | Kind::Quiet => self.enter_container(item),
            _ if item.has_uid() => self.enter_focusable(item),
            Kind::Inline => self.enter_inline(item),
            Kind::Math => self.enter_math(),
            Kind::Title | Kind::Block | Kind::Pass | Kind::Drop | Kind::Marker => self.enter_block(item),
        }
    }

    fn leave(&mut self, item: &Item, leave: Leave) {
        match leave {
            Leave::Nothing => {}
            Leave::Block => self.apart = true,
            Leave::Math => self.leave_math(),
            Leave::Code => self.code -= 1,
            Leave::Label => self.desk.covers.pop(),
            Leave::Value => self.leave_value(),
            Leave::Control => self.leave_control(item),
            Leave::Container => self.leave_container(item),
            Leave::Heading => self.leave_heading(item),
            Leave::Item => self.leave_item(item),
            Leave::Row => self.leave_row(item),
            Leave::Cell => self.leave_cell(item),
        }
    }

    /// Makes ready for a piece of `item`: ends the line where a block has ended.
    fn begin_piece(&mut self, item: &Item) {
        if self.apart {
            if self.flat == 0 {
                self.flush();
            } else if !self.desk.run.is_empty() {
                self.desk.run.push_space();
            }
        }
        self.apart = false;
        if self.desk.run.is_empty() {
            self.run_level = self.level;
            self.desk.run.item = item.index;
        }
    }

    /// Adds squeezed page text to the line; `before` and `after` say whether white space stands there. What a control's
    /// content adds to it stands apart from it; all other text is joined as the page joins it.
    fn add_text(&mut self, item: &Item, before: bool, body: &str, after: bool) {
        self.begin_piece(item);
        let covered = !self.desk.covers.is_empty();
        let apart =
            !before && self.code == 0 && self.desk.run.last_text().is_some_and(|last| words::apart_by_case(last, body));
        self.desk.run.push_text(before || covered || apart, body, after || covered);
    }

    /// Adds a control to the line.
    fn add_control(&mut self, item: &Item, name: Name) {
        self.begin_piece(item);
        let (page, options) = (self.page, self.options);
        let below = self.flat == 0 && has_lines(trim(page.shown_value(item)));
        self.desk.run.push_control(item.index, name, |out| page.write_control(item, name, below, options, out));
        if below {
            self.desk.values.push(item.index);
            self.apart = true;
        }
    }

    /// Ends the line.
    fn flush(&mut self) {
        if self.desk.run.is_empty() {
            return;
        }
        let prose = core::mem::take(&mut self.prose);
        self.desk.run.drop_labels(self.page);
        let controls = !prose && self.desk.run.is_controls();
        let first = self.desk.run.first_control();
        let leads = first.filter(|&(_, begins)| controls || begins).map(|(name, _)| name);
        self.drop_label_above(leads);
        let kind = match first {
            _ if controls => LineKind::Controls,
            Some(_) => LineKind::Mixed,
            None => LineKind::Text,
        };
        let uids = self.desk.lines.uids.len();
        let Desk { lines, run, .. } = &mut *self.desk;
        let start = lines.text.len();
        run.write(self.page, controls, &mut lines.text, &mut lines.uids);
        let item = run.item;
        run.clear();
        let text = lines.text.get(start..).unwrap_or_default();
        if text.is_empty() || !prose && words::is_bare(text) {
            lines.text.truncate(start);
        } else {
            let (plural, options) = (run.plural, run.options);
            self.emit(kind, self.run_level, item, leads, start, uids);
            if let Some(line) = self.desk.lines.list.last_mut() {
                line.plural = plural;
                line.options = options;
            }
        }
        self.write_values();
    }

    /// The values of several lines below the line of their controls.
    fn write_values(&mut self) {
        let page = self.page;
        for at in 0..self.desk.values.len() {
            let Some(item) = self.desk.values.get(at).and_then(|&index| page.item(index)) else { continue };
            for line in split(page.shown_value(item), b'\n').filter(|line| !words::is_blank(line)) {
                let start = self.desk.lines.text.len();
                push_squeezed(line, &mut self.desk.lines.text);
                let uids = self.desk.lines.uids.len();
                self.emit(LineKind::Value, self.run_level + 1, item.index, None, start, uids);
            }
        }
        self.desk.values.clear();
    }

    /// A line above that only says the name of the control that begins the next one goes.
    fn drop_label_above(&mut self, leads: Option<Name>) {
        let (Some(name), Some(last)) = (leads, self.desk.lines.list.last()) else { return };
        let label = last.kind == LineKind::Text && last.mark.is_empty() && last.level <= self.run_level;
        if label && words::labels(self.desk.lines.text(last), self.page.shown(name)) {
            self.desk.lines.pop();
        }
    }

    /// Makes a line of the text from `start` on, with the mark that waits.
    fn emit(&mut self, kind: LineKind, level: u32, item: u32, first: Option<Name>, start: usize, uids: usize) {
        let Desk { lines, mark, .. } = &mut *self.desk;
        let text = lines.text.get(start..).unwrap_or_default();
        // A control character is a space: at the start it would pass for indentation.
        let start = start + leading(text, b' ');
        if lines.text.get(start..).is_some_and(begins_like_ours) {
            lines.text.insert(start, '\\');
        }
        let text = Text::new(start, lines.text.len());
        lines.text.push(' ');
        let marked = lines.marks.len();
        lines.marks.push_str(mark);
        mark.clear();
        let mark = Text::new(marked, lines.marks.len());
        let level = self.mark_level.take().unwrap_or(level);
        lines.list.push(Line {
            kind,
            level,
            plural: false,
            options: false,
            mark,
            text,
            item,
            first,
            uids: uids as u32,
        });
    }
}
