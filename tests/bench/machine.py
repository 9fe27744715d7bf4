"""The machine that a measurement is from, in one line: figures without it mean nothing."""

import os
import platform
import re
import shutil
import subprocess


def _first_line(command):
    if not shutil.which(command[0]):
        return ""
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.partition("\n")[0].strip()


def _processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = re.findall(r"^model name\s*: (.*)$", file.read(), flags=re.M)
    except OSError:
        names = []
    return names[0] if names else platform.machine()


def _memory():
    size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return f"{size / 2**30:.0f} GiB"


def describe():
    gpu = _first_line(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    parts = [
        f"{_processor()}, {len(os.sched_getaffinity(0))} cores, {_memory()}",
        f"Linux {platform.release()}",
        _first_line(["g++", "--version"]) or "no g++",
        f"GPU {gpu}" if gpu else "no GPU",
        f"load {os.getloadavg()[0]:.1f} at the start",
    ]
    return "; ".join(parts)


if __name__ == "__main__":
    print(describe())
