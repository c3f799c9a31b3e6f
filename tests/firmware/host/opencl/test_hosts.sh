#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_hosts.sh VENDORS [--valgrind] BOARD HOST...
# OpenCL hosts end well on a board: with each clang that is installed, from an empty cache and from a full one. With
# --valgrind: by the first clang, and nothing is lost or misused.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export OCL_ICD_VENDORS=$1
shift
check=()
[ "$1" != --valgrind ] || { check=(valgrind -q --error-exitcode=9 --leak-check=full --suppressions="$here/loader.supp"); shift; }
export HEDDLE_BOARD=$1
shift
source "$here/../../../lib.sh"
export XDG_CACHE_HOME=$dir/cache TMPDIR=$dir
clangs=0
for clang in clang-19 clang-14; do
  command -v "$clang" >/dev/null || continue
  [ $clangs = 0 ] || [ ${#check[@]} = 0 ] || continue
  clangs=$((clangs + 1))
  export HEDDLE_CLANG=$clang
  for host in "$@"; do
    name=$(basename "$host")
    expect 0 "well" "${check[@]}" "$host"
    [ "$name" != opencl_kernels ] || expect 0 "-7 and words" "$host"
    [ "$name" != opencl_queue ] || expect 0 "x is 41" "$host"
    [ "$name" != opencl_bad ] || expect 0 "at        $PWD/<stdin>:2: pc" "$host"
  done
done
expect 0 "" test "$clangs" -gt 0
# What was compiled is there, and no folder of headers is left.
expect 0 "heddle" ls "$dir/cache"
expect 0 "" test -z "$(find "$dir" -maxdepth 1 -name 'heddle-opencl.*')"
