"""Markers, and blocks of xfercheck in tests."""

from plugin_case import errors, run

TEST = """
    import fake, pytest, xfercheck

    @pytest.mark.transfers(h2d=1, bytes="<=8")
    def test_one(): fake.upload(8)

    @pytest.mark.no_transfers
    def test_two(): fake.do(d2d=1)

    @pytest.mark.no_sync
    def test_three():
        with xfercheck.allow_sync("why"): fake.do(host_waits=1)

    @pytest.mark.no_findings
    def test_four(): pass
    """


def test_hold(pytester):
    pytester.makepyfile(TEST)
    run(pytester, "--strict-markers").assert_outcomes(passed=4)


def test_fail_with_what_was_counted_and_where(pytester):
    pytester.makepyfile("""
        import fake, pytest, unittest

        @pytest.mark.transfers(h2d=1)
        def test_one():
            fake.answer(2, "  host to device: 2 x, 8 KiB, train.py:28 in step\\n")
            fake.upload(1); fake.upload(1)

        @pytest.mark.no_transfers
        @pytest.mark.no_sync
        def test_two():
            fake.answer(1, "  copy: 1 x, train.py:3\\n")
            fake.upload(1); fake.do(host_waits=1)

        class TestThree(unittest.TestCase):
            @pytest.mark.no_transfers
            def test_three(self): fake.upload(1)

        @pytest.mark.no_findings("round-trip")
        def test_four(): fake.answer(1, "train.py:3: warning: there and back\\n")
        """)
    result = run(pytester)
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines([
        "*_ test_one _*",
        "Expected of this test: h2d == 1", "h2d is 2, not == 1", "Its copies:",
        "  host to device: 2 x, 8 KiB, train.py:28 in step",
        "*_ test_two _*",
        "Expected of this test: no call that makes the host wait",
        "There are 1, and 0 under allow_sync",
        "Expected of this test: no transfers", "transfers is 1, not == 0",
        "*_ TestThree.test_three _*",
        "*_ test_four _*",
        "Expected no findings of this test (round-trip)", "train.py:3: warning: there and back",
        "FAILED *test_one*"])
    assert "pytest_plugin.py" not in result.stdout.str(), "no line of the plugin's"


def test_a_failing_block_in_a_test_shows_its_line(pytester):
    pytester.makepyfile("""
        import fake, xfercheck
        def test_one():
            with xfercheck.no_transfers():
                fake.upload(1)
        """)
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([">*with xfercheck.no_transfers():",
                                 "E*TransferError: Expected of this block: no transfers",
                                 "test_a_failing_block*.py:3: TransferError"])
    assert "_block.py" not in result.stdout.str()


def test_the_tests_own_end_wins(pytester):
    pytester.makepyfile("""
        import fake, pytest
        pytestmark = pytest.mark.no_transfers
        def test_one(): fake.upload(1); assert 1 == 2
        def test_two(): fake.upload(1); pytest.skip("not today")
        @pytest.mark.xfail(strict=True)
        def test_three(): fake.upload(1)
        """)
    result = run(pytester)
    result.assert_outcomes(failed=1, skipped=1, xfailed=1)
    result.stdout.fnmatch_lines(["E*assert 1 == 2", "SKIPPED*not today"])


def test_the_closest_marker_counts(pytester):
    pytester.makepyfile("""
        import fake, pytest
        @pytest.mark.transfers(h2d=0)
        class TestIt:
            @pytest.mark.transfers(h2d=1)
            def test_one(self): fake.upload(1)
            def test_two(self): fake.upload(1)
            @pytest.mark.no_sync
            def test_three(self): fake.upload(1)
        """)
    run(pytester).assert_outcomes(passed=1, failed=2)


def test_fixtures_do_not_count(pytester):
    pytester.makepyfile("""
        import fake, pytest
        @pytest.fixture
        def batch():
            fake.upload(1)
            yield
            fake.download(1)
        @pytest.mark.no_transfers
        def test_one(batch): pass
        """)
    result = run(pytester)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*2 *2 B * in fixtures, which no budget counts"])


def test_a_marker_that_means_nothing_is_said_before_any_test_runs(pytester):
    for marker, text in (
            ("transfers(h2h=1)", "transfers: there is no counter 'h2h'; did you mean 'h2d'?*"),
            ("transfers", "transfers: which counters? e.g. h2d=1, bytes=\"<=4096\""),
            ("transfers(1)", "transfers: expected counters by name, as h2d=1, got 1"),
            ("transfers(bytes='many')", "transfers: bytes: expected == != *, got 'many'"),
            ("no_sync(1)", "no_sync: it takes no arguments"),
            ("no_findings('')", "no_findings: *expected rules and severities*")):
        pytester.makepyfile(test_it=f"""
            import pytest
            def test_before(): print("it ran")
            @pytest.mark.{marker}
            def test_one(): pass
            """)
        result = run(pytester, "-s")
        assert result.ret == 4, marker
        result.stderr.fnmatch_lines([f"ERROR: test_it.py::test_one: @pytest.mark.{text}"])
        assert len(errors(result)) == 1
        assert "it ran" not in result.stdout.str()


def test_are_skipped_where_nobody_counts(pytester):
    pytester.makepyfile("""
        import fake, pytest, xfercheck
        ran = []
        @pytest.mark.transfers(h2d=1)
        def test_one(): ran.append(1)
        def test_two():
            with xfercheck.expect(h2d=1): ran.append(2)
            ran.append(2.5)
        @pytest.mark.no_sync
        def test_three(): assert ran == [1, 2, 2.5], "the tests ran to their end"
        def test_four(): pass
        @pytest.mark.no_sync
        def test_five(): assert 0
        """)
    for options in ({"traced": False}, {"FAKE_COUNTS_NOT": 1}):
        result = run(pytester, **options)
        result.assert_outcomes(passed=1, skipped=3, failed=1)
        result.stdout.fnmatch_lines(["SKIPPED*Transfers were not checked: *"])
        result = run(pytester, XFERCHECK_REQUIRED=1, **options)
        result.assert_outcomes(passed=1, failed=4)
        result.stdout.fnmatch_lines(["*_ test_one _*", "Transfers were not checked: *"])


def test_a_block_alone_is_skipped_where_nobody_counts(pytester):
    pytester.makepyfile("""
        import xfercheck
        def test_one():
            with xfercheck.no_transfers(): pass
        """)
    run(pytester, traced=False).assert_outcomes(skipped=1)


def test_nothing_is_said_where_nothing_is_used(pytester):
    pytester.makepyfile("def test_one(): pass")
    result = run(pytester, traced=False)
    result.assert_outcomes(passed=1)
    assert not [line for line in result.outlines + result.errlines
                if line.startswith(("xfercheck", "=")) and "xfercheck" in line]
    pytester.makeconftest("""
        import sys
        def pytest_sessionfinish():
            print("loaded:", *sorted(name for name in sys.modules if "xfercheck" in name))
        """)
    run(pytester, "-s", traced=False).stdout.fnmatch_lines([
        "*loaded: xfercheck xfercheck._gathered xfercheck._pytest_options xfercheck.pytest_plugin"])
