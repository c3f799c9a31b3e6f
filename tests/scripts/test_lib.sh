#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/lib.sh fails where it should: scripts that use it, each with its exit status and its closing line. This one is written
# without it, whose faults could hide themselves. usage: test_lib.sh
set -uo pipefail
lib=$(cd "$(dirname "$0")/.." && pwd)/lib.sh
wrong=0
script() { # SCRIPT: into got and all
  got=0
  all=$(bash -c "source '$lib'; $1" 2>&1) || got=$?
}
ends() { # STATUS "CLOSING LINE" SCRIPT
  script "$3"
  [ "$got" = "$1" ] && [ "${all##*$'\n'}" = "$2" ] && return
  printf '%s\nFAILED: %s: status %s, want %s, and the last line "%s"\n' "$all" "$3" "$got" "$1" "$2"
  wrong=1
}
ends 0 "1 passed, 0 failed" 'expect 0 "" true'
ends 0 "1 passed, 0 failed" 'expect 3 "some words" sh -c "echo these are some words; exit 3"'
ends 0 "1 passed, 0 failed" 'expect 0 "--a[b" echo "--a[b"'
ends 0 "3 passed, 0 failed" 'expect 0 "" echo one two; said two; unsaid three'
ends 0 "1 passed, 0 failed" 'holds "one is one" test 1 = 1'
# what must fail
ends 1 "0 passed, 1 failed" 'expect 0 "" false'
ends 1 "0 passed, 1 failed" 'expect 1 "" true'
ends 1 "0 passed, 1 failed" 'expect 1 "" sh -c "exit 2"'
ends 1 "0 passed, 1 failed" 'expect 0 "words" echo nothing'
ends 1 "0 passed, 1 failed" 'expect 0 "a.b" echo axb'
ends 1 "1 passed, 1 failed" 'expect 0 "" echo one; said two'
ends 1 "1 passed, 1 failed" 'expect 0 "" echo one; unsaid one'
ends 1 "0 passed, 1 failed" 'holds "one is two" test 1 = 2'
ends 1 "1 passed, 1 failed" 'expect 0 "" true; fail "it is wrong"'
ends 1 "1 passed, 1 failed" 'expect 0 "" false; expect 0 "" true'
# what does not come to its end, or tries nothing
ends 1 "0 passed, 1 failed" ':'
ends 1 "1 passed, 1 failed" 'expect 0 "" true; exit 7'
ends 1 "1 passed, 1 failed" 'expect 0 "" true; set -e; false; expect 0 "" true'
ends 1 "1 passed, 1 failed" 'expect 0 "" true; set -u; echo $nothing'
# what is said of it, and what is left
says() { # LINE: the last script said it
  grep -qxF -- "$1" <<<"$all" && return
  printf '%s\nFAILED: no line "%s"\n' "$all" "$1"
  wrong=1
}
script 'exit 7'
says "FAILED: the script ended with status 7"
script 'expect 0 yes echo no'
says "FAILED: echo no: status 0 (want 0), output (want 'yes'):"
says "no"
script 'touch "$dir/x"; echo "$dir"; expect 0 "" true'
folder=${all%%$'\n'*}
[ -n "$folder" ] && [ ! -e "$folder" ] || { echo "FAILED: $folder is left"; wrong=1; }
exit $wrong
