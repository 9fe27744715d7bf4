#!/usr/bin/env bash
# Fuzzes the trace reader and the engine with clang's libFuzzer.
# usage: tests/fuzz/trace.sh OUT_DIR [SECONDS]
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
out=$1
seconds=${2:-30}
mkdir -p "$out"
clang=$(command -v clang++-22 || command -v clang++) || { echo "fuzz: clang++ was not found" >&2; exit 2; }
for name in trace_reader trace_events; do
  "$clang" -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
    -I"$root/runtime" -I"$root/runtime/include" -I"$root/rules/include" -I"$root/rules" \
    "$root/tests/fuzz/${name}_fuzz.cc" "$root"/runtime/detect/*.cc \
    "$root"/runtime/src/{engine,event_coder,trace_reader}.cc -lzstd -lxxhash -o "$out/${name}_fuzz"
  mkdir -p "$out/${name}_corpus"
  "$out/${name}_fuzz" -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=10 \
    -artifact_prefix="$out/" "$out/${name}_corpus" 2>&1 | tail -n 3
done
