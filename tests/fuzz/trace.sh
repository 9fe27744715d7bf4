#!/usr/bin/env bash
# Fuzzes the trace reader, the engine and the reader of device code: with clang's libFuzzer where it is installed (Debian:
# libclang-rt-22-dev), else with random mutations under g++'s sanitizers.
# usage: tests/fuzz/trace.sh OUT_DIR [SECONDS] [SEED.xft...]
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
out=$1
seconds=${2:-30}
seeds=("${@:3}")
mkdir -p "$out"
flags=(-std=c++20 -O1 -g -w -fno-sanitize-recover=undefined -I"$root/runtime" -I"$root/runtime/include"
       -I"$root/rules/include" -I"$root/rules")
sources=("$root"/runtime/detect/*.cc "$root"/runtime/src/{engine,event_coder,trace_reader,fat_binary,ptx_access}.cc)
libraries=(-lzstd -lxxhash -lelf)

clang=$(command -v clang++-22 || true)
if [[ -n $clang ]] && echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    "$clang" -fsanitize=fuzzer,address -x c++ - -o "$out/probe" 2>/dev/null; then
  build() { "$clang" "${flags[@]}" -fsanitize=fuzzer,address,undefined "$@" "${libraries[@]}"; }
  fuzz() {
    mkdir -p "$1_corpus"
    ((${#seeds[@]} == 0)) || cp "${seeds[@]}" "$1_corpus"
    "$1" -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=10 -artifact_prefix="$out/" "$1_corpus"
  }
else
  build() { g++ "${flags[@]}" -fsanitize=address,undefined "$root/tests/fuzz/standalone_driver.cc" "$@" "${libraries[@]}"; }
  fuzz() { "$1" "$seconds" "${seeds[@]}"; }
fi
for name in trace_reader trace_events device_code; do
  build "$root/tests/fuzz/${name}_fuzz.cc" "${sources[@]}" -o "$out/$name"
  echo "$name:"
  fuzz "$out/$name" 2>&1 | tail -n 3
done
