#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where mutants are placed: the same for the same seed, what is left out, what the languages refuse, equivalent.txt.
# usage: test_place.sh ROOT GEN
set -uo pipefail
root=$1 gen=$2
here=$root/lab/verify/mutants
source "$root/tests/lib.sh"
python=$root/build/venv/bin/python
# One machine is enough here; what is chosen by hand is held to both, below.
place() { "$python" "$here/place.py" --gen "$gen" --configs tiny "$@"; }

# The same seed, the same places; another seed, others.
expect 0 "30 mutants in 1 files" place --only execute/alu_lanes --count 30 --seed 7 --out "$dir/a"
expect 0 "30 mutants in 1 files" place --only execute/alu_lanes --count 30 --seed 7 --out "$dir/b"
expect 0 "30 mutants in 1 files" place --only execute/alu_lanes --count 30 --seed 8 --out "$dir/c"
expect 0 "" cmp "$dir/a/mutants.jsonl" "$dir/b/mutants.jsonl"
expect 0 "" diff -r "$dir/a/rtl" "$dir/b/rtl"
expect 1 "" cmp -s "$dir/a/mutants.jsonl" "$dir/c/mutants.jsonl"

# Each number stands in the copy exactly as often as it is listed (once in the choice), and lines keep their numbers.
expect 0 "30" bash -c "grep -oE 'heddle_fault::id [!=]= [0-9]+' $dir/a/rtl/execute/alu_lanes.sv | sort -u | wc -l"
expect 0 "" bash -c "[ \$(wc -l <$root/rtl/execute/alu_lanes.sv) = \$(wc -l <$dir/a/rtl/execute/alu_lanes.sv) ]"

# What a table says stands in the source at that line and column.
cat >"$dir/table.py" <<'END'
import json, sys
sys.path.insert(0, sys.argv[3])
import sites
for line in open(sys.argv[1], encoding="latin-1"):
    m = json.loads(line)
    text = open(f"{sys.argv[2]}/{m['file']}", encoding="latin-1").read().splitlines(True)
    rest = sites.squeeze("".join(text[m["line"] - 1:])[m["column"] - 1:])
    assert rest.startswith(m["before"]), m
    assert m["before"] != m["after"], m
print("table agrees with the source")
END
expect 0 "table agrees" "$python" "$dir/table.py" "$dir/a/mutants.jsonl" "$root" "$root/lab/verify/faults"

# Of text that the simulation and synthesis see in their own way, that of the simulation.
expect 0 "mutants in 1 files" place --only lib/ram_live --count 500 --out "$dir/v"
cat >"$dir/seen.py" <<'END'
import json, sys
text = open(sys.argv[2], encoding="latin-1").read().splitlines()
first, other, end = (text.index(t) + 1 for t in ("`ifdef HEDDLE_SIMULATED", "`else", "`endif"))
lines = [json.loads(line)["line"] for line in open(sys.argv[1], encoding="latin-1")]
assert any(first < n < other for n in lines) and not any(other < n < end for n in lines), lines
END
expect 0 "" "$python" "$dir/seen.py" "$dir/v/mutants.jsonl" "$root/rtl/lib/ram_live.sv"

# Nothing on a line of an assertion, or of what is only there to be unused.
expect 0 "mutants in 1 files" place --only retire/retire_issue --count 500 --out "$dir/t"
expect 1 "" grep -nE 'unused.*heddle_fault|heddle_fault.*unused' "$dir/t/rtl/retire/retire_issue.sv"
expect 0 "" grep -q '"group": "tap"' "$dir/t/mutants.jsonl"
expect 1 "" grep -q '"group": "logic"' "$dir/t/mutants.jsonl"

# Watched: the same mutants, each compared once; a copy of C cannot be watched.
expect 0 "30 watched" place --only execute/alu_lanes --count 30 --seed 7 --watch --out "$dir/w"
expect 0 "" cmp "$dir/a/mutants.jsonl" "$dir/w/mutants.jsonl"
expect 0 "30" bash -c "grep -oE 'heddle_saw\([0-9]+' $dir/w/rtl/execute/alu_lanes.sv | sort -u | wc -l"
expect 0 "" grep -q "heddle_reset(rst_ni)" "$dir/w/rtl/gpu/heddle_gpu.sv"
expect 2 "only rtl/ can be watched" place --language c --only checker/poison --watch --out "$dir/w"
expect 0 "reach is read as it was written" "$python" "$here/test_reach.py"

# Of the mutants that change nothing, each still has its place.
expect 0 "0 of them stale" "$python" "$here/equivalent.py" "$gen"
echo "rtl/execute/alu_lanes.sv | constant | 8'd24 | 8'd999 :: there is no such mutant" >"$dir/stale.txt"
expect 1 "stale: no place in the sources has this mutant any more: rtl/execute/alu_lanes.sv" \
  "$python" "$here/equivalent.py" "$gen" "$dir/stale.txt"
echo "rtl/execute/alu_lanes.sv | constant | '0 | '1 @999 :: there are not that many places" >"$dir/many.txt"
expect 1 "@999" "$python" "$here/equivalent.py" "$gen" "$dir/many.txt"
echo "rtl/execute/alu_lanes.sv | constant | '0 | '1 @0 :: this place is there" >"$dir/there.txt"
expect 0 "0 of them stale" "$python" "$here/equivalent.py" "$gen" "$dir/there.txt"
echo "rtl/execute/alu_lanes.sv | constant | 8'd24 | 8'd25" >"$dir/bad.txt"
expect 1 "bad.txt:1: expected FILE" "$python" "$here/equivalent.py" "$gen" "$dir/bad.txt"

# C of the checker, in the same way.
expect 0 "40 mutants in 1 files" place --language c --only checker/poison --count 40 --out "$dir/d"
expect 0 "40 mutants in 1 files" place --language c --only checker/poison --count 40 --out "$dir/e"
expect 0 "" cmp "$dir/d/mutants.jsonl" "$dir/e/mutants.jsonl"
expect 0 "table agrees" "$python" "$dir/table.py" "$dir/d/mutants.jsonl" "$root" "$root/lab/verify/faults"

# Faults that somebody has chosen: all stand where they are said to, and the machine takes them.
expect 0 "24 faults in" place --configs tiny,sm --list "$here/directed/faults.txt" --out "$dir/l"
expect 0 "table agrees" "$python" "$dir/table.py" "$dir/l/mutants.jsonl" "$root" "$root/lab/verify/faults"
expect 0 "24 faults in" place --configs tiny,sm --watch --list "$here/directed/faults.txt" --out "$dir/lw"
fault() { printf 'class %s\nfile  %s\nline  %s\nfrom  %s\nto    %s\nwhat  it is wrong\n' "$@" >"$dir/fault.txt"; }
fault edge rtl/lib/arb_fixed.sv "no such line" x y
expect 1 "fault.txt:2: rtl/lib/arb_fixed.sv has this 0 times, not once: no such line" place --list "$dir/fault.txt" --out "$dir/lb"
fault edge rtl/nothing.sv x x y
expect 1 "there is no rtl/nothing.sv" place --list "$dir/fault.txt" --out "$dir/lb"
sed -i 2d "$dir/fault.txt"
expect 1 "lacks file" place --list "$dir/fault.txt" --out "$dir/lb"
expect 2 "faults of rtl/ alone" place --language c --list "$dir/fault.txt" --out "$dir/lb"
expect 0 "example:" "$here/directed.sh" --help
expect 2 "no option" "$here/directed.sh" --nothing x
expect 2 "there is no lab/verify/campaigns/nobody.knobs" "$python" "$here/run.py" --kinds nobody

# What is asked wrongly.
expect 1 "no place for a mutant in nowhere" place --only nowhere --out "$dir/n"
expect 2 "at least 1" place --count 0 --out "$dir/n"
expect 1 "build it first" "$python" "$here/place.py" --gen "$dir" --out "$dir/n"
expect 0 "example:" "$here/build.sh" --help
expect 0 "example:" "$here/build-checker.sh" --help
expect 2 "no option" "$here/build.sh" --nothing
expect 0 "example:" "$here/build-benches.sh" --help
expect 2 "no option" "$here/build-benches.sh" --nothing
expect 0 "example:" "$here/present.sh" --help
expect 2 "expected the folder" "$here/present.sh" "$dir/nowhere"
expect 0 "example:" "$python" "$here/run_tests.py" --help
expect 2 "no judge nobody" "$python" "$here/run_tests.py" --judges nobody
expect 0 "example:" "$python" "$here/run.py" --help
expect 2 "there is no such file" "$python" "$here/run.py" --reach "$dir/nothing"
expect 0 "example:" "$python" "$here/run_reach.py" --help
expect 2 "at least 1" "$python" "$here/run_reach.py" --programs 0
expect 5 "lab/verify/mutants/build.sh --watch tiny" "$python" "$here/run_reach.py" --mutants "$dir/a" --heddle "$(command -v true)"
expect 5 "build it: lab/verify/mutants/build.sh" "$python" "$here/run.py" --mutants "$dir/a" --heddle "$(command -v true)"
