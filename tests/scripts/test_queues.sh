#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No device keeps a queue of what a clock assigns. Verilator makes one for an array whose words are assigned with <= one by
# one in a loop that is kept (`LANE_LOOP): three arrays in `fma` took 6 % of all time of `wide`. Compute the words with = and
# assign the array whole.
#   usage: test_queues.sh BUILD
set -eu
headers=$(find "$1/verilated" -path '*/verilator_*/*' -name 'Vgpu___024root.h')
[ -n "$headers" ] || { echo "no device was built in $1/verilated" >&2; exit 1; }
# shellcheck disable=SC2086  # several files
queues=$(grep -o '__VdlyCommitQueue[A-Za-z0-9_]*' $headers | sed 's/.*__VdlyCommitQueue//; s/__DOT__/./g; s/__BRA__/[/g; s/__KET__/]/g; s/]__/]/g' | sort -u) || true
[ -z "$queues" ] || { echo "assigned word by word in a loop, through a queue:" >&2; echo "$queues" >&2; exit 1; }
echo "$(echo "$headers" | wc -l) devices, no queues"
