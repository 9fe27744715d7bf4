"""Every rule of rules.def has its page, its detectors and its tests, each named after it."""

import itertools
import re
import sys
import unittest

import repository

sys.path.insert(0, str(repository.ROOT / "rules"))
import catalogue  # noqa: E402

HEADINGS = ["What", "Why", "Bad", "Good", "When it stays silent", "How to suppress"]
OPENING = ["Finds", "Does not find", "Cost"]
FEWEST_LOOK_ALIKES = 3
MOST_CASE_LINES = 200

RULES = catalogue.read_rules()
TRACKED = {path.as_posix() for path in repository.files()}


def opening_comment(path):
    """The words of the comment at the top, after `#pragma once` in a header."""
    lines = [line for line in repository.text_of(path).splitlines() if line != "#pragma once"]
    comment = itertools.takewhile(lambda line: line.startswith("//"), lines)
    return " ".join(line.removeprefix("//").strip() for line in comment) + " "


class Catalogue(unittest.TestCase):
    def test_is_read_whole(self):
        lines = (repository.ROOT / "rules" / "rules.def").read_text().splitlines()
        self.assertEqual(sum(line.startswith("XFER_RULE(k") for line in lines), len(RULES))
        self.assertEqual(len(RULES), len({rule.slug for rule in RULES}))

    def test_tables_are_fresh(self):
        self.assertEqual(0, catalogue.main(["--check"]))

    def test_every_page_is_a_rule(self):
        pages = {path.removeprefix("rules/docs/") for path in TRACKED
                 if path.startswith("rules/docs/")}
        self.assertEqual({f"{rule.slug}.md" for rule in RULES} | {"README.md"}, pages)


class Page(unittest.TestCase):
    """rules/docs/<slug>.md"""

    def check(self, rule):
        text = (repository.ROOT / "rules" / "docs" / f"{rule.slug}.md").read_text()
        self.assertTrue(text.startswith(
            f"# {rule.slug}\n\n"
            f"Severity: {rule.severity}. Tier: {rule.tier}. Found by: {', '.join(rule.doors)}.\n\n"
            f"{rule.summary}.\n"), "the opening lines do not say what rules.def says")
        self.assertEqual(HEADINGS, re.findall(r"^## (.*)$", text, flags=re.M))
        sections = dict(zip(HEADINGS, re.split(r"^## .*$", text, flags=re.M)[1:]))
        for heading in ("Bad", "Good"):
            self.assertIn("```cpp", sections[heading], f"{heading} shows no code")
        silent = re.findall(r"^- ", sections["When it stays silent"], flags=re.M)
        self.assertGreaterEqual(len(silent), FEWEST_LOOK_ALIKES)
        if rule.lint_message:
            self.assertIn(f"NOLINT(xfer-{rule.slug})", sections["How to suppress"])


class Detector(unittest.TestCase):
    """analyzer/checks/<slug_>.cc and runtime/detect/<slug_>.cc; the comment may stand in the
    header"""

    def check(self, rule):
        for message, folder in ((rule.lint_message, "analyzer/checks"),
                                (rule.run_message, "runtime/detect")):
            path = f"{folder}/{rule.file_stem}.cc"
            if not message:
                self.assertFalse(path in TRACKED, f"{path}, but rules.def has no message for it")
                continue
            self.assertTrue(path in TRACKED, f"{path} is missing")
            comment = opening_comment(path)
            if (header := path.removesuffix("cc") + "h") in TRACKED:
                comment += opening_comment(header)
            for word in OPENING:
                self.assertIn(f"{word}:", comment, f"{path} does not open with it")

    def test_each_check_is_run(self):
        """A check that is not in the registry is never called."""
        registry = repository.text_of("analyzer/checks/registry.cc")
        self.assertEqual([], [f"{rule.slug} is not in analyzer/checks/registry.cc"
                              for rule in RULES
                              if rule.lint_message and f"{{Rule::{rule.id}," not in registry])


CASE_FOLDER = "tests/cases/rules/"
MARK = re.compile(r"// LINT: ([a-z-]+)")


def cases_of(rule):
    """name -> the marks in its files. A case is a file, or a folder whose files are one program."""
    cases = {}
    for path in TRACKED:
        if path.startswith(f"{CASE_FOLDER}{rule.slug}/"):
            name, _, file = path.removeprefix(f"{CASE_FOLDER}{rule.slug}/").partition("/")
            marks = cases.setdefault(name if file else name.partition(".")[0], set())
            marks.update(MARK.findall(repository.text_of(path)))
    return cases


class Cases(unittest.TestCase):
    """tests/cases/rules/<slug>/{bad,good}_<idea>.{cc,cu} or a folder of that name for source,
    tests/unit/runtime/<slug_>_test.cc for events"""

    def check(self, rule):
        if rule.lint_message:
            cases = cases_of(rule)
            bad = {name for name in cases if re.fullmatch(r"bad(_\w+)?", name)}
            good = {name for name in cases if re.fullmatch(r"good_\w+", name)}
            folder = f"{CASE_FOLDER}{rule.slug}/"
            self.assertEqual(set(), set(cases) - bad - good, f"{folder}: neither bad nor good")
            self.assertEqual(set(), {name for name in bad if rule.slug not in cases[name]},
                             f"{folder}: bad, but no `// LINT: {rule.slug}`")
            self.assertEqual(set(), {name for name in good if cases[name]},
                             f"{folder}: good, but with a mark")
            self.assertGreaterEqual(len(bad), 1, f"{folder}bad_<idea>.cc")
            self.assertGreaterEqual(len(good), FEWEST_LOOK_ALIKES, f"{folder}good_<idea>.cc")
        if rule.run_message:
            path = f"tests/unit/runtime/{rule.file_stem}_test.cc"
            self.assertTrue(path in TRACKED, f"{path} is missing")
            tests = re.findall(r"^TEST(?:_[FP])?\(", repository.text_of(path), flags=re.M)
            self.assertGreaterEqual(len(tests), 1 + FEWEST_LOOK_ALIKES, path)

    def test_each_case_is_of_a_rule(self):
        slugs = {rule.slug for rule in RULES if rule.lint_message}
        self.assertEqual(set(), {path for path in TRACKED if path.startswith(CASE_FOLDER)
                                 and path.removeprefix(CASE_FOLDER).split("/")[0] not in slugs})

    def test_each_case_is_short(self):
        """A case is read as a whole."""
        wrong = [f"{path} has {lines} lines" for path in sorted(TRACKED)
                 if path.startswith(CASE_FOLDER)
                 and (lines := repository.text_of(path).count("\n")) > MOST_CASE_LINES]
        self.assertEqual([], wrong)


def for_each_rule(case):
    """One test for each rule, so that ctest's output names the rule that lacks something."""
    for rule in RULES:
        setattr(case, f"test_{rule.file_stem}", lambda self, rule=rule: self.check(rule))


for case in (Page, Detector, Cases):
    for_each_rule(case)

if __name__ == "__main__":
    unittest.main()
