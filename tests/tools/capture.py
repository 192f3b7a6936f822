#!/usr/bin/env python3
"""Captures accessibility payloads from Chromium, byte for byte.

    capture.py page FILE_OR_URL -o OUT.ax.json [--port N ...] [--evaluate SCRIPT]
        one page. A file is served from its folder over loopback (on these ports, or on a free one), so that its scripts
        and frames work as they do on the web. Frames go to OUT.frame-<n>.ax.json and OUT.frames.json.
    capture.py fixtures [NAME ...]
        captures the fixtures again, writes what changed, and says what it was (ids aside).
    capture.py check [NAME ...]
        the same, but writes nothing: it ends with 1 where this Chromium gives another tree.

The browser: AXPRESS_CHROME or PATH; its further flags: AXPRESS_CHROME_ARGS (root needs --no-sandbox there).
"""
import argparse
import functools
import http.server
import json
import os
import pathlib
import sys
import threading

from capture_chrome import Chrome, ChromeError
from capture_page import open_page, read_page


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, without a log line a request."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".html": "text/html; charset=utf-8"}

    def log_message(self, *_):
        pass

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()


def serve(folder, port=0):
    """Serves `folder` on 127.0.0.1 until the program ends: the port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Quiet, directory=str(folder)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def frames_table(payloads, name_of):
    """What a caller must know to graft the frames: of each its file, the file that its Iframe node is in, that node's
    backend id, and its number, null where it shares its ids with the page (one process)."""
    return [{"file": name_of(place), "parent": name_of(payload.parent), "owner": payload.owner, "number": payload.number}
            for place, payload in enumerate(payloads) if place > 0]


def write_frames_table(path, table):
    lines = ",\n".join("  " + json.dumps(entry) for entry in table)
    path.write_text("[\n" + lines + "\n]\n")


def capture_page(arguments):
    address = arguments.page
    if "://" not in address:
        file = pathlib.Path(address).resolve()
        if not file.is_file():
            sys.exit(f"no such file: {file}")
        ports = [serve(file.parent, port) for port in arguments.port or [0]]
        address = f"http://127.0.0.1:{ports[0]}/{file.name}"
    with Chrome() as chrome:
        payloads = read_page(open_page(chrome, address, [{"evaluate": script} for script in arguments.evaluate]))
    out = pathlib.Path(arguments.out)
    stem = out.name.removesuffix(".ax.json").removesuffix(".json")

    def name_of(place):
        return out.name if place == 0 else f"{stem}.frame-{place}.ax.json"

    for place, payload in enumerate(payloads):
        (out.parent / name_of(place)).write_bytes(payload.raw)
    if len(payloads) > 1:
        write_frames_table(out.parent / f"{stem}.frames.json", frames_table(payloads, name_of))
    print(f"{out}: {len(payloads[0].raw)} bytes, {len(payloads[0].nodes)} nodes, {len(payloads) - 1} frames")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    page = commands.add_parser("page")
    page.add_argument("page")
    page.add_argument("-o", "--out", required=True)
    page.add_argument("--port", type=int, action="append")
    page.add_argument("--evaluate", action="append", default=[])
    for name in ("fixtures", "check"):
        commands.add_parser(name).add_argument("names", nargs="*")
    arguments = parser.parse_args()
    try:
        if arguments.command == "page":
            return capture_page(arguments)
        from capture_fixtures import capture_fixtures
        return capture_fixtures(arguments.names, write=arguments.command == "fixtures", serve=serve)
    except (ChromeError, RuntimeError, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    sys.exit(main())
