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


def marked(mark):
    """The ids of all processes that have this mark, with those of their parents."""
    parents = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                stat = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                if stat[0] != "Z":
                    parents[int(folder.name)] = int(stat[1])
    return parents


def own(mark):
    """The ids of the processes with this mark that are not Chrome's."""
    parents = marked(mark)
    chrome = set()
    for process in parents:
        with contextlib.suppress(OSError):
            if CHROME.search(pathlib.Path(f"/proc/{process}/cmdline").read_bytes()):
                chrome.add(process)
    found = len(chrome) - 1
    while found != len(chrome):
        found = len(chrome)
        chrome |= {process for process, parent in parents.items() if parent in chrome}
    return sorted(parents.keys() - chrome)


def memory(mark):
    """Resident memory of the own processes, in MB of 10^6 bytes; none where no process runs."""
    kilobytes = []
    for process in own(mark):
        with contextlib.suppress(OSError):
            status = pathlib.Path(f"/proc/{process}/status").read_text()
            kilobytes += [int(found) for found in re.findall(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)]
    return sum(kilobytes) * 1024 / 1e6 if kilobytes else None


def processor_time(mark):
    """What the own processes that run have used of the processors, in ms, threads that have ended included."""
    total = 0
    for process in own(mark):
        with contextlib.suppress(OSError):
            # The clock of a process, as clock_getcpuclockid gives it: in ns, where /proc counts in ticks of 10 ms.
            total += time.clock_gettime_ns(~process << 3 | 2)
    return total / 1e6


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
