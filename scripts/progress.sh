#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What ninja or ctest says goes into a log. On a terminal (standard error) a line moves meanwhile: what is being done, step
# n of m, the time gone, the time left if the rest goes as the steps before it did, and the last step that has ended. In a
# pipe: nothing. A step whose line holds WORD counts as N: a machine is one step of ninja, and takes as long as hundreds.
# usage: COMMAND 2>&1 | progress.sh WHAT LOG [WORD=N ...]
# example: cmake --build build 2>&1 | scripts/progress.sh building build/build.log verilator_tiny=150
set -euo pipefail
[ $# -ge 2 ] || { sed -n '6,7p' "$0" >&2; exit 2; }
what=$1 log=$2
shift 2
[ -t 2 ] || exec cat >"$log"
: >"$log"
began=$SECONDS n=0 m=0 more=0 extra=0 text="" line="" part=""
for word in "$@"; do extra=$((extra + ${word#*=} - 1)); done
clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }
end=0 # when it would be over, by the steps until now
draw() {
  local gone=$((SECONDS - began)) left=""
  if [ $end -gt "$SECONDS" ]; then left=", about $(clock $((end - SECONDS))) left"; fi
  printf '\r\033[K%s: step %d of %d, %s%s; last: %s' "$what" "$n" "$m" "$(clock $gone)" "$left" "${text:0:50}" >&2
}
step() { # its line is in $text
  local gone=$((SECONDS - began)) ended
  for word in "$@"; do [[ $text != *"${word%=*}" ]] || more=$((more + ${word#*=} - 1)); done
  ended=$((n + more))
  if [ $ended -ge 20 ] && [ $gone -ge 5 ]; then end=$((began + gone * (m + extra) / ended)); fi
  draw
}
while true; do
  status=0
  IFS= read -r -t 1 line || status=$?
  if [ $status -gt 128 ]; then # a second without a line, perhaps with the beginning of one
    part+=$line
    [ "$m" = 0 ] || draw
    continue
  fi
  line=$part$line part=""
  [ $status = 0 ] || [ -n "$line" ] || break
  printf '%s\n' "$line" >>"$log"
  if [[ $line =~ ^\ *\[?([0-9]+)/([0-9]+)\]?\ (.*)$ ]]; then
    n=${BASH_REMATCH[1]} m=${BASH_REMATCH[2]} text=${BASH_REMATCH[3]}
    step "$@"
  fi
done
printf '\r\033[K' >&2
