# tensorlib's tests on cuda:0 of the machine; in a dry run on one emulated device.
set -uo pipefail
. tests/gpu/common.sh
build=$1
report=$XFER_GPU_RAW/tensorlib.xml
dry_run && export XFERCHECK_EMULATE=1
"$build/bin/tensorlib_test" --gtest_brief=1 "--gtest_output=xml:$report"
result=$?
python3 -B tests/gpu/summary.py "$report"
exit $result
