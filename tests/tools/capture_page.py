"""Loads a page in Chromium and reads the accessibility payload of it and of each of its frames, byte for byte.

Takes a browser (`capture_chrome.Chrome`), an address and steps; gives a list of `FramePayload`, the page's own first,
then the frames in reading order, each parent before its children.
Keeps true: `raw` holds the bytes of `result` as Chrome sent them, and reading twice in a row gave the same bytes.
"""
import json
import time

READY = """new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))"""
READS = 12


class FramePayload:
    """One document's payload. `owner` is the backend node id of its Iframe node in the payload of `parent`; `number` is
    set for a frame of another process, whose ids may collide with those of its parent."""

    def __init__(self, raw, nodes, parent=None, owner=None, number=None):
        self.raw, self.nodes = raw, nodes
        self.parent, self.owner, self.number = parent, owner, number


class Session:
    """A target of the browser: a tab, or a frame that has a process of its own."""

    def __init__(self, chrome, session_id):
        self.chrome, self.id = chrome, session_id

    def call(self, method, **parameters):
        return self.chrome.call(method, parameters, self.id)[1]

    def evaluate(self, expression):
        reply = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True,
                          userGesture=True)
        if "exceptionDetails" in reply:
            details = reply["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details.get("text"))
        return reply["result"].get("value")

    def tree(self, frame_id):
        """The payload of one frame, read until two readings agree: (raw, nodes)."""
        before = None
        for _ in range(READS):
            raw, parsed = self.chrome.call("Accessibility.getFullAXTree", {"frameId": frame_id}, self.id)
            if raw == before:
                return raw, parsed["nodes"]
            before = raw
            time.sleep(0.1)
        raise RuntimeError("the page does not come to rest: its tree was another one at each reading")


def open_page(chrome, address, steps=()):
    """A new tab with the page loaded and its steps done: its session."""
    target = chrome.call("Target.createTarget", {"url": "about:blank"})[1]["targetId"]
    attached = chrome.call("Target.attachToTarget", {"targetId": target, "flatten": True})[1]["sessionId"]
    session = Session(chrome, attached)
    session.target = target
    for domain in ("Page", "DOM", "Accessibility"):
        session.call(f"{domain}.enable")
    session.call("Page.setLifecycleEventsEnabled", enabled=True)
    reply = session.call("Page.navigate", url=address)
    if "errorText" in reply:
        raise RuntimeError(f"{address}: {reply['errorText']}")
    # The empty tab's own load event may still be on its way: the loader tells them apart.
    chrome.wait_event("Page.lifecycleEvent", session.id, name="load", loaderId=reply["loaderId"])
    session.evaluate(READY)
    for step in steps:
        do_step(session, step)
        session.evaluate(READY)
    return session


def do_step(session, step):
    """`evaluate`: a script; `focus`: a selector; `press`: a key; `type`: text for what has the focus."""
    for verb, what in step.items():
        if verb == "evaluate":
            session.evaluate(what)
        elif verb == "focus":
            session.evaluate(f"document.querySelector({json.dumps(what)}).focus()")
        elif verb == "type":
            session.call("Input.insertText", text=what)
        elif verb == "press":
            for kind in ("rawKeyDown", "keyUp"):
                session.call("Input.dispatchKeyEvent", type=kind, key=what, code=what,
                             windowsVirtualKeyCode={"ArrowDown": 40, "Enter": 13, "Tab": 9}.get(what, 0))
        elif verb == "click":
            x, y = session.evaluate(
                f"(box => [box.x + box.width / 2, box.y + box.height / 2])"
                f"(document.querySelector({json.dumps(what)}).getBoundingClientRect())")
            for kind in ("mousePressed", "mouseReleased"):
                session.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        else:
            raise ValueError(f"unknown step {verb!r}")


def read_page(session):
    """All payloads of the tab."""
    documents = documents_of(session)
    payloads, numbers = [], iter(range(1, 1 << 20))
    main = session.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
    stack = [(main, None, None)]
    while stack:
        frame_id, parent, owner = stack.pop()
        holder, children = documents[frame_id]
        raw, nodes = holder.tree(frame_id)
        payload = FramePayload(raw, nodes, parent, owner, None if holder is session else next(numbers))
        payloads.append(payload)
        owners = {}
        for child in children:
            owners[holder.call("DOM.getFrameOwner", frameId=child)["backendNodeId"]] = child
        reading_order = [number for number in walk(nodes) if number in owners]
        # A frame that is not displayed has no node in the tree, and so no place in the page.
        stack.extend((owners[number], len(payloads) - 1, number) for number in reversed(reading_order))
    return payloads


def documents_of(session):
    """frame id -> (the session that reads it, the ids of its child frames)."""
    documents = {}
    waiting = [session]
    while waiting:
        holder = waiting.pop()
        for domain in ("Page", "DOM", "Accessibility"):
            holder.call(f"{domain}.enable")
        holder.call("DOM.getDocument", depth=0)
        holder.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        stack = [holder.call("Page.getFrameTree")["frameTree"]]
        while stack:
            tree = stack.pop()
            children = tree.get("childFrames", [])
            documents[tree["frame"]["id"]] = (holder, [child["frame"]["id"] for child in children])
            stack.extend(children)
        # Frames of other processes: they are not in their parent's frame tree, but attach with their parent's id.
        for event_session, method, parameters in holder.chrome.events:
            target = parameters.get("targetInfo", {})
            if event_session == holder.id and method == "Target.attachedToTarget" and target.get("type") == "iframe":
                parent = target.get("parentFrameId")
                documents[parent][1].append(target["targetId"])
                waiting.append(Session(holder.chrome, parameters["sessionId"]))
    return documents


def walk(nodes):
    """The backend node ids of a payload, in reading order."""
    by_id = {}
    for node in nodes:
        by_id.setdefault(node["nodeId"], node)
    stack, seen = [nodes[0]["nodeId"]] if nodes else [], set()
    while stack:
        node = by_id.get(stack.pop())
        if node is None or node["nodeId"] in seen:
            continue
        seen.add(node["nodeId"])
        if "backendDOMNodeId" in node:
            yield node["backendDOMNodeId"]
        stack.extend(reversed(node.get("childIds", [])))
