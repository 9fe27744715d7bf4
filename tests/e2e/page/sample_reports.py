"""Findings as the tools write them, for the pages of the test: an ordinary run, and one of hostile
texts."""

SOURCE = """#include <cuda_runtime.h>
void train(float* weights, float* device, size_t bytes) {
  for (int i = 0; i < 100; ++i)
    cudaMemcpy(device, weights, bytes, cudaMemcpyHostToDevice);
}
"""

HOSTILE = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>" \
          "<svg onload=alert(3)>&lt;b&gt;javascript:alert(4)\u202e\u0007${alert(5)}`"


def place(line, function="train", file="train.cu"):
    return {"file": file, "line": line, "column": 5, "function": function}


def finding(rule, severity, message, line, **more):
    return {"rule": rule, "severity": severity, "confidence": "proven", "message": message,
            "location": place(line),
            "notes": [{"location": place(3), "message": "the earlier copy is here"}],
            "stack": [place(line), place(7, "main")], "fix": None,
            "cost": {"count": 99, "bytes": 405504, "host_ns": 1200000, "device_ns": 90000,
                     "saving_ns": 700000},
            "first_seen": [{"run": 0, "ns": 200000 * line}], "fingerprint": f"{line:016x}", **more}


def report(findings, tool="xfertrace", scope="step", lane="host thread 7"):
    series = {"instances_per_bar": 1, "h2d_bytes": [1024, 2048, 1024], "d2h_bytes": [0, 0, 512]}
    lanes = [{"name": lane, "slices": "m0+1@25 u3+2@100 w10+90@50"},
             {"name": "cuda:0 stream 0", "slices": "u4+1@100 k11+80@75 d95+5@100"}]
    return {"schema": "xfercheck-findings/1", "tool": tool, "findings": findings,
            "stats": {"run_ns": 2000000, "copies": {"host-to-device": {"count": 4, "bytes": 4096}},
                      "launches": {"count": 3}, "syncs": {"count": 2, "host_ns": 500},
                      "scopes": {scope: {"count": 3, "series": series}},
                      "picture": {"bucket_ns": 10000, "lanes": lanes}}}


LONG_NAME = "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, " \
            "std::array<char*, 1> >(int, at::native::FillFunctor<float>, std::array<char*, 1>)"


def run(**more):
    """A report's entry for its run: emulated, and well ended unless `more` says otherwise."""
    return {"kind": "trace", "tool": "xfertrace", "version": "1.2.3",
            "command": ["./train", "--steps", "3"], "project": None, "working_directory": None,
            "start": {"utc": "2026-11-23T20:31:02Z", "ns": 10**18},
            "machine": {"cpu": "a CPU", "os": "an OS"},
            "devices": {"kind": "emulated", "count": 2, "names": [], "driver": None},
            "exit_code": 0, "signal": None, "cuda_calls": 12, "untraced": "no",
            "not_run": ["640 kernel launches were not executed; their outputs hold old data "
                        "(2 kernels)"], **more}


def crashed():
    """A run that found nothing before it was killed."""
    return {**report([]), "runs": [run(exit_code=None, signal=11)]}


def many(count=500):
    """More findings than a person reads: in seven rules and twenty files, worst last."""
    rules = [("sync-in-loop", "advice"), ("pageable-async", "advice"), ("small-copies", "warning"),
             ("round-trip", "warning"), ("repeated-transfer", "warning"),
             ("read-before-sync", "error"), ("host-access", "error")]
    findings = []
    for i in range(count):
        rule, severity = rules[i * len(rules) // count]
        one = finding(rule, severity, f"finding {i} of `{LONG_NAME}`", 1 + i % 6, location=place(
            1 + i % 6, LONG_NAME if i % 3 == 0 else "train", f"src/layer_{i % 20}.cu"))
        one["cost"] = {**one["cost"], "host_ns": 1000 * (i + 1), "modelled": True}
        one["stack"] = [place(4, LONG_NAME)] + [place(7, f"frame_{k}") for k in range(6)]
        one["fingerprint"] = f"{i:016x}"
        findings.append(one)
    result = {**report(findings), "runs": [run()]}
    result["stats"]["skipped_kernels"] = {LONG_NAME: 600, "saxpy(float*)": 40}
    return result


def ordinary():
    early = "the host reads memory that a copy may still write"
    again = "the same 4 KiB are copied to `cuda:0` again (99 times)"
    return report([
        finding("read-before-sync", "error", early, 2),
        finding("repeated-transfer", "warning", again, 4),
        finding("pageable-async", "advice", "an asynchronous copy of pageable memory", 5)])


def hostile():
    """Every text of a report, hostile. The rule and the severity are of a fixed set."""
    where = {"file": HOSTILE, "line": 1, "column": 1, "function": HOSTILE}
    here = dict(where, file="hostile.cu")
    fix = {"description": HOSTILE,
           "replacements": [{"file": "hostile.cu", "offset": 2, "length": 3, "text": HOSTILE}]}
    notes = [{"location": where, "message": HOSTILE}, {"location": here, "message": HOSTILE}]
    one = finding("round-trip", "warning", HOSTILE, 1, location=here, stack=[where, here], fix=fix,
                  notes=notes, fingerprint=HOSTILE)
    return report([one], HOSTILE, HOSTILE, HOSTILE)
