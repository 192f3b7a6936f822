//! Ranks: in which order a budget keeps lines, and which of them are the ends of long runs of rows or items.

use alloc::vec::Vec;
use core::ops::Range;

use super::lines::{Line, LineKind, Lines};
use super::options::Uid;
use super::page::{Item, Page};
use super::picks::Finder;
use crate::roles::Kind;
use crate::table::NONE;

/// A longer run of like rows or items is folded first.
const LONG_RUN: u32 = 8;
/// So many of its first ones are not.
const RUN_SHOWN: u32 = 3;
/// Containers in which a person looks for the field that has the focus.
const FORMS: [&str; 4] = ["form", "search", "dialog", "alertdialog"];
const LANDMARKS: [&str; 8] =
    ["navigation", "banner", "contentinfo", "complementary", "main", "search", "form", "region"];

/// What a line is kept for: the lower the sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// The control that has the focus: one line, so that nothing that is larger takes its room.
    Focus,
    /// What stands in an open modal, and then the ends of its long runs.
    Modal,
    ModalRun,
    /// Alerts, status messages, and controls that are invalid.
    Alert,
    /// Dialogs that are not modal.
    Dialog,
    /// The form of the control that has the focus.
    Form,
    FormRun,
    /// Headings, landmarks and the page's title.
    Heading,
    /// What the caller says is in view.
    Viewport,
    /// All other lines.
    Rest,
    /// The ends of long runs.
    Run,
}

impl Rank {
    pub(super) const ALL: [Self; 11] = [
        Self::Focus,
        Self::Modal,
        Self::ModalRun,
        Self::Alert,
        Self::Dialog,
        Self::Form,
        Self::FormRun,
        Self::Heading,
        Self::Viewport,
        Self::Rest,
        Self::Run,
    ];
}

/// An item among its neighbours.
#[derive(Clone, Copy, Debug)]
struct Neighbour {
    /// The first of its run, and its number in it from 0; `NONE` where it is no row or list item.
    first: u32,
    number: u32,
    /// How long the run is, for its first one.
    length: u32,
    /// The child of this item seen last.
    last: u32,
    /// The outermost member of a long run that it is, or that it stands in.
    member: u32,
    /// It is, or it stands in, a member of a long run that is not one of its first.
    late: bool,
}

/// The ranks of a view's lines. Kept for the next one.
#[derive(Debug, Default)]
pub(super) struct Ranks {
    neighbours: Vec<Neighbour>,
    viewport: Vec<Uid>,
    /// By line.
    pub(super) list: Vec<Rank>,
}

/// How far the subtrees of each kind reach that have been entered.
#[derive(Debug, Default)]
struct Reach {
    modal: u32,
    alert: u32,
    dialog: u32,
    form: u32,
}

impl Ranks {
    /// Ranks the lines that were made of these items.
    pub(super) fn set(&mut self, page: &Page, items: Range<usize>, lines: &Lines, viewport: &[Uid]) {
        self.viewport.clear();
        self.viewport.extend_from_slice(viewport);
        self.viewport.sort_unstable();
        self.find_runs(page);
        let Self { neighbours, list, .. } = self;
        list.clear();
        list.extend(lines.list.iter().map(|line| of_line(page, lines, line, is_late(neighbours, line.item))));
        let form = find_form(page, items.clone());
        let mut reach = Reach::default();
        let mut finder = Finder::new(lines);
        let mut next = 0;
        for item in page.items.get(items).unwrap_or_default() {
            let role = item.role().name;
            let end = |reach: u32, is: bool| if is { reach.max(item.end) } else { reach };
            reach.modal = end(reach.modal, item.is("modal"));
            reach.alert = end(reach.alert, matches!(role, "alert" | "status"));
            reach.dialog = end(reach.dialog, matches!(role, "dialog" | "alertdialog"));
            reach.form = end(reach.form, form == Some(item.index));
            let line = finder.find(item);
            // A line that begins in a subtree is of it, and so is the one that the item is a part of.
            while lines.list.get(next).is_some_and(|line| line.item <= item.index) {
                self.raise(next, &reach, item);
                next += 1;
            }
            let Some(line) = line else { continue };
            self.raise(line, &reach, item);
            if item.is("focused") && !matches!(item.kind, Kind::Root | Kind::Frame) {
                self.lower_to(line, Rank::Focus);
            }
            if item.is("invalid") {
                self.lower_to(line, Rank::Alert);
            }
            if !self.viewport.is_empty() && self.viewport.binary_search(&uid(item)).is_ok() {
                self.lower_to(line, Rank::Viewport);
            }
        }
    }

    /// The outermost member of a long run that a line stands in: the run's first one, its number, the run's role.
    pub(super) fn member<'a>(&self, page: &'a Page, line: &Line) -> Option<(&'a Item, u32)> {
        // Several items may share a line of controls.
        let member = self.neighbours.get(line.item as usize).filter(|_| line.kind != LineKind::Tight)?.member;
        let Neighbour { first, number, .. } = *self.neighbours.get(member as usize)?;
        Some((page.item(first)?, number))
    }

    fn raise(&mut self, line: usize, reach: &Reach, item: &Item) {
        let late = is_late(&self.neighbours, item.index);
        for (reach, rank, run) in [
            (reach.modal, Rank::Modal, Rank::ModalRun),
            (reach.alert, Rank::Alert, Rank::Alert),
            (reach.dialog, Rank::Dialog, Rank::Run),
            (reach.form, Rank::Form, Rank::FormRun),
        ] {
            if item.index < reach {
                self.lower_to(line, if late { run } else { rank });
            }
        }
    }

    fn lower_to(&mut self, line: usize, rank: Rank) {
        if let Some(place) = self.list.get_mut(line) {
            *place = rank.min(*place);
        }
    }

    /// Finds the runs: neighbours of one role, rows or items.
    fn find_runs(&mut self, page: &Page) {
        let list = &mut self.neighbours;
        list.clear();
        let mut last_root = NONE;
        for item in &page.items {
            let mut own = Neighbour { first: NONE, number: 0, length: 0, last: NONE, member: NONE, late: false };
            let neighbour = list.get(item.parent as usize).map_or(last_root, |above| above.last);
            if is_member(item) {
                let like = page.item(neighbour).is_some_and(|other| other.role == item.role && other.kind == item.kind);
                let before = list.get(neighbour as usize).copied().filter(|_| like);
                own.first = before.map_or(item.index, |before| before.first);
                own.number = before.map_or(0, |before| before.number + 1);
            }
            list.push(own);
            match list.get_mut(item.parent as usize) {
                Some(above) => above.last = item.index,
                None => last_root = item.index,
            }
            if let Some(first) = list.get_mut(own.first as usize) {
                first.length = first.length.max(own.number + 1);
            }
        }
        for item in &page.items {
            let above = list.get(item.parent as usize).copied();
            let Some(&own) = list.get(item.index as usize) else { continue };
            let long = list.get(own.first as usize).is_some_and(|first| first.length > LONG_RUN);
            let member = above.map_or(NONE, |above| above.member);
            let late = above.is_some_and(|above| above.late) || long && own.number >= RUN_SHOWN;
            if let Some(place) = list.get_mut(item.index as usize) {
                place.member = if member == NONE && long { item.index } else { member };
                place.late = late;
            }
        }
    }
}

/// What a line is kept for by itself.
fn of_line(page: &Page, lines: &Lines, line: &Line, late: bool) -> Rank {
    let landmark = page.item(line.item).is_some_and(|item| LANDMARKS.contains(&item.role().name));
    match late {
        true => Rank::Run,
        false if landmark || line.kind == LineKind::Page || lines.is_heading(line) => Rank::Heading,
        false => Rank::Rest,
    }
}

fn is_late(neighbours: &[Neighbour], item: u32) -> bool {
    neighbours.get(item as usize).is_some_and(|neighbour| neighbour.late)
}

/// Rows, list items, and what else a page has in long runs of the same kind.
fn is_member(item: &Item) -> bool {
    matches!(item.kind, Kind::Row | Kind::Item)
        || matches!(item.role().name, "article" | "option" | "treeitem" | "menuitem")
}

fn uid(item: &Item) -> Uid {
    Uid { frame: item.uid.frame, node: item.backend }
}

/// The form of the innermost item that has the focus.
fn find_form(page: &Page, items: Range<usize>) -> Option<u32> {
    let has_focus = |item: &&Item| item.is("focused") && !matches!(item.kind, Kind::Root | Kind::Frame);
    let mut at = page.items.get(items)?.iter().rev().find(has_focus);
    while let Some(item) = at {
        if FORMS.contains(&item.role().name) {
            return Some(item.index);
        }
        at = page.item(item.parent);
    }
    None
}

/// What a member of a run is called when they are counted, after a space.
pub(super) fn noun(item: &Item) -> &'static str {
    if item.kind == Kind::Row { " row" } else { " item" }
}
