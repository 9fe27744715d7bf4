"""Emulated devices for other people's programs: where their libraries are, and what a program's
environment has to say."""

import os

import projects


def folder(path):
    """Raises Unusable where it holds no emulator."""
    path = path.resolve()
    if not (path / "libcuda.so.1").exists():
        raise projects.Unusable(f"{path}: holds no emulator; build it, or say --emulator")
    return path


def environment(emulator, devices=1, libraries=(), **more):
    """`libraries`: folders that are searched behind the emulator's."""
    return dict(os.environ, XFERCHECK_EMULATE=str(devices),
                LD_LIBRARY_PATH=":".join(map(str, [emulator, *libraries])),
                LD_PRELOAD=str(emulator / "libcudart.so.13"), **more)
