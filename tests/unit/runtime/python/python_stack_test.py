"""PythonStacks beside what Python says of itself. Run by each interpreter that is there, as
   python3.X python_stack_test.py libpython_probe.so"""

import asyncio
import ctypes
import gc
import sys
import threading
import unittest

LIBRARY = sys.argv.pop(1)
NO_GIL = ctypes.CDLL(LIBRARY)     # a call lets go of Python's lock
WITH_GIL = ctypes.PyDLL(LIBRARY)  # a call keeps it
for library in (NO_GIL, WITH_GIL):
    library.probe.restype = ctypes.c_size_t
    library.probe.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t]
    library.probe_cost.restype = ctypes.c_double
QUALIFIED = sys.version_info >= (3, 11)


class Frame:
    def __init__(self, line):
        parts = line.split(b"\1")
        self.function, self.file = (part.decode("utf-8", "surrogateescape") for part in parts[:2])
        self.line, self.entered, self.careful, self.hash = map(int, parts[2:6])


def probe(library, frames=64):
    out = ctypes.create_string_buffer(1 << 16)
    size = library.probe(out, len(out), frames)
    return [Frame(line) for line in out.raw[:size].splitlines()]


def expected(frame):
    """What Python itself says, from this frame outwards."""
    result = []
    while frame is not None:
        code = frame.f_code
        result.append(
            (code.co_qualname if QUALIFIED else code.co_name, code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return result


class Base(unittest.TestCase):
    def check(self, library=NO_GIL):
        """The caller's stack, as seen from native code and by Python. Gives the frames seen."""
        seen = probe(library)[1:]  # without probe() itself
        wanted = expected(sys._getframe())
        self.assertEqual(len(seen), min(len(wanted), 63))
        # This function was at another line when it was looked at.
        for frame, (function, file, line) in list(zip(seen, wanted))[1:]:
            self.assertEqual((frame.function, frame.file), (function, file))
            if line is not None:
                self.assertEqual(frame.line, line, frame.function)
        return seen[1:]


class Stacks(Base):
    def test_version(self):
        out = ctypes.create_string_buffer(64)
        self.assertEqual(NO_GIL.probe_version(out, len(out)), 1)
        self.assertEqual(out.value.decode(), sys.version.split()[0])

    def test_functions(self):
        def inner():
            return self.check()

        for library in (NO_GIL, WITH_GIL):
            self.check(library)
        self.assertTrue(inner()[0].function.endswith("inner"))

    def test_calls_over_several_lines(self):
        def pair(first,
                 second):
            return first, second

        pair(
            1,
            self.check(),
        )
        pair(self.check(),
             [self.check()
              for _ in range(2)])

    def test_lambdas_comprehensions_and_classes(self):
        check = self.check
        (lambda: check())()
        {key: check() for key in "ab"}
        list(map(lambda _: check(), range(2)))

        class Body:
            seen = check()

            @property
            def value(self):
                return check()

        self.assertTrue(Body().value)

    def test_generators(self):
        def numbers():
            for number in range(3):
                self.check()
                yield number

        def outer():
            yield from numbers()

        for _ in outer():
            self.check()

    def test_coroutines(self):
        async def inner():
            self.check()
            await asyncio.sleep(0)
            self.check()

        async def outer():
            await asyncio.gather(inner(), inner())

        asyncio.run(outer())

    def test_exceptions_and_with(self):
        class Scope:
            def __enter__(scope):
                self.check()

            def __exit__(scope, *_):
                self.check()

        try:
            with Scope():
                raise ValueError
        except ValueError:
            self.check()
        finally:
            self.check()

    def test_hot_calls(self):
        """After some calls the interpreter specialises them, and then goes to __init__ by a frame
        that belongs to no function of the program."""
        class Made:
            def __init__(made, check):
                made.seen = check()

        def make():
            return Made(self.check)

        for _ in range(50):
            make()

    def test_deep(self):
        def down(depth):
            return down(depth - 1) if depth else self.check()

        self.assertGreater(len(down(40)), 40)
        self.assertEqual(len(down(100)), 62)
        self.assertEqual(len(probe(NO_GIL, 3)), 3)

    def test_made_code(self):
        """Far lines, lines that go back, long functions, names of all widths."""
        bodies = ["check()", "\n" * 300 + "check()", "\n" * 70000 + "check()",
                  "x = 1\n" * 2000 + "check()", "x = (1 +\n 2 +\n check_number())",
                  "for i in range(3):\n  if i == 1:\n    check()", "def naïve(): check()\nnaïve()",
                  "def 関数(): check()\n関数()", "def 𝔣(): check()\n𝔣()",
                  "[check() for i in\n range(2)]", "y = 5; check(); " * 400]

        def check_number():
            self.check()
            return 1

        for file in ("<string>", "plain.py", "größe.py", "ファイル.py", "😀.py", "bad\udcff.py",
                     "x" * 900):
            for body in bodies:
                exec(compile(body, file, "exec"),
                     {"check": self.check, "check_number": check_number})

    def test_native_code_between(self):
        callback = ctypes.CFUNCTYPE(None)

        def called():
            frames.append(self.check(WITH_GIL))

        frames = []
        WITH_GIL.probe_call(callback(called))
        NO_GIL.probe_call(callback(called))
        sorted([2, 1], key=lambda number: frames.append(self.check()) or number)
        for seen in frames:
            self.assertTrue(any(frame.entered for frame in seen[:3]), "native code called it")
            self.assertTrue(seen[-1].entered, "the outermost")

    def test_the_interpreter_enters_once_for_calls_within_it(self):
        def inner():
            return self.check()

        seen = inner()
        if QUALIFIED:
            self.assertFalse(seen[0].entered, "from 3.11 on such a call stays in the interpreter")
        else:
            self.assertTrue(seen[0].entered)


class Threads(Base):
    def in_thread(self, function):
        result = []
        thread = threading.Thread(target=lambda: result.append(function()))
        thread.start()
        thread.join()
        self.assertEqual(len(result), 1, "it failed in the thread")
        return result[0]

    def test_other_threads(self):
        for library, careful in ((NO_GIL, 1), (WITH_GIL, 0)):
            seen = self.in_thread(lambda: self.check(library))
            self.assertEqual({frame.careful for frame in seen}, {careful})

    def test_the_lock_is_not_asked_for(self):
        seen = []
        thread = threading.Thread(target=lambda: seen.append(NO_GIL.probe_beside_holder()))
        thread.start()
        self.assertEqual(WITH_GIL.probe_hold(), 1)
        thread.join()
        self.assertGreater(seen[0], 1)

    def test_many_threads(self):
        failures = []

        def work():
            try:
                for _ in range(200):
                    (lambda: self.check())()
            except Exception as error:  # pylint: disable=broad-except
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


class Identity(Base):
    def hashes(self, source, file="<made>"):
        seen = []
        exec(compile(source, file, "exec"), {"look": lambda: seen.append(probe(NO_GIL)[2])})
        return [frame.hash for frame in seen]

    def test_same_place_same_hash(self):
        first, second = self.hashes("for _ in 1, 2:\n  look()")
        self.assertEqual(first, second)
        self.assertEqual(self.hashes("look()"), self.hashes("look()"))

    def test_other_places_other_hashes(self):
        sources = ["look()", "\nlook()", "look(); look()", "def f(): look()\nf()",
                   "def g(): look()\ng()", "def f(): x = 1; look()\nf()"]
        found = [self.hashes(source)[-1] for source in sources]
        found.append(self.hashes("look()", "<other>")[0])
        self.assertEqual(len(set(found)), len(found))

    def test_code_where_other_code_was(self):
        """Memory is used again at once; what was there before must not be taken for what is
        there."""
        addresses = set()
        reused = 0
        for number in range(300):
            name = "f%03d" % number
            code = compile("def %s(): return look()\nresult = %s()" % (name, name), "<made>",
                           "exec")
            scope = {"look": lambda: probe(NO_GIL)[2]}
            exec(code, scope)
            self.assertEqual(scope["result"].function, name)
            reused += id(scope[name].__code__) in addresses
            addresses.add(id(scope[name].__code__))
            del code, scope
            gc.collect(0)
        self.assertGreater(reused, 0, "the test is of no use")


if __name__ == "__main__":
    unittest.main()
