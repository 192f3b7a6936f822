"""What the processes of a tool take, Chrome's apart.

A tool is started with a mark in its environment, which all that it starts inherits: so a daemon that left its parent is
found as well. Chrome's processes, and all that they started, do not count.
"""
import contextlib
import os
import pathlib
import re
import signal
import time

MARK = "AXPRESS_MEASURED"
# How Chrome is started, by whom ever: with a debugger's port or pipe; its own children have a type.
CHROME = re.compile(rb"\0--(remote-debugging-|type=)|crashpad")


def parents():
    """All processes that run, with those that started them."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
            if state != "Z":
                found[int(folder.name)] = int(parent)
    return found


def marked(mark):
    """The processes that have this mark and run."""
    found = set()
    for process in parents():
        with contextlib.suppress(OSError):
            if f"{MARK}={mark}".encode() in pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0"):
                found.add(process)
    return found


def divided(mark):
    """The processes with this mark that are the tool's own, and those that are Chrome's."""
    all_marked, chrome = marked(mark), set()
    for process in all_marked:
        with contextlib.suppress(OSError):
            if CHROME.search(pathlib.Path(f"/proc/{process}/cmdline").read_bytes()):
                chrome.add(process)
    # Chrome's own children have written over the mark.
    started_by, found = parents(), -1
    while found != len(chrome):
        found = len(chrome)
        chrome |= {process for process, parent in started_by.items() if parent in chrome}
    return all_marked - chrome, chrome


def memory(mark):
    """Resident memory of the own processes, in MB of 10^6 bytes; none where no process runs."""
    kilobytes = []
    for process in divided(mark)[0]:
        with contextlib.suppress(OSError):
            status = pathlib.Path(f"/proc/{process}/status").read_text()
            kilobytes += [int(found) for found in re.findall(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)]
    return sum(kilobytes) * 1024 / 1e6 if kilobytes else None


def processor_time(mark):
    """What the own processes, and those of Chrome, have used of the processors so far, in ms."""
    own, chrome = (sum(map(used, processes)) for processes in divided(mark))
    return own, chrome


def used(process):
    """What a process has used of the processors, threads that have ended included, in ms."""
    try:
        # Its clock, as clock_getcpuclockid gives it: in ns, where /proc counts in ticks of 10 ms.
        return time.clock_gettime_ns(~process << 3 | 2) / 1e6
    except OSError:
        return 0.0


def end(mark):
    """Ends what is left of a tool, Chrome included."""
    for each in (signal.SIGTERM, signal.SIGKILL):
        deadline = time.monotonic() + 3
        while processes := marked(mark):
            for process in processes:
                with contextlib.suppress(OSError):
                    os.kill(process, each)
            time.sleep(0.1)
            if time.monotonic() > deadline:
                break
