"""pytest --xfercheck-emulate: pytest starts itself again under xfertrace, here fake_xfertrace."""

import os
import sys

import pytest
from plugin_case import errors, run

TEST = """
    import fake, os, pytest, sys
    @pytest.mark.transfers(h2d=1)
    def test_one():
        print("devices:", os.environ.get("XFERCHECK_EMULATE"), sys.flags.utf8_mode)
        assert "XFERCHECK_PYTEST_RESTARTED" not in os.environ
        fake.upload(1)
    def test_two(): pass
    """


@pytest.fixture
def log(pytester, monkeypatch):
    """The arguments of each call of fake_xfertrace, a line each."""
    file = pytester.path / "calls"
    monkeypatch.setenv("FAKE_LOG", str(file))
    return lambda: file.read_text().splitlines() if file.exists() else []


def test_once_before_collection(pytester, log):
    pytester.makepyfile(test_it=TEST)
    pytester.makeconftest("print('the conftest is read')")
    for option, said, devices in ((["--xfercheck-emulate"], "--emulate=1 -o", "1"),
                                  (["--xfercheck-emulate=3"], "--emulate=3 -o", "3"),
                                  (["--xfercheck"], "-o /dev/null --", "None")):
        before = len(log())
        result = run(pytester, *option, "test_it.py", "-s", "-k", "one", traced=False)
        result.assert_outcomes(passed=1, deselected=1)
        assert len(log()) == before + 1
        assert log()[-1].startswith(said)
        assert log()[-1].endswith(" ".join(["-rsf", *option, "test_it.py -s -k one"]))
        assert f"devices: {devices} 0" in result.stdout.str()
        assert result.stdout.str().count("the conftest is read") == 1
        assert "xfercheck: copies are counted on" in result.stdout.str()


def test_the_exit_code_is_pytests(pytester, log):
    pytester.makepyfile("import fake\ndef test_one(): fake.upload(1)\ndef test_two(): assert 0")
    for arguments, code in ((["-k", "one"], 0), ([], 1), (["-k", "three"], 5)):
        assert run(pytester, "--xfercheck-emulate", *arguments, traced=False).ret == code


def test_however_pytest_was_started(pytester, log, monkeypatch):
    """`python -X utf8 -m pytest`, the program pytest, and a program that hands its own arguments
    on."""
    pytester.makepyfile(test_it=TEST)
    program = pytester.makepyfile(program="import pytest, sys\nsys.exit(pytest.main())")
    arguments = ["-p", "xfercheck", "--xfercheck-emulate", "-s", "test_it.py"]
    entry = "import sys, pytest; sys.exit(pytest.console_main())"
    for command in ([sys.executable, "-X", "utf8", "-m", "pytest", *arguments],
                    [sys.executable, str(program), *arguments],
                    [sys.executable, "-c", entry, *arguments]):
        result = pytester.run(*command)
        assert result.ret == 0, command
        assert result.stdout.str().count("devices: 1 " + ("1" if "utf8" in command else "0")) == 1
    assert len(log()) == 3


def test_from_the_options_of_a_file(pytester, log):
    pytester.makepyfile(test_it=TEST)
    pytester.makeini("[pytest]\naddopts = --xfercheck-emulate=2")
    result = run(pytester, "-s", traced=False)
    result.assert_outcomes(passed=2)
    assert len(log()) == 1
    assert "devices: 2" in result.stdout.str()


def test_where_a_conftest_loads_the_plugin(pytester, log):
    pytester.makepyfile(test_it=TEST)
    pytester.makeconftest("pytest_plugins = ['xfercheck']")
    result = pytester.runpytest_subprocess("--xfercheck-emulate")
    result.assert_outcomes(passed=2)
    assert len(log()) == 1


def test_not_where_it_is_traced_already(pytester, log):
    pytester.makepyfile(test_it=TEST)
    run(pytester, "--xfercheck-emulate", XFERCHECK_EMULATE=1).assert_outcomes(passed=2)
    run(pytester, "--xfercheck").assert_outcomes(passed=2)
    assert log() == []
    result = run(pytester, "--xfercheck-emulate")
    assert result.ret == 4
    assert errors(result) == ["ERROR: --xfercheck-emulate: xfertrace runs pytest already, "
                              "without --emulate; leave one of the two out"]


def test_not_for_help(pytester, log):
    assert run(pytester, "--xfercheck-emulate", "--help", traced=False).ret == 0
    result = run(pytester, "--help", traced=False)
    result.stdout.fnmatch_lines(["*--xfercheck-emulate *", "*--xfercheck-emulate=N: on N dev*"])
    assert "--xfercheck-emulate=2" not in result.stdout.str()
    assert log() == []


def test_a_library_that_is_not_there_is_no_endless_loop(pytester, log):
    pytester.makepyfile(test_it=TEST)
    result = run(pytester, "--xfercheck-emulate", traced=False, FAKE_DROPS=1)
    assert result.ret == 4
    assert len(log()) == 1
    assert "its library is not in the process" in errors(result)[-1]


def test_what_is_missing_is_one_line(pytester, log, monkeypatch):
    pytester.makepyfile(test_it=TEST)
    plain = pytester.path / "plain"
    plain.write_text("")
    for variables, text in (({"XFERTRACE": plain},
                             f"xfercheck: XFERTRACE is {plain}, which is not a program"),
                            ({"XFERTRACE": "", "PATH": "/nonexistent"},
                             "--xfercheck-emulate: xfertrace is not in PATH; add its folder, or "
                             "set XFERTRACE=/path/to/xfertrace")):
        result = run(pytester, "--xfercheck-emulate", traced=False, **variables)
        assert result.ret == 4
        assert errors(result) == [f"ERROR: {text}"]
    for arguments, text in ((["--xfercheck-emulate=99"], "ignored explicit argument '99'"),
                            (["--xfercheck-emulate", "--xfercheck-budgets=gone.json"],
                             "ERROR: xfercheck: "),
                            (["--xfercheck-emulate", "--xfercheck-fail-on=bogus"],
                             "ERROR: --xfercheck-fail-on: expected a rule, got 'bogus'")):
        result = run(pytester, *arguments, traced=False)
        assert result.ret == 4
        assert text in result.stderr.str()
    assert all("pytest" not in line for line in log())


def test_a_program_with_arguments_of_its_own(pytester, log):
    pytester.makepyfile(test_it=TEST)
    program = pytester.makepyfile(program="""
        import pytest, sys
        sys.exit(pytest.main(["-p", "xfercheck", "--xfercheck-emulate"]))
        """)
    result = pytester.run(sys.executable, str(program), "--mine")
    assert result.ret == 4
    assert "another program calls pytest, which cannot start that again" in errors(result)[-1]
    assert log() == []


def test_found_in_path(pytester, log, monkeypatch):
    pytester.makepyfile(test_it=TEST)
    folder = pytester.mkdir("bin")
    (folder / "xfertrace").symlink_to(os.environ["XFERTRACE"])
    path = f"{folder}:{os.environ['PATH']}"
    run(pytester, "--xfercheck-emulate", traced=False, XFERTRACE="", PATH=path).assert_outcomes(
        passed=2)
    assert len(log()) == 1
