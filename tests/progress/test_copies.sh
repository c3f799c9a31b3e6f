#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# With an L1 a loop of weak loads may turn for ever on a copy; of strong ones it ends. usage: test_copies.sh HEDDLE CONFIG
# CONFIG: several SMs, an L1 each
set -uo pipefail
heddle=$1 config=$2 here=$(cd "$(dirname "$0")" && pwd)
source "$here/../lib.sh"
sed 's/LDG.E.STRONG.GPU/LDG.E/' "$here/chain.s" >"$dir/weak.s"
pair="--grid 2 --block 32 --arg out:12:u32:- --arg u32:2 --arg u32:1 --arg u32:1 --on lockstep --config $config"
expect 0 "1 1 2" "$heddle" run "$here/chain.s" $pair
expect 4 "blocks started" "$heddle" run "$dir/weak.s" $pair --max-cycles 30000
