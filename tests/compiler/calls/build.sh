#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# calls_O0.ptx and calls_O2.ptx from calls.cl, by Debian's clang-14.
set -euo pipefail
cd "$(dirname "$0")"
for level in 0 2; do
  clang-14 -O$level -x cl -cl-std=CL2.0 -target nvptx64--nvidiacl -Xclang -target-feature -Xclang +ptx63 \
    -Xclang -target-cpu -Xclang sm_70 -Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode \
    -Xclang /usr/lib/clc/nvptx64--nvidiacl.bc -S calls.cl -o calls_O$level.ptx
done
