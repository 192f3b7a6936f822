"""A client of the Model Context Protocol, on standard input and output, that knows nothing of its server."""
import json
import os
import queue
import subprocess
import threading
import time

PATIENCE = 120


class Failed(Exception):
    """The server did not answer, or answered with an error."""


class Client:
    """A server that was started and has answered `initialize`; `initialized_in` says in how many ms of its start."""

    def __init__(self, command, environment, log):
        self.log = log
        self.number = 0
        self.lines = queue.SimpleQueue()
        begin = time.monotonic()
        with open(log, "w", encoding="utf-8") as stderr:
            self.process = subprocess.Popen(
                command, env=environment, cwd=os.path.dirname(log), text=True, encoding="utf-8", bufsize=1,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr)
        threading.Thread(target=self._read, daemon=True).start()
        information = {"name": "bench", "version": "1"}
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=information)
        self.initialized_in = (time.monotonic() - begin) * 1000
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def _send(self, message):
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
        except OSError as error:
            raise Failed(f"it has ended: {self.last_words()}") from error

    def last_words(self):
        """What it said last on standard error."""
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return " ".join(log.read().split())[-300:]

    def ask(self, method, **parameters):
        """Asks, and gives the result."""
        self.number += 1
        self._send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters})
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise Failed(f"no answer to {method} in {PATIENCE} s") from None
            if line is None:
                raise Failed(f"it has ended: {self.last_words()}")
            message = json.loads(line)
            if message.get("id") != self.number or "method" in message:
                continue  # A notification, or a question of the server.
            if "error" in message:
                raise Failed(message["error"].get("message", str(message["error"])))
            return message["result"]

    def catalog(self):
        """What `tools/list` says, as compact JSON."""
        tools, cursor = [], {}
        while True:
            page = self.ask("tools/list", **cursor)
            tools += page["tools"]
            if not page.get("nextCursor"):
                return tools, json.dumps({"tools": tools}, ensure_ascii=False, separators=(",", ":"))
            cursor = {"cursor": page["nextCursor"]}

    def call(self, tool, **arguments):
        """Calls a tool, and gives the texts of its answer: what a model reads."""
        result = self.ask("tools/call", name=tool, arguments=arguments)
        text = "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
        if result.get("isError"):
            raise Failed(f"{tool}: {text[:300]}")
        return text

    def close(self):
        """Ends it as a client does: its input ends."""
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
