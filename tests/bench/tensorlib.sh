#!/usr/bin/env bash
# tensorlib beside Debian's LibTorch: one source, compiled for each, run in turn so that both meet
# the same noise.
# usage: [THREADS="1 2"] tests/bench/tensorlib.sh BUILD_DIR
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")"
root=$(realpath ../..)
out=$build/bench
mkdir -p "$out"
torch_flags=(-DXFER_BENCH_TORCH -DTENSORLIB_MODELS_ON_LIBTORCH
  -isystem /usr/include/torch/csrc/api/include)
torch_links=(-ltorch -ltorch_cpu -lc10)
our_links=(-L"$build/lib" -ltensorlib -Wl,-rpath,"$build/lib")

# How long a command takes.
seconds() {
  local start end
  start=$(date +%s.%N)
  "$@" >"$out/compile.log" 2>&1 || { cat "$out/compile.log" >&2; return 1; }
  end=$(date +%s.%N)
  echo "$end $start" | awk '{ printf "%.2f", $1 - $2 }'
}

# How long it takes to compile $1.cc for ours or theirs ($2).
compile_seconds() {
  local command=(g++ -std=c++17 -O2 -I"$root/tensorlib/include" -I. "$1.cc" -o "$out/$1.$2")
  if [[ $2 == ours ]]; then
    command+=("${our_links[@]}")
  else
    command+=("${torch_flags[@]}" "${torch_links[@]}")
  fi
  seconds "${command[@]}"
}

# How long it takes to read header $1 in a file that does nothing else.
parse_seconds() {
  echo "#include <$1>" >"$out/parse.cc"
  seconds g++ -std=c++17 -fsyntax-only "${@:2}" "$out/parse.cc"
}

programs=(tensorlib_cases tensorlib_training)
compile_ours=$(compile_seconds tensorlib_cases ours)
compile_seconds tensorlib_training ours >/dev/null
if ! compile_theirs=$(compile_seconds tensorlib_cases theirs); then
  echo "bench: LibTorch is not installed (Debian: libtorch-dev); tensorlib alone" >&2
  for program in "${programs[@]}"; do "$out/$program.ours" 1; done
  exit 0
fi
compile_seconds tensorlib_training theirs >/dev/null

for threads in ${THREADS:-1 2}; do
  # Debian's LibTorch multiplies matrices on OpenBLAS's own threads, which set_num_threads() does
  # not tell.
  export OPENBLAS_NUM_THREADS=$threads OMP_NUM_THREADS=$threads
  for program in "${programs[@]}"; do
    for round in 1 2 3; do
      for side in ours theirs; do
        "$out/$program.$side" $threads >"$out/$program.$side.$threads.$round"
      done
    done
  done
  printf '%d thread%s, best of 3 rounds\n' $threads "$([[ $threads == 1 ]] || echo s)"
  printf '%-40s %14s %14s %8s\n' '' 'tensorlib us' 'LibTorch us' 'ratio'
  for program in "${programs[@]}"; do
    awk -F'\t' '
      FNR == 1 { ours = FILENAME ~ /\.ours\.[0-9.]*$/ }
      { key = $1; if (!(key in seen)) { seen[key] = 1; order[++n] = key } }
      ours && (!(key in a) || $2 < a[key]) { a[key] = $2 }
      !ours && (!(key in b) || $2 < b[key]) { b[key] = $2 }
      END {
        for (i = 1; i <= n; ++i) {
          k = order[i]
          printf "%-40s %14.2f %14.2f %7.2fx\n", k, a[k], b[k], a[k] / b[k]
        }
      }' "$out/$program".{ours,theirs}.$threads.[0-9]
  done
  echo
done

# Costs for every program that links the library.
printf '%-38s %14s %14s %8s\n' '' 'tensorlib' 'LibTorch' 'ratio'
row() {
  awk -v n="$1" -v a="$2" -v b="$3" 'BEGIN { printf "%-38s %14s %14s %7.2fx\n", n, a, b, a / b }'
}
row 'compile this file, s' "$compile_ours" "$compile_theirs"
row 'parse the header, s' "$(parse_seconds tensorlib/tensorlib.h -I"$root/tensorlib/include")" \
  "$(parse_seconds torch/torch.h "${torch_flags[@]}")"
library_kib() { # what it needs of its own
  strip -o "$out/stripped" "$1" && stat -c %s "$out/stripped" | awk '{ printf "%d", $1 / 1024 }'
}
torch_cpu=$(ldd "$out/tensorlib_cases.theirs" | awk '/libtorch_cpu/ { print $3 }')
row 'library, stripped, KiB' "$(library_kib "$build/lib/libtensorlib.so")" \
  "$(library_kib "$(realpath "$torch_cpu")")"
cat >"$out/start.cc" <<'C'
#ifdef XFER_BENCH_TORCH
#include <torch/torch.h>
#else
#include <tensorlib/tensorlib.h>
namespace torch = tensorlib;
#endif
int main() { return torch::ones({2}).sum().item<float>() == 2 ? 0 : 1; }
C
g++ -std=c++17 -O2 -I"$root/tensorlib/include" "$out/start.cc" -o "$out/start_ours" \
  "${our_links[@]}"
g++ -std=c++17 -O2 "${torch_flags[@]}" "$out/start.cc" -o "$out/start_theirs" "${torch_links[@]}"
start_ms() {
  local start end
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    start=$(date +%s%N); "$1"; end=$(date +%s%N)
    echo $((end - start))
  done | sort -n | head -n 1 | awk '{ printf "%.1f", $1 / 1e6 }'
}
row 'start, one tensor, end, ms' "$(start_ms "$out/start_ours")" "$(start_ms "$out/start_theirs")"
