#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The generator is the same for the same numbers and another for others; what the C twin computes wrongly is noticed, made
# small and told with a command that repeats it; a short table is a failure.
# usage: test_twins.sh TWINS
set -uo pipefail
twins=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
check() { # NAME COMMAND...: the command must succeed
  local name=$1
  shift
  if "$@" >"$dir/log" 2>&1; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: $name"
    head -20 "$dir/log"
  fi
}
differ() { ! cmp -s "$1" "$2"; }
print() { "$twins" --only "$2" --seed "$1" --print "$3" >"$dir/$4"; }

for what in ptx c in; do
  check "program 3 of seed 9 as $what" print 9 3 $what "a.$what"
  check "the same again" print 9 3 $what "b.$what"
  check "is the same" cmp "$dir/a.$what" "$dir/b.$what"
  check "there is something in it" test -s "$dir/a.$what"
  check "its neighbour" print 9 4 $what "c.$what"
  check "is another" differ "$dir/a.$what" "$dir/c.$what"
  check "program 3 of the next seed" print 10 3 $what "d.$what"
  check "is another" differ "$dir/a.$what" "$dir/d.$what"
done

# What the PTX manual forbids: .sat where the result holds all that is converted, two predicates of a setp.f16, a guard
# on what loads a result, positions and lengths of fields over 255.
for k in $(seq 0 59); do print 11 "$k" ptx one && cat "$dir/one"; done >"$dir/all.ptx"
illegal() {
  awk '
    function low(t) { return t ~ /^s/ ? -(2 ^ (substr(t, 2) - 1)) : 0 }
    function high(t) { return 2 ^ (substr(t, 2) - (t ~ /^s/)) - 1 }
    { guarded = sub(/^ *@[^ ]* /, ""); sub(/^ */, ""); gsub(/[,;]/, ""); n = split($1, op, ".") }
    $1 ~ /^cvt\.sat\.[us][0-9]+\.[us][0-9]+$/ { sats++; if (low(op[3]) <= low(op[4]) && high(op[3]) >= high(op[4])) print }
    $1 ~ /^setp\..*\.f16$/ { halves++; if ($2 ~ /\|/) print }
    $1 ~ /^ld\.param/ && $3 ~ /^\[q/ { results++; if (guarded) print }
    $1 ~ /^bf[ie]\./ { fields++; for (k = NF - 1; k <= NF; k++) if ($k !~ /^%/ && ($k < 0 || $k > 255 || $k ~ /x/)) print }
    END { if (!sats || !halves || !results || !fields) print "not drawn:", sats + 0, halves + 0, results + 0, fields + 0 }
  ' "$1"
}
check "nothing that PTX forbids" test -z "$(illegal "$dir/all.ptx")"
for line in "  cvt.sat.s32.u16 %r1, %h1;" "  setp.lt.or.f16 %p1|%p2, %e1, %e2, %p3;" "  @!%p1 ld.param.b32 %r1, [qr+0];" \
  "  bfe.u32 %r1, %r2, 3, 0x100;"; do
  { cat "$dir/all.ptx" && echo "$line"; } >"$dir/one"
  check "it would be found: $line" test -n "$(illegal "$dir/one")"
done

# Wrong operations of several kinds: integers, floats, conversions, comparisons, memory, atomics.
for op in add.u32 lop3 cvt fma setp ld.global shr atom; do
  "$twins" --programs 96 --seed 5 --whole --wrong $op >"$dir/out" 2>"$dir/err"
  check "a wrong $op ends with 1" test $? = 1
  check "and is told" grep -q 'the C twin has' "$dir/err"
  check "with a command that repeats it" grep -q '^repeat: .* --only [0-9].* --seed 5' "$dir/err"
  check "and counted" grep -Eq '^[0-9]+ passed, [1-9][0-9]* failed$' "$dir/out"
done

# Made small: a wrong operation alone is left, and files that show it.
"$twins" --programs 96 --seed 5 --whole --wrong lop3 >"$dir/out" 2>"$dir/err"
first=$(sed -n 's/^heddle: error: \([0-9]*\):.*/\1/p' "$dir/err" | head -1)
"$twins" --only "$first" --seed 5 --keep "$dir" --wrong lop3 >"$dir/out" 2>"$dir/err"
check "at most three statements are left" grep -Eq '\([1-3] of [0-9]+ statements left\)' "$dir/err"
check "the operation among them" grep -q lop3 "$dir/twin-5-$first.ptx"

"$twins" --programs 2 --seed 5 --table "$dir/table" >"$dir/out" 2>&1
check "two programs do not hold all operations" test $? = 1
check "which is told" grep -Eq 'forms, [1-9][0-9]* of them not generated' "$dir/out"
check "the table counts" grep -Eq '^ +[1-9][0-9]*  ' "$dir/table"
# For another machine: the program, what it takes and leaves; its first statements, the last of these the whole.
mkdir "$dir/all" "$dir/first"
check "two programs are exported" "$twins" --programs 2 --seed 9 --first 3 --export "$dir/all"
for what in ptx in; do check "program 3 as --print $what has it" cmp "$dir/all/9-3.$what" "$dir/a.$what"; done
check "its neighbour" test -s "$dir/all/9-4.want"
check "what it leaves: of each thread, and the cells" python3 - "$dir/all/9-3" <<'END'
import json, os, sys
launch = json.load(open(sys.argv[1] + ".json"))
assert launch["out"] == launch["block"] * launch["grid"] * 640, launch
assert os.path.getsize(sys.argv[1] + ".want") == launch["out"] + 64
assert len(launch["params"]) == 4 and set(launch["open"]) <= {"nans", "shuffle", "tiny_sum", "active", "guard", "fold"}
END
check "its beginnings" "$twins" --only 3 --seed 9 --export "$dir/first" --prefixes
last=$(cd "$dir/first" && ls ./*.want | tail -1)
check "there are several" test "$(ls "$dir/first"/*.want | wc -l)" -gt 10
check "the last is the whole" cmp "$dir/first/${last%.want}.ptx" "$dir/a.ptx"
check "and leaves the same" cmp "$dir/first/$last" "$dir/all/9-3.want"
check "the first is another" differ "$dir/first/9-3.00.want" "$dir/all/9-3.want"
check "a folder that is not there is said" sh -c "'$twins' --only 3 --seed 9 --export '$dir/none' 2>&1 | grep -q 'No such file'"
check "a folder without programs is a usage error of on_gpu.py" \
  sh -c "mkdir '$dir/empty'; python3 '$(dirname "$0")/on_gpu.py' '$dir/empty'; test \$? = 2"

check "an unknown option is a usage error" sh -c "'$twins' --nonsense; test \$? = 2"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
