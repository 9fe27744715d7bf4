"""Scopes, names, counters, PyTorch's ranges, and what happens where nothing counts."""

import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import textwrap
import threading
import unittest

import fake
import xfercheck

ROOT = pathlib.Path(__file__).resolve().parents[3]


def python(code, *, preloaded=True, **variables):
    """The finished process: `code` in an interpreter of its own."""
    environment = {**os.environ, **variables}
    if not preloaded:
        del environment["LD_PRELOAD"]
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], env=environment,
                          capture_output=True, text=True, check=False)


class Scopes(unittest.TestCase):
    def setUp(self):
        fake.told()

    def test_nest_and_end_with_exceptions(self):
        with self.assertRaises(KeyError), xfercheck.scope("outer"):
            with xfercheck.scope("inn\0er é"):
                pass
            raise KeyError
        self.assertEqual(["begin outer", "begin inn?er é", "end", "end"], fake.told())

    def test_decorate_each_call(self):
        @xfercheck.scope("step")
        def step(depth):
            return depth and step(depth - 1)

        self.assertEqual(0, step(1))
        self.assertEqual(["begin step", "begin step", "end", "end"], fake.told())

    def test_one_that_ends_on_another_thread_ends_none_of_its(self):
        scope = xfercheck.scope("step").__enter__()
        other = threading.Thread(target=scope.__exit__, args=(None, None, None))
        other.start()
        other.join()
        self.assertEqual(["begin step"], fake.told())

    def test_a_name_is_a_string(self):
        with self.assertRaisesRegex(TypeError, "must be a string, not 7"):
            xfercheck.scope(7)


class Names(unittest.TestCase):
    def setUp(self):
        fake.told()

    def test_of_what_has_an_address(self):
        class Tensor:
            nbytes = 16

            def data_ptr(self):
                return 4096

        class Array:
            nbytes = 8
            __cuda_array_interface__ = {"data": (8192, False)}

        xfercheck.name(Tensor(), "weights")
        xfercheck.name(Array(), "bias")
        xfercheck.name(100, "block", bytes=7)
        self.assertEqual(["name 4096 16 weights", "name 8192 8 bias", "name 100 7 block"],
                         fake.told())

    def test_faults(self):
        for arguments, text in (((100, "block"), "needs its size"), (("x", "y"), "got str"),
                                ((100, 7), "must be a string")):
            with self.subTest(arguments), self.assertRaisesRegex(TypeError, text):
                xfercheck.name(*arguments)


class Counting(unittest.TestCase):
    def test_a_difference(self):
        before = xfercheck.counters()
        fake.upload(8)
        fake.download(2)
        fake.do(p2p=1, d2d=4)
        did = xfercheck.counters() - before
        self.assertEqual((1, 8, 1, 2, 4, 1), (did.h2d, did.h2d_bytes, did.d2h, did.d2h_bytes,
                                              did.d2d, did.p2p))
        self.assertEqual((3, 10, 1, 1), (did.transfers, did.bytes, did.syncs, did.host_waits))
        with self.assertRaises(dataclasses.FrozenInstanceError):
            did.h2d = 0

    def test_version_is_the_projects(self):
        project = (ROOT / "CMakeLists.txt").read_text()
        self.assertEqual(re.search(r"project\(xfercheck VERSION (\S+)", project)[1],
                         xfercheck.__version__)


class Untraced(unittest.TestCase):
    BLOCKS = """
        import xfercheck
        for _ in range(2):
            with xfercheck.expect(h2d=1), xfercheck.no_sync():
                pass
            with xfercheck.no_findings():
                with xfercheck.scope("step"), xfercheck.allow_sync("why"):
                    xfercheck.name(1, "x", bytes=2)
        print(xfercheck.is_tracing(), xfercheck.counters().h2d)
        """

    def test_blocks_run_and_one_warning_says_so(self):
        ran = python(self.BLOCKS, preloaded=False)
        self.assertEqual((0, "False 0\n"), (ran.returncode, ran.stdout), ran.stderr)
        warning = ("NotTraced: Transfers were not checked: nothing counts them. "
                   "Run it by `xfertrace python3")
        self.assertEqual(1, ran.stderr.count(warning), ran.stderr)

    def test_a_process_that_is_not_traced(self):
        ran = python(self.BLOCKS, FAKE_COUNTS_NOT="1")
        self.assertEqual(0, ran.returncode)
        self.assertIn("xfertrace does not trace this process", ran.stderr)

    def test_counting_can_be_required(self):
        for code in (self.BLOCKS, "import xfercheck; xfercheck.counters()"):
            ran = python(code, preloaded=False, XFERCHECK_REQUIRED="1")
            self.assertEqual(1, ran.returncode)
            self.assertIn("TransferError: Transfers were not", ran.stderr)
        self.assertEqual(0, python(self.BLOCKS, preloaded=False, XFERCHECK_REQUIRED="0").returncode)

    def test_an_older_library(self):
        ran = python("""
            import fake, xfercheck
            with xfercheck.scope("step"):
                pass
            with xfercheck.no_findings():
                pass
            """, FAKE_IS_OLD="1")
        self.assertEqual(1, ran.returncode)
        self.assertIn("could not be checked for findings: this xfertrace is too old for it",
                      ran.stderr)


class Torch(unittest.TestCase):
    """A PyTorch of the test's own, in sys.modules. The real one: torch_test.py."""

    TORCH = """
        import sys, types
        def load_torch():
            class record_function:
                def __init__(self, name):
                    self.name = name
                def __enter__(self):
                    return self
                def __exit__(self, *exception):
                    return self.name == "swallows"
            class set_multithreading_enabled:
                now = True
                def __init__(self, mode):
                    self.before, type(self).now = self.now, mode
                def __exit__(self, *exception):
                    type(self).now = self.before
            torch = types.ModuleType("torch")
            torch.autograd = types.ModuleType("torch.autograd")
            torch.autograd.profiler = types.ModuleType("torch.autograd.profiler")
            torch.autograd.profiler.record_function = record_function
            torch.autograd.set_multithreading_enabled = set_multithreading_enabled
            sys.modules.update({"torch": torch, "torch.autograd": torch.autograd,
                                "torch.autograd.profiler": torch.autograd.profiler})
            import colorsys  # as PyTorch goes on importing
            return torch
        """

    def run_with_torch(self, code, **options):
        ran = python(textwrap.dedent(self.TORCH) + textwrap.dedent(code), **options)
        self.assertEqual(0, ran.returncode, ran.stderr)
        return ran.stdout

    RANGES = """
        import fake
        ranges = torch.autograd.profiler.record_function
        with ranges("outer"), ranges("swallows"):
            raise KeyError
        again = ranges("again")
        with again, again:
            pass
        print("|".join(fake.told()), len(sys.meta_path))
        """
    TOLD = "begin outer|begin swallows|end|end|begin again|begin again|end|end"

    def test_ranges_are_scopes(self):
        before = self.run_with_torch("import sys; print(len(sys.meta_path))").strip()
        for order in ("import xfercheck\ntorch = load_torch()\n",
                      "torch = load_torch()\nimport xfercheck\n",
                      "import xfercheck\ntorch = load_torch()\nimport importlib\n"
                      "importlib.reload(xfercheck._torch_ranges).follow()\n"):
            with self.subTest(order):
                said = self.run_with_torch(order + textwrap.dedent(self.RANGES))
                self.assertEqual(f"{self.TOLD} {before}\n", said)

    def test_a_range_that_was_open_before(self):
        said = self.run_with_torch("""
            torch = load_torch()
            with torch.autograd.profiler.record_function("before"):
                import xfercheck, fake
            print(fake.told())
            """)
        self.assertEqual("[]\n", said)

    def test_a_range_that_ends_on_another_thread(self):
        said = self.run_with_torch("""
            torch = load_torch()
            import fake, threading, xfercheck
            ranges = torch.autograd.profiler.record_function("step")
            ranges.__enter__()
            other = threading.Thread(target=ranges.__exit__, args=(None, None, None))
            other.start()
            other.join()
            print(fake.told())
            """)
        self.assertEqual("['begin step']\n", said)

    def test_nothing_is_changed_where_nobody_listens(self):
        said = self.run_with_torch("""
            torch = load_torch()
            before = dict(vars(torch.autograd.profiler.record_function)), list(sys.meta_path)
            import xfercheck
            after = dict(vars(torch.autograd.profiler.record_function)), list(sys.meta_path)
            print(before == after)
            """, preloaded=False)
        self.assertEqual("True\n", said)

    def test_backward_is_on_the_blocks_thread(self):
        said = self.run_with_torch("""
            torch = load_torch()
            import fake, xfercheck
            state = torch.autograd.set_multithreading_enabled
            seen = []
            with xfercheck.expect(h2d=0):
                with xfercheck.no_sync():
                    seen.append(state.now)
                seen.append(state.now)
            seen.append(state.now)
            fake.count(False)
            with xfercheck.expect(h2d=0):
                seen.append(state.now)
            print(seen)
            """)
        self.assertEqual("[False, False, True, True]\n", said)


if __name__ == "__main__":
    unittest.main()
