#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/fresh.sh, as far as no system has to be made for it: usage, which commit it takes, what it says of logs.
# usage: test_fresh.sh ROOT
set -uo pipefail
root=$(realpath "$1")
source "$root/tests/lib.sh"

# ---- usage
mkdir -p "$dir/clone/scripts" "$dir/full"
cp "$root"/scripts/fresh*.sh "$dir/clone/scripts"
fresh() { "$dir/clone/scripts/fresh.sh" "$@"; }
summary() { "$root/scripts/fresh-summary.sh" "$@"; }
expect 0 "example:" fresh --help
expect 2 "what is 'sid'" fresh sid
expect 2 "one system at a time" fresh trixie bookworm
expect 2 "none of them for demo and test" fresh demo test
expect 2 "--base wants a word" fresh --base

# ---- HEAD, and what is not in it
git() { command git -C "$dir/clone" -c user.name=a -c user.email=a@b "$@"; }
expect 5 "no git clone" env GIT_CEILING_DIRECTORIES="$dir" "$dir/clone/scripts/fresh.sh" --dry-run
git init -q .
expect 5 "no commit" fresh --dry-run
touch "$dir/clone/demo.sh" && git add -A && git commit -qm one
head=$(git rev-parse HEAD)
expect 0 "bookworm, ./demo.sh and ./test.sh, commit $head (clean)" fresh --dry-run
expect 0 "trixie, ./test.sh, commit $head (clean)" fresh test trixie --dry-run
expect 0 "trixie, ./test.sh --more, commit $head (clean)" fresh more trixie --dry-run
touch "$dir/clone/more"
expect 0 "commit $head (1 files differ from it and are not tested)" fresh --dry-run
echo x >"$dir/clone/demo.sh"
expect 0 "commit $head (2 files differ" fresh --dry-run
git add -A && git commit -qm two
expect 0 "commit $(git rev-parse HEAD) (clean)" fresh --dry-run
expect 0 "Debian from http://a/b and http://a/b-security" fresh --dry-run --mirror http://a/b/
expect 0 "PIP_FIND_LINKS=/x /y" env PIP_FIND_LINKS="/x /y" "$dir/clone/scripts/fresh.sh" --dry-run
touch "$dir/full/x"
expect 2 "is not empty" fresh --into "$dir/full" --dry-run

# ---- logs of the tests: of ctest, and of test.sh
ctest() { # RESULT of the second test
  echo '1/2 Test #1: isa.a ....   Passed    0.05 sec'
  echo "2/2 Test #2: rtl.b ....$1   12.00 sec"
  echo '100% tests passed, 0 tests failed out of 2'
}
ctest '   Passed' >"$dir/passed"
printf 'time   65 s  setup\ntime  300 s  build\n2 passed, 0 failed\n' >"$dir/good"
expect 0 "result       passed" summary test 0 700 "$dir/good" "$dir/passed"
expect 0 "11 min 40 s (aim: 15 min)" summary test 0 700 "$dir/good" "$dir/passed"
expect 0 "(aim: 15 min, over it)" summary test 0 901 "$dir/good" "$dir/passed"
expect 0 "15 min 1 s (aim: 45 min)" summary more 0 901 "$dir/good" "$dir/passed"
expect 0 "command      ./test.sh --more" summary more 0 901 "$dir/good" "$dir/passed"
expect 0 "build 300 s" summary test 0 700 "$dir/good" "$dir/passed"
for why in Skipped 'Not Run (Disabled)' 'Not Run' Failed; do
  ctest "***$why" >"$dir/log"
  # The closing line and the status may say what they like.
  expect 1 "not passed   rtl.b ($why)" summary test 0 700 "$dir/good" "$dir/log"
done
head -n 1 "$dir/passed" >"$dir/log"
expect 1 "1 of 2 without a result" summary test 0 700 "$dir/good" "$dir/log"
: >"$dir/log"
expect 1 "no test at all" summary test 0 700 "$dir/good" "$dir/log"
expect 1 "no log of ctest" summary test 0 700 "$dir/good" "$dir/absent"
expect 1 "FAILED: exit status 1" summary test 1 700 "$dir/good" "$dir/passed"
for last in '0 passed, 0 failed' '2 passed, 1 failed' 'Killed'; do
  echo "$last" >"$dir/log"
  expect 1 "not that of a good end" summary test 0 700 "$dir/log" "$dir/passed"
done
expect 1 "last line    (none)" summary test 137 700 "$dir/absent" "$dir/passed"

# ---- ... and of the demo
say() { echo "24 kernel runs at 3 configurations, 9 warp instructions retired and checked, $1 differences" >"$dir/log"; }
say 0
expect 0 "5 min 1 s (aim: 5 min, 7 beside other work, over it)" summary demo 0 301 "$dir/log"
expect 1 "FAILED" summary demo 1 301 "$dir/log"
say 10
expect 1 "FAILED" summary demo 0 301 "$dir/log"
for args in '' 'demo' 'demo x 1 log' 'demo 0 -1 log' 'else 0 1 log'; do
  # shellcheck disable=SC2086  # several words
  expect 2 "usage:" summary $args
done
