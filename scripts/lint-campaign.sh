#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The whole mutation campaign of control codes (tests/isa/lint/campaign); the result goes into docs/lab/campaigns.md by hand or with --record.
# usage: scripts/lint-campaign.sh [--seed S] [--seeds N] [--hit-seeds N] [--random N] [--mixes N] [--record] CONFIG ...
# example: scripts/lint-campaign.sh --mixes 3 fpga tiny
set -euo pipefail
cd "$(dirname "$0")/.."
seed=1 seeds=20 hits=3 random=2 mixes=4 record="" build=${BUILD:-build}
while [ $# -gt 0 ]; do
  case $1 in
    --seed) seed=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    --hit-seeds) hits=$2; shift 2 ;;
    --random) random=$2; shift 2 ;;
    --mixes) mixes=$2; shift 2 ;;
    --record) record=1; shift ;;
    -*) sed -n '3,5p' "$0" >&2; exit 2 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || set -- tiny fpga wide

# A row more for the first table of the section in docs/lab/campaigns.md.
enter() {
  awk -v row="$1" '/^## / { here = $0 == "## Control codes made weaker"; rows = 0 }
    here && /^\|/ { rows = 1 }
    here && rows && !/^\|/ { print row; here = 0 }
    { print }' docs/lab/campaigns.md >"$build/campaigns.md" && cp "$build/campaigns.md" docs/lab/campaigns.md
}
commit=$(git rev-parse --short HEAD)
status=0
for config in "$@"; do
  start=$SECONDS out=$build/lint-campaign-$config
  HEDDLE_DEVICES=${HEDDLE_DEVICES:-$build/devices} "$build/bin/lint_campaign" --config "$config" --seed "$seed" --seeds "$seeds" \
    --hit-seeds "$hits" --random "$random" --mixes "$mixes" --jobs "$(nproc)" --classes --missed --json "$out.json" >"$out.txt" || status=1
  cat "$out.txt"
  # "--config C --seed S --seeds N: W weakenings, F flagged, S spare, R runs, X failures" and the line "total".
  line=$(awk -v head="| $commit | $config | $seed | $seeds " -v took=$((SECONDS - start)) '
    $1 == "total" { weaker = $3; flag = $4; spare = $5; poison = $6; none = $7; right = $8; runs = $9 }
    / failures$/ { failures = $(NF - 1) }
    /^sets of hints/ { mixes = $6 + 0 }
    END { printf "%s| %s | %s | %s | %s | %s | %s | %s | %s | %s | %d s |\n", head, weaker, flag, spare, poison, none, mixes, right, runs, failures, took }' "$out.txt")
  echo "$line"
  [ -z "$record" ] || enter "$line"
done
exit "$status"
