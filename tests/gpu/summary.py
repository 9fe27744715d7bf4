#!/usr/bin/env python3
"""One line about a run of tests, from the JUnit file that ctest or a GoogleTest program wrote.

usage: summary.py JUNIT_FILE
"""

import sys
import xml.etree.ElementTree as xml


def main():
    cases = list(xml.parse(sys.argv[1]).getroot().iter("testcase"))
    skipped = [case for case in cases
               if case.find("skipped") is not None or case.get("status") in ("notrun", "disabled")]
    failed = [case for case in cases if case.find("failure") is not None]
    names = " ".join(case.get("name") for case in failed[:6])
    print(f"= {len(cases)} tests, {len(failed)} failed, "
          f"{len(skipped)} skipped{': ' + names if names else ''}")


if __name__ == "__main__":
    main()
