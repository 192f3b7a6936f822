"""Tests of the package as it is installed: python -m unittest discover -s tests

AXPRESS_MEMORY_CALLS is how many calls the test makes that memory stays flat.
"""

from __future__ import annotations

import doctest
import gc
import os
import pickle
import random
import sys
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import axpress
from axpress import AxpressError, ClosedError, Compressor, Frame, Uid, ax_outline, handle_of, parse_handle

FIXTURES = Path(__file__).resolve().parents[3] / "tests" / "fixtures"
BUTTON = '[{"nodeId":"1","role":{"value":"button"},"name":{"value":"Moor"},"backendDOMNodeId":7}]'


def payload(fixture: str) -> bytes:
    return (FIXTURES / fixture / "ax.json").read_bytes()


class Axpress(unittest.TestCase):
    def fails(self, code: str, offset: int, call: object, *arguments: object, **options: object) -> None:
        assert callable(call)
        with self.assertRaises(AxpressError) as caught:
            call(*arguments, **options)
        error = caught.exception
        self.assertEqual((error.code, error.offset), (code, offset))
        self.assertIn(f"{code} at byte {offset}: {error.message}. Next: {error.next_step}.", str(error))

    def test_bytes_text_and_buffers_give_the_same(self) -> None:
        expected = 'button "Moor"  #ref=7'
        data = BUTTON.encode()
        for given in (BUTTON, data, bytearray(data), memoryview(data), memoryview(b"x" + data + b"x")[1:-1]):
            self.assertEqual(ax_outline(given), expected)
        with self.assertRaises(TypeError):
            ax_outline([])  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            ax_outline(None)  # type: ignore[arg-type]

    def test_ax_outline_takes_what_the_pipeline_took(self) -> None:
        for fixture in ("login", "form", "values"):
            folder = FIXTURES / fixture
            text = (folder / "outline.txt").read_text(encoding="utf-8")
            self.assertEqual(ax_outline(payload(fixture)), text)
            dedup = (folder / "outline.dedup.txt").read_text(encoding="utf-8")
            self.assertEqual(ax_outline(payload(fixture), 0, True), dedup)
            self.assertEqual(ax_outline(payload(fixture), max_chars=9), text[:9] + "\n…[outline truncado]")

    def test_results_are_values_that_later_calls_leave_alone(self) -> None:
        with Compressor(idle=1) as compressor:
            first = compressor.compress(payload("login"))
            text, uids, blob = str(first.view.text), list(first.view.uids), bytes(first.blob)
            for fixture in ("table", "checkout", "empty"):
                compressor.compress(payload(fixture))
            self.assertEqual((first.view.text, list(first.view.uids), first.blob), (text, uids, blob))
            self.assertEqual(compressor.unpack(first.blob), payload("login"))
            self.assertEqual(handle_of(payload("login")), first.handle)
        self.assertIn("@3", first.view.text)
        self.assertEqual(str(Uid(2, 10)), "2.10")

    def test_uids_are_a_sequence(self) -> None:
        with Compressor() as compressor:
            uids = compressor.view(payload("checkout")).uids
        expected = (Uid(0, 13), Uid(0, 14), Uid(0, 38))
        self.assertEqual(tuple(uids), expected)
        self.assertEqual(uids, expected)
        self.assertEqual(uids, list(expected))
        self.assertEqual((uids[0], uids[-1], uids[1:], len(uids)), (expected[0], expected[2], expected[1:], 3))
        self.assertIn(Uid(0, 14), uids)
        self.assertNotEqual(uids, expected[:2])
        self.assertEqual((hash(uids), repr(uids)), (hash(expected), repr(expected)))
        self.assertEqual(pickle.loads(pickle.dumps(uids)), uids)
        for position in (3, -4):
            with self.assertRaises(IndexError):
                uids[position]

    def test_wrong_input_is_a_typed_error_with_its_offset(self) -> None:
        with Compressor(input_bytes=100000) as compressor:
            self.fails("invalid-json", 0, compressor.view, b"")
            self.fails("invalid-json", 0, compressor.view, "")
            self.fails("invalid-json", 12, compressor.outline, b'{"nodes":[]}\0')
            self.fails("invalid-json", 2, compressor.scan, b'["\xff"]')
            # The bytes of half a pair: the second of them can't stand there in UTF-8.
            self.fails("invalid-json", 3, compressor.scan, '["\ud83d"]')
            self.fails("invalid-node-id", 1, compressor.view, "[{}]")
            self.fails("not-ax-payload", 0, compressor.compress, "{}")
            self.fails("payload-too-large", 100000, compressor.view, payload("table"))
            self.fails("invalid-utf8", 1, compressor.view, BUTTON, query="a\ud800")
            self.fails("invalid-utf8", 0, compressor.nodes, BUTTON, "\udfff")
            self.fails("unknown-root", 0, compressor.view, BUTTON, root=99)
            self.fails("budget-too-small", 0, compressor.view, BUTTON, max_bytes=199)
            self.fails("corrupt-blob", 0, compressor.unpack, b"no blob")
            self.assertEqual(compressor.view(BUTTON).text, "button Moor @7")
            with self.assertRaises(OverflowError):
                compressor.outline(BUTTON, max_chars=-1)
            self.assertEqual(compressor.view(BUTTON).text, "button Moor @7")
        with Compressor(nodes=1, output_bytes=5) as compressor:
            self.fails("too-many-nodes", 0, lambda: self.at_zero(compressor.view, payload("login")))
            self.fails("output-too-large", 0, lambda: self.at_zero(compressor.outline, BUTTON))

    @staticmethod
    def at_zero(call: object, *arguments: object) -> None:
        """Where the offset is the core's business."""
        assert callable(call)
        try:
            call(*arguments)
        except AxpressError as error:
            raise AxpressError(error.status, error.code, 0, error.message, error.next_step) from error

    def test_errors_can_be_pickled(self) -> None:
        with self.assertRaises(AxpressError) as caught:
            ax_outline("[")
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((again.code, again.offset, str(again)), ("invalid-json", 1, str(caught.exception)))
        self.assertEqual(str(pickle.loads(pickle.dumps(ClosedError()))), str(ClosedError()))

    def test_options_are_heeded_and_forgotten_by_the_next_call(self) -> None:
        with Compressor(idle=1) as compressor:
            whole = compressor.view(payload("login"))
            part = compressor.view(payload("login"), root=Uid(0, 24))
            self.assertEqual(part.text, "button Sign in @24")
            secret = compressor.view(payload("secret"), secrets=[2])
            self.assertNotEqual(secret.text, compressor.view(payload("secret")).text)
            found = compressor.view(payload("table"), query="Brass sextant", max_bytes=400)
            self.assertLessEqual(len(found.text.encode()), 400)
            self.assertGreater(found.left_out.lines, 0)
            (best, *_) = compressor.nodes(payload("table"), "Brass sextant")
            self.assertIn(b"Brass sextant", payload("table")[best.start : best.end])
            self.assertEqual(compressor.view(payload("login")), whole)

    def test_frames_stand_under_their_elements(self) -> None:
        with Compressor() as compressor:
            page = payload("same-ids-in-frames")
            frames = [Frame(node, BUTTON, number) for node, number in ((2, 1), (3, 2))]
            view = compressor.view(page, frames=frames)
            self.assertEqual(view.frames_left_out + len([uid for uid in view.uids if uid.frame]), 2)
            delta = compressor.delta(page, page, frames_before=frames, frames_after=frames)
            self.assertEqual((delta.text, delta.kind.name), ("no change", "UNCHANGED"))

    def test_a_delta_names_what_changed(self) -> None:
        after = (FIXTURES / "delta-list" / "after.ax.json").read_bytes()
        with Compressor() as compressor:
            delta = compressor.delta(payload("delta-list"), after)
            self.assertEqual(delta.kind.name, "CHANGED")
            lines = compressor.view(after).text.split("\n")
            for change in delta.changes:
                if change.after is not None:
                    self.assertEqual(lines[change.after], change.line)

    def test_handles_are_read_in_whole_and_in_part(self) -> None:
        handle = handle_of(b"hello\n")
        self.assertEqual(handle, "ccr_5891b5b522d5df086d0ff0b110fbd9d2")
        self.assertEqual(parse_handle(handle), (handle, handle))
        first, last = parse_handle("5891B5B5")
        self.assertTrue(first < handle < last)
        self.fails("invalid-handle", 11, parse_handle, "ccr_5891b5b")
        self.fails("invalid-handle", 0, parse_handle, "\ud800")

    def test_a_closed_compressor_says_so(self) -> None:
        with Compressor() as compressor:
            compressor.view(BUTTON)
        compressor.close()
        with self.assertRaises(ClosedError):
            compressor.view(BUTTON)
        self.fails("closed", 0, compressor.pack, b"")

    def test_eight_threads_share_a_compressor(self) -> None:
        names = ["login", "table", "checkout", "forged", "cards", "tree"]
        with Compressor(idle=3) as compressor:
            inputs = {name: payload(name) for name in names}
            expected = {name: compressor.compress(inputs[name]) for name in names}

            def work(seed: int) -> int:
                chance = random.Random(seed)
                for _ in range(200):
                    name = chance.choice(names)
                    assert compressor.compress(inputs[name]) == expected[name], name
                    cut = chance.randrange(len(inputs[name]))
                    try:
                        compressor.view(memoryview(inputs[name])[:cut])
                    except AxpressError as error:
                        assert error.offset == cut, (name, cut, error)
                    else:
                        raise AssertionError(f"{name} cut at {cut} gave a view")
                return seed

            with ThreadPoolExecutor(8) as pool:
                self.assertEqual(list(pool.map(work, range(8))), list(range(8)))

    def test_other_threads_run_while_a_call_works(self) -> None:
        """A call of a second or so, and what this thread does meanwhile: nothing, if the call held the GIL."""
        large = b"[" + b",".join([payload("table").split(b'{"nodes":[', 1)[1].rstrip()[:-2]] * 150) + b"]"
        with Compressor() as compressor:
            compressor.scan(large)
            started, ended = threading.Event(), threading.Event()

            def work() -> None:
                started.set()
                for _ in range(5):
                    compressor.scan(large)
                ended.set()

            longest, steps = 0.0, 0
            thread = threading.Thread(target=work)
            thread.start()
            started.wait()
            begun = last = time.perf_counter()
            while not ended.is_set():
                time.sleep(0)
                now = time.perf_counter()
                longest, last, steps = max(longest, now - last), now, steps + 1
            thread.join()
            spent = last - begun
            print(f"\nPython: {spent * 1000:.0f} ms of calls in one thread, {steps} steps in another meanwhile")
            # A call that held it would let the other thread step between calls alone: five times.
            self.assertGreater(steps, 20)

    @unittest.skipIf((os.cpu_count() or 1) < 2, "one processor can't do two things at once")
    def test_threads_run_in_parallel(self) -> None:
        """Time on processors over time that went by: more than 1 can't be had by taking turns. The best of some rounds,
        since the machine has other things to do."""
        given = b"[" + b",".join([payload("table").split(b'{"nodes":[', 1)[1].rstrip()[:-2]] * 10) + b"]"
        with Compressor(idle=8) as compressor, ThreadPoolExecutor(8) as pool:

            def work(_: int) -> None:
                for _ in range(10):
                    compressor.scan(given)

            list(pool.map(work, range(8)))
            best = 0.0
            for _ in range(200):
                begun, used = time.perf_counter(), time.process_time()
                list(pool.map(work, range(8)))
                best = max(best, (time.process_time() - used) / (time.perf_counter() - begun))
                if best > 1.9:
                    break
            print(f"\nPython: 8 threads keep {best:.2f} of {os.cpu_count()} processors at work")
            self.assertGreater(best, 1.1)

    def test_memory_stays_flat(self) -> None:
        calls = int(os.environ.get("AXPRESS_MEMORY_CALLS", "2000")) // 2
        whole, large = payload("checkout"), payload("table")
        compressor = Compressor(idle=2)

        def call(number: int) -> None:
            # Payloads grow and shrink, most are cut and so fail, one in a hundred is large.
            cut = number * 97 % (len(whole) + 1)
            try:
                compressor.compress(memoryview(whole)[:cut], query="ticket", secrets=[13])
                assert cut == len(whole)
            except AxpressError:
                pass
            compressor.compress(whole)
            if number % 100 == 0:
                compressor.compress(large, frames=[Frame(3, whole)])
            if number % 1000 == 0:
                # Some compressors are closed, some are left to the collector.
                other = Compressor()
                other.view(large, query="x")
                if number % 2000 == 0:
                    other.close()

        for number in range(calls // 10):
            call(number)
        before = resident_bytes()
        for number in range(calls):
            call(number)
        after = resident_bytes()
        print(f"\nPython: {2 * calls} calls: {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB after")
        self.assertLess(after - before, 8 << 20)

    def test_the_examples_in_the_documentation_are_right(self) -> None:
        for module in (axpress, sys.modules["axpress._compressor"]):
            self.assertEqual(doctest.testmod(module, verbose=False).failed, 0)


def resident_bytes() -> int:
    gc.collect()
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise unittest.SkipTest("this system does not say how much memory a process has")


if __name__ == "__main__":
    unittest.main()
