#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every C and C++ source is as clang-format (.clang-format) would write it. --fix rewrites what is not.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(find isa configs cmodel cosim firmware tools tests -name '*.c' -o -name '*.h' -o -name '*.cpp' | sort)
if [ "${1:-}" = --fix ]; then
  clang-format -i "${files[@]}"
  exit 0
fi
wrong=()
for f in "${files[@]}"; do clang-format --dry-run -Werror "$f" >/dev/null 2>&1 || wrong+=("$f"); done
for f in "${wrong[@]+"${wrong[@]}"}"; do echo "$f: not formatted; scripts/check-format.sh --fix mends it"; done
echo "${#files[@]} files, ${#wrong[@]} not formatted"
[ ${#wrong[@]} = 0 ]
