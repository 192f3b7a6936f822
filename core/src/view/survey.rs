//! The survey: what each item's subtree holds, before a line is written.
//!
//! Three passes over the items: down for what is inherited and for the text in reading order, up for what is counted,
//! and one for what names what.

use core::ops::Range;

use super::page::{Item, Page, Text};
use super::words;
use crate::roles::{self, Kind, List};
use crate::table::{ExtraKind, NONE};
use crate::text::{begins_with_space, ends_with_space, trim};

/// A focusable text longer than this, in characters, is a container and not a name.
pub(super) const LABEL_MAX: usize = 200;
/// Most items between a label and the control that it stands beside.
const BESIDE: usize = 12;
/// Most items looked at for the heading that says a container's name.
const TITLE_STEPS: usize = 40;
/// Fewest buttons of which a table says that they are.
const BUTTONS_MIN: u32 = 4;

impl Page {
    /// Fills in what the items need to know of one another.
    pub(super) fn survey(&mut self) {
        if self.details.iter().any(|detail| detail.kind == ExtraKind::ErrorMessage) {
            self.index();
        }
        self.read_aloud();
        self.count();
        self.find_titles();
        if self.details.iter().any(|detail| detail.kind == ExtraKind::LabelledBy) {
            self.find_labels();
        }
    }

    /// The text in reading order, what of it each item says, and the lists that it stands under.
    fn read_aloud(&mut self) {
        let Self { items, text, reading, open, .. } = self;
        open.clear();
        let mut aloud = Aloud { out: reading, gap: false };
        for index in 0..=items.len() {
            while let Some(&last) = open.last() {
                let Some(item) = items.get_mut(last as usize).filter(|item| item.end as usize <= index) else { break };
                open.pop();
                aloud.close(item);
                aloud.gap |= stands_apart(item) && has_siblings(items, last);
            }
            let Some(item) = items.get(index) else { break };
            let lists = items.get(item.parent as usize).map_or(0, lists_below);
            let apart = stands_apart(item) && has_siblings(items, index as u32);
            aloud.gap |= apart;
            let start = aloud.out.len();
            if item.kind == Kind::Text {
                aloud.push(item.name.of(text));
            }
            let Some(item) = items.get_mut(index) else { break };
            item.lists = lists;
            item.said = Text::new(start, start);
            if item.kind == Kind::Text {
                aloud.end(item);
            }
            if item.end as usize > index + 1 {
                open.push(index as u32);
            } else {
                aloud.close(item);
                aloud.gap |= apart;
            }
        }
    }

    /// How many handles stand below each item, and whether it can stand on one line with all that it holds.
    fn count(&mut self) {
        self.containers.clear();
        self.tables = false;
        for index in (0..self.items.len()).rev() {
            let Some(item) = self.items.get(index) else { continue };
            if matches!(item.kind, Kind::Land | Kind::Quiet) {
                self.tables |= is_table(item);
                if !item.name.is_empty() {
                    self.containers.push(index as u32);
                }
            }
            let fits = self.fits_line(item);
            let flat = item.flat && (fits || item.kind == Kind::Heading);
            let (uid, parent) = (u32::from(item.has_uid()), item.parent);
            let role = item.role();
            let option = matches!(item.role, roles::OPTION | roles::GROUP);
            let select = item.select && self.has_only_options(item);
            let wordless = uid > 0 && (role.word.is_empty() || item.lists != 0);
            let controls = item.controls + uid;
            let buttons = item.buttons + u32::from(uid > 0 && item.role == roles::BUTTON);
            let wordless = item.wordless + u32::from(wordless);
            if let Some(item) = self.items.get_mut(index) {
                item.flat = flat;
                item.select = select;
            }
            if let Some(above) = self.items.get_mut(parent as usize) {
                above.controls += controls;
                above.buttons += buttons;
                above.wordless += wordless;
                above.flat &= flat && fits;
                above.select |= option && above.role == roles::COMBOBOX;
            }
        }
    }

    /// Is nothing below it a control but options? Stops at the first other one, so that each item is looked at once.
    fn has_only_options(&self, select: &Item) -> bool {
        let below = self.items.get(select.index as usize + 1..select.end as usize).unwrap_or_default();
        !below.iter().any(|item| item.role().name != "option" && (item.has_uid() || item.kind == Kind::Control))
    }

    /// The tables whose handles without a role word are buttons, all of them: they say so once, where they are printed.
    pub(super) fn find_button_tables(&mut self, printed: Range<usize>) {
        if !self.tables {
            return;
        }
        for index in printed.clone() {
            let Some(item) = self.items.get(index) else { break };
            let says = is_table(item) && item.wordless == 0 && item.buttons >= BUTTONS_MIN;
            let above = item.parent as usize;
            let inherits = printed.contains(&above) && self.items.get(above).is_some_and(|above| above.in_buttons);
            if let Some(item) = self.items.get_mut(index) {
                item.in_buttons = says || inherits;
            }
        }
    }

    /// Can this item, apart from what it holds, be a piece of a line: of a cell, of a heading?
    fn fits_line(&self, item: &Item) -> bool {
        match item.kind {
            Kind::Quiet => return item.name.is_empty() && !item.has_uid(),
            Kind::Text if item.lines => return false,
            Kind::Heading | Kind::Row | Kind::Frame | Kind::Root | Kind::Land | Kind::Unread | Kind::Drop => {
                return false;
            }
            _ => {}
        }
        if !item.has_uid() || item.kind == Kind::Control || self.is_in_row(item) {
            return true;
        }
        item.controls == 0 && self.is_short(item) && item.says()
    }

    /// A cell of a row, and not one that stands anywhere else.
    pub(super) fn is_in_row(&self, item: &Item) -> bool {
        item.kind == Kind::Cell && self.item(item.parent).is_some_and(|above| above.kind == Kind::Row)
    }

    /// Is the text in it short enough for a name?
    pub(super) fn is_short(&self, item: &Item) -> bool {
        let said = self.said(item);
        said.len() <= LABEL_MAX || said.chars().nth(LABEL_MAX).is_none()
    }

    /// The heading, caption or legend that says a container's name, so that it is said once.
    fn find_titles(&mut self) {
        for at in 0..self.containers.len() {
            let Some(item) = self.containers.get(at).and_then(|&index| self.item(index)) else { continue };
            let index = item.index as usize;
            let Some(title) = self.own_title(item, index) else { continue };
            if let Some(item) = self.items.get_mut(index) {
                item.titled = title;
            }
            if let Some(title) = self.items.get_mut(title as usize) {
                // A caption or legend is the container's own line; a heading stays where it is.
                title.silent |= title.kind == Kind::Title && title.controls == 0 && !title.has_uid();
            }
        }
    }

    fn own_title(&self, item: &Item, index: usize) -> Option<u32> {
        let mut at = index + 1;
        for _ in 0..TITLE_STEPS {
            let below = self.items.get(at).filter(|_| at < item.end as usize)?;
            match below.kind {
                Kind::Heading | Kind::Title if words::same(self.said(below), self.name(item)) => {
                    return Some(at as u32);
                }
                Kind::Heading => return None,
                Kind::Block | Kind::Quiet | Kind::Pass | Kind::Inline | Kind::Land => at += 1,
                _ => at = below.end as usize,
            }
        }
        None
    }

    /// The labels that stand near the control that they name.
    fn find_labels(&mut self) {
        for index in 0..self.items.len() {
            let Some(item) = self.items.get(index).filter(|item| item.detail_count > 0 && item.has_uid()) else {
                continue;
            };
            let (item, frame) = (*item, item.uid.frame);
            let details = item.details as usize..(item.details + item.detail_count) as usize;
            for at in details {
                let Some(detail) = self.details.get(at).filter(|detail| detail.kind == ExtraKind::LabelledBy) else {
                    continue;
                };
                let label = detail.node;
                let near = index.saturating_sub(BESIDE)..self.items.len().min(index + BESIDE + 1);
                for other in self.items.get_mut(near).unwrap_or_default() {
                    if other.backend == label && label != 0 && other.uid.frame == frame && other.role == roles::LABEL {
                        other.titled = index as u32;
                    }
                }
            }
        }
    }
}

/// The text in reading order while it is written.
struct Aloud<'a> {
    out: &'a mut alloc::string::String,
    /// White space or a block's edge stands before the next word.
    gap: bool,
}

impl Aloud<'_> {
    fn push(&mut self, text: &str) {
        let body = trim(text);
        if body.is_empty() {
            self.gap |= !text.is_empty();
            return;
        }
        if (self.gap || begins_with_space(text)) && !self.out.is_empty() {
            self.out.push(' ');
        }
        words::squeeze_into(body, self.out);
        self.gap = ends_with_space(text);
    }

    /// All that the item holds is said. A text says what it is: what else may stand below it says its own.
    fn close(&self, item: &mut Item) {
        if item.kind != Kind::Text {
            self.end(item);
        }
    }

    /// What the item says ends here, and begins after the space before it.
    fn end(&self, item: &mut Item) {
        let start = item.said.start();
        let spaces = usize::from(self.out.as_bytes().get(start) == Some(&b' '));
        item.said = Text::new((start + spaces).min(self.out.len()), self.out.len());
    }
}

fn is_table(item: &Item) -> bool {
    matches!(item.role, roles::TABLE | roles::GRID | roles::TREEGRID)
}

/// Blocks stand apart from their neighbours; text, controls and what is inline does not.
fn stands_apart(item: &Item) -> bool {
    !matches!(item.kind, Kind::Text | Kind::Inline | Kind::Control)
}

fn has_siblings(items: &[Item], index: u32) -> bool {
    let Some(item) = items.get(index as usize) else { return false };
    match items.get(item.parent as usize) {
        Some(above) => index != item.parent + 1 || item.end != above.end,
        None => item.parent == NONE,
    }
}

/// The printed lists that what is right below an item stands under.
fn lists_below(above: &Item) -> u8 {
    let own = match above.role() {
        role if role.lists_items => role.list,
        _ => None,
    };
    let passes = matches!(above.kind, Kind::Block | Kind::Inline | Kind::Quiet | Kind::Item | Kind::Control);
    let inherited = if passes { above.lists } else { 0 };
    match own {
        Some(list) if above.has_uid() || !above.name.is_empty() => inherited | list as u8,
        Some(list) => inherited & !(list as u8),
        None => inherited,
    }
}

impl Item {
    /// Has it a name or text?
    pub(super) fn says(&self) -> bool {
        !self.name.is_empty() || !self.said.is_empty()
    }

    /// Stands under a printed list of its own kind, which says its role.
    pub(super) fn is_said_by_list(&self, list: Option<List>) -> bool {
        list.is_some_and(|list| self.lists & list as u8 != 0)
    }
}
