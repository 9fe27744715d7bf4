# tensorlib's tests on cuda:0 of the machine; in a dry run on one emulated device.
set -uo pipefail
build=$1
report=$XFER_GPU_RAW/tensorlib.xml
[[ ${XFER_GPU_DRY_RUN:-0} == 1 ]] && export XFERCHECK_EMULATE=1
"$build/bin/tensorlib_test" --gtest_brief=1 "--gtest_output=xml:$report"
result=$?
python3 -B tests/gpu/summary.py "$report"
exit $result
