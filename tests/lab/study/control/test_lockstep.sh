#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_lockstep.sh HEDDLE RECODE [CONFIG]
# On hardware, beside the model: what `lab/study/control/run.sh cycles` measures comes out right for a small kernel, without
# reuse as with it; codes cost no more than their absence; a scoreboard needs none.
set -euo pipefail
heddle=$1 recode=$2 config=${3:-tiny}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
root=$(dirname "$0")/../../../..
"$root/lab/study/control/run.sh" cycles --heddle "$heddle" --recode "$recode" --configs "$config" --only histogram \
  --json "$dir/cycles.json"
"$root/lab/study/control/run.sh" chain --heddle "$heddle" --recode "$recode" --configs "$config" --json "$dir/chain.json"
python3 - "$dir/cycles.json" "$config" "$dir/chain.json" <<'END'
import json, sys
with open(sys.argv[1], encoding="utf-8") as text:
    figures = json.load(text)["configs"][sys.argv[2]]
ran = {name: row["kernels"]["histogram"] for name, row in figures["variants"].items()}
assert set(ran) == set(figures["codes"]) and len(ran) == 8, ran.keys()
assert len({row["warp_instructions"] for row in ran.values()}) == 1 and ran["control"]["warp_instructions"] > 500, ran
assert figures["codes"]["no_reuse"]["histogram"]["reuses"] == 0 < figures["codes"]["control"]["histogram"]["reuses"]
with open(sys.argv[3], encoding="utf-8") as text:
    chain = json.load(text)["configs"][sys.argv[2]]
assert 1 < chain["control"] < chain["by_counters"] and chain["control"] < chain["scoreboard"], chain
END
