# The instructions of unit/kernels and their expected bits, by a device: those that it decides
# otherwise, and those that it does not have.
set -uo pipefail
. tests/gpu/common.sh
build=$1
failed=0
run=()
dry_run && run=(env XFERCHECK_EMULATE=1 "LD_LIBRARY_PATH=$build/lib/emulator")
"${run[@]}" "$build/bin/gpu_matrices" --gtest_brief=1 || failed=1
"${run[@]}" "$build/bin/gpu_instructions" tests/unit/kernels/instructions/*.table || failed=1
exit $failed
