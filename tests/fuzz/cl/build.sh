#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OpenCL C to PTX seeds for the fuzzers, with Debian's clang and libclc: at every level, what is not too long for them.
# They go into the archive of seeds, in place of those that are there.
# usage: tests/fuzz/cl/build.sh
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p ../seeds/ptx
for f in *.cl; do
  for level in 0 1 2 3; do
    out=../seeds/ptx/cl-${f%.cl}.O$level.ptx
    clang -O$level -x cl -cl-std=CL1.2 -target nvptx64--nvidiacl -Xclang -target-feature -Xclang +ptx63 -Xclang -target-cpu -Xclang sm_70 \
      -Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/nvptx64--nvidiacl.bc \
      -S "$f" -o "$out" 2>/dev/null || { rm -f "$out"; continue; } # clang 14 cannot do all at -O0
    # Neighbouring levels often agree.
    for lower in 0 1 2; do
      if [ "$lower" -lt $level ] && [ -f "${out/O$level/O$lower}" ] && cmp -s "$out" "${out/O$level/O$lower}"; then rm -f "$out"; fi
    done
    if [ -f "$out" ] && [ "$(stat -c %s "$out")" -gt 16384 ]; then rm "$out"; fi
  done
done
archive=../../../scripts/data_archive.py
"$archive" remove ../seeds 'ptx/cl-*.ptx'
"$archive" pack ../seeds 'cl-*.ptx'
