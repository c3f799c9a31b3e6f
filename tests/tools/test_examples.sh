#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The programs of examples/programs that say how they are run, from their sources, wherever is named.
# usage: test_examples.sh HEDDLE SOURCE_TREE "OPTIONS OF RUN" ...
set -uo pipefail
heddle=$(realpath "$1") root=$(realpath "$2") here=$(realpath "$(dirname "$0")")
shift 2
source "$here/../lib.sh"
cd "$root"

programs=0
for file in $(grep -l "run: heddle" examples/programs/*); do
  read -ra command <<<"$(sed -n 's/^.*run: heddle //p' "$file")"
  want=$here/examples/$(basename "$file").txt
  programs=$((programs + 1))
  for where; do
    read -ra options <<<"$where"
    "$heddle" "${command[@]}" "${options[@]}" >"$dir/printed" 2>"$dir/said"
    expect 0 "ok: " cat "$dir/said"
    case $file in # what several threads do at the same time has any order
      *hello.cl | *primes.cl) expect 0 "" diff <(tr ' ' '\n' <"$want" | sort) <(tr ' ' '\n' <"$dir/printed" | sort) ;;
      *) expect 0 "" diff "$want" "$dir/printed" ;;
    esac
  done
done
expect 0 "" test "$programs" = 11
