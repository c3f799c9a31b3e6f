#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Thousands of PTX forms on the model, each with the results of silicon: all are equal but those that DIFFERS names,
# with the reason; one that is equal by now must leave that list.
# usage: test_more_forms.sh HEDDLE DIR DIFFERS
set -uo pipefail
heddle=$1 forms=$2 differs=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$heddle" ops "$forms" --on model --undefined strict --jobs 2 --json "$dir/json" >"$dir/out" 2>"$dir/err"
status=$?
python3 - "$dir/json" "$differs" "$status" <<'END'
import json
import sys

said = json.load(open(sys.argv[1]))
names = [line.split()[0] for line in open(sys.argv[2]) if line.strip() and not line.startswith("#")]
failed = {f["name"] for f in said["forms"] if not f["passed"]}
known = set(names)
for name in sorted(failed - known):
    print(f"FAILED: {name} is not as on silicon")
for name in sorted(known - failed):
    print(f"FAILED: {name} is as on silicon, or is gone: take it out of the list")
right = failed == known and len(names) == len(known) and len(said["forms"]) > 3000 and sys.argv[3] == "1"
print(f"{len(said['forms'])} forms, {len(failed)} differ from silicon, {len(known)} known to")
sys.exit(0 if right else 1)
END
