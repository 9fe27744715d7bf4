# Measures the claims about moving tensors: the wasteful seed cases beside their right twins,
# copies, bytes and time.
set -uo pipefail
tests/bench/claims.sh "$1"
result=$?
echo "= $( ((result)) && echo 'see the log' || echo 'five habits beside the right way')"
exit $result
