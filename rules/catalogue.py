#!/usr/bin/env python3
"""Reads rules.def, and keeps the table that is made from it, README.md's.

    rules/catalogue.py            writes the table
    rules/catalogue.py --check    exit code 1 and a line where the table is stale
"""

import pathlib
import re
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- rules:begin -->", "<!-- rules:end -->"


@dataclass(frozen=True)
class Rule:
    id: str
    slug: str
    severity: str
    tier: str
    lint_message: str
    run_message: str
    summary: str

    @property
    def doors(self):
        tools = [("xferlint", self.lint_message), ("xfertrace", self.run_message)]
        return [tool for tool, message in tools if message]

    @property
    def file_stem(self):
        return self.slug.replace("-", "_")


def _arguments(text):
    """The top-level arguments of one XFER_RULE(...), neighbouring string literals joined."""
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|,', text)
    arguments, current = [], ""
    for token in tokens + [","]:
        if token == ",":
            arguments.append(current)
            current = ""
        else:
            current += token[1:-1].replace('\\"', '"') if token.startswith('"') else token
    return arguments


def read_rules(path=ROOT / "rules" / "rules.def"):
    text = re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.M)
    rules = []
    for body in re.findall(r'XFER_RULE\(((?:"(?:[^"\\]|\\.)*"|[^")])*)\)', text):
        arguments = _arguments(body)
        if len(arguments) != 7:
            raise SystemExit(f"{path}: a rule has {len(arguments)} fields, not 7: {body[:60]!r}")
        id_, slug, severity, tier, *texts = arguments
        rules.append(Rule(id_, slug, severity[1:].lower(), tier[1:].lower(), *texts))
    return rules


def table(rules, docs):
    """A Markdown table; `docs` is the way from the page to the rules' pages."""
    lines = ["| rule | finds | severity | found by |", "|---|---|---|---|"]
    for rule in rules:
        lines.append(
            f"| [{rule.slug}]({docs}{rule.slug}.md) | {rule.summary} | {rule.severity} | "
            f"{', '.join(rule.doors)} |")
    return "\n".join(lines)


PAGES = {
    ROOT / "rules" / "README.md": "docs/",
}


def with_table(text, rules, docs):
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"has no {BEGIN} ... {END}")
    return f"{before}{begin}\n\n{table(rules, docs)}\n\n{end}{after}"


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    rules = read_rules()
    stale = False
    for page, docs in PAGES.items():
        old = page.read_text()
        try:
            new = with_table(old, rules, docs)
        except ValueError as error:
            print(f"{page.relative_to(ROOT)}: {error}", file=sys.stderr)
            return 1
        if new == old:
            continue
        if arguments:
            stale = True
            print(f"{page.relative_to(ROOT)}: the table of rules is stale; run rules/catalogue.py",
                  file=sys.stderr)
        else:
            page.write_text(new)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
