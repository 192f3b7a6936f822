//! The catalog: what `tools/list` says. Tuned by hand, since every session of every agent pays for it.

use std::sync::LazyLock;

use rmcp::model::Tool;

/// The tools, in the order of the contract.
static TOOLS: LazyLock<Vec<Tool>> =
    LazyLock::new(|| serde_json::from_str(include_str!("catalog.json")).unwrap_or_default());

/// How a view reads: told once a session.
pub(super) const INSTRUCTIONS: &str = include_str!("instructions.txt").trim_ascii_end();

/// The tools.
pub(super) fn tools() -> Vec<Tool> {
    TOOLS.clone()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{INSTRUCTIONS, tools};
    use crate::browser::Action;
    use crate::tokens;
    use crate::tools::NAMES;

    #[test]
    fn the_catalog_is_at_most_600_tokens() {
        let catalog = json!({ "tools": tools() }).to_string();
        let tokens = tokens::count(&catalog);
        assert!(tokens <= 600, "{tokens}: {catalog}");
    }

    #[test]
    fn the_catalog_names_the_tools_and_every_action() {
        let names: Vec<String> = tools().iter().map(|tool| tool.name.to_string()).collect();
        assert_eq!(names, NAMES);
        let act = serde_json::to_value(&tools()[1]).unwrap();
        assert_eq!(act["inputSchema"]["properties"]["action"]["enum"], json!(Action::NAMES));
        for tool in tools() {
            let hints = tool.annotations.expect("every tool has its hints");
            assert_eq!(hints.read_only_hint.is_some(), hints.destructive_hint.is_none(), "{}", tool.name);
            assert!(tool.output_schema.is_none());
        }
    }

    #[test]
    fn the_instructions_are_a_few_lines() {
        assert!(INSTRUCTIONS.lines().count() <= 8 && tokens::count(INSTRUCTIONS) <= 300);
    }
}
