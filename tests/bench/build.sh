#!/usr/bin/env bash
# Processor time of a build from nothing, without ccache. usage: tests/bench/build.sh BUILD_DIR
set -euo pipefail
exec python3 -B "$(dirname "$0")/build.py" "$@"
