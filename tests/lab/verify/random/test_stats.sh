#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random programs of a configuration, on the model alone: they run, lint proves their control codes, every form that the
# machine has is executed, a warp executes 200 to 400 instructions in the middle one, and at most 15 percent of the lines
# are prologue and epilogue. And that each of these checks can fail.
# usage: test_stats.sh HEDDLE CONFIG [PROGRAMS]
set -uo pipefail
heddle=$1 config=$2 programs=${3:-400}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
source "$(dirname "$0")/repeat.sh"
stats() { # OUT OPTION...
  local out=$1
  shift
  "$heddle" fuzz --stats --programs "$programs" --seed 5 --config "$config" "$@" >"$dir/$out" 2>"$dir/$out.err" ||
    { tail -5 "$dir/$out.err"; return 1; }
}
all_forms() { # FILE
  grep 'never executed' "$dir/$1"
  awk '/ forms executed$/ { good = $1 == $3 && $1 > 100 } END { exit !good }' "$dir/$1"
}
short_frame() { tail -2 "$dir/$1"; awk '/are prologue and epilogue$/ { good = $1 > 0 && $1 <= 15 } END { exit !good }' "$dir/$1"; }
cheap() { tail -1 "$dir/$1"; awk '/in the middle one of/ { good = $1 >= 200 && $1 <= 400 } END { exit !good }' "$dir/$1"; }
fails() { ! "$@"; }

check "programs run as they say, their codes are proven" stats usual
check "every form is executed" all_forms usual
check "prologue and epilogue are at most 15 percent" short_frame usual
check "a warp executes 200 to 400 instructions" cheap usual
check "the same under its" stats its --div its
check "every form is executed there, too" all_forms its

programs=40
check "programs without memory accesses run" stats bare --knob line.memory=0 --knob stream.hazard=0 --knob stream.flow=0 --knob node.lock=0
check "forms that are not drawn are missed" fails all_forms bare
check "short programs run" stats short --knob body.instructions=20
check "their frame is too large" fails short_frame short
check "they are too short" fails cheap short

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
