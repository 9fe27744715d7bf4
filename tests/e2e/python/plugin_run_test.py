"""Runs that are traced: scopes, the summary, findings as failures, budgets in a file."""

import importlib.util
import json

import pytest
from plugin_case import errors, run

TEST = """
    import fake, os
    times = int(os.environ.get("TIMES", "1"))
    def test_one():
        for _ in range(times): fake.upload(1024)
    def test_two(): fake.download(4)
    def test_three(): pass
    """


def test_the_summary(pytester):
    pytester.makepyfile(test_it=TEST)
    pytester.makeconftest("""
        import fake
        fake.answer(2, "it.py:3: warning: again [round-trip]\\n  fix: once\\n"
                       "it.py:4: error: wrong [wrong-device]\\n")
        def pytest_unconfigure(): print("|".join(fake.told()))
        """)
    result = run(pytester, "-s", XFERCHECK_EMULATE=2, TIMES=3)
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines([
        "xfercheck: copies are counted on 2 emulated devices",
        "*= xfercheck =*",
        " copies       bytes  waits  test",
        "      3     3.0 KiB      0  test_it.py::test_one",
        "      1         4 B      1  test_it.py::test_two",
        "      4     3.0 KiB      1  3 tests together, 1 of them without copies and waits",
        "xfertrace found in this run (2 findings; *",
        "  it.py:3: warning: again [[]round-trip]",
        "  it.py:4: error: wrong [[]wrong-device]",
        "begin test_it.py::test_one|end|begin test_it.py::test_two|end|"
        "begin test_it.py::test_three|end|examine warning since 77"])
    assert "fix: once" not in result.stdout.str()


def test_the_summary_names_the_costly_ones(pytester):
    pytester.makepyfile(test_it="""
        import fake, pytest
        @pytest.mark.parametrize("size", range(14))
        def test_it(size): fake.upload(size)
        """)
    lines = run(pytester).outlines
    rows = [line.split()[-1] for line in lines if "test_it[" in line]
    assert rows == [f"test_it.py::test_it[{size}]" for size in range(13, 3, -1)]
    assert any(line.strip() == "and 4 more" for line in lines)


def test_findings_fail_tests_where_asked(pytester):
    pytester.makepyfile(test_it="""
        import fake, pytest
        def test_one(): fake.upload(1); fake.answer(1, "it.py:3: warning: again\\n")
        def test_two(): fake.upload(1); fake.answer(0, "")
        def test_three(): fake.answer(1, "nothing was done, so nobody looks")
        def test_four(): fake.upload(1); fake.answer(-1, "no trace")
        @pytest.mark.no_findings("warning")
        def test_five(): fake.upload(1); fake.answer(1, "it.py:5: warning: once\\n")
        """)
    result = run(pytester, "--xfercheck-fail-on=warning")
    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines([
        "*_ test_one _*", "xfertrace found in this test (warning):", "it.py:3: warning: again",
        "*_ test_four _*", "This test could not be checked for findings: no trace",
        "*_ test_five _*", "Expected no findings of this test (warning)",
        " copies       bytes  waits findings  test",
        "      1         1 B      0        -  test_it.py::test_five",
        "      1         1 B      0        1  test_it.py::test_one"])
    assert result.stdout.str().count("it.py:5: warning: once") == 1
    run(pytester, "-k", "one").assert_outcomes(passed=1, deselected=4)
    pytester.makeini("[pytest]\nxfercheck_fail_on = warning")
    run(pytester, "-k", "one").assert_outcomes(failed=1, deselected=4)
    result = run(pytester, "--xfercheck-fail-on=bogus")
    assert result.ret == 4
    assert errors(result) == ["ERROR: --xfercheck-fail-on: expected a rule, got 'bogus'"]


def test_budgets_are_recorded_and_held(pytester):
    pytester.makepyfile(test_it=TEST)
    run(pytester, "--xfercheck-record=budgets.json", TIMES=2).assert_outcomes(passed=3)
    text = (pytester.path / "budgets.json").read_text()
    content = json.loads(text)
    assert content["format"] == "xfercheck-budgets/1"
    one = content["tests"]["test_it.py::test_one"]
    assert (one["h2d"], one["h2d_bytes"], one["d2h"]) == (2, 2048, 0)
    assert "allocations" not in one, "they depend on what ran before"

    result = run(pytester, "--xfercheck-budgets=budgets.json", TIMES=2)
    result.assert_outcomes(passed=3)
    assert "budgets.json" not in result.stdout.str().split("= xfercheck =")[1]

    pytester.makeconftest("import fake\nfake.answer(3, '  host to device: 3 x, it.py:3\\n')")
    result = run(pytester, "--xfercheck-budgets=budgets.json", TIMES=3)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines([
        "More than budgets.json allows this test", "h2d: 2 before, 3 now",
        "h2d_bytes: 2048 before, 3072 now", "Its copies:", "  host to device: 3 x, it.py:3"])

    result = run(pytester, "--xfercheck-budgets=budgets.json", TIMES=1)
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["budgets.json can be tightened, by --xfercheck-record:",
                                 "  test_it.py::test_one: h2d 2 -> 1, h2d_bytes 2048 -> 1024"])
    assert (pytester.path / "budgets.json").read_text() == text

    again = run(pytester, "--xfercheck-record=budgets.json", TIMES=2)
    again.stdout.fnmatch_lines(["recorded: 3 tests that passed, in budgets.json"])
    assert (pytester.path / "budgets.json").read_text() == text


def test_what_is_not_in_the_file_is_not_held(pytester):
    pytester.makepyfile(test_it=TEST)
    file = pytester.path / "b.json"
    file.write_text(json.dumps({"format": "xfercheck-budgets/1", "tests": {
        "test_it.py::test_one": {"d2h": 0}, "gone.py::test_gone": {"h2d": 1}}}))
    pytester.makeini("[pytest]\nxfercheck_budgets = b.json")
    result = run(pytester, "test_it.py")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["not in b.json, and not held:", "  test_it.py::test_two",
                                 "  test_it.py::test_three"])
    run(pytester, traced=False).assert_outcomes(passed=3)


def test_a_recording_keeps_the_others_and_leaves_failures_out(pytester):
    pytester.makepyfile(test_it=TEST + """
    def test_four(): assert 0
    """)
    file = pytester.path / "b.json"
    file.write_text(json.dumps({"format": "xfercheck-budgets/1", "tests": {
        "test_it.py::test_one": {"h2d": 9}, "x.py::test_x": {"h2d": 1}}}))
    run(pytester, "--xfercheck-record=b.json")
    tests = json.loads(file.read_text())["tests"]
    assert list(tests) == [f"test_it.py::test_{name}" for name in ("one", "three", "two")] + [
        "x.py::test_x"]
    assert (tests["test_it.py::test_one"]["h2d"], tests["x.py::test_x"]) == (1, {"h2d": 1})


@pytest.mark.parametrize("text,said", [
    (None, "b.json is not there; write it by --xfercheck-record=*b.json"),
    ("{", "b.json is not JSON: *line 1*"),
    ("[]", "b.json has no \"format\"; this xfercheck reads 'xfercheck-budgets/1'"),
    ('{"format": "xfercheck-budgets/2"}', "b.json has format 'xfercheck-budgets/2'; this *"),
    ('{"format": "xfercheck-budgets/1"}',
     "b.json: \"tests\" is missing, or is not an object of tests"),
    ('{"format": "xfercheck-budgets/1", "tests": {"t": 1}}', "b.json: t: expected an object*"),
    ('{"format": "xfercheck-budgets/1", "tests": {"t": {"h2h": 1}}}',
     "b.json: t: there is no counter 'h2h' (there are h2d, *)"),
    ('{"format": "xfercheck-budgets/1", "tests": {"t": {"h2d": -1}}}',
     "b.json: t: h2d: expected a number from 0 on, got -1"),
    ('{"format": "xfercheck-budgets/1", "tests": {"t": {"h2d": true}}}',
     "b.json: t: h2d: expected a number from 0 on, got true"),
    (b"\xff", "b.json cannot be read: it is not UTF-8")])
def test_a_bad_file_is_one_line(pytester, text, said):
    pytester.makepyfile(test_it=TEST)
    if text is not None:
        data = text if isinstance(text, bytes) else text.encode()
        (pytester.path / "b.json").write_bytes(data)
    result = run(pytester, "--xfercheck-budgets=b.json")
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"ERROR: xfercheck: *{said}"])
    assert len(errors(result)) == 1


def test_a_file_that_cannot_be_written_is_one_line(pytester):
    pytester.makepyfile(test_it=TEST)
    pytester.mkdir("folder")
    for path, said in (("gone/b.json", "there is no folder *gone"), ("folder", "is a folder")):
        result = run(pytester, f"--xfercheck-record={path}")
        assert result.ret == 4
        result.stderr.fnmatch_lines([f"ERROR: xfercheck: *{said}"])


def test_options_that_need_counters_say_so(pytester):
    pytester.makepyfile(test_it=TEST)
    for option in ("record", "budgets", "fail-on"):
        result = run(pytester, f"--xfercheck-{option}=x", traced=False)
        assert result.ret == 4
        assert errors(result) == [f"ERROR: --xfercheck-{option}: nothing counts copies; add "
                                  "--xfercheck-emulate, or --xfercheck on a machine with a GPU"]
    pytester.makeini("[pytest]\nxfercheck_fail_on = warning")
    run(pytester, traced=False).assert_outcomes(passed=3)
    result = run(pytester, traced=False, XFERCHECK_REQUIRED=1)
    assert result.ret == 4
    assert "XFERCHECK_REQUIRED is set, but nothing counts copies" in errors(result)[0]


@pytest.mark.skipif(not importlib.util.find_spec("xdist"), reason="pytest-xdist is not installed")
def test_with_several_processes(pytester):
    """pytest-xdist's workers are traced as well, and their numbers come together."""
    pytester.makepyfile(test_it=TEST)
    result = run(pytester, "-n", "2", "--xfercheck-emulate=2", "--xfercheck-record=b.json",
                 traced=False, TIMES=2)
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["      2     2.0 KiB      0  test_it.py::test_one",
                                 "      3     2.0 KiB      1  3 tests together*"])
    assert len(json.loads((pytester.path / "b.json").read_text())["tests"]) == 3
    result = run(pytester, "-n", "2", "--xfercheck-emulate", "--xfercheck-budgets=b.json",
                 traced=False, TIMES=3)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["h2d: 2 before, 3 now"])
