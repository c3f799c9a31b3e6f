#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every weakening of heddle.cat in planted.txt is refuted, by the axiom that stands there, with a program that reads back
# as a litmus file and whose outcome PTX forbids. usage: planted.sh HEDDLE
set -uo pipefail
heddle=$1 here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0 n=0
trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }
while IFS='|' read -r where axiom change; do
  where=$(trim "$where") axiom=$(trim "$axiom") change=$(trim "$change")
  case $where in '' | '#'*) continue ;; esac
  what=()
  while IFS= read -r one; do
    one=$(trim "$one")
    case $one in --narrow\ *) what+=(--narrow "${one#* }") ;; *) what+=(--weaken "$one") ;; esac
  done < <(tr '!' '\n' <<<"$change")
  file=$here/files/$where.litmus
  if [ "$where" = files ]; then
    what+=("$here"/files/*.litmus)
  elif [ -e "$file" ]; then
    what+=("$file")
  else
    what+=(--events 4 --words "${where%-*}")
  fi
  "$heddle" litmus check "${what[@]}" >"$dir/out" 2>&1
  status=$?
  n=$((n + 1))
  if [ $status != 1 ] || ! grep -q "^refuted: .* by $axiom\$" "$dir/out"; then
    echo "$change: exit status $status"
    tail -3 "$dir/out"
    failed=$((failed + 1))
    continue
  fi
  # The smallest has as many events as planted.txt says.
  if [ "$where" != files ] && [ ! -e "$file" ] && ! grep -q "^PTX small-${where#*-}-" "$dir/out"; then
    echo "$change: its program has another size"
    failed=$((failed + 1))
  fi
  sed -n '/^PTX /,$p' "$dir/out" | sed '/^refuted/d; s/^exists$/~exists/' >"$dir/counter.litmus"
  if ! "$heddle" litmus import "$dir/counter.litmus" | grep -q "is so: PTX yes, Heddle yes"; then
    echo "$change: what is printed is no counterexample:"
    cat "$dir/counter.litmus"
    failed=$((failed + 1))
  fi
done <"$here/planted.txt"
echo "$n weakenings, $failed wrong"
[ "$failed" = 0 ] && [ "$n" -ge 6 ]
