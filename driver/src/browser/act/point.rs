//! Where on the screen a node is, and whether a press there is one on it.
//!
//! Input goes through the page's own session, since a frame's session presses through whatever covers the frame. So a
//! point in a frame of another process is mapped out of it, frame by frame, by the box of the element that holds it; and at
//! each level what is hit must be that element, at the last one the node.

use std::time::Duration;

use axpress_core::Uid;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::halt::{Halt, impossible};
use super::node::Node;
use super::picture::Clip;
use super::script;
use crate::browser::cdp::{CallFailure, Session};
use crate::browser::page::Trouble;
use crate::browser::page::world::{self, Returned};

/// What covers a node is let go of as soon as it is named.
const COVER: &str = "axpress-cover";
/// How long a cover, a movement or a disabled state is given to go away.
const PATIENCE: Duration = Duration::from_millis(700);
const PAUSE: Duration = Duration::from_millis(50);
/// Where else the node is brought to, when it is covered where it is.
const PLACES: &[&str] = &["center", "end", "start"];
/// Parts of the box that are tried, the middle first.
const SPOTS: &[(f64, f64)] = &[(0.5, 0.5), (0.25, 0.5), (0.75, 0.5), (0.5, 0.25), (0.5, 0.75)];

/// A point in the page's own viewport, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Viewport {
    width: f64,
    height: f64,
    x: f64,
    y: f64,
}

/// Four corners, clockwise from the top left.
type Quad = [f64; 8];

/// A document whose viewport coordinates are in, and what holds it.
struct Level {
    session: Session,
    viewport: Viewport,
    /// The element that holds it, and the box of its content, in the coordinates of the next level.
    holder: Option<(u64, Quad)>,
}

#[derive(Deserialize)]
struct Quads {
    quads: Vec<Quad>,
}

#[derive(Deserialize)]
struct BoxModel {
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    content: Quad,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BackendNode {
    backend_node_id: u64,
}

#[derive(Deserialize)]
struct Readiness {
    still: bool,
    connected: bool,
    disabled: bool,
}

#[derive(Deserialize)]
struct Hit {
    reaches: bool,
    named: String,
}

/// Why a point is none to press.
enum Miss {
    Covered { by: String, uid: Option<Uid> },
    Outside,
    Halt(Halt),
}

impl<T: Into<Halt>> From<T> for Miss {
    fn from(halt: T) -> Self {
        Self::Halt(halt.into())
    }
}

impl Node<'_> {
    /// A point at which a press reaches the node, after bringing it into view and waiting until it is still and enabled.
    ///
    /// Impossible is said soon; covered names the cover.
    pub(super) async fn point(&self) -> Result<Point, Halt> {
        let patience = self.deadline.min(Instant::now() + PATIENCE);
        let mut places = PLACES.iter();
        loop {
            let late = Instant::now() >= patience;
            match self.try_point().await {
                Ok(point) => return Ok(point),
                Err(Miss::Halt(halt)) => return Err(halt),
                // Somewhere else on the screen it may be free: below a bar that stays, say.
                Err(miss) => match (places.next(), miss) {
                    (Some(place), _) => self.ask::<Value>(script::BRING, json!([place])).await.map(drop)?,
                    (None, Miss::Covered { by, uid }) if late => return Err(Halt::Blocked { by, uid }),
                    (None, _) if late => {
                        return Err(impossible(format!("{} can't be brought into view", self.label())));
                    }
                    (None, _) => {}
                },
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn try_point(&self) -> Result<Point, Miss> {
        self.bring_into_view().await?;
        self.until_ready().await?;
        let levels = self.levels().await?;
        let quads = self.quads(&self.object).await?;
        // A control that is not drawn is pressed by its label.
        let label = if quads.is_empty() { self.object(script::LABEL, json!([])).await? } else { None };
        let quads = match &label {
            Some(label) => self.quads(label).await?,
            None => quads,
        };
        if quads.is_empty() && label.is_none() {
            return Err(impossible(format!("{} is not visible: it has no box", self.label())).into());
        }
        let mut miss = Miss::Outside;
        for quad in &quads {
            for &(along, down) in SPOTS {
                let point = within(quad, along, down);
                match self.press_reaches(&levels, point).await {
                    Ok(point) => return Ok(point),
                    // The middle's cover is the one to name.
                    Err(covered @ Miss::Covered { .. }) if matches!(miss, Miss::Outside) => miss = covered,
                    Err(Miss::Halt(halt)) => return Err(Miss::Halt(halt)),
                    Err(_) => {}
                }
            }
        }
        Err(miss)
    }

    /// The box of all of it on the page's document; none where it has none.
    pub(super) async fn on_page(&self) -> Result<Option<Clip>, Halt> {
        let levels = self.levels().await?;
        let mut corners = Vec::new();
        for quad in self.quads(&self.object).await? {
            for (along, down) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
                let mut point = within(&quad, along, down);
                for level in &levels {
                    point = match &level.holder {
                        Some((_, holder)) => {
                            within(holder, point.x / level.viewport.width, point.y / level.viewport.height)
                        }
                        None => Point { x: point.x + level.viewport.x, y: point.y + level.viewport.y },
                    };
                }
                corners.push(point);
            }
        }
        let least = |of: fn(&Point) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = |of: fn(&Point) -> f64| corners.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let (x, y) = (least(|point| point.x), least(|point| point.y));
        let clip = Clip { x, y, width: most(|point| point.x) - x, height: most(|point| point.y) - y };
        Ok((!corners.is_empty()).then_some(clip))
    }

    pub(super) async fn bring_into_view(&self) -> Result<(), Halt> {
        let params = json!({"objectId": self.object});
        let scrolled = self.session.ask::<Value>("DOM.scrollIntoViewIfNeeded", params, self.deadline);
        match self.page.watch(self.deadline, scrolled).await {
            // What has no box may have a label that has one.
            Err(Trouble::Call(failure)) if failure.says("layout object") => Ok(()),
            scrolled => Ok(scrolled.map(drop)?),
        }
    }

    /// Waits until the node is still and enabled.
    async fn until_ready(&self) -> Result<(), Halt> {
        let patience = self.deadline.min(Instant::now() + PATIENCE);
        loop {
            let now: Readiness = self.ask(script::STILL, json!([])).await?;
            if !now.connected {
                return Err(impossible(format!("{} went away while it was waited for", self.label())));
            }
            if now.still && !now.disabled {
                return Ok(());
            }
            if Instant::now() >= patience {
                // What moves for ever can still be pressed where it is hit.
                return if now.disabled { Err(impossible(format!("{} is disabled", self.label()))) } else { Ok(()) };
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Its boxes that have an area.
    async fn quads(&self, object: &str) -> Result<Vec<Quad>, Halt> {
        let asked = self.session.ask("DOM.getContentQuads", json!({"objectId": object}), self.deadline);
        match self.page.watch(self.deadline, asked).await {
            Ok(Quads { quads }) => Ok(quads.into_iter().filter(|quad| area(quad) >= 1.0).collect()),
            Err(Trouble::Call(CallFailure::Refused { .. })) => Ok(Vec::new()),
            Err(trouble) => Err(trouble.into()),
        }
    }

    /// The documents from the node's out to the page's, one a process.
    async fn levels(&self) -> Result<Vec<Level>, Halt> {
        let children = self.page.tabs.with(self.page.tab, |tab| tab.children.clone()).unwrap_or_default();
        let mut levels = Vec::new();
        let mut session = self.session.clone();
        loop {
            let child = children.iter().find(|child| Some(child.session.as_str()) == session.id());
            let frame = child.map_or(&self.page.frame, |child| &child.frame);
            let viewport = self.viewport(&session, frame).await?;
            let Some(child) = child else {
                levels.push(Level { session, viewport, holder: None });
                return Ok(levels);
            };
            let outer = self.page.client.session(&child.parent);
            let owner = outer.ask("DOM.getFrameOwner", json!({"frameId": child.frame}), self.deadline);
            let BackendNode { backend_node_id: owner } = self.page.watch(self.deadline, owner).await?;
            let model = outer.ask("DOM.getBoxModel", json!({"backendNodeId": owner}), self.deadline);
            let BoxModel { model } = self.page.watch(self.deadline, model).await?;
            levels.push(Level { session, viewport, holder: Some((owner, model.content)) });
            session = outer;
        }
    }

    async fn viewport(&self, session: &Session, frame: &str) -> Result<Viewport, Halt> {
        let asked = async {
            let context = world::enter(session, frame, self.deadline).await?;
            let params = json!({
                "functionDeclaration": script::VIEWPORT, "executionContextId": context, "returnByValue": true,
            });
            session.ask::<Returned<Viewport>>("Runtime.callFunctionOn", params, self.deadline).await
        };
        Ok(self.page.watch(self.deadline, asked).await?.result.value)
    }

    /// The point in the page's viewport, where a press there reaches the node.
    async fn press_reaches(&self, levels: &[Level], mut point: Point) -> Result<Point, Miss> {
        let mut points = Vec::with_capacity(levels.len());
        for level in levels {
            let Viewport { width, height, .. } = level.viewport;
            if !(0.0..width).contains(&point.x) || !(0.0..height).contains(&point.y) {
                return Err(Miss::Outside);
            }
            points.push(point);
            if let Some((_, holder)) = &level.holder {
                point = within(holder, point.x / width, point.y / height);
            }
        }
        // From the outside in, as a press goes.
        for (position, (level, at)) in levels.iter().zip(&points).enumerate().rev() {
            let hit = self.hit(level, *at).await?;
            let expected = position.checked_sub(1).and_then(|inner| levels[inner].holder);
            match (expected, hit) {
                (_, None) => return Err(Miss::Outside),
                (Some((holder, _)), Some(hit)) if hit == holder => {}
                (Some(_), Some(hit)) => return Err(self.cover(&level.session, hit).await),
                (None, Some(hit)) => self.is_hit(hit).await?,
            }
        }
        Ok(point)
    }

    /// The node that a press at a point of this level's viewport hits.
    async fn hit(&self, level: &Level, at: Point) -> Result<Option<u64>, Halt> {
        // Chrome wants a point of the document here, in whole pixels.
        let whole = |at: f64, scrolled: f64| (at + scrolled).floor() as i64;
        let params = json!({"x": whole(at.x, level.viewport.x), "y": whole(at.y, level.viewport.y)});
        let asked = level.session.ask("DOM.getNodeForLocation", params, self.deadline);
        match self.page.watch(self.deadline, asked).await {
            Ok(BackendNode { backend_node_id }) => Ok(Some(backend_node_id)),
            Err(Trouble::Call(failure)) if failure.says("No node found") => Ok(None),
            Err(trouble) => Err(trouble.into()),
        }
    }

    /// Fails where a press on what was hit is none on the node.
    async fn is_hit(&self, hit: u64) -> Result<(), Miss> {
        if hit == self.uid.node {
            return Ok(());
        }
        let Some(object) = self.in_world(hit).await? else {
            return Err(self.cover(&self.session, hit).await);
        };
        let hit_node: Hit = self.ask(script::REACHES, json!([{"objectId": object}])).await?;
        if hit_node.reaches { Ok(()) } else { Err(self.covered(hit_node.named, hit)) }
    }

    /// A node as an object of this node's world; none where it is of another document.
    pub(super) async fn in_world(&self, node: u64) -> Result<Option<String>, Halt> {
        let params = json!({"backendNodeId": node, "executionContextId": self.context, "objectGroup": self.group});
        let resolved = self.session.ask::<Value>("DOM.resolveNode", params, self.deadline);
        match self.page.watch(self.deadline, resolved).await {
            Ok(resolved) => Ok(resolved["object"]["objectId"].as_str().map(str::to_owned)),
            Err(Trouble::Call(CallFailure::Refused { .. })) => Ok(None),
            Err(trouble) => Err(trouble.into()),
        }
    }

    /// What covers the node, in another document than its own.
    async fn cover(&self, session: &Session, hit: u64) -> Miss {
        let named = async {
            let resolve = json!({"backendNodeId": hit, "objectGroup": COVER});
            let resolved: Value = session.ask("DOM.resolveNode", resolve, self.deadline).await?;
            let params = json!({
                "functionDeclaration": script::NAMED, "objectId": resolved["object"]["objectId"], "returnByValue": true,
            });
            session.ask::<Value>("Runtime.callFunctionOn", params, self.deadline).await
        };
        let named = named.await.ok().and_then(|named| named["result"]["value"].as_str().map(str::to_owned));
        session.post("Runtime.releaseObjectGroup", json!({"objectGroup": COVER}));
        Miss::Covered { by: named.unwrap_or_else(|| "another element".to_owned()), uid: None }
    }

    /// What covers the node, in its own document.
    fn covered(&self, by: String, hit: u64) -> Miss {
        let uid = Uid { frame: self.uid.frame, node: hit };
        let is_shown = self.page.tabs.with(self.page.tab, |tab| tab.shown.contains_key(&uid)).unwrap_or(false);
        Miss::Covered { by, uid: is_shown.then_some(uid) }
    }
}

/// The point of a quad that is so far along and down.
fn within(quad: &Quad, along: f64, down: f64) -> Point {
    let [x0, y0, x1, y1, _, _, x3, y3] = *quad;
    Point { x: x0 + (x1 - x0) * along + (x3 - x0) * down, y: y0 + (y1 - y0) * along + (y3 - y0) * down }
}

fn area(quad: &Quad) -> f64 {
    let corner = |at: usize| (quad[2 * at % 8], quad[(2 * at + 1) % 8]);
    let cross = |at: usize| {
        let ((x, y), (next_x, next_y)) = (corner(at), corner(at + 1));
        x * next_y - next_x * y
    };
    (0..4).map(cross).sum::<f64>().abs() / 2.0
}

#[cfg(test)]
mod tests {
    use super::{Point, area, within};

    #[test]
    fn a_point_of_a_frame_is_mapped_through_the_box_that_holds_it() {
        // Turned by a quarter: what is right in the frame is down on the screen.
        let quad = [100.0, 0.0, 100.0, 80.0, 60.0, 80.0, 60.0, 0.0];
        assert_eq!(within(&quad, 0.5, 0.25), Point { x: 90.0, y: 40.0 });
    }

    #[test]
    fn areas_are_those_of_the_corners() {
        assert!((area(&[0.0, 0.0, 4.0, 0.0, 4.0, 3.0, 0.0, 3.0]) - 12.0).abs() < 1e-9);
        assert!(area(&[5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0]).abs() < 1e-9);
    }
}
