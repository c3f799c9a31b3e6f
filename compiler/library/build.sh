#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# PTX of what programs are given: a .ptx of each .cu here, by Debian's clang-19. usage: build.sh [--check]
# --check: make it elsewhere and compare; exit 1: it differs, 77: a tool is missing
set -euo pipefail
cd "$(dirname "$0")"
command -v clang-19 >/dev/null || { echo "clang-19 is not installed" >&2; exit 77; }
to=.
if [ "${1:-}" = --check ]; then
  to=$(mktemp -d)
  trap 'rm -rf "$to"' EXIT
fi
for source in *.cu; do
  out=${source%.cu}.ptx
  clang-19 -x cuda -std=c++17 -Os --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib \
    -Wno-unknown-cuda-version -Xclang -target-feature -Xclang +ptx63 -S "$source" -o "$to/$out"
  [ "$to" = . ] || cmp "$out" "$to/$out"
done
