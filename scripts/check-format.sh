#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every C and C++ source is as clang-format (.clang-format) would write it, and the prose of every page
# in lines of 100 columns at most (scripts/wrap_prose.py). --fix rewrites what is not.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/find-tool.sh
say() { echo "check-format: $*" >&2; }
format=$(tool CLANG_FORMAT clang-format clang-format) # releases differ: the pinned one
mapfile -t files < <(find base isa compiler rtl waves cmodel cosim firmware run lab tools examples tests \
  -name '*.c' -o -name '*.h' -o -name '*.cpp' | sort)
mapfile -t pages < <(find . -name build -prune -o -name '*.md' -print | sed 's#^\./##' | sort)
if [ "${1:-}" = --fix ]; then
  "$format" -i "${files[@]}"
  python3 scripts/wrap_prose.py --fix "${pages[@]}"
  exit 0
fi
# One process for many files: to start one takes longer than to read a file.
status=0
said=$(printf '%s\0' "${files[@]}" | xargs -0 -n 100 -P "$(nproc)" "$format" --dry-run -Werror 2>&1) || status=$?
mapfile -t wrong < <(sed -nE 's/^(.*):[0-9]+:[0-9]+: error: code should be clang-formatted.*/\1/p' <<<"$said" | sort -u)
for f in "${wrong[@]+"${wrong[@]}"}"; do echo "$f: not formatted; scripts/check-format.sh --fix mends it"; done
[ "$status" = 0 ] || [ ${#wrong[@]} -gt 0 ] || echo "$said"
echo "${#files[@]} files, ${#wrong[@]} not formatted"
prose=0
python3 scripts/wrap_prose.py "${pages[@]}" || prose=1
echo "${#pages[@]} pages"
[ "$status" = 0 ] && [ "$prose" = 0 ]
