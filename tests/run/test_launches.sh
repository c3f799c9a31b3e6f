#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_launches.sh HEDDLE CONFIG
# Launches one behind the other on the RTL alone, in the queue of CONFIG and one by one: the same results, cycles of
# each, and no count that is of one launch where it is said to be of all.
set -uo pipefail
heddle=$1 config=$2 here=$(cd "$(dirname "$0")" && pwd)
source "$here/../lib.sh"
cat >"$dir/add.s" <<'END'
.kernel add
.param u64 x
        S2R R0, SR_TID.X ;
        MOV R6, c[0x0][x] ;
        MOV R7, c[0x0][x+4] ;
        IMAD.WIDE R6, R0, 0x4, R6 ;
        LDG.E R2, [R6] ;
        IADD3 R2, R2, 0x3, RZ ;
        STG.E [R6], R2 ;
        EXIT ;
.end
END
python3 -c 'import struct, sys; sys.stdout.buffer.write(struct.pack("<64I", *range(64)))' >"$dir/before"
run=("$heddle" run "$dir/add.s" --grid 1 --block 64 --calm --config "$config" --dep scoreboard)

launches() { # NAME OPTION...: into NAME and NAME.json; the same as apart
  local name=$1
  shift
  expect 0 "launches: 20" "${run[@]}" --arg "inout:$dir/before:$dir/$name" --json "$dir/$name.json" "$@"
  expect 0 "" cmp "$dir/apart" "$dir/$name"
}
launches apart --on rtl --launches 20:apart
launches queue --on rtl --launches 20
launches judged --on lockstep --launches 20
launches counted --on rtl --launches 20 --profile
launches traced --on rtl --launches 20 --trace "$dir/trace"
python3 - "$dir" <<'END' || fail "figures"
import json, struct, sys
said = {n: json.load(open(f"{sys.argv[1]}/{n}.json")) for n in "apart queue judged counted traced".split()}
assert struct.unpack("<64I", open(f"{sys.argv[1]}/queue", "rb").read()) == tuple(i + 60 for i in range(64))
for name, j in said.items():
    counters, result = j["counters"], j["result"]
    each = result["launch_cycles"]
    assert len(each) == 20 and min(each) > 0 and sum(each) == counters["cycles"] == result["cycles"], (name, each)
    waited = name in ("queue", "judged")
    assert ("issued" in counters) == (not waited), (name, counters)
    assert counters["warp_instructions"] == result["warp_instructions"] == (None if name == "queue" else 20 * 16), name
    assert waited or counters["issued"] == 20 * 16, (name, counters)
# Without a shared cache a launch finds nothing of the one before.
assert said["queue"]["result"]["launch_cycles"] == said["apart"]["result"]["launch_cycles"]
END
