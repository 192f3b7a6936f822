//! What is done with the pointer: click, double click, hover, drag.
//!
//! Frames of other processes are drawn by themselves, and Chrome sends input where they were drawn last: after a scroll, for
//! a moment, into frames that are no longer there. So where a page has such frames, the pointer is brought to the node first,
//! and is seen to be there, before it presses.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::Done;
use super::halt::{Halt, impossible};
use super::node::Node;
use super::point::Point;
use super::script;
use super::witness::Witness;
use crate::browser::page::Page;

const CLICK_EVENTS: &[&str] = &["pointerdown", "mousedown", "mouseup", "click"];
const MOVE_EVENTS: &[&str] = &["pointermove", "mousemove", "mouseover"];
/// Steps of a drag.
const STEPS: u32 = 8;
/// How long a frame has to be drawn where it is; how often that is looked at before its place is, and how often that.
const DRAWN: Duration = Duration::from_secs(3);
const LOOKS: u32 = 5;
const LOOK: Duration = Duration::from_millis(30);

/// Clicks so many times in a row.
pub(super) async fn click(node: &Node<'_>, times: u32) -> Result<Done, Halt> {
    if node.facts.in_menu {
        return Err(impossible(format!("{} is an option of a closed list: use select", node.label())));
    }
    let pointer = Pointer { node };
    let (point, witness) = pointer.aim(CLICK_EVENTS).await?;
    for count in 1..=times {
        pointer.press(point, count).await?;
    }
    Ok(Done { witness: Some(witness), ..Done::default() })
}

/// Moves the pointer onto the node.
pub(super) async fn hover(node: &Node<'_>) -> Result<Done, Halt> {
    let pointer = Pointer { node };
    let (point, witness) = pointer.aim(MOVE_EVENTS).await?;
    // A pointer that is there already would not move.
    pointer.moved(Point { x: point.x, y: point.y + 0.5 }, 0).await?;
    pointer.moved(point, 0).await?;
    let there: bool = node.input(script::HOVERED, json!([])).await?;
    Ok(Done { witness: Some(witness), reached: there, ..Done::default() })
}

/// Drags the node onto another.
pub(super) async fn drag(node: &Node<'_>, onto: &Node<'_>) -> Result<Done, Halt> {
    // Both must be on the screen at once: the second one's place counts, and the first is looked at again.
    onto.point().await?;
    let from = node.point().await?;
    let to = onto.point().await?;
    let from = if node.point().await? == from { from } else { return Err(too_far(node, onto)) };
    let witness = Witness::of(node, &["pointerdown", "mousedown", "dragstart"]).await?;
    let dropped = Witness::of(onto, &["pointerup", "mouseup", "drop", "dragover"]).await?;
    let page = node.page;
    page.tabs.with(page.tab, |tab| tab.dragged = None);
    page.session.post("Input.setInterceptDrags", json!({"enabled": true}));
    let pointer = Pointer { node };
    let done = async {
        pointer.moved(from, 0).await?;
        pointer.mouse("mousePressed", from, 1, 1).await?;
        for step in 1..=STEPS {
            let part = f64::from(step) / f64::from(STEPS);
            let at = Point { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
            pointer.moved(at, 1).await?;
        }
        let dragged = page.tabs.with(page.tab, |tab| tab.dragged.take()).flatten();
        if let Some(data) = dragged {
            let data: Value =
                serde_json::from_str(&data).map_err(|_| impossible("what is dragged was not understood"))?;
            for kind in ["dragEnter", "dragOver", "drop"] {
                let event = json!({"type": kind, "x": to.x, "y": to.y, "data": data});
                pointer.input("Input.dispatchDragEvent", event).await?;
            }
            pointer.mouse("mouseReleased", to, 1, 0).await?;
            return Ok(true);
        }
        pointer.mouse("mouseReleased", to, 1, 0).await.map(|()| false)
    };
    let done = done.await;
    page.session.post("Input.setInterceptDrags", json!({"enabled": false}));
    // A page that takes the pointer for itself may do with it what it wants: what Chrome drags, the target must see.
    let is_dropped: bool = done?;
    let end = dropped.see(onto).await.map_err(Halt::of_input)?;
    let missed = (!end.reached && !end.gone).then(|| end.elsewhere.unwrap_or_default());
    let read_back = missed.is_some().then(|| "the other node saw nothing of it".to_owned());
    Ok(Done { witness: Some(witness), read_back, missed, surely: is_dropped, ..Done::default() })
}

fn too_far(node: &Node<'_>, onto: &Node<'_>) -> Halt {
    impossible(format!("{} and {} are never on the screen together", node.label(), onto.label()))
}

/// The pointer of the page.
struct Pointer<'a> {
    node: &'a Node<'a>,
}

impl Pointer<'_> {
    /// Brings the pointer onto the node, where a press reaches it; the witness listens since before that.
    async fn aim(&self, kinds: &[&str]) -> Result<(Point, Witness), Halt> {
        let node = self.node;
        let mut point = node.point().await?;
        let witness = Witness::of(node, kinds).await?;
        let has_frames = node.page.tabs.with(node.page.tab, |tab| !tab.children.is_empty()).unwrap_or(false);
        if !has_frames {
            self.moved(point, 0).await?;
            return Ok((point, witness));
        }
        let patience = node.deadline.min(Instant::now() + DRAWN);
        let arrival = Witness::of(node, MOVE_EVENTS).await?;
        loop {
            for _ in 0..LOOKS {
                self.moved(point, 0).await?;
                if arrival.is_reached(node).await? {
                    arrival.end(node).await;
                    return Ok((point, witness));
                }
                node.page.pause(LOOK).await.map_err(Halt::of_input)?;
            }
            if Instant::now() >= patience {
                arrival.end(node).await;
                witness.end(node).await;
                return Err(impossible(format!("the pointer does not reach {}", node.label())));
            }
            point = node.point().await?;
        }
    }

    async fn moved(&self, point: Point, buttons: u32) -> Result<(), Halt> {
        self.mouse("mouseMoved", point, 0, buttons).await
    }

    /// Presses and lets go.
    async fn press(&self, point: Point, count: u32) -> Result<(), Halt> {
        let pressed = self.mouse("mousePressed", point, count, 1).await;
        if pressed.is_err() {
            // Whatever holds the page, the button does not stay down.
            let page = self.node.page;
            page.session.post("Input.dispatchMouseEvent", Self::event("mouseReleased", point, count, 0));
            return pressed;
        }
        self.mouse("mouseReleased", point, count, 0).await
    }

    async fn mouse(&self, kind: &str, point: Point, count: u32, buttons: u32) -> Result<(), Halt> {
        self.input("Input.dispatchMouseEvent", Self::event(kind, point, count, buttons)).await
    }

    fn event(kind: &str, point: Point, count: u32, buttons: u32) -> Value {
        let button = if kind == "mouseMoved" && buttons == 0 { "none" } else { "left" };
        json!({
            "type": kind, "x": point.x, "y": point.y, "button": button, "buttons": buttons, "clickCount": count,
            "pointerType": "mouse",
        })
    }

    async fn input(&self, method: &'static str, params: Value) -> Result<(), Halt> {
        input(self.node.page, method, params, self.node.deadline).await
    }
}

/// Puts something in through the page's own session.
pub(super) async fn input(page: &Page<'_>, method: &'static str, params: Value, deadline: Instant) -> Result<(), Halt> {
    page.ask::<Value>(method, params, deadline).await.map(drop).map_err(Halt::of_input)
}
