#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lists written by hand (lists/): the good ones hold, the broken ones break their axiom, the refused ones are refused
# with their words, what is not judged is not passed. usage: lists.sh HEDDLE
set -uo pipefail
[ $# = 1 ] || { echo "usage: lists.sh HEDDLE" >&2; exit 2; }
heddle=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

# judge NAME STATUS WORDS, of $dir/list
judge() {
  local got=0
  "$heddle" order "$dir/list" >"$dir/out" 2>&1 || got=$?
  if [ "$got" = "$2" ] && grep -qF -- "$3" "$dir/out"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1: status $got (want $2), want '$3':"
    sed 's/^/  | /' "$dir/out" | head -20
  fi
}

# The lists of a file, each with the threads that it does not declare; then "NAME REST" of its heading.
each() {
  local name="" rest="" line
  while IFS= read -r line || [ -n "$name" ]; do
    if [[ $line == "== "* || -z $line ]]; then
      if [ -n "$name" ]; then
        echo end >>"$dir/list"
        "$2" "$name" "$rest"
      fi
      name=""
      [ -n "$line" ] || continue
      read -r name rest <<<"${line#== }"
      printf '%s\n' "heddle-order-list 1" "thread 1 block 0" "thread 2 block 0" "thread 11 block 1" "thread 21 block 2" \
        "thread 31 block 3" >"$dir/list"
    elif [ -n "$name" ]; then
      printf '%s\n' "$line" >>"$dir/list"
    fi
  done <"$here/lists/$1"
}

good() { judge "$1" 0 "every axiom holds"; }
broken() {
  judge "$1" 1 "broken: $2"
  said=$(sed -n 's/^broken: \([a-z-]*\).*/\1/p' "$dir/out")
  [ "$said" = "$2" ] || { failed=$((failed + 1)); echo "FAILED: $1: '$said' (want '$2')"; }
}
open() { judge "$1" 4 "not judged"; }
refused() { judge "$1" 2 "$2"; }

each good.txt good
each broken.txt broken
each open.txt open
each refused.txt refused
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -ge 90 ]
