"""Checks commit messages: a subject in the imperative, which may begin with the part it is about
and a colon; an empty line; and a body that says why.

Asked of the commits since this file came; older ones are as they are.
"""

import pathlib
import re
import subprocess
import unittest

import repository

LONGEST = 72
TRAILER = re.compile(r"^[A-Z][\w-]*-(?:by|to|from): ")
VERBS = ["add", "allow", "build", "change", "check", "clean", "correct", "count", "drop", "explain",
         "fix", "give", "handle", "hold", "implement", "improve", "introduce", "keep", "make",
         "mend", "move", "name", "print", "put", "read", "refactor", "remove", "rename", "replace",
         "report", "run", "say", "set", "show", "split", "stop", "support", "take", "tell", "test",
         "update", "use", "wrap", "write"]
IRREGULAR = {"built", "did", "gave", "held", "kept", "made", "ran", "said", "took", "told", "wrote"}


def other_forms(verb):
    """fix: fixes, fixed, fixing. Some of them are no words, which does no harm."""
    stem = verb.removesuffix("e")
    return {verb + "s", verb + "es", stem + "ed", stem + "ing",
            verb + verb[-1] + "ed", verb + verb[-1] + "ing"}


NOT_IMPERATIVE = IRREGULAR.union(*map(other_forms, VERBS)) - set(VERBS)


def faults(message):
    """The faults of a commit's message, a line each."""
    subject, _, rest = message.partition("\n")
    found = []
    if not subject.startswith('Revert "') and len(subject) > LONGEST:
        found.append(f"the subject has {len(subject)} characters, at most {LONGEST} are wanted")
    first = re.match(r"(?:[A-Z]|[\w.+/-]+: [A-Za-z])[a-z-]*(?= )", subject)
    verb = first[0].rpartition(" ")[2] if first else ""
    if not first:
        found.append("the subject does not begin with a verb: Add ..., Say ..., PART: add ...")
    elif verb.lower() in NOT_IMPERATIVE:
        found.append(f"'{verb}' is not in the imperative")
    if subject.endswith("."):
        found.append("the subject ends with a period")
    separator, _, body = rest.partition("\n")
    if separator.strip():
        found.append("the second line is not empty")
    if not any(line.strip() and not TRAILER.match(line) for line in body.split("\n")):
        found.append("no body says why")
    return found


def git(*arguments):
    return subprocess.run(["git", "-C", repository.ROOT, *arguments], check=True,
                          capture_output=True, text=True, errors="replace").stdout.strip()


def messages():
    """(abbreviated hash, message) of each commit since this file came, merges left out."""
    path = f"tests/layout/{pathlib.Path(__file__).name}"
    first = git("log", "--diff-filter=A", "--format=%H", "--", path).split("\n")[-1]
    if not first:
        return []
    told = git("log", "--no-merges", "-z", "--format=%h%n%B", f"{first}..HEAD")
    told += "\0" + git("show", "--no-patch", "--format=%h%n%B", first)
    return [(each.split("\n")[0], each.partition("\n")[2].strip())
            for each in told.split("\0") if each.strip()]


class Commits(unittest.TestCase):
    def test_messages(self):
        try:
            if git("rev-parse", "--is-shallow-repository") == "true":
                self.skipTest("the clone is shallow")
            told = messages()
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("git has no history here")
        wrong = [f"{commit}: {fault}" for commit, message in told for fault in faults(message)]
        self.assertEqual([], wrong)


class Faults(unittest.TestCase):
    """The rule itself."""

    def test_good_messages_have_none(self):
        for message in ("Add a rule\n\nPrograms do this.",
                        "Use one stream\n\nTwo were slower.\n\nSigned-off-by: A <a@b>",
                        "Set the stack by the machine\n\nIt was too small.",
                        "docs: build the site\n\nNobody could.",
                        "Demo: Build the tracer alone\n\nThe rest takes long.",
                        'Revert "' + "x" * 80 + '"\n\nIt broke the build.'):
            self.assertEqual([], faults(message), message)

    def test_each_fault_is_found(self):
        body = "\n\nWhy."
        for message, word in (("Add " + "x" * 69 + body, "73 characters"),
                              ("add a rule" + body, "begin with a verb"),
                              ("tests: 12 more rules" + body, "begin with a verb"),
                              ("Added a rule" + body, "'Added'"),
                              ("rules: adds one" + body, "'adds'"),
                              ("Adds a rule" + body, "'Adds'"),
                              ("Fixes a rule" + body, "'Fixes'"),
                              ("Removing a rule" + body, "'Removing'"),
                              ("Stopped a rule" + body, "'Stopped'"),
                              ("Made a rule" + body, "'Made'"),
                              ("Add a rule." + body, "period"),
                              ("Add a rule\nand another" + body, "second line"),
                              ("Add a rule", "no body"),
                              ("Add a rule\n\n", "no body"),
                              ("Add a rule\n\nSigned-off-by: A <a@b>", "no body")):
            found = faults(message)
            self.assertEqual(1, len(found), f"{message!r}: {found}")
            self.assertIn(word, found[0])


if __name__ == "__main__":
    unittest.main()
