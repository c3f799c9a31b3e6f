#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# heddle study divergence on the RTL: the replay of what threads did is what issued, record by record, under both
# units (the command compares), and JSON says so.
# usage: test_divergence_rtl.sh HEDDLE CONFIG [KERNEL ...]
set -euo pipefail
heddle=$1 config=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$heddle" study divergence "$@" --on rtl --config "$config" --json "$dir/study.json" >"$dir/table"
python3 -B - "$dir/study.json" $# <<'END'
import json
import sys
kernels = json.load(open(sys.argv[1], encoding="utf-8"))["kernels"]
studied = [k for k in kernels if "lacking" not in k]
assert len(studied) >= (int(sys.argv[2]) or 12), [k["kernel"] for k in kernels]
for k in studied:
    for unit in ("stack", "its"):
        assert k[unit]["slots"] == k["retired"][unit] > 0, k
others = [k["kernel"] for k in studied if not k["same_threads"]]
assert set(others) <= {"bfs.ptx", "histogram"}, others  # which thread gets what is up to atomics
print(len(studied), "kernels, slots as retired under stack and its; threads did not do the same in both runs of:", others)
END
