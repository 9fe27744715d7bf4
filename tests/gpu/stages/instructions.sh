# The instructions of unit/kernels and their expected bits, by a device: those that it decides
# otherwise, and those that it does not have. A process for each table: where one loses the device,
# the others go on.
set -uo pipefail
. tests/gpu/common.sh
build=$1
failed=0
run=()
dry_run && run=(env XFERCHECK_EMULATE=1 "LD_LIBRARY_PATH=$build/lib/emulator")
"${run[@]}" "$build/bin/gpu_matrices" --gtest_brief=1 || failed=1
said=$XFER_GPU_RAW/instructions.txt
: >"$said"
for table in tests/unit/kernels/instructions/*.table; do
  "${run[@]}" "$build/bin/gpu_instructions" "$table" >>"$said" || failed=1
done
cat "$said"
awk '/ forms refused$/ { cases += $2; otherwise += $4; refused += $6 }
  END { printf "= %d cases, %d otherwise, %d forms refused\n", cases, otherwise, refused }' "$said"
exit $failed
