"""The wheel by itself, and as users of each Python have it."""

import os
import re
import shutil
import zipfile

import older_wheel
from common import HERE, ROOT, Watch, compile_program, expect, files_below, run, wheel_of

MOST_BYTES = 120 << 20
WANTED = ["_prefix/bin/xferlint", "_prefix/bin/xfertrace", "_prefix/bin/xfercheck-report",
          "_prefix/lib/libxfertrace.so", "_prefix/lib/emulator/libcudart.so.13",
          "_prefix/lib/emulator/libxfer_kernels.so", "_prefix/include/xfer/annotate.h",
          "_prefix/lib/xfercheck/clang/include/stddef.h",
          "_prefix/lib/cmake/xfercheck/xfercheckConfig.cmake", "__init__.py", "pytest_plugin.py"]
# They are loaded into PyTorch, whose C++ library it is.
OF_PYTORCH = "libxfer_torch-"


def contents(folder, work):
    """Small enough, stripped, for glibc 2.34, and needing no C++ library of the machine."""
    wheel = wheel_of(folder)
    expect(wheel.stat().st_size <= MOST_BYTES, f"{wheel.name} has {wheel.stat().st_size} bytes")
    expect(wheel.name.endswith("-py3-none-manylinux_2_34_x86_64.whl"), f"its name is {wheel.name}")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work)
    for name in WANTED:
        expect((work / "xfercheck" / name).exists(), f"{name} is not in it")
    for file in sorted(files_below(work)):
        with open(file, "rb") as opened:
            if opened.read(4) != b"\x7fELF":
                continue
        sections = run(["readelf", "-SW", file])
        stripped = ".debug_info" not in sections and ".symtab" not in sections
        expect(stripped, f"{file} is not stripped")
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run(["readelf", "-d", file]))
        of_pytorch = OF_PYTORCH in file
        expect(of_pytorch or "libstdc++.so.6" not in needed, f"{file} needs libstdc++")
        expect(of_pytorch or not any("torch" in name for name in needed), f"{file} needs PyTorch")
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")


def _try(python, scripts, work, program):
    """The three commands and the package."""
    shutil.copy(HERE / "serve.cc", work)
    (work / "torch").symlink_to(ROOT / "tests" / "unit" / "analyzer" / "mock")
    found = run([scripts / "xferlint", "--no-stored-facts", "serve.cc", "--", "-std=c++17",
                 f"-I{work}"], expected=1, cwd=work)
    expect("[discarded-transfer]" in found, "xferlint found nothing", found)
    found = run([scripts / "xfertrace", "--emulate", "--record", work / "run.xft", program])
    expect("[repeated-transfer]" in found and "done" in found, "xfertrace found nothing", found)
    run([scripts / "xfertrace", "report", "--format", "json", "-o", work / "run.json",
         work / "run.xft"])
    found = run([scripts / "xfercheck-report", work / "run.json"])
    expect("[repeated-transfer]" in found, "xfercheck-report shows nothing", found)
    code = ("import importlib.metadata, xfercheck\n"
            "with xfercheck.scope('step'): pass\n"
            "plugins = importlib.metadata.distribution('xfercheck').entry_points\n"
            "print(xfercheck.__version__, [p.value for p in plugins if p.group == 'pytest11'])")
    version = run([scripts / "xferlint", "--version"]).split()[1]
    expect(run([python, "-c", code]).split() == [version, "['xfercheck.pytest_plugin']"],
           "the package is of another version, or pytest does not see it")
    header = run([python, "-m", "xfercheck", "--includedir"]).strip()
    expect(os.path.exists(f"{header}/xfer/annotate.h"), f"no annotate.h in {header}")


def python(folder, work, interpreter, include, libraries):
    """Installed over an older version, used, and uninstalled: nothing is left."""
    watch = Watch()
    wheel = wheel_of(folder)
    work.mkdir(parents=True)
    program = compile_program(work, include, libraries)
    run([interpreter, "-m", "venv", work / "env"])
    scripts = work / "env" / "bin"
    own = scripts / "python"
    # Compiled files of pip itself come with its first run.
    run([own, "-m", "pip", "--version"])
    before = files_below(work / "env")
    watch.say("a virtual environment")
    install = [own, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check"]
    run([*install, older_wheel.make(wheel, work)])
    left = list((work / "env").rglob("_left_out_since.py"))
    expect(left, "the older version brought no file of its own")
    watch.say(f"version {older_wheel.VERSION} installed")
    run([*install, "--upgrade", wheel])
    expect(not left[0].exists(), "a file of the older version stayed")
    watch.say("upgraded")
    _try(own, scripts, work, program)
    watch.say("first findings of all three")
    run([own, "-m", "pip", "uninstall", "-qy", "xfercheck"])
    left = {file for file in files_below(work / "env") - before if "__pycache__" not in file}
    expect(not left, f"{len(left)} files stayed", "\n".join(sorted(left)[:10]))
    watch.say("uninstalled")


def generation(folder, work, include, libraries):
    """A program that brings a C++ library without one function: all of ours runs in it."""
    with zipfile.ZipFile(wheel_of(folder)) as archive:
        archive.extractall(work)
    program = compile_program(work, include, libraries)
    empty = work / "empty.c"
    empty.write_text("")
    beside = work / "other"
    beside.mkdir()
    run(["cc", "-shared", "-Wl,-soname,libstdc++.so.6", empty, "-o", beside / "libstdc++.so.6"])
    tool = work / "xfercheck" / "_prefix" / "bin" / "xfertrace"
    tool.chmod(0o755)
    found = run([tool, "--emulate", program], env={**os.environ, "LD_LIBRARY_PATH": str(beside)})
    expect("[repeated-transfer]" in found and "done" in found, "nothing was found", found)
    expect("xfercheck:" not in found, "the tracer complains", found)
