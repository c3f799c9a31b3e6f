#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_silicon.sh HEDDLE_NVCC BOARD...
# What real GPUs returned, by whole CUDA programs: the kernels of tests/silicon/kernels in CUDA C, and a
# language model whose logits an H100 returned, from the same source by nvcc 13: transformer.sha256 is of
# them. A BOARD has all units, and makes one token of them, the model sixteen.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd) nvcc=$(realpath -s "$1")
shift
root=$here/../../../..
source "$here/../../../lib.sh"
cd "$dir"
python3 -m zipfile -e "$root/tests/silicon/kernels/data.zip" kernels

clangs=0
for clang in clang-14 clang-19; do
  command -v "$clang" >/dev/null || continue
  clangs=$((clangs + 1))
  export HEDDLE_CLANG=$clang
  expect 0 "" "$nvcc" -O2 -Werror -Xcompiler -Wall,-Wextra "$here/silicon.cu" -o silicon
  expect 0 "" "$nvcc" -O2 -Werror -Xcompiler -Wall,-Wextra "$root/examples/programs/transformer.cu" -o transformer
  for board in model "$@"; do
    export HEDDLE_BOARD=$board
    expect 0 "8 equal" bash -c './silicon kernels >lines && echo "$(grep -c equal lines) equal"'
    tokens=1
    [ "$board" != model ] || tokens=16
    for type in float half; do
      expect 0 "PASS" ./transformer $tokens 1 $type logits.$type.$tokens
      expect 0 "OK" sha256sum --check <(grep " logits.$type.$tokens$" "$here/transformer.sha256")
    done
  done
done
expect 0 "" test "$clangs" -gt 0
