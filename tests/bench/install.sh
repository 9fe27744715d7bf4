#!/usr/bin/env bash
# From the install command to the first finding. usage: tests/bench/install.sh BUILD_DIR
set -euo pipefail
exec python3 -B "$(dirname "$0")/install.py" "$@"
