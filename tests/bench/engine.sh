#!/usr/bin/env bash
# Cost of the runtime beside the bars of the design: events written, hashed, read, examined.
# usage: tests/bench/engine.sh BUILD_DIR [EVENTS]
set -euo pipefail
build=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
out=$build/bench
mkdir -p "$out"
if ! cmake --build "$build" --target xfer_runtime >"$out/engine_build.log"; then
  cat "$out/engine_build.log" >&2
  exit 1
fi
g++ -std=c++20 -O2 -I"$root/runtime/include" -I"$root/rules/include" -I"$root/rules" \
  "$root/tests/bench/engine.cc" -o "$out/engine" -L"$build/lib" \
  -lxfer_runtime -lxfer_ptx -lxfer_device_image -lxfer_trace -lxfer_rules \
  -lfmt -ldw -lelf -lzstd -llz4 -lxxhash -ldl -lpthread
exec "$out/engine" "${2:-10000000}" "$out/engine_bench.xft"
