#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_globals.sh HEDDLE FOLDER WHERE...
# Module variables through the command line: table.ptx and list.ptx of FOLDER compiled in three ways, proven, listed and
# assembled back to the same file, run at each WHERE (options of `heddle run`); the results against the sources'
# arithmetic here.
set -euo pipefail
heddle=$1 folder=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

weight=(3 5 7 11)
for i in $(seq 0 63); do
  other=$((i ^ 1))
  echo $((weight[other & 3] * other * 16 + weight[2 + (i & 1)] + 100000))
done >"$dir/table.want"
letter=(122 111 116) # z o t
for i in $(seq 0 5); do
  first=$((i == 0 ? 100 + 101 : (10 + 20 + 30) * 1000 + 1 + 3 * (i & 1) + i % 3))
  echo $((first + letter[i % 3] * 100000))
done >"$dir/list.want"

run() { # NAME GRID BLOCK VARIABLE... at every WHERE
  local name=$1 grid=$2 block=$3 file=$dir/$1 how where variable
  shift 3
  for how in -O0 -O2 "-O2 --target model"; do
    # shellcheck disable=SC2086
    "$heddle" ptx "$folder/$name.ptx" $how -g0 -o "$file.elf"
    "$heddle" lint "$file.elf" >/dev/null
    "$heddle" dis "$file.elf" >"$file.s"
    for variable in "$@"; do
      grep -q "^\.global $variable " "$file.s" || { echo "$variable is not in the listing"; exit 1; }
    done
    "$heddle" as -g0 "$file.s" -o "$file.again"
    cmp "$file.elf" "$file.again"
    for where in "${wheres[@]}"; do
      [[ $how == *model && $where != *model* ]] && continue # the RTL lacks what that uses
      # shellcheck disable=SC2086
      "$heddle" run "$file.elf" --kernel k --grid "$grid,1,1" --block "$block,1,1" \
        --arg "out:$((4 * grid * block)):$file.out" $where
      od -A n -v -t u4 -w4 "$file.out" | tr -d ' ' | diff - "$file.want"
    done
  done
}

wheres=("$@")
run table 2 32 counter weight seen row
# shellcheck disable=SC2016
run list 1 6 a b c names table 'count_\$_n'
