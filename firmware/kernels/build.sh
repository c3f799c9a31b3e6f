#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# PTX of the kernels here, made from OpenCL C by Debian's clang-14 and libclc-14.
# usage: build.sh [NAME ...]          write NAME.ptx (clang -O2) and O0/NAME.ptx (clang -O0); default: all
#        build.sh --check [NAME ...]  make them elsewhere and compare; exit 1: they differ, 77: a tool is missing
set -euo pipefail
cd "$(dirname "$0")"
libclc=/usr/lib/clc/nvptx64--nvidiacl.bc
flags=(-x cl -cl-std=CL1.2 -target nvptx64--nvidiacl -Xclang -target-feature -Xclang +ptx63 -Xclang -target-cpu
  -Xclang sm_70 -Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang "$libclc")

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
out=.
if [ "${1:-}" = --check ]; then
  shift
  out=$tmp
fi
if ! command -v clang-14 >/dev/null || ! command -v llc-14 >/dev/null || [ ! -e "$libclc" ]; then
  echo "clang-14, llvm-14 or libclc-14 is not installed" >&2
  exit 77
fi
mkdir -p "$out/O0"
[ $# -gt 0 ] || set -- $(basename -s .cl ./*.cl)

# At -O0 a `__local` pointer among a kernel's parameters makes clang-14 die ("Cannot cast between two non-generic address
# spaces"): its back end knows no system "nvidiacl", takes the kernel for CUDA's, casts every pointer parameter to global
# memory and back, and without optimisation these casts stay. Named "nvcl" the same back end, still at -O0 and with not a
# pass more, knows that such a parameter is shared memory.
compile_O0() {
  clang-14 -O0 "${flags[@]}" -S -emit-llvm "$1" -o "$tmp/ir.ll"
  if grep -q 'spir_kernel.*addrspace(3)\*' "$tmp/ir.ll"; then
    llc-14 -O0 -mtriple=nvptx64-unknown-nvcl -mcpu=sm_70 -mattr=+ptx63 "$tmp/ir.ll" -o "$2"
  else
    clang-14 -O0 "${flags[@]}" -S "$1" -o "$2"
  fi
}

for name in "$@"; do
  clang-14 -O2 "${flags[@]}" -S "$name.cl" -o "$out/$name.ptx"
  compile_O0 "$name.cl" "$out/O0/$name.ptx"
done
[ "$out" = . ] && exit 0
for name in "$@"; do
  for file in "$name.ptx" "O0/$name.ptx"; do cmp "$file" "$out/$file" || differ=1; done
done
exit "${differ:-0}"
