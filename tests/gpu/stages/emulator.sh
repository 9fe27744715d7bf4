# The emulator's tests, run on a device: results of kernels, error codes, the
# order of graphs. Tests of the emulator's own options and messages fail here.
set -uo pipefail
report=$XFER_GPU_RAW/emulator.xml
toolkit=$(dirname "$(dirname "$(command -v nvcc)")")
export LD_LIBRARY_PATH=$toolkit/lib64:$toolkit/lib:${LD_LIBRARY_PATH:-}
timeout 240 "$1/bin/emulator_e2e_test" --gtest_brief=1 "--gtest_output=xml:$report"
result=$?
python3 -B tests/gpu/summary.py "$report"
exit $result
