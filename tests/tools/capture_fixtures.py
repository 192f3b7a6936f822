"""Captures the fixtures: folders of ../fixtures with a `page.html`.

A fixture's `case.toml` says what it shows (`shows`) and may list `steps` to be done after the page has loaded (see
`capture_page.do_step`). Written are `ax.json`, for each frame `frame-<n>.ax.json`, and `frames.json`, the table of the
frames (see `capture.frames_table`). With `after`, steps that are done next in the same page, there is `after.ax.json`
too, the page's own payload as it is then: what lasted has kept its ids.
Pages live at http://fixtures.test/NAME/page.html and, for frames of another site, at http://elsewhere.test/NAME/…; both
are this machine, whatever port is free, so that addresses in payloads do not depend on it.
Each fixture has a browser of its own: what is captured depends on no other fixture.
A capture that differs from the stored one in ids alone is not written.
"""
import json
import pathlib
import tomllib

from capture import frames_table, write_frames_table
from capture_chrome import Chrome
from capture_page import READY, do_step, open_page, read_page

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures"
SHOWN_DIFFERENCES = 8


def capture_fixtures(names, write, serve):
    """Captures all fixtures or the named ones. Gives 1 where a check found another tree, else 0."""
    port = serve(FIXTURES)
    folders = [FIXTURES / name for name in names] or sorted(page.parent for page in FIXTURES.glob("*/page.html"))
    changed = 0
    for folder in folders:
        case = tomllib.loads((folder / "case.toml").read_text("utf-8"))
        files = capture_fixture(folder, case, port)
        notes = compare(folder, files)
        changed += bool(notes)
        print(f"{folder.name}: {'as stored' if not notes else 'changed'}")
        for note in notes:
            print(f"  {note}")
        if write and notes:
            store(folder, files)
    print(f"{len(folders)} fixtures, {changed} changed" + ("" if write or not changed else " (nothing written)"))
    return 1 if changed and not write else 0


def capture_fixture(folder, case, port):
    """file name -> its bytes (payloads) or entries (frames.json)."""
    rules = ", ".join(f"MAP {host}:80 127.0.0.1:{port}" for host in ("fixtures.test", "elsewhere.test"))
    flags = (f"--host-resolver-rules={rules}", "--disable-features=HttpsUpgrades")
    with Chrome(flags) as chrome:
        session = open_page(chrome, f"http://fixtures.test/{folder.name}/page.html", case.get("steps", []))
        payloads = read_page(session)
        after = read_after(session, case.get("after"))

    def name_of(place):
        return "ax.json" if place == 0 else f"frame-{place}.ax.json"

    files = {name_of(place): payload.raw for place, payload in enumerate(payloads)}
    if after is not None:
        files["after.ax.json"] = after
    if len(payloads) > 1:
        files["frames.json"] = frames_table(payloads, name_of)
    return files


def read_after(session, steps):
    if steps is None:
        return None
    for step in steps:
        do_step(session, step)
        session.evaluate(READY)
    return read_page(session)[0].raw


def stored_files(folder):
    """The names of what a capture wrote before."""
    return {path.name for path in [*folder.glob("*ax.json"), *folder.glob("frames.json")]}


def store(folder, files):
    for name in stored_files(folder) - set(files):
        (folder / name).unlink()
    for name, content in files.items():
        if name == "frames.json":
            write_frames_table(folder / name, content)
        else:
            (folder / name).write_bytes(content)


def compare(folder, files):
    """What differs from the stored capture, ids aside, as lines."""
    notes = []
    stored = stored_files(folder)
    notes += [f"{name}: no longer captured" for name in sorted(stored - set(files))]
    for name, content in files.items():
        if name not in stored:
            notes.append(f"{name}: new")
        elif name == "frames.json":
            old = json.loads((folder / name).read_text())
            if [{**entry, "owner": 0} for entry in old] != [{**entry, "owner": 0} for entry in content]:
                notes.append(f"{name}: the frames are others")
        else:
            notes += [f"{name}: {note}" for note in
                      differences(numbered((folder / name).read_bytes()), numbered(content))]
    return notes


def numbered(raw):
    """A payload's nodes with every id replaced by the order of its first appearance: node ids and backend ids, frame
    ids, and the ids inside properties and related nodes."""
    orders = {}

    def order(kind, value):
        return orders.setdefault((kind, value), len(orders))

    def visit(value):
        # Not deeper than an AXValue is: a payload nests by ids.
        if isinstance(value, list):
            return [visit(item) for item in value]
        if not isinstance(value, dict):
            return value
        result = {}
        for key, item in value.items():
            if key in ("nodeId", "parentId"):
                result[key] = order("node", item)
            elif key == "childIds":
                result[key] = [order("node", child) for child in item]
            elif key == "backendDOMNodeId":
                result[key] = order("backend", item)
            elif key == "frameId":
                result[key] = order("frame", item)
            else:
                result[key] = visit(item)
        return result

    return [visit(node) for node in json.loads(raw)["nodes"]]


def differences(before, after):
    """Lines that say how two numbered payloads differ; none where they are equal."""
    notes = []
    if len(before) != len(after):
        notes.append(f"{len(before)} nodes before, {len(after)} now")
    for place, (old, new) in enumerate(zip(before, after)):
        if old == new and list(old) == list(new):
            continue
        keys = [key for key in {**old, **new} if old.get(key) != new.get(key)] or ["order of keys"]
        notes.append(f"node {place}, {title(old)} -> {title(new)}: {', '.join(keys)}")
        for key in keys[:2]:
            notes.append(f"    {key}: {short(old.get(key))} -> {short(new.get(key))}")
    if len(notes) > SHOWN_DIFFERENCES:
        notes[SHOWN_DIFFERENCES:] = [f"and {len(notes) - SHOWN_DIFFERENCES} lines more"]
    return notes


def title(node):
    return f"{node.get('role', {}).get('value')} {node.get('name', {}).get('value', '')!r}"


def short(value):
    text = json.dumps(value)
    return text if len(text) <= 160 else text[:157] + "..."
