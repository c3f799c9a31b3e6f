#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_profile.sh HEDDLE CONFIG
# heddle run --profile-out: all files of one launch, held against each other and against the counters that --profile tells;
# several launches; a program that traps; what is refused; and with a class of the RTL's counters swapped for another
# (fault 149, on tiny) the sums say so.
set -euo pipefail
heddle=$1 config=$2
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../../lib.sh"
cd "$dir"

cat >sum.cl <<'END'
kernel void sum(global const float *in, global float *out, local float *part) {
  uint t = get_local_id(0);
  part[t] = in[get_global_id(0)] + in[(get_global_id(0) * 7) & 255];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < 32) out[get_global_id(0)] = part[t] + part[t + 32];
}
END
head -c 1024 /dev/zero >in.bin
options=(sum.cl --global 256 --local 64 --arg in:in.bin --arg out:1024:out.bin --arg local:256 --config "$config")
for on in rtl lockstep; do
  expect 0 "warp instructions" "$heddle" run "${options[@]}" --on $on --profile-out "$on" --profile-window 1000000 \
    --profile --json $on.json
  expect 0 "ok  " python3 -B "$here/check.py" $on --whole $on.json
done
# Who compares does not change what happens.
expect 0 "" cmp rtl/profile.txt lockstep/profile.txt
grep -q "sum.cl:3" rtl/profile.txt && grep -q "sum.cl:3" rtl/profile.html || { echo "FAILED  no line of the source"; exit 1; }
expect 0 "" "$heddle" run "${options[@]}" --on rtl --launches 3 --profile-out three --profile-window 500:300
expect 0 "ok  " python3 -B "$here/check.py" three

printf '%s\n' '.kernel k' 'MOV R0, RZ ;' 'MOV R1, RZ ;' 'LDG.E R2, [R0] ;' 'EXIT ;' '.end' >trap.s
expect 0 "" "$heddle" run trap.s --grid 2 --block 64 --config "$config" --expect-trap out_of_range --profile-out trap
expect 2 "profile-out" "$heddle" run "${options[@]}" --on model --profile-out no
expect 2 "profile-window" "$heddle" run "${options[@]}" --profile-out no --profile-window 5:
expect 2 "host" "$heddle" run "${options[@]}" --profile-out no --host 5
expect 2 "beside" "$heddle" run "${options[@]}" --profile-out no --beside
if [ "$config" = tiny ]; then
  expect 1 "were charged to instructions" "$heddle" run "${options[@]}" --on rtl --fault 149 --profile-out no
fi
