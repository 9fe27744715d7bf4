#!/usr/bin/env bash
# Cost of the transfer ledger, guards, budgets and stream checks of tensorlib.
# usage: tests/bench/ledger.sh BUILD_DIR
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")"
out=$build/bench
mkdir -p "$out"
g++ -std=c++17 -O2 -I../../tensorlib/include ledger.cc -o "$out/ledger" \
  -L"$build/lib" -ltensorlib -Wl,-rpath,"$build/lib"
printf '%-36s %12s\n' '' 'ns'
XFERCHECK_EMULATE=1 OMP_NUM_THREADS=1 "$out/ledger" | awk -F'\t' '{ printf "%-36s %12s\n", $1, $2 }'
