"""A headless Chromium on a pipe: as much of the DevTools protocol as capturing accessibility trees needs.

Takes the browser from `AXPRESS_CHROME` (a path) or from PATH, and further flags from `AXPRESS_CHROME_ARGS` (split as a
shell would). Root needs `--no-sandbox` there: it is never added silently.
Gives sessions that send commands and keep the bytes of each reply, so that a payload can be stored as Chrome wrote it.
Keeps true: one browser, one temporary profile, both gone at the end, also after an exception.
"""
import fcntl
import json
import os
import select
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new", "--remote-debugging-pipe", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-quic", "--no-first-run", "--disable-default-apps", "--disable-extensions",
    "--site-per-process", "--window-size=1280,800", "--force-device-scale-factor=1", "--lang=en-US",
)
DEADLINE = 60.0


class ChromeError(Exception):
    """Chrome could not be started, ended early, or refused a command."""


def find_chrome():
    """The browser's path, or a ChromeError that lists what was tried."""
    given = os.environ.get("AXPRESS_CHROME")
    if given:
        found = shutil.which(given)
        if not found:
            raise ChromeError(f"AXPRESS_CHROME={given} is not an executable file")
        return found
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    raise ChromeError("no browser on PATH (tried " + ", ".join(NAMES) + "); set AXPRESS_CHROME to its path")


class Chrome:
    """The browser process and its pipe. Use it as a context manager."""

    def __init__(self, extra_flags=()):
        self.profile = tempfile.mkdtemp(prefix="axpress-capture-")
        self.log = tempfile.TemporaryFile()
        self.pending = b""
        self.messages = []              # whole messages that are not parsed yet
        self.events = []                # (session id, method, parameters) in order of arrival
        self.last_id = 0
        command_read, self.command_write = os.pipe()
        self.reply_read, reply_write = os.pipe()
        # Chrome reads commands from 3 and writes replies to 4. Parked high first, so that neither dup2 hits the other.
        high = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (command_read, reply_write)]
        os.close(command_read)
        os.close(reply_write)

        def place_pipe():
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        arguments = [find_chrome(), *FLAGS, f"--user-data-dir={self.profile}", *extra_flags,
                     *shlex.split(os.environ.get("AXPRESS_CHROME_ARGS", "")), "about:blank"]
        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                                        preexec_fn=place_pipe, pass_fds=(3, 4), start_new_session=True)
        for end in high:
            os.close(end)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.command_write)    # the end of its input is what tells Chrome to go
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.reply_read)
        self.log.close()
        for _ in range(20):             # its helpers may still write for a moment
            shutil.rmtree(self.profile, ignore_errors=True)
            if not os.path.exists(self.profile):
                break
            time.sleep(0.1)

    def ended(self):
        self.log.seek(0)
        tail = self.log.read().decode("utf-8", "replace").strip().splitlines()[-6:]
        hint = ""
        if any("--no-sandbox" in line for line in tail):
            hint = "\nRoot cannot use the sandbox: set AXPRESS_CHROME_ARGS=--no-sandbox if that is what you want."
        return ChromeError("Chrome ended:\n  " + "\n  ".join(tail) + hint)

    def send(self, method, parameters, session):
        self.last_id += 1
        command = {"id": self.last_id, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        data = json.dumps(command).encode() + b"\0"
        try:
            while data:
                data = data[os.write(self.command_write, data):]
        except BrokenPipeError:
            raise self.ended() from None
        return self.last_id

    def receive(self, deadline):
        """The bytes of the next message, or None when `deadline` has passed."""
        while not self.messages:
            if not select.select([self.reply_read], [], [], max(0.0, deadline - time.monotonic()))[0]:
                return None
            block = os.read(self.reply_read, 1 << 20)
            if not block:
                raise self.ended()
            *whole, last = block.split(b"\0")
            if whole:
                self.messages.append(self.pending + whole[0])
                self.messages.extend(whole[1:])
                self.pending = last
            else:
                self.pending += last
        return self.messages.pop(0)

    def pump(self, deadline):
        """Reads one message. Gives (its bytes, its parsed form) for a reply; None for an event or at the deadline."""
        data = self.receive(deadline)
        if data is None:
            return None
        message = json.loads(data)
        if "id" in message:
            return data, message
        self.events.append((message.get("sessionId"), message["method"], message.get("params", {})))
        return None

    def call(self, method, parameters=None, session=None):
        """The reply's `result`: (raw bytes, parsed)."""
        number = self.send(method, parameters or {}, session)
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            reply = self.pump(deadline)
            if reply is None or reply[1]["id"] != number:
                continue
            data, message = reply
            if "error" in message:
                raise ChromeError(f"{method}: {message['error'].get('message')}")
            return slice_result(data, message), message["result"]
        raise ChromeError(f"{method}: no answer within {DEADLINE:.0f} s")

    def wait_event(self, method, session, **wanted):
        """Waits until an event with these parameters is there, and takes it out."""
        deadline = time.monotonic() + DEADLINE
        while True:
            for place, event in enumerate(self.events):
                if event[:2] == (session, method) and wanted.items() <= event[2].items():
                    del self.events[place]
                    return event[2]
            if time.monotonic() >= deadline:
                raise ChromeError(f"{method} did not come within {DEADLINE:.0f} s")
            self.pump(deadline)


def slice_result(data, message):
    """The bytes of `result` in a reply, as Chrome wrote them: cut out, never written again."""
    start = data.index(b'"result":') + len(b'"result":')
    session = message.get("sessionId")
    tail = b'}' if session is None else b',"sessionId":' + json.dumps(session).encode() + b'}'
    if not data.endswith(tail):
        raise ChromeError("the reply does not end as expected: " + repr(data[-80:]))
    raw = data[start:len(data) - len(tail)]
    try:
        whole = raw[-1:] == b"}" and json.loads(raw) == message["result"]
    except ValueError:
        whole = False
    if not whole:
        raise ChromeError("the bytes cut out are not the reply's result")
    return raw
