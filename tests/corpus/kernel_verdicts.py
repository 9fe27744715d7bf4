"""The verdict on a program's run, by its exit code and output: did it pass its own check?"""

import re
import signal

WAIVED = 2  # the exit code of a cuda-sample that cannot run here
KINDS = ("passes", "says nothing", "waives", "needs data", "fails its check", "exits non-zero",
         "signal", "too long", "too much memory")
AS_EXPECTED = re.compile(r"failed as expected", re.I)
ASSERTION = re.compile(r"^.*\bAssertion `.*", re.M)
NO_FAILURE = re.compile(r"\b(?:0|no|without) (?:tests? |runs? )?(?:fail\w*|errors?|mismatch\w*)|"
                        r"(?:fail\w*|errors?|mismatch\w*)\s*[:=]\s*0(?:\.0*)?\b|"
                        r"\bfailed as expected", re.I)
FAILURE = re.compile(r"\bFAIL(?:ED|URE|S)?\b|\b[md]ismatch|\bincorrect|\bwrong\b|\berror[!:]|"
                     r"\bdo(?:es)? not (?:match|agree)|[1-9]\d* errors?\b|"
                     r"Percent: [1-9]|\bnot ok\b|invalid result|\bunsuccessful", re.I)
AMOUNT = re.compile(r"\w+ error: *[-+.\de]+")  # how far off it is: for the program to judge
NO_DATA = re.compile(r"file <[^>]*> not found|(?:cannot|can't|could not|couldn't|unable to|"
                     r"failed to|error) (?:open|read|load)\w*|No such file|^\s*usage\b",
                     re.I | re.M)
NOT_HERE = re.compile(r"waiv|n't support|not support|No CUDA devices support", re.I)
SUCCESS = re.compile(r"\bPASS(?:ED|ES)?\b|\bsucce(?:ss(?:ful(?:ly)?)?|eded)\b|\bverif\w* ok|"
                     r"\bresults? (?:match|agree|(?:is |are )?correct)|\bcorrect\b|\bTEST OK|"
                     r"\bidentical\b|\bmatches\b|returned OK|Percent: 0$|\bOK\b|"
                     r"\ball results match", re.I | re.M)


def verdict(code, text):
    if code < 0:
        return "signal", f"{signal.Signals(-code).name}: {last_line(text)}"
    if AS_EXPECTED.search(text):
        text = ASSERTION.sub("", text)
    text = AMOUNT.sub("", NO_FAILURE.sub("", text))
    failure, no_data = FAILURE.search(text), NO_DATA.search(text)
    if code != 0:
        kind = ("waives" if code == WAIVED and NOT_HERE.search(text) else
                "needs data" if no_data else "exits non-zero")
        return kind, f"{code}: {line_of(text, no_data or failure) or last_line(text)}"
    if failure:
        return "fails its check", line_of(text, failure)
    if SUCCESS.search(text):
        return "passes", ""
    return "needs data" if no_data else "says nothing", last_line(text)


def compared(expected, text):
    """Each line that is expected is there; blank ones and comments are not."""
    printed = {line.rstrip() for line in text.splitlines()}
    for line in map(str.rstrip, expected.splitlines()):
        if line and not line.startswith("#") and line not in printed:
            return "fails its check", f"does not print: {line[:140]}"
    return "passes", ""


def line_of(text, found):
    if not found:
        return ""
    return text[text.rfind("\n", 0, found.start()) + 1:].partition("\n")[0].strip()[:160]


def last_line(text):
    return next((line.strip()[:160] for line in reversed(text.splitlines()) if line.strip()), "")
