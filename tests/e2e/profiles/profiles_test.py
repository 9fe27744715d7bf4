"""`xfertrace report` of other tools' traces, as a person runs it.

    profiles_test.py XFERTRACE
"""

import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import kineto

PAGE = pathlib.Path(__file__).resolve().parents[3] / "cupti_tracer" / "PROFILES.md"
XFERTRACE = ""


class Profiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        file = self.folder / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(file)

    def report(self, *arguments, code=0):
        done = subprocess.run([XFERTRACE, "report", *arguments], capture_output=True, text=True,
                              check=False, timeout=60)
        self.assertEqual(code, done.returncode, done.stdout + done.stderr)
        return done

    def findings(self, *arguments):
        return json.loads(self.report("--format", "json", *arguments).stdout)["findings"]

    def test_a_report_says_where_and_what_it_costs(self):
        trace = self.write("trace.json.gz", gzip.compress(kineto.training().json().encode()))
        text = self.report(trace).stdout
        self.assertIn("aten::to in ProfilerStep#2: advice: cuda:0 computes nothing during copies "
                      "of 4 MiB to cuda:0 (7 times) [exposed-copy]", text)
        self.assertIn("2.8 ms on the device", text)
        # One of the eight steps has the first copy, which is never exposed.
        self.assertIn("10.0 % of each ProfilerStep", text)
        self.assertRegex(text, r"recorded by: +torch.profiler\n")
        self.assertRegex(text, r"devices: +NVIDIA H100 80GB HBM3\n")
        self.assertRegex(text, r"date: +2024-12-31")
        self.assertIn("need a run under xfertrace", text)
        self.assertIn("8 uploads (32 MiB) are of one size and one place each", text)

    def test_every_format_takes_it(self):
        trace = self.write("trace.json", kineto.training().json())
        for kind in ("json", "sarif", "github", "gitlab", "html", "perfetto", "jsonl"):
            out = self.report("--format", kind, trace).stdout
            self.assertIn("exposed-copy", out, kind)
            # Memory that was there before the trace is no event of the run's.
            self.assertFalse(kind == "perfetto" and "allocate" in out)

    def test_fail_on(self):
        trace = self.write("trace.json", kineto.training().json())
        self.report("--fail-on", "exposed-copy", trace, code=1)
        self.report("--fail-on", "slow-copy", trace)

    def test_overlapped_copies_are_no_finding(self):
        trace = kineto.training()
        # Another stream computes all the time.
        last = max(event["ts"] + event["dur"] for event in trace.events)
        trace.add("kernel", "other", 900, last, thread=9, device=0, stream=9, correlation=9999)
        self.assertEqual([], self.findings(self.write("trace.json", trace.json())))

    def test_bad_input_is_one_line_and_exit_code_2(self):
        whole = kineto.training().json()
        for text, line in ((whole[:len(whole) // 2], "is cut off; "),
                           ("{}", "has no traceEvents"),
                           ("[1, 2", "is cut off"),
                           (b"\x1f\x8b nothing", "is damaged: unknown compression method"),
                           (b"SQLite format 3\0", "cannot be read"),
                           ("hello", "is not a trace file"),
                           ("", "is empty: nothing was recorded")):
            done = self.report(self.write("bad", text), code=2)
            self.assertRegex(done.stderr, line)
            self.assertEqual(1, done.stderr.count("\n"), done.stderr)

    def test_ranks_are_told_apart(self):
        traces = [self.write(f"rank{rank}.json",
                             kineto.training(upload=1200 if rank == 2 else 400, rank=rank).json())
                  for rank in range(3)]
        traces.append(self.write("rank3.json", kineto.training(steps=1, rank=3).json()))
        text = self.report(*traces).stdout
        self.assertIn("note: on ranks 0, 1, 2 of 4", text)
        self.assertIn("note: on all 3 ranks", self.report(*traces[:3]).stdout)

    def test_two_runs_are_compared(self):
        before = self.write("before.json", kineto.training(upload=40).json())
        after = self.write("after.json.gz", gzip.compress(kineto.training().json().encode()))
        done = subprocess.run([XFERTRACE, "diff", before, after], capture_output=True, text=True,
                              check=False, timeout=60)
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn("exposed-copy", done.stdout)
        self.assertEqual(0, subprocess.run([XFERTRACE, "diff", after, before], capture_output=True,
                                           check=False, timeout=60).returncode)

    def test_lines_name_their_run(self):
        traces = [self.write(f"rank{rank}.json", kineto.training(rank=rank).json())
                  for rank in (0, 1)]
        out = self.report("--format", "jsonl", "--commit", "abc123", *traces).stdout
        lines = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([(traces[0], 0), (traces[1], 1)],
                         [(line["run"], line["rank"]) for line in lines])
        self.assertEqual({("abc123", 4, "exposed-copy", "2024-12-31T08:06:00Z")},
                         {(line["commit"], line["world_size"], line["rule"], line["time"])
                          for line in lines})
        self.assertEqual(lines[0]["fingerprint"], lines[1]["fingerprint"])

    def write_runs(self):
        """Two commits of four ranks; the later is slower, and rank 3 slower than the others."""
        for commit, uploads in (("BEFORE", 400), ("AFTER", 700)):
            for rank in range(4):
                upload = 4 * uploads if rank == 3 else uploads
                trace = self.write(f"{commit}{rank}.json",
                                   kineto.training(upload=upload, rank=rank).json())
                self.report("--format", "jsonl", "--commit", commit, "-o",
                            str(self.folder / f"{commit}{rank}.jsonl"), trace)

    def check_queries(self, rows_of):
        """`rows_of(sql)`: the table `findings` answers the page's questions."""
        queries = dict(re.findall(r"<!-- sql: (\w+) -->\n```sql\n(.*?)```", PAGE.read_text(),
                                  flags=re.S))
        worst = rows_of(queries["worst"])
        self.assertEqual([("exposed-copy", 8, 56)], [(row[0], row[4], row[5]) for row in worst])
        (regression,) = rows_of(queries["regressions"])
        self.assertLess(regression[2] * 1.2, regression[3])
        (slow,) = rows_of(queries["ranks"])
        self.assertEqual(3, slow[2])

    def test_the_pages_queries_in_duckdb(self):
        try:
            import duckdb
        except ImportError:
            self.skipTest("no duckdb")
        self.write_runs()
        table = duckdb.connect()
        table.execute("CREATE VIEW findings AS SELECT * FROM "
                      f"read_json_auto('{self.folder}/*.jsonl')")
        self.check_queries(lambda sql: table.execute(sql).fetchall())

    def test_the_pages_queries_in_spark(self):
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            self.skipTest("no pyspark")
        self.write_runs()
        spark = SparkSession.builder.master("local[2]").config(
            "spark.ui.enabled", "false").getOrCreate()
        self.addCleanup(spark.stop)
        spark.sql("CREATE TEMPORARY VIEW findings USING json "
                  f"OPTIONS (path '{self.folder}/*.jsonl')")
        self.check_queries(lambda sql: spark.sql(sql).collect())


if __name__ == "__main__":
    XFERTRACE = sys.argv.pop()
    unittest.main()
