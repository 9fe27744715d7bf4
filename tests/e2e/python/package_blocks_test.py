"""Blocks and what they say, against the listener of fake_listener.cc."""

import threading
import unittest

import fake
import xfercheck


class Blocks(unittest.TestCase):
    def setUp(self):
        fake.count(True)
        fake.answer(0, "")
        fake.do(h2d=1, h2d_bytes=1000, host_waits=5)  # before a block: not its own
        fake.told()

    def failure(self, block, function, *arguments):
        with self.assertRaises(xfercheck.TransferError) as caught, block:
            function(*arguments)
        return str(caught.exception)

    def test_hold_for_what_the_block_did(self):
        with xfercheck.expect(h2d=1, bytes="<= 4 KiB", d2h=0):
            fake.upload(4096)
        with xfercheck.expect(d2h=2, d2h_bytes="< 100", transfers="!=0", bytes=8, h2d="== 0"):
            fake.download(4)
            fake.download(4)
        with xfercheck.expect(launches=1, syncs=">=1", allocations="> 0", p2p=0, d2d="<2"):
            fake.do(launches=1, syncs=2, allocations=3, d2d=1)
        with xfercheck.no_transfers():
            fake.do(d2d=1)
        self.assertEqual([], fake.told(), "a trace is read only when something is wrong")

    def test_failure_says_what_was_counted_and_where(self):
        fake.answer(2, "  host to device: 2 x, 8 KiB, train.py:28 in step\n")
        text = self.failure(xfercheck.expect(h2d=1, bytes="<=4096"),
                            lambda: (fake.upload(4096), fake.upload(4096)))
        self.assertEqual("Expected of this block: h2d == 1, bytes <= 4096\n"
                         "h2d is 2, not == 1\n"
                         "bytes is 8192, not <= 4096\n"
                         "Its copies:\n"
                         "  host to device: 2 x, 8 KiB, train.py:28 in step", text)
        self.assertEqual(["examine transfers since 77"], fake.told())

    def test_failure_of_waits_lists_the_calls_that_wait(self):
        fake.answer(1, "  sync: 1 x, train.py:7 in step\n")
        text = self.failure(xfercheck.expect(syncs=0), lambda: fake.do(syncs=1))
        self.assertEqual("Expected of this block: syncs == 0\nsyncs is 1, not == 0\n"
                         "Its calls that wait:\n  sync: 1 x, train.py:7 in step", text)
        self.assertEqual(["examine host_waits since 77"], fake.told())

    def test_no_transfers(self):
        self.assertEqual("Expected of this block: no transfers\ntransfers is 1, not == 0",
                         self.failure(xfercheck.no_transfers(), fake.upload, 1))

    def test_an_exception_of_the_block_wins(self):
        with self.assertRaises(KeyError), xfercheck.expect(h2d=0):
            fake.upload(1)
            raise KeyError

    def test_decorate_each_call(self):
        @xfercheck.expect(h2d="<=2")
        def upload(depth):
            """Its words."""
            fake.upload(1)
            return upload(depth - 1) if depth else "done"

        self.assertEqual("done", upload(1))
        self.assertEqual("done", upload(1))
        self.assertEqual("Its words.", upload.__doc__)
        with self.assertRaises(xfercheck.TransferError):
            upload(2)

    def test_decorate_nothing_that_runs_later(self):
        async def later():
            pass

        def several():
            yield

        for function, kind in ((later, "coroutine"), (several, "generator")):
            for block in (xfercheck.expect(h2d=1), xfercheck.scope("step"), xfercheck.no_sync(),
                          xfercheck.allow_sync("why")):
                with self.assertRaisesRegex(TypeError, f"is a {kind} function"):
                    block(function)

    def test_one_object_is_one_block_at_a_time(self):
        block = xfercheck.expect(h2d=0)
        with block:
            with self.assertRaisesRegex(RuntimeError, "open already"):
                block.__enter__()
        with block:
            pass

    def test_other_threads_are_not_seen(self):
        with xfercheck.no_transfers():
            other = threading.Thread(target=fake.upload, args=(1,))
            other.start()
            other.join()

    def test_a_block_that_ends_on_another_thread_is_not_judged(self):
        block = xfercheck.expect(h2d=0)
        block.__enter__()
        caught = []

        def leave():
            with self.assertWarnsRegex(xfercheck.NotTraced, "began on another thread"):
                block.__exit__(None, None, None)
            caught.append(True)

        other = threading.Thread(target=leave)
        other.start()
        other.join()
        self.assertEqual([True], caught)

    def test_no_findings(self):
        with xfercheck.no_findings():
            pass
        self.assertEqual(["examine warning since 77"], fake.told())
        fake.answer(1, "train.py:3: warning: again\n")
        self.assertEqual("Expected no findings of this block (round-trip)\n"
                         "train.py:3: warning: again",
                         self.failure(xfercheck.no_findings("round-trip"), fake.do))
        fake.answer(-1, "no trace")
        self.assertEqual("This block could not be checked for findings: no trace",
                         self.failure(xfercheck.no_findings(), fake.do))
        with self.assertRaisesRegex(TypeError, "expected rules and severities"):
            xfercheck.no_findings(" ")


class Conditions(unittest.TestCase):
    """A wrong counter or comparison is an error where the block is made."""

    def test_are_read(self):
        for text, counted in (("4096", 4096), (" <= 4_096 ", 4096), ("<= 4 KiB", 4096),
                              (">=1kB", 1000), ("== 2MiB", 2 << 20), ("<3 GB", 1)):
            with self.subTest(text), xfercheck.expect(bytes=text):
                fake.upload(counted)

    def test_faults(self):
        for counters, error, text in (
                ({}, TypeError, r"which counters\? e.g. h2d=1"),
                ({"h2h": 1}, TypeError, "no counter 'h2h'; did you mean 'h2d'.*host_waits"),
                ({"h2d": True}, TypeError, "h2d: expected a number or a comparison.*got True"),
                ({"h2d": 1.5}, TypeError, "got 1.5"),
                ({"h2d": None}, TypeError, "got None"),
                ({"h2d": -1}, ValueError, "a counter is never -1"),
                ({"h2d": "=<1"}, ValueError, "h2d: expected == != < <= > or >= and a number, got"),
                ({"h2d": "<=1 KiB"}, ValueError, "and a number, got '<=1 KiB'"),
                ({"bytes": "<=1 QB"}, ValueError, "with B, kB, MB, GB, KiB, MiB or GiB, got"),
                ({"bytes": "<=-1"}, ValueError, "got '<=-1'")):
            with self.subTest(counters), self.assertRaisesRegex(error, text):
                xfercheck.expect(**counters)


class Sync(unittest.TestCase):
    def setUp(self):
        fake.do(host_waits=5)
        fake.answer(0, "")
        fake.told()

    def test_exemptions(self):
        with xfercheck.no_sync():
            with xfercheck.allow_sync("outer"):
                fake.do(host_waits=1)
                with xfercheck.allow_sync("inner"):
                    fake.do(host_waits=1)
                fake.do(host_waits=1)

    def test_failure(self):
        fake.answer(1, "  sync: 1 x, step.py:7 in step\n")
        with self.assertRaises(xfercheck.TransferError) as caught, xfercheck.no_sync():
            fake.do(host_waits=1)
            with xfercheck.allow_sync("one"):
                fake.do(host_waits=1)
        self.assertEqual("Expected of this block: no call that makes the host wait\n"
                         "There are 1, and 1 under allow_sync\n"
                         "All of them:\n"
                         "  sync: 1 x, step.py:7 in step", str(caught.exception))
        self.assertEqual(["examine host_waits since 77"], fake.told())

    def test_exemptions_in_each_other_count_once(self):
        with self.assertRaisesRegex(xfercheck.TransferError, "There are 1, and 3 under"):
            with xfercheck.no_sync():
                with xfercheck.allow_sync("outer"):
                    fake.do(host_waits=1)
                    with xfercheck.allow_sync("inner"):
                        fake.do(host_waits=2)
                fake.do(host_waits=1)

    def test_one_object_for_several_blocks(self):
        block = xfercheck.no_sync()
        with block, xfercheck.allow_sync("why"):
            fake.do(host_waits=1)
        with self.assertRaisesRegex(xfercheck.TransferError, "There are 1, and 1 under"), block:
            fake.do(host_waits=1)
            with xfercheck.allow_sync("why"):
                fake.do(host_waits=1)
        with self.assertRaisesRegex(xfercheck.TransferError, "There are 1, and 0 under"), block:
            fake.do(host_waits=1)

    def test_an_exemption_is_for_the_blocks_around_it(self):
        with xfercheck.no_sync():
            with xfercheck.allow_sync("the inner block is stricter"):
                with self.assertRaises(xfercheck.TransferError), xfercheck.no_sync():
                    fake.do(host_waits=1)
        with self.assertRaises(xfercheck.TransferError), xfercheck.no_sync():
            fake.do(host_waits=1)

    def test_an_exemption_ends_with_an_exception(self):
        with self.assertRaises(xfercheck.TransferError), xfercheck.no_sync():
            with self.assertRaises(KeyError), xfercheck.allow_sync("why"):
                fake.do(host_waits=1)
                raise KeyError
            fake.do(host_waits=1)

    def test_an_exemption_of_a_function(self):
        @xfercheck.allow_sync("it prints")
        def show():
            fake.do(host_waits=1)

        with xfercheck.no_sync():
            show()
            show()

    def test_an_exemption_has_a_reason(self):
        with self.assertRaisesRegex(TypeError, "say why"):
            xfercheck.allow_sync("")


if __name__ == "__main__":
    unittest.main()
