//! Roles and states, and how each is treated: one table of each. A new rule is one line here.

use alloc::string::String;
use alloc::vec::Vec;

/// A role of a payload: a line of [`ROLES`], or past its end one that the table does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct RoleId(pub(crate) u32);

impl RoleId {
    /// The role of the table that has this name; the unknown role where there is none.
    const fn of(name: &str) -> Self {
        let mut rest = ROLES;
        let mut number = 0;
        while let Some((role, after)) = rest.split_first() {
            if equal(role.name.as_bytes(), name.as_bytes()) {
                return Self(number);
            }
            rest = after;
            number += 1;
        }
        Self::UNKNOWN
    }

    /// The role's line in the table; all roles that it does not know are like one another.
    pub(crate) fn role(self) -> &'static Role {
        const OTHER: &Role = &Role::OTHER;
        ROLES.get(self.0 as usize).unwrap_or(OTHER)
    }

    /// The role of a node whose role is missing, empty or not a string: the table's first line.
    pub(crate) const UNKNOWN: Self = Self(0);

    /// Whether the table knows it: then it has that number in every payload.
    #[inline]
    pub(crate) fn is_known(self) -> bool {
        (self.0 as usize) < ROLES.len()
    }
}

const fn equal(mut left: &[u8], mut right: &[u8]) -> bool {
    while let (Some((a, left_rest)), Some((b, right_rest))) = (left.split_first(), right.split_first()) {
        if *a != *b {
            return false;
        }
        (left, right) = (left_rest, right_rest);
    }
    left.is_empty() && right.is_empty()
}

macro_rules! role_ids {
    ($($constant:ident $name:literal)*) => {
        $(pub(crate) const $constant: RoleId = RoleId::of($name);)*

        #[test]
        fn every_role_that_is_asked_for_is_in_the_table() {
            for (id, name) in [$(($constant, $name)),*] {
                assert_eq!(id.role().name, name);
            }
        }
    };
}

// The roles that have a rule beyond their line in the table.
role_ids! {
    BUTTON "button"
    CANVAS "Canvas"
    CODE "code"
    COLUMN_HEADER "columnheader"
    COMBOBOX "combobox"
    GRID "grid"
    GROUP "group"
    LABEL "LabelText"
    LINK "link"
    LISTBOX "listbox"
    MAIN "main"
    METER "meter"
    OPTION "option"
    PROGRESSBAR "progressbar"
    SLIDER "slider"
    SPINBUTTON "spinbutton"
    SUPERSCRIPT "superscript"
    TABLE "table"
    TREEGRID "treegrid"
    TREEITEM "treeitem"
}

/// What a view makes of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The page itself.
    Root,
    /// Text of the page.
    Text,
    /// The end of a line.
    Break,
    /// The bullet or number of a list item.
    Marker,
    Heading,
    Item,
    Row,
    Cell,
    Frame,
    /// A handle, and `word name = value; states @uid`; a link has no word.
    Control,
    /// A container that is printed even without a name.
    Land,
    /// A container that is printed only with a name, a handle or a state.
    Quiet,
    /// Names the container it stands in: caption, legend.
    Title,
    /// Part of the line that it stands in.
    Inline,
    /// A line of its own, nothing of it printed.
    Block,
    /// Shows a value, and can't be acted on.
    Value,
    Image,
    /// Formulas: parts of a line, a space apart.
    Math,
    /// What could not be read.
    Unread,
    /// Not there: its children stand in its place.
    Pass,
    /// Neither it nor its children.
    Drop,
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
// A table's columns: each is a question of its own, and most lines answer none of them with yes.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Role {
    /// As Chrome spells it.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// As a view prints it.
    pub(crate) word: &'static str,
    /// The outline prints its handle.
    pub(crate) actionable: bool,
    /// The outline prints its value.
    pub(crate) valued: bool,
    /// The outline prints its children in its place.
    pub(crate) skipped: bool,
    /// A box to tick: its label comes after it.
    pub(crate) check: bool,
    /// One of a group is checked: that one says it for all.
    pub(crate) radio: bool,
    /// A part of the page as such: what it holds may stand at its own level.
    pub(crate) landmark: bool,
    /// A date or time field: the spin buttons in it are parts of it.
    pub(crate) date: bool,
    /// The kind of list that it is, or under which it needs no role word.
    pub(crate) list: Option<List>,
    /// It is that list, and not its item.
    pub(crate) lists_items: bool,
}

/// The lists whose items need no role word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Options = 1,
    Menu = 2,
    Tabs = 4,
    Tree = 8,
}

const fn role(kind: Kind, name: &'static str) -> Role {
    Role {
        name,
        kind,
        word: name,
        actionable: matches!(kind, Control),
        valued: false,
        skipped: false,
        check: false,
        radio: false,
        landmark: false,
        date: false,
        list: None,
        lists_items: false,
    }
}

impl Role {
    const fn word(self, word: &'static str) -> Self {
        Self { word, ..self }
    }
    const fn valued(self) -> Self {
        Self { valued: true, ..self }
    }
    const fn skipped(self) -> Self {
        Self { skipped: true, ..self }
    }
    const fn check(self) -> Self {
        Self { check: true, ..self }
    }
    const fn radio(self) -> Self {
        Self { check: true, radio: true, ..self }
    }
    const fn landmark(self) -> Self {
        Self { landmark: true, ..self }
    }
    const fn date(self) -> Self {
        Self { date: true, ..self.valued() }
    }
    const fn item_of(self, list: List) -> Self {
        Self { list: Some(list), ..self }
    }
    const fn lists(self, list: List) -> Self {
        Self { list: Some(list), lists_items: true, ..self }
    }

    /// A role that the table does not know.
    pub(crate) const OTHER: Self = role(Block, "");
}

use Kind::{
    Block, Break, Cell, Control, Drop, Frame, Heading, Image, Inline, Item, Land, Marker, Math, Pass, Quiet, Root, Row,
    Text, Title, Unread, Value,
};

/// Every role that is treated in a way of its own; all others are [`Block`], `MathML…` are [`Math`].
pub(crate) static ROLES: &[Role] = &[
    role(Block, "unknown"),
    // The page and its text
    role(Root, "RootWebArea").word("page"),
    role(Text, "StaticText").word(""),
    role(Drop, "InlineTextBox").word(""),
    role(Break, "LineBreak").word(""),
    role(Marker, "ListMarker").word(""),
    role(Pass, "none").word("generic").skipped(),
    role(Pass, "presentation").word("generic").skipped(),
    role(Block, "ignored").word("generic").skipped(),
    role(Pass, "MenuListPopup").word("generic"),
    role(Pass, "rowgroup"),
    role(Block, "generic"),
    role(Block, "paragraph"),
    // Controls
    role(Control, "link").word(""),
    role(Control, "button"),
    role(Control, "textbox").valued(),
    role(Control, "searchbox").valued(),
    role(Control, "combobox").valued(),
    role(Control, "listbox").lists(List::Options),
    role(Control, "option").item_of(List::Options),
    role(Control, "checkbox").check(),
    role(Control, "radio").radio(),
    role(Control, "switch").check(),
    role(Control, "slider").valued(),
    role(Control, "spinbutton").valued(),
    role(Control, "tab").item_of(List::Tabs),
    role(Control, "menuitem").item_of(List::Menu),
    role(Control, "menuitemcheckbox").check(),
    role(Control, "menuitemradio").radio(),
    role(Control, "treeitem").item_of(List::Tree),
    role(Control, "DisclosureTriangle").word("summary"),
    role(Control, "DisclosureTriangleGrouped").word("summary"),
    role(Control, "ColorWell").word("color").valued(),
    role(Control, "Date").word("date").date(),
    role(Control, "DateTime").word("datetime").date(),
    role(Control, "InputTime").word("time").date(),
    // Containers that are always printed
    role(Land, "navigation").word("nav").landmark(),
    role(Land, "banner").word("header").landmark(),
    role(Land, "contentinfo").word("footer").landmark(),
    role(Land, "complementary").word("aside").landmark(),
    role(Land, "main").landmark(),
    role(Land, "search").landmark(),
    role(Land, "dialog"),
    role(Land, "alertdialog"),
    role(Land, "alert"),
    role(Land, "status"),
    role(Land, "application"),
    role(Land, "Video").word("video"),
    role(Land, "Audio").word("audio"),
    role(Land, "table"),
    role(Land, "grid"),
    role(Land, "treegrid"),
    // Containers that are printed with a name
    role(Quiet, "menu").lists(List::Menu),
    role(Quiet, "menubar").lists(List::Menu),
    role(Quiet, "tablist").lists(List::Tabs),
    role(Quiet, "tree").lists(List::Tree),
    role(Quiet, "region"),
    role(Quiet, "form"),
    role(Quiet, "group"),
    role(Quiet, "radiogroup"),
    role(Quiet, "toolbar"),
    role(Quiet, "tabpanel"),
    role(Quiet, "article"),
    role(Quiet, "feed"),
    role(Quiet, "log"),
    role(Quiet, "list"),
    role(Quiet, "directory"),
    role(Quiet, "DescriptionList"),
    role(Quiet, "figure"),
    role(Quiet, "marquee"),
    role(Quiet, "timer"),
    role(Quiet, "tooltip"),
    role(Quiet, "note"),
    role(Quiet, "document"),
    // Their titles
    role(Title, "caption"),
    role(Title, "Legend"),
    role(Title, "Figcaption"),
    // Headings, lists, tables
    role(Heading, "heading").word(""),
    role(Item, "listitem").word(""),
    role(Row, "row"),
    role(Row, "LayoutTableRow").word("row"),
    role(Cell, "cell"),
    role(Cell, "gridcell"),
    role(Cell, "columnheader"),
    role(Cell, "rowheader"),
    role(Cell, "LayoutTableCell"),
    // Parts of a line
    role(Inline, "emphasis"),
    role(Inline, "strong"),
    role(Inline, "code"),
    role(Inline, "subscript"),
    role(Inline, "superscript"),
    role(Inline, "mark"),
    role(Inline, "Abbr"),
    role(Inline, "time"),
    role(Inline, "insertion"),
    role(Inline, "deletion"),
    role(Inline, "LabelText"),
    role(Inline, "Ruby"),
    role(Inline, "RubyAnnotation"),
    role(Inline, "suggestion"),
    // What shows something
    role(Value, "progressbar"),
    role(Value, "meter"),
    role(Value, "scrollbar"),
    role(Image, "image"),
    role(Image, "img").word("image"),
    role(Image, "graphics-symbol"),
    role(Image, "graphics-document"),
    role(Image, "graphics-object"),
    role(Frame, "Iframe").word("frame"),
    role(Frame, "IframePresentational").word("frame"),
    role(Unread, "Canvas").word("canvas"),
    role(Unread, "PluginObject").word("plugin"),
    role(Unread, "EmbeddedObject").word("plugin"),
];

/// A state that a view prints: a property, the value at which it holds, and its word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub(crate) property: &'static str,
    /// The property's value as text: a string's content, else its JSON.
    pub(crate) value: &'static str,
    pub(crate) word: &'static str,
}

const fn state(property: &'static str, value: &'static str, word: &'static str) -> State {
    State { property, value, word }
}

/// The states, in the order in which a line has them. `busy` has type boolean and the value 1 in Chrome.
pub(crate) static STATES: &[State] = &[
    state("disabled", "true", "disabled"),
    state("checked", "true", "checked"),
    state("checked", "mixed", "mixed"),
    state("checked", "false", "unchecked"),
    state("pressed", "true", "pressed"),
    state("pressed", "mixed", "mixed"),
    state("expanded", "true", "expanded"),
    state("expanded", "false", "collapsed"),
    state("selected", "true", "selected"),
    state("focused", "true", "focused"),
    state("required", "true", "required"),
    state("invalid", "true", "invalid"),
    state("invalid", "spelling", "invalid"),
    state("invalid", "grammar", "invalid"),
    state("readonly", "true", "readonly"),
    state("busy", "true", "busy"),
    state("busy", "1", "busy"),
    state("modal", "true", "modal"),
];

/// Beside the states: it is a secret that had a value.
pub(crate) const HIDDEN_VALUE: u32 = 1 << 28;
/// Beside the states: it is a secret, or stands below one.
pub(crate) const HIDDEN: u32 = 1 << 29;
/// Beside the states: `focusable` is true.
pub(crate) const FOCUSABLE: u32 = 1 << 30;
/// Beside the states: `editable` has a value other than false.
pub(crate) const EDITABLE: u32 = 1 << 31;

/// The roles of a payload: those of the table, then those that it does not know, in order of appearance.
#[derive(Debug, Default)]
pub(crate) struct Roles {
    /// Names of the unknown ones, one after the other, and where each ends.
    names: String,
    ends: Vec<u32>,
    /// Open-addressed table of them: 0 is free, else 1 + the number.
    slots: Vec<u32>,
}

impl Roles {
    /// Forgets the unknown ones.
    pub(crate) fn clear(&mut self) {
        self.names.clear();
        self.ends.clear();
        self.slots.clear();
    }

    /// What a view makes of the role.
    pub(crate) fn kind(&self, id: RoleId) -> Kind {
        match ROLES.get(id.0 as usize) {
            Some(role) => role.kind,
            None if self.name(id).starts_with("MathML") => Math,
            None => Block,
        }
    }

    /// How many of the payload's roles the table does not know.
    pub(crate) fn unknown(&self) -> usize {
        self.ends.len()
    }

    /// The role's name, verbatim.
    pub(crate) fn name(&self, id: RoleId) -> &str {
        if let Some(role) = ROLES.get(id.0 as usize) {
            return role.name;
        }
        let number = id.0 as usize - ROLES.len();
        let before = number.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = before.map_or(0, |&end| end as usize);
        let end = self.ends.get(number).map_or(start, |&end| end as usize);
        self.names.get(start..end).unwrap_or_default()
    }

    /// The role of this name: one line of text, not empty.
    pub(crate) fn intern(&mut self, name: &str) -> RoleId {
        if let Some(known) = ROLES.iter().position(|role| role.name == name) {
            return RoleId(known as u32);
        }
        if self.slots.len() < 2 * (self.ends.len() + 1) {
            let size = (4 * (self.ends.len() + 1)).next_power_of_two().max(16);
            self.slots.clear();
            self.slots.resize(size, 0);
            for number in 0..self.ends.len() {
                let slot = self.slot(self.name(RoleId((ROLES.len() + number) as u32)));
                if let Some(free) = self.slots.get_mut(slot) {
                    *free = number as u32 + 1;
                }
            }
        }
        let slot = self.slot(name);
        if let Some(&found @ 1..) = self.slots.get(slot) {
            return RoleId(ROLES.len() as u32 + found - 1);
        }
        self.names.push_str(name);
        self.ends.push(self.names.len() as u32);
        if let Some(free) = self.slots.get_mut(slot) {
            *free = self.ends.len() as u32;
        }
        RoleId((ROLES.len() + self.ends.len() - 1) as u32)
    }

    /// The slot that holds this name, or the free one where it would go.
    fn slot(&self, name: &str) -> usize {
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = (hash ^ (hash >> 32)) as usize & mask;
        while let Some(&found @ 1..) = self.slots.get(slot) {
            if self.name(RoleId(ROLES.len() as u32 + found - 1)) == name {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }
}
