# compute-sanitizer over tensorlib's tests (memory and races of its kernels), and the tracer's
# report of host code that touches device memory, in the place of a bare SIGSEGV.
set -uo pipefail
. tests/gpu/common.sh
build=$1
failed=0
if dry_run; then
  export XFERCHECK_EMULATE=1
  echo 'compute-sanitizer wants a GPU'
elif ! command -v compute-sanitizer >/dev/null; then
  echo 'compute-sanitizer is not installed' && failed=1
else
  # The large cases take too long under it; every kernel is in others too.
  filter='-Reduce.Columns:Reduce.LongRowsAddUpExactly:*Loader*:*Digits*'
  for tool in memcheck racecheck synccheck; do
    echo "== $tool"
    timeout 170 compute-sanitizer --tool $tool --error-exitcode 9 --print-limit 20 \
      "$build/bin/tensorlib_test" --gtest_brief=1 "--gtest_filter=$filter" 2>&1 | tail -n 40
    status=${PIPESTATUS[0]}
    ((status == 0)) || { echo "$tool: exit code $status" && failed=1; }
  done
  unset XFERCHECK_EMULATE
fi
report=$(ctest --test-dir "$build" -R '^TraceTest\.HostCodeTouchesDeviceMemory$' \
  --no-tests=error 2>&1)
status=$?
echo "$report"
((status == 0)) || failed=1
result='clean; host access to device memory is reported'
((failed)) && result='see the log'
echo "= $result"
exit $failed
