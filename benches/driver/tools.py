"""axpress and its peers, each as what an agent does with it: starts it, reads its catalog, opens a page, takes a
snapshot, clicks a button of a row. What a call gives is the text that a model would read.
"""
import contextlib
import json
import os
import pathlib
import platform
import re
import resource
import shutil
import subprocess
import tempfile
import time

import processes
from protocol import PATIENCE, Client, Failed


def after(text, row, pattern):
    """What a pattern finds first after the name of a row."""
    found = re.compile(pattern).search(text, max(text.find(row), 0))
    if found is None:
        raise Failed(f"the snapshot has no button of {row}")
    return found[1]


class Tool:
    """A tool with a home of its own, that is gone with all its processes when it is closed."""

    def __init__(self, chrome, flags):
        self.chrome, self.flags = chrome, flags
        self.home = tempfile.mkdtemp(prefix="measured-")
        self.mark = f"{self.name}-{os.getpid()}-{time.monotonic_ns()}"
        kept = ("PATH", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "DISPLAY")
        self.environment = {name: os.environ[name] for name in kept if name in os.environ}
        self.environment |= {"HOME": self.home, "XDG_RUNTIME_DIR": self.home, processes.MARK: self.mark}
        self.initialized_in = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Failed, OSError, subprocess.TimeoutExpired):
            self.stop()
        processes.end(self.mark)
        shutil.rmtree(self.home, ignore_errors=True)

    def memory(self):
        """Resident memory of its own processes, in MB."""
        return processes.memory(self.mark)

    def processor_time(self):
        """What it and its Chrome have used of the processors so far, in ms."""
        return processes.processor_time(self.mark)

    def whole(self):
        """A snapshot that nothing bounds."""
        return self.snapshot()


class Server(Tool):
    """A server of the Model Context Protocol."""

    def start(self):
        self.client = Client(self.command(), self.environment, f"{self.home}/stderr")
        self.initialized_in = self.client.initialized_in

    def stop(self):
        if hasattr(self, "client"):
            self.client.close()

    def catalog(self):
        """What an agent reads of the tools, and how many there are."""
        tools, text = self.client.catalog()
        return text, len(tools)


class Axpress(Server):
    """axpress."""

    name = "axpress"
    program = ""

    def command(self):
        self.environment |= {"AXPRESS_HOME": self.home, "AXPRESS_CHROME": self.chrome}
        self.environment["AXPRESS_CHROME_ARGS"] = " ".join(self.flags)
        return [self.program, "mcp"]

    def open(self, url):
        self.client.call("browser_snapshot", url=url)

    def snapshot(self):
        return self.client.call("browser_snapshot")

    def whole(self):
        return self.client.call("browser_snapshot", max_tokens=10_000_000)

    def click(self, view, row):
        return self.client.call("browser_act", action="click", uid=after(view, row, r"@([\d.]+)"))


class Peer:
    """What is common to the peers: where they are installed, and their version."""

    modules = pathlib.Path()

    @classmethod
    def version(cls):
        """The version that is installed."""
        return json.loads((cls.modules / cls.package / "package.json").read_text())["version"]

    def installed(self, file):
        """A file of the package."""
        path = self.modules / self.package / file
        if not path.exists():
            raise Failed(f"{self.package} is not installed")
        return str(path)


class Playwright(Peer, Server):
    """Playwright's server. Its answer to a navigation only names a file, so the page is read by a call of its own."""

    name = package = "@playwright/mcp"

    def command(self):
        sandbox = ["--no-sandbox"] if "--no-sandbox" in self.flags else []
        program = self.installed("cli.js")
        return ["node", program, "--headless", "--isolated", "--executable-path", self.chrome, *sandbox]

    def open(self, url):
        self.client.call("browser_navigate", url=url)

    def snapshot(self):
        return self.client.call("browser_snapshot")

    def click(self, view, row):
        return self.client.call("browser_click", target=after(view, row, r'button "Open" \[ref=(\w+)'))


class DevTools(Peer, Server):
    """Chrome DevTools' server. A page has a number, which each call names. Its reports to its maker are off."""

    name = package = "chrome-devtools-mcp"

    def command(self):
        self.environment["CI"] = "true"
        flags = [f"--chromeArg={flag}" for flag in self.flags]
        program = self.installed("build/src/bin/chrome-devtools-mcp.js")
        return ["node", program, "--headless", "--isolated", "--executablePath", self.chrome, *flags]

    def open(self, url):
        if not hasattr(self, "page"):
            self.page = int(after(self.client.call("list_pages"), "", r"(?m)^(\d+):"))
        self.client.call("navigate_page", pageId=self.page, url=url)

    def snapshot(self):
        return self.client.call("take_snapshot", pageId=self.page)

    def click(self, view, row):
        uid = after(view, row, r'uid=(\w+) button "Open"')
        return self.client.call("click", pageId=self.page, uid=uid)


class AgentBrowser(Peer, Tool):
    """A command for agents that have a shell, and the daemon that it starts: its native program, without the launcher
    in Node. What an agent reads of it is its guide."""

    name = package = "agent-browser"

    def start(self):
        kind = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
        self.program = self.installed(f"bin/agent-browser-linux-{kind}")
        os.chmod(self.program, 0o755)
        self.environment |= {"AGENT_BROWSER_EXECUTABLE_PATH": self.chrome, "AGENT_BROWSER_NO_VERSION_CHECK": "1"}
        if self.flags:
            self.environment["AGENT_BROWSER_ARGS"] = ",".join(self.flags)
        self.commands = 0.0

    def stop(self):
        if hasattr(self, "program"):
            self.run("close")

    def run(self, *arguments):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        # Its output goes to a file: the daemon would hold a pipe open.
        with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
            command = [self.program, *arguments]
            done = subprocess.run(command, env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL, stdout=output,
                                  stderr=subprocess.STDOUT, timeout=PATIENCE, check=False)
            output.seek(0)
            text = output.read()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.commands += (used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime) * 1000
        if done.returncode != 0:
            raise Failed(f"{arguments[0]}: {text[:300]}")
        return text

    def processor_time(self):
        own, chrome = super().processor_time()
        return own + self.commands, chrome

    def catalog(self):
        return self.run("skills", "get", "core"), None

    def open(self, url):
        self.run("open", url)

    def snapshot(self):
        return self.run("snapshot")

    def click(self, view, row):
        return self.run("click", "@" + after(view, row, r'button "Open" \[[^\]]*ref=(\w+)'))


PEERS = (Playwright, DevTools, AgentBrowser)
