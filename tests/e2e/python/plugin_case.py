"""Runs of pytest with the plugin, each a process of its own, by the tests of plugin_*_test.py."""

import os


def run(pytester, *arguments, traced=True, **variables):
    """`python -m pytest -p xfercheck ARGUMENTS`, with the listener of fake_listener.cc."""
    preload = {"LD_PRELOAD": os.environ["FAKE_LISTENER"]} if traced else {}
    with pytester._monkeypatch.context() as patch:
        for name, value in {**variables, **preload}.items():
            patch.setenv(name, str(value))
        return pytester.runpytest_subprocess("-p", "xfercheck", "-rsf", *arguments)


def errors(result):
    """The lines that pytest wrote to standard error."""
    return [line for line in result.errlines if line.strip()]
