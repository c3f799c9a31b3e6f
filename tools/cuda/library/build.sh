#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# PTX of the kernels of cublas_v2.h: blas.ptx, by Debian's clang-19. usage: build.sh [--check]
# --check: make it elsewhere and compare; exit 1: it differs, 77: a tool is missing
set -euo pipefail
cd "$(dirname "$0")"
command -v clang-19 >/dev/null || { echo "clang-19 is not installed" >&2; exit 77; }
out=blas.ptx
if [ "${1:-}" = --check ]; then
  out=$(mktemp)
  trap 'rm -f "$out"' EXIT
fi
clang-19 -x cuda -std=c++17 -O2 --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -Wno-unknown-cuda-version \
  -Xclang -target-feature -Xclang +ptx63 -S blas.cu -o "$out"
[ "$out" = blas.ptx ] || cmp blas.ptx "$out"
