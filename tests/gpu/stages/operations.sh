# tensorlib beside PyTorch eager on cuda:0, operation by operation, with the memory bandwidth that
# each reaches; and what the habits of the seed cases cost with both.
set -uo pipefail
. tests/gpu/common.sh
build=$1
out=$build/gpu-bench
mkdir -p "$out"
run=()
dry_run && run=(env XFERCHECK_EMULATE=1)
g++ -std=c++17 -O2 -Itensorlib/include tests/gpu/bench/operations.cc -o "$out/operations" \
  -L"$build/lib" -ltensorlib "-Wl,-rpath,$PWD/$build/lib,--allow-shlib-undefined" || exit 1
"${run[@]}" "$out/operations" >"$out/ours.tsv" || exit 1
: >"$out/theirs.tsv"
if torch_sees_gpu; then
  python3 tests/gpu/bench/operations.py >"$out/theirs.tsv" || exit 1
fi
awk -F'\t' '
  BEGIN { printf "%-40s %14s %14s %8s %12s\n", "", "tensorlib us", "PyTorch us", "ratio", "GB/s" }
  FILENAME == ARGV[1] { theirs[$2] = $3; next }
  {
    ratio = ($2 in theirs) ? sprintf("%.2fx", $3 / theirs[$2]) : "-"
    bandwidth = ($1 > 0) ? sprintf("%.1f", $1 / $3 / 1000) : ""
    other = ($2 in theirs) ? sprintf("%.2f", theirs[$2]) : "-"
    printf "%-40s %14.2f %14s %8s %12s\n", $2, $3, other, ratio, bandwidth
    if ($2 in theirs && $2 !~ /:/) { ++rows; within += $3 <= 1.005 * theirs[$2] }
  }
  END {
    if (!rows) print "= no PyTorch here to compare with"
    else printf "= %d of %d operations at most 1.0 of PyTorch\n", within, rows
  }
' "$out/theirs.tsv" "$out/ours.tsv"
cp "$out"/*.tsv "$XFER_GPU_RAW"
