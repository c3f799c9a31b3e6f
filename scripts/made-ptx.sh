#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# PTX that Debian's clang makes of sources of this tree. It is kept, so that a build needs no clang: FOLDER/data.zip, which
# the build unpacks (scripts/data_archive.py).
# usage: made-ptx.sh [--check] FOLDER...    FOLDER: a function below
#        --check: make it elsewhere and compare; exit 1: it differs, 77: a tool is missing
# example: scripts/made-ptx.sh firmware/kernels; python3 -m zipfile -l firmware/kernels/data.zip
set -euo pipefail
cd "$(dirname "$0")/.."
libclc=/usr/lib/clc/nvptx64--nvidiacl.bc
opencl=(-x cl -target nvptx64--nvidiacl -Xclang -target-feature -Xclang +ptx63 -Xclang -target-cpu -Xclang sm_70
  -Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang "$libclc")
cuda=(-x cuda -std=c++17 --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -Wno-unknown-cuda-version
  -Xclang -target-feature -Xclang +ptx63)

needs() {
  local tool
  for tool in "$@"; do
    [ -e "$tool" ] || command -v "$tool" >/dev/null || { echo "$tool is not installed" >&2; exit 77; }
  done
}

# At -O0 a `__local` pointer among a kernel's parameters makes clang-14 die ("Cannot cast between two non-generic address
# spaces"): its back end knows no system "nvidiacl", takes the kernel for CUDA's, casts every pointer parameter to global
# memory and back, and without optimisation these casts stay. Named "nvcl" the same back end, still at -O0 and with not a
# pass more, knows that such a parameter is shared memory.
kernel_O0() {
  clang-14 -O0 -cl-std=CL1.2 "${opencl[@]}" -S -emit-llvm "$1" -o "$tmp/ir.ll"
  if grep -q 'spir_kernel.*addrspace(3)\*' "$tmp/ir.ll"; then
    llc-14 -O0 -mtriple=nvptx64-unknown-nvcl -mcpu=sm_70 -mattr=+ptx63 "$tmp/ir.ll" -o "$2"
  else
    clang-14 -O0 -cl-std=CL1.2 "${opencl[@]}" -S "$1" -o "$2"
  fi
}

# NAME.ptx by -O2, O0/NAME.ptx by -O0.
firmware/kernels() {
  local source
  needs clang-14 llc-14 "$libclc"
  mkdir "$2/O0"
  for source in "$1"/*.cl; do
    name=$(basename -s .cl "$source").ptx
    clang-14 -O2 -cl-std=CL1.2 "${opencl[@]}" -S "$source" -o "$2/$name"
    kernel_O0 "$source" "$2/O0/$name"
  done
}

tests/compiler/calls() {
  needs clang-14 "$libclc"
  for level in 0 2; do clang-14 -O$level -cl-std=CL2.0 "${opencl[@]}" -S "$1/calls.cl" -o "$2/calls_O$level.ptx"; done
}

compiler/library() {
  local source
  needs clang-19
  for source in "$1"/*.cu; do clang-19 -Os "${cuda[@]}" -S "$source" -o "$2/$(basename -s .cu "$source").ptx"; done
}

firmware/host/cuda/library() {
  needs clang-19
  clang-19 -O2 "${cuda[@]}" -S "$1/blas.cu" -o "$2/blas.ptx"
}

check=
[ "${1:-}" != --check ] || { check=1; shift; }
[ $# -gt 0 ] || { sed -n '3,7s/^# //p' "$0" >&2; exit 2; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for folder in "$@"; do
  [[ $folder == */* ]] && declare -F "$folder" >/dev/null || { echo "$folder: no folder of this script" >&2; exit 2; }
  made=$tmp/made
  rm -rf "$made" && mkdir "$made"
  "$folder" "$folder" "$made"
  if [ "$check" ]; then
    scripts/data_archive.py extract "$folder" "$tmp/$folder"
    diff -r "$tmp/$folder" "$made" || exit 1
  else
    scripts/data_archive.py pack "$made" '*.ptx'
    mv "$made/data.zip" "$folder/data.zip"
  fi
done
