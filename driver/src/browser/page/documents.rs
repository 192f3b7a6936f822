//! Which documents a page is made of: its own, those of frames in its process, and those of frames in others.

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use crate::browser::cdp::{CallFailure, Session};

/// The answer to `Page.getFrameTree`: the frames of one session.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameTree {
    frame_tree: Branch,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Branch {
    frame: FrameInfo,
    #[serde(default)]
    child_frames: Vec<Branch>,
}

/// A frame and the document that it has now.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameInfo {
    pub(crate) id: String,
    pub(crate) parent_id: Option<String>,
    pub(crate) loader_id: String,
    #[serde(default)]
    pub(crate) url: String,
}

impl FrameTree {
    /// Asks a session.
    pub(crate) async fn of(session: &Session, deadline: Instant) -> Result<Self, CallFailure> {
        session.ask("Page.getFrameTree", json!({}), deadline).await
    }

    /// Its frames, outer ones first.
    pub(crate) fn frames(&self) -> Vec<&FrameInfo> {
        let mut frames = Vec::new();
        let mut branches = vec![&self.frame_tree];
        while let Some(branch) = branches.pop() {
            frames.push(&branch.frame);
            branches.extend(branch.child_frames.iter().rev());
        }
        frames
    }

    /// The loader of a frame, where the frame is here.
    pub(crate) fn loader(&self, frame: &str) -> Option<&str> {
        self.frames().into_iter().find(|info| info.id == frame).map(|info| info.loader_id.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::FrameTree;

    #[test]
    fn frames_come_in_order_outer_ones_first() {
        let json = r#"{"frameTree":{"frame":{"id":"1","loaderId":"a","url":"u"},"childFrames":[
            {"frame":{"id":"2","parentId":"1","loaderId":"b","new":1},"childFrames":[{"frame":{"id":"3","loaderId":"c"}}]},
            {"frame":{"id":"4","loaderId":"d"}}]}}"#;
        let tree: FrameTree = serde_json::from_str(json).expect("a frame tree");
        let ids: Vec<&str> = tree.frames().iter().map(|frame| frame.id.as_str()).collect();
        assert_eq!(ids, ["1", "2", "3", "4"]);
        assert_eq!((tree.loader("3"), tree.loader("9")), (Some("c"), None));
    }
}
