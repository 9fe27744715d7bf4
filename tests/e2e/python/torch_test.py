"""The package and the plugin with PyTorch, under xfertrace."""

import json
import os
import subprocess
import sys

import pytest

EMULATED = os.environ.get("XFER_TEST_DEVICE") != "gpu"
DEVICE = "--xfercheck-emulate" if EMULATED else "--xfercheck"

TRAINING = """
    import pytest, torch, xfercheck

    def step(model, batch):
        with torch.profiler.record_function("forward"):
            loss = model(batch).square().mean()
        loss.backward()
        return loss

    @pytest.fixture
    def model():
        return torch.nn.Linear(32, 4).cuda()

    @pytest.mark.transfers(h2d=1, bytes=2048, launches=">0")
    def test_one_copy(model):
        step(model, torch.ones(16, 32).cuda())

    @pytest.mark.no_transfers
    def test_copies_back(model):
        print(step(model, torch.ones(16, 32, device="cuda")).item())  # LINE: back

    def test_backward_counts():
        weight = torch.ones(8, 8, requires_grad=True)
        loss = weight.cuda().sum()
        with xfercheck.expect(d2h=1, d2h_bytes=256):
            loss.backward()

    @pytest.mark.no_sync
    def test_waits(model):
        step(model, torch.ones(16, 32, device="cuda"))
        with xfercheck.allow_sync("the test looks at it"):
            torch.cuda.synchronize()

    def test_repeats(model):
        batch = torch.ones(64, 32)
        for _ in range(3):
            step(model, batch.cuda())  # LINE: repeats
    """


def line_of(file, what):
    lines = file.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"# LINE: {what}"))


def pytest_run(pytester, *arguments):
    return pytester.run(sys.executable, "-m", "pytest", "-p", "xfercheck", DEVICE, *arguments)


def test_a_training_step(pytester):
    file = pytester.makepyfile(test_train=TRAINING)
    result = pytest_run(pytester, "--xfercheck-fail-on=warning", "-k", "not back or counts")
    result.assert_outcomes(passed=3, failed=1, deselected=1)
    result.stdout.fnmatch_lines([
        "*_ test_repeats _*", "xfertrace found in this test (warning):",
        f"test_train.py:{line_of(file, 'repeats')}: warning: *repeated-transfer*"])
    result = pytest_run(pytester, "-k", "copies_back or counts or one")
    result.assert_outcomes(passed=2, failed=1, deselected=2)
    result.stdout.fnmatch_lines([
        "Expected of this test: no transfers", "transfers is 1, not == 0", "Its copies:",
        f"  device to host: 1 x, 4 bytes, *test_train.py:{line_of(file, 'back')} in *"])


def test_budgets(pytester):
    pytester.makepyfile(test_train=TRAINING)
    # In any order, and any part of them: what a test copies is its own.
    pytest_run(pytester, "--xfercheck-record=b.json").assert_outcomes(passed=4, failed=1)
    recorded = json.loads((pytester.path / "b.json").read_text())["tests"]
    assert recorded["test_train.py::test_repeats"]["h2d"] == 3
    result = pytest_run(pytester, "--xfercheck-budgets=b.json", "-k", "repeats or waits")
    result.assert_outcomes(passed=2, deselected=3)
    assert "b.json" not in result.stdout.str().split("= xfercheck =")[1]


@pytest.mark.parametrize("first", ["torch", "xfercheck"])
def test_ranges_are_scopes(tmp_path, first):
    """PyTorch's ranges and the package's scopes, in eager code, in TorchScript and compiled."""
    script = tmp_path / "train.py"
    second = "torch" if first == "xfercheck" else "xfercheck"
    script.write_text(f"import {first}\nimport {second}\n" + """
ranges = torch.profiler.record_function
batch, weight = torch.ones(4), torch.ones(4).cuda()
with ranges("outer"):
    with xfercheck.scope("inner"):
        batch.cuda()

@ranges("decorated")
def twice(x):
    return x.cuda(), x.cuda()

twice(batch)

@torch.jit.script
def scripted(x):
    with torch.autograd.profiler.record_function("scripted"):
        return x + 1

scripted(weight)

@torch.compile(backend="eager")
def compiled(x):
    with ranges("compiled"):
        return x + 1

compiled(weight)
""")
    report = tmp_path / "report.json"
    command = [os.environ["XFERTRACE"], *(["--emulate"] if EMULATED else []), "--format", "json",
               "-o", report, sys.executable, script]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    scopes = json.loads(report.read_text())["stats"]["scopes"]
    copies = {name: scopes[name]["sum"]["h2d_count"] for name in ("outer", "inner", "decorated")}
    assert copies == {"outer": 1, "inner": 1, "decorated": 2}
