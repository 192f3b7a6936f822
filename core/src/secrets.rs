//! Secrets: the one gate. What a secret node holds is taken out of the node table before anything is made of it, so
//! that no view, outline, delta or query can print it.
//!
//! Gone are the node's value and value text, the text and names of everything below it, and its own name or that of a
//! node above it where that name, made of its content, says the secret. The payload itself is not touched, and in which
//! order it has its nodes makes no difference.

use alloc::vec::Vec;

use crate::roles::{HIDDEN, HIDDEN_VALUE, Kind};
use crate::table::{ExtraKind, NONE, Span, Table};

/// Bytes of a secret that are searched for: a name with so much of it is taken to have all.
const TELLING: usize = 64;

/// What hiding takes, kept for the next call.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    /// The parent of each row, by the children lists.
    parents: Vec<u32>,
    stack: Vec<u32>,
    /// Raw texts of the secret at hand.
    texts: Vec<Span>,
}

impl Secrets {
    /// Takes what the nodes of these backend ids hold out of the table.
    pub(crate) fn hide(&mut self, payload: &[u8], table: &mut Table, secret: impl Fn(u64) -> bool) {
        self.parents.clear();
        for row in 0..table.nodes.len() {
            if !table.nodes.get(row).is_some_and(|node| node.backend != 0 && secret(node.backend)) {
                continue;
            }
            if self.parents.is_empty() {
                self.find_parents(table);
            }
            self.texts.clear();
            self.hide_below(payload, table, row as u32);
            self.hide_names(payload, table, row as u32);
        }
    }

    fn find_parents(&mut self, table: &Table) {
        self.parents.resize(table.nodes.len(), NONE);
        for (row, node) in table.nodes.iter().enumerate() {
            let children = node.children as usize..(node.children + node.child_count) as usize;
            for &child in table.children.get(children).unwrap_or_default() {
                match self.parents.get_mut(child as usize) {
                    Some(parent) if *parent == NONE && child as usize != row => *parent = row as u32,
                    _ => {}
                }
            }
        }
    }

    /// What the node itself holds, and all below it.
    fn hide_below(&mut self, payload: &[u8], table: &mut Table, secret: u32) {
        self.stack.clear();
        self.stack.push(secret);
        while let Some(row) = self.stack.pop() {
            let Some(node) = table.nodes.get_mut(row as usize) else { continue };
            let was_hidden = node.states & HIDDEN != 0;
            node.states |= HIDDEN;
            let value = body(payload, node.value);
            self.texts.extend([value].into_iter().filter(|text| !text.is_none()));
            let filled = !node.value.is_none() && node.value.end - node.value.start > 2;
            node.value = Span::NONE;
            if row == secret && filled {
                node.states |= HIDDEN_VALUE;
            }
            if row != secret || table.roles.kind(node.role) == Kind::Text {
                self.texts.extend([node.name].into_iter().filter(|text| !text.is_none()));
                node.name = Span::NONE;
            }
            let extras = node.extras as usize..node.extras as usize + usize::from(node.extra_count);
            for extra in table.extras.get_mut(extras).unwrap_or_default() {
                if row != secret || extra.kind == ExtraKind::ValueText {
                    extra.span = Span::NONE;
                }
            }
            // Below what was hidden, all is: only a secret's own name may still be there.
            if !was_hidden {
                let children = node.children as usize..(node.children + node.child_count) as usize;
                let children = table.children.get(children).unwrap_or_default();
                self.stack.extend(children.iter().filter(|&&child| child != NONE));
            }
        }
    }

    /// Names that its texts went into: its own, and those above it.
    fn hide_names(&mut self, payload: &[u8], table: &mut Table, secret: u32) {
        if self.texts.is_empty() {
            return;
        }
        let mut row = secret;
        for _ in 0..self.parents.len() {
            let Some(node) = table.nodes.get_mut(row as usize) else { return };
            // What one types into a field is never its name: that one may say the same by chance.
            let is_field = row == secret && node.role.role().valued;
            let name = node.name.of(payload);
            if !is_field && self.texts.iter().any(|text| holds(name, text.of(payload))) {
                node.name = Span::NONE;
            }
            row = self.parents.get(row as usize).copied().unwrap_or(NONE);
        }
    }
}

/// What stands between a string's quotes.
fn body(payload: &[u8], value: Span) -> Span {
    match value.of(payload) {
        [b'"', .., b'"'] => Span { start: value.start + 1, end: value.end - 1 },
        _ => value,
    }
}

/// Is `part`, or as much of it as tells, in `whole`?
fn holds(whole: &[u8], part: &[u8]) -> bool {
    let part = part.get(..TELLING).unwrap_or(part);
    !part.is_empty() && whole.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use crate::{Compressor, OutlineOptions, Uid, ViewOptions};

    /// A row whose name is made of its content, with a password field in it: value, value text, text and box below it.
    const PAGE: &str = r#"{"nodes":[
        {"nodeId":"1","role":{"value":"RootWebArea"},"name":{"value":"Keys"},"childIds":["2"]},
        {"nodeId":"2","role":{"value":"row"},"name":{"value":"Code hunter2 ok"},"parentId":"1","childIds":["3"],"backendDOMNodeId":2},
        {"nodeId":"3","role":{"value":"cell"},"name":{"value":"hunter2"},"parentId":"2","childIds":["4"],"backendDOMNodeId":3},
        {"nodeId":"4","role":{"value":"textbox"},"name":{"value":"Code"},"value":{"value":"hunter2"},"parentId":"3",
         "childIds":["5","7"],"backendDOMNodeId":4,"properties":[{"name":"valuetext","value":{"value":"hunter2"}}]},
        {"nodeId":"5","role":{"value":"generic"},"name":{"value":"hunter2"},"parentId":"4","childIds":["6"],"backendDOMNodeId":5},
        {"nodeId":"6","role":{"value":"StaticText"},"name":{"value":"hunter2"},"parentId":"5"},
        {"nodeId":"7","role":{"value":"slider"},"value":{"value":"hunter2"},"parentId":"4","backendDOMNodeId":7}]}"#;

    fn view(secrets: &[u64]) -> String {
        let secrets: alloc::vec::Vec<Uid> = secrets.iter().map(|&node| Uid { frame: 0, node }).collect();
        let options = ViewOptions { secrets: &secrets, ..ViewOptions::default() };
        Compressor::new().view(PAGE.as_bytes(), &options).unwrap().text.into()
    }

    #[test]
    fn a_secret_is_in_no_view_and_the_view_says_that_there_is_a_value() {
        assert!(view(&[]).contains("hunter2"));
        for secrets in [&[4][..], &[4, 7], &[7, 5, 4], &[3]] {
            assert!(!view(secrets).contains("hunter"), "{}", view(secrets));
        }
        assert!(view(&[4]).contains("textbox Code = (hidden) @4"), "{}", view(&[4]));
    }

    #[test]
    fn a_secret_is_in_no_outline() {
        for dedup_text in [false, true] {
            let options = OutlineOptions { secrets: &[4], dedup_text, ..OutlineOptions::default() };
            let mut compressor = Compressor::new();
            let outline = compressor.outline(PAGE.as_bytes(), &options).unwrap();
            assert!(!outline.text.contains("hunter"), "{}", outline.text);
            assert!(outline.text.contains("textbox \"Code\""), "{}", outline.text);
        }
    }

    #[test]
    fn a_name_that_is_made_of_the_secret_goes_and_a_field_keeps_its_own() {
        let page = r#"[{"nodeId":"1","role":{"value":"RootWebArea"},"childIds":["2","4","6"]},
            {"nodeId":"2","role":{"value":"button"},"name":{"value":"Copy hunter2"},"parentId":"1","childIds":["3"],"backendDOMNodeId":2},
            {"nodeId":"3","role":{"value":"StaticText"},"name":{"value":"hunter2"},"parentId":"2"},
            {"nodeId":"4","role":{"value":"generic"},"name":{"value":"hunter2"},"parentId":"1","childIds":["5"],"backendDOMNodeId":4,
             "properties":[{"name":"focusable","value":{"value":true}}]},
            {"nodeId":"5","role":{"value":"StaticText"},"name":{"value":"hunter2"},"parentId":"4"},
            {"nodeId":"6","role":{"value":"textbox"},"name":{"value":"Code"},"value":{"value":"o"},"parentId":"1","backendDOMNodeId":6}]"#;
        let uids = [2, 4, 6].map(|node| Uid { frame: 0, node });
        let options = ViewOptions { secrets: &uids, ..ViewOptions::default() };
        let mut compressor = Compressor::new();
        let view = compressor.view(page.as_bytes(), &options).unwrap().text;
        assert!(!view.contains("hunter") && view.contains("button @2"), "{view}");
        assert!(view.contains("textbox Code = (hidden) @6"), "{view}");
        let options = OutlineOptions { secrets: &[2, 4, 6], ..OutlineOptions::default() };
        let outline = compressor.outline(page.as_bytes(), &options).unwrap().text;
        assert!(!outline.contains("hunter") && outline.contains("textbox \"Code\""), "{outline}");
    }

    #[test]
    fn a_secret_within_a_secret_is_hidden_whichever_comes_first_in_the_payload() {
        let outer =
            r#"{"nodeId":"1","role":{"value":"group"},"name":{"value":"Keys"},"childIds":["2"],"backendDOMNodeId":1}"#;
        let inner = r#"{"nodeId":"2","role":{"value":"textbox"},"name":{"value":"hunter2"},"value":{"value":"hunter3"},"parentId":"1","backendDOMNodeId":2}"#;
        for page in [format!("[{outer},{inner}]"), format!("[{inner},{outer}]")] {
            let options = OutlineOptions { secrets: &[1, 2], ..OutlineOptions::default() };
            let mut compressor = Compressor::new();
            let outline = compressor.outline(page.as_bytes(), &options).unwrap().text;
            assert_eq!(outline, "group \"Keys\"\n  textbox  #ref=2");
        }
    }

    #[test]
    fn a_cycle_around_a_secret_ends() {
        let node = |id: u32, child: u32| {
            format!(
                r#"{{"nodeId":"{id}","parentId":"{child}","role":{{"value":"textbox"}},"value":{{"value":"xyz"}},"childIds":["{child}"],"backendDOMNodeId":{id}}}"#
            )
        };
        let payload = format!("[{},{},{}]", node(1, 2), node(2, 3), node(3, 1));
        let secrets = [Uid { frame: 0, node: 2 }];
        let options = ViewOptions { secrets: &secrets, ..ViewOptions::default() };
        assert!(!Compressor::new().view(payload.as_bytes(), &options).unwrap().text.contains("xyz"));
    }
}
