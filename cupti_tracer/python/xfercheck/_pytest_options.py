"""The plugin's options and markers, as far as pytest must know them in every run."""

from __future__ import annotations

import argparse
from typing import Any, List, Optional

import pytest

MARKERS = {
    "transfers": "transfers(h2d=1, bytes=\"<=4096\", ...): limits what the test copies, "
                 "launches and waits for; counters and comparisons as for xfercheck.expect",
    "no_transfers": "no_transfers: the test must copy nothing between host and devices",
    "no_sync": "no_sync: the test must not make the host wait, except under xfercheck.allow_sync",
    "no_findings": "no_findings(which=\"warning\"): xfertrace must find nothing in the test",
}
MOST_DEVICES = 64
RUN = "xfercheck-run"  # the plugin of a traced run
EMULATE = "--xfercheck-emulate"


class _Emulate(argparse.Action):
    """--xfercheck-emulate is one device, --xfercheck-emulate=2 two."""

    def __call__(self, parser: Any, namespace: Any, values: Any,
                 option_string: Optional[str] = None) -> None:
        number = (option_string or "").partition("=")[2]
        setattr(namespace, self.dest, int(number or 1))


def add(parser: pytest.Parser) -> None:
    group = parser.getgroup("xfercheck", "xfercheck: copies between CPU and GPU")
    group.addoption("--xfercheck", action="store_true", default=False,
                    help="count copies, launches and waits on this machine's GPU: starts pytest "
                         "again under xfertrace")
    group.addoption(EMULATE, action=_Emulate, nargs=0, dest="xfercheck_emulate", default=None,
                    help=f"the same on emulated devices, without a GPU; {EMULATE}=N: on N devices")
    # argparse takes the word after an option with an optional value for that value, even if it is
    # a path of tests. So each spelling is an option of its own.
    group.addoption(*(f"{EMULATE}={number}" for number in range(1, MOST_DEVICES + 1)),
                    action=_Emulate, nargs=0, dest="xfercheck_emulate", default=None,
                    help=argparse.SUPPRESS)
    group.addoption("--xfercheck-fail-on", metavar="WHICH", default=None,
                    help="fail tests in which xfertrace finds these: rules and severities, as "
                         "\"warning\" or \"repeated-transfer,round-trip\"")
    group.addoption("--xfercheck-record", metavar="FILE", default=None,
                    help="write what each test copied and waited for to this file")
    group.addoption("--xfercheck-budgets", metavar="FILE", default=None,
                    help="fail tests that copy or wait more than this file allows")
    parser.addini("xfercheck_fail_on", "as --xfercheck-fail-on, for runs that are traced")
    parser.addini("xfercheck_budgets", "as --xfercheck-budgets, relative to this file, for runs "
                                       "that are traced")


def asked(option: Any) -> List[str]:
    """Of the options that need counters: those that were given."""
    return [name for name in ("record", "budgets", "fail_on")
            if getattr(option, f"xfercheck_{name}")]
