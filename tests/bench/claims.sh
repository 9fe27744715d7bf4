#!/usr/bin/env bash
# Copies of the wasteful seed cases beside those of their right twins.
# usage: tests/bench/claims.sh BUILD_DIR
set -euo pipefail
exec python3 -B "$(dirname "$0")/claims.py" "$@"
