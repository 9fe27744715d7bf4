"""Wheel and packages in a bare Debian: neither compiler nor LLVM, one root for all steps."""

import os
import shutil
import subprocess

import older_wheel
from common import HERE, Watch, compile_program, expect, run, skip, wheel_of

FLAGS = "-std=c++17 -I/opt/libtorch -I/opt/libtorch/torch/csrc/api/include"
LIBTORCH = ["ATen", "c10", "caffe2", "gflags", "glog", "torch"]  # headers of Debian's libtorch-dev
LEFT_OUT_SINCE = "/usr/lib/xfercheck-left-out-since"  # a file of the older package
INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends"


def make_root(suite, keep):
    """A tarball of a minimal Debian with Python, made once."""
    tarball = keep / f"{suite}.tar"
    if not tarball.exists():
        partial = keep / f"{suite}.partial.tar"
        done = subprocess.run(["mmdebstrap", "--variant=minbase",
                               "--include=python3-venv,ca-certificates", suite, partial],
                              check=False, text=True, capture_output=True)
        if done.returncode != 0:
            skip(f"mmdebstrap made no {suite}: {done.stderr.strip().splitlines()[-1]}")
        partial.rename(tarball)
    return tarball


class Root:
    """A changed root. /proc and /dev are there only for the command that runs in it: nothing of the
    machine is below the folder that is removed in the end."""

    def __init__(self, folder, tarball):
        self.folder = folder
        folder.mkdir(parents=True)
        run(["tar", "-xf", tarball, "-C", folder, "--exclude=./dev/*"])
        shutil.copy("/etc/resolv.conf", folder / "etc" / "resolv.conf")

    def run(self, line, expected=0):
        enter = ("mount -t proc proc \"$0/proc\" && mount --rbind /dev \"$0/dev\" && "
                 "exec chroot \"$0\" sh -c \"$1\"")
        return run(["unshare", "--mount", "sh", "-c", enter, self.folder, f"cd /try && {line}"],
                   expected, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/try"})


def first_findings(root, watch, how, where=""):
    found = root.run(f"{where}xferlint --no-stored-facts serve.cc -- {FLAGS}", expected=1)
    expect("[discarded-transfer]" in found and "1 file checked" in found, "xferlint", found)
    expect("did not parse" not in found, "the file did not parse", found)
    watch.say(f"{how}: first finding in a LibTorch file")
    found = root.run(f"{where}xfertrace --emulate ./program")
    expect("[repeated-transfer]" in found and "done" in found, "xfertrace", found)
    watch.say(f"{how}: first finding of a CUDA program")
    expect("xferlint 0" in root.run(f"{where}xferlint --version"), "no version")


def older_package(package, work):
    """The package as an earlier version, with a file more."""
    unpacked = work / "older"
    run(["dpkg-deb", "-R", package, unpacked])
    control = unpacked / "DEBIAN" / "control"
    lines = control.read_text().splitlines()
    version = f"Version: {older_wheel.VERSION}"
    control.write_text("\n".join(version if line.startswith("Version:") else line
                                 for line in lines) + "\n")
    (unpacked / LEFT_OUT_SINCE.lstrip("/")).write_text("")
    run(["dpkg-deb", "-Znone", "--build", unpacked, work / "older.deb"])
    return work / "older.deb"


def root(suite, folder, work, keep, include, libraries):
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        skip("it wants root and mmdebstrap")
    if not os.path.isdir("/usr/include/torch"):
        skip("it wants LibTorch's headers (Debian: libtorch-dev)")
    keep.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True)
    program = compile_program(work, include, libraries)
    packages = sorted(folder.glob("xfercheck*.deb"))
    tools = next(package for package in packages if package.name.startswith("xfercheck_"))
    bare = Root(work / "root", make_root(suite, keep))
    place = bare.folder / "try"
    place.mkdir()
    for file in (HERE / "serve.cc", program, wheel_of(folder), tools):
        shutil.copy(file, place)
    shutil.copy(older_package(tools, work), place)
    for name in LIBTORCH:
        shutil.copytree(f"/usr/include/{name}", bare.folder / "opt" / "libtorch" / name)
    bare.run("! command -v c++ cc gcc clang llvm-config nvcc")

    bare.run("python3 -m venv env")
    watch = Watch()
    bare.run(f"env/bin/pip install -q --no-index {wheel_of(folder).name}")
    watch.say("pip: installed")
    first_findings(bare, watch, "pip", "env/bin/")
    bare.run("env/bin/pip uninstall -qy xfercheck && ! ls env/bin | grep xfer")

    bare.run(f"apt-get update -q && {INSTALL} ./older.deb && test -e {LEFT_OUT_SINCE}")
    watch = Watch()
    bare.run(f"{INSTALL} ./{tools.name} && ! test -e {LEFT_OUT_SINCE}")
    watch.say("apt: upgraded, with what it depends on there")
    first_findings(bare, watch, "apt")
    bare.run("apt-get purge -qy xfercheck")
    left = bare.run("find / -xdev -name '*xfer*' -not -path '/try/*' -not -path '/proc/*'")
    expect(not left.strip(), "files stayed", left)
