#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# heddle study bounds: its counts are the device's, and no bound lies above a run; of quad also what several SMs have between
# them is counted. usage: test_bounds.sh HEDDLE
set -euo pipefail
heddle=$1
source "$(dirname "$0")/../../../lib.sh"
"$heddle" study bounds vecadd histogram nested --config tiny --scale 0 --json "$dir/b.json" >"$dir/table"
python3 - "$dir/b.json" "$dir/table" <<'PY'
import json, sys
kernels = json.load(open(sys.argv[1]))["kernels"]
table = open(sys.argv[2]).read()
assert [k["kernel"] for k in kernels] == ["vecadd", "nested", "histogram"], kernels
for k in kernels:
    b, name = k["bounds"], k["kernel"]
    counted = {n: v for n, v in b.items() if n != "latency"}
    assert b["issue"] == k["issued"] > 0, (name, b["issue"], k["issued"])     # one partition: records beside the event counter
    assert max(counted.values()) <= k["cycles"], (name, counted)
    assert counted[k["holds"]] == max(counted.values()), name
    assert b["operands"] % 8 == 0 and b["rows"] % 8 == 0, name                # eight beats, eight rows an instruction
    assert 0 < k["lanes"] <= 32 * k["issued"], name
    assert k["bytes"] == 8 * (b["read"] + b["write"]) > 0, name
    assert 0 < b["latency"] < 1.5 * k["cycles"], (name, b["latency"], k["cycles"])
    assert f"| {name} | {k['cycles']} |" in table, name
by = {k["kernel"]: k["bounds"] for k in kernels}
assert by["histogram"]["shared"] > 0 and by["vecadd"]["shared"] == by["vecadd"]["atomics"] == 0
PY
"$heddle" study bounds vecadd histogram nested --config quad --scale 0 --json "$dir/q.json" >"$dir/table"
python3 - "$dir/b.json" "$dir/q.json" "$dir/table" <<'PY'
import json, sys
one, four = ({k["kernel"]: k for k in json.load(open(f))["kernels"]} for f in sys.argv[1:3])
assert "| L1 | channel | bank |" in open(sys.argv[3]).read()
for name, k in four.items():
    b = k["bounds"]
    assert max(v for n, v in b.items() if n != "latency") <= k["cycles"], (name, b)
    # The same instructions, in four SMs: the busiest has a quarter of them or more, and not all.
    assert k["issued"] == one[name]["issued"] and k["issued"] / 4 <= b["issue"] < k["issued"], (name, b["issue"])
    assert one[name]["bounds"]["bank"] == 0 < b["bank"], name
    # A bank is one of two; what it gives and takes goes over the channels of four SMs, a beat a row.
    assert 0 < b["channel"] <= 2 * b["bank"] + b["atomics"] * 2, (name, b["channel"], b["bank"])
    assert (b["atomics"] > 0) == (name == "histogram"), name
    assert b["l1"] > 0, name
PY
expect 2 "no kernel 'vecsub'" "$heddle" study bounds vecsub --config tiny
expect 2 "--latency 0: expected a number from 1" "$heddle" study bounds vecadd --config tiny --latency 0
expect 0 "hgemm_mma.ptx is not among them" "$heddle" study bounds hgemm_mma --config tiny --scale 0
