#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What scripts/fresh.sh says of one command: how it ended, its last line, which tests did not pass or did not run, how long
# it took beside what we aim at. Exit status 0 only if it ended well, its last line says so, and every test of ctest's log
# has passed: one that is skipped, disabled or without a result has not.
# usage: scripts/fresh-summary.sh demo|test|more STATUS SECONDS LOG [CTEST_LOG]
# example: scripts/fresh-summary.sh test 0 700 build/fresh/trixie-test.log build/fresh/trixie-test-ctest.log
set -euo pipefail
usage() {
  sed -n '6,7p' "$0" >&2
  exit 2
}
[ $# = 4 ] || [ $# = 5 ] || usage
command=$1 status=$2 seconds=$3 log=$4 ctest=${5:-}
[[ $status$seconds != *[!0-9]* && -n $status && -n $seconds ]] || usage
case $command in
  demo) aim=300 said="5 min, 7 beside other work" ends='[1-9][0-9]* kernel runs at .*, 0 differences$' ;;
  test) aim=900 said="15 min" ends='^[1-9][0-9]* passed, 0 failed$' ;;
  more) aim=2700 said="45 min" ends='^[1-9][0-9]* passed, 0 failed$' ;;
  *) usage ;;
esac

wrong=()
[ "$status" = 0 ] || wrong+=("exit status $status")
last=$(tail -n 1 "$log" 2>/dev/null || true)
grep -qE -- "$ends" <<<"$last" || wrong+=("the last line is not that of a good end")
case $command in more) line="./test.sh --more" ;; *) line=./$command.sh ;; esac
echo "command      $line"
echo "exit status  $status"
echo "last line    ${last:-(none)}"
if [ "$command" != demo ]; then
  # "3/40 Test  #3: isa.parser ......   Passed    0.05 sec", "***Skipped", "***Not Run (Disabled)" ...
  tests=$(awk '
    /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
      split($1, of, "/")
      if (of[2] > total) total = of[2]
      name = $0; sub(/^[^:]*: */, "", name); sub(/ .*$/, "", name)
      results += !(name in seen); seen[name] = 1
      if ($0 ~ / Passed +[0-9.]+ sec *$/) next
      why = $0; sub(/ +[0-9.]+ sec *$/, "", why); sub(/^.*\*\*\*/, "", why)
      print name " (" why ")"
    }
    /tests passed, [0-9]+ tests failed out of [0-9]+/ { if ($NF > total) total = $NF }
    END {
      if (!total) print "no test at all"
      else if (results < total) print total - results " of " total " without a result"
    }' "$ctest" 2>/dev/null || echo "no log of ctest")
  [ -z "$tests" ] || wrong+=("$(wc -l <<<"$tests") not passed or not run")
  sed '1s/^/not passed   /; 1!s/^/             /' <<<"${tests:-none}"
fi
over=""
[ "$seconds" -le $aim ] || over=", over it"
printf 'time         %d min %d s (aim: %s%s)\n' $((seconds / 60)) $((seconds % 60)) "$said" "$over"
sed -nE 's/^time +([0-9]+) s +(setup|build|tests)$/             \2 \1 s/p' "$log" 2>/dev/null || true
if [ ${#wrong[@]} = 0 ]; then
  echo "result       passed"
else
  (IFS=';' && echo "result       FAILED: ${wrong[*]}")
  exit 1
fi
