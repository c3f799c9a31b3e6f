#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tables and pictures of docs/study-memory.md, from the RTL of sm. usage: run.sh [--config NAME]     example: run.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
img=$here/../../../docs/img
config=sm
case "${1:-}" in
  "") ;;
  --config) config=${2:?run.sh: --config takes a name} ;;
  -h | --help) sed -n '3s/^# //p' "$0"; exit 0 ;;
  *) echo "run.sh: no option $1 (see --help)" >&2; exit 2 ;;
esac
"$here/chase.py" --config "$config" --picture "$img/chase.png" --check
"$here/volkov.py" --config "$config" --picture "$img/volkov.png" --check
