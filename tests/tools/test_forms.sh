#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_forms.sh HEDDLE FOLDER WHERE...
# The programs of FOLDER, in PTX as other compilers print it and in C, at every WHERE (options of `heddle run`). A line
# "// run: OPTIONS" of a program says how, "// prints: NUMBERS" what comes out; PTX is compiled with and without
# optimisation, C by each clang that is installed, at -O0 and -O2; on hardware, which takes minutes, with it alone.
# "// only: REGEX": at no other WHERE; "// clang: NAME": by that clang alone; "// cc: OPTIONS" are for it,
# "// with: OPTIONS" for `heddle ptx` and `heddle cc`.
set -uo pipefail
heddle=$(realpath "$1") folder=$(realpath "$2")
shift 2
source "$(dirname "$0")/../lib.sh"
cd "$dir"

for ((i = 0; i < 64; i++)); do printf "\\x$(printf %x "$i")\\0\\0\\0"; done >numbers.bin
line_of() { sed -n "s,^// $1: ,,p" "$2"; }
compile() { # FILE HOW... to $program
  local file=$1
  shift
  case $file in
  *.ptx) "$heddle" ptx "$file" -o "$program" "$@" ;;
  *) # shellcheck disable=SC2046
    "$heddle" cc "$file" -o "$program" "$@" -- $(line_of cc "$file") ;;
  esac
}
one() { # FILE WHERE: compiled once for all places that take the same program
  local file=$1 where=$2 config="" level levels="0 2" program
  [[ $where =~ $(line_of only "$file") ]] || return 0
  [[ $where != *--config* ]] || { config="--config ${where##*--config }" levels=2; }
  for level in $levels; do
    program=$(basename "$file").${HEDDLE_CLANG:-}.$level$config.elf
    # shellcheck disable=SC2046,SC2086
    [ -e "$program" ] || expect 0 "" compile "$file" $config $(line_of with "$file") -O "$level"
    # shellcheck disable=SC2046,SC2086
    "$heddle" run "$program" $(line_of run "$file") $where 2>"$dir/err" | tr -s ' \n' '  ' | sed 's/ $//' >"$dir/got"
    expect 0 "$(line_of prints "$file")" sh -c 'cat "$1/got" "$1/err"' sh "$dir"
    expect 0 "" diff <(line_of prints "$file") <(cat "$dir/got" && echo)
  done
}
for where in "$@"; do
  for file in "$folder"/*.ptx; do
    one "$file" "$where"
  done
  for HEDDLE_CLANG in clang-14 clang-19; do
    command -v "$HEDDLE_CLANG" >/dev/null || continue
    export HEDDLE_CLANG
    for file in "$folder"/*.c[lu]; do
      [[ $HEDDLE_CLANG != *$(line_of clang "$file") ]] || one "$file" "$where"
    done
  done
done
