#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_planted.sh ROOT
# What scripts/netlist-lockstep.sh says of planted faults: all found, some of the ledger not, one more not, one of the ledger
# found, one of the ledger not planted. In place of heddle a program that finds what it is told to.
set -uo pipefail
root=$1
source "$root/tests/lib.sh"

mkdir -p "$dir/scripts" "$dir/lab/fpga/synth" "$dir/build/synth/small"
cp "$root/scripts/netlist-lockstep.sh" "$dir/scripts"
cat >"$dir/build/heddle" <<'END'
#!/usr/bin/env bash
# Shows a difference where a fault is turned on, but for those in $UNSEEN.
[ "$1" != kernels ] || echo "vecadd.asm   1 launches ok"
while [ $# -gt 0 ] && [ "$1" != --fault ]; do shift; done
case "${2:-0}" in 0) exit 0 ;; esac
case " $UNSEEN " in *" $2 "*) exit 0 ;; esac
echo "difference: one"
exit 1
END
chmod +x "$dir/build/heddle"
printf '1 lut_bit a: entry 3 of a LUT\n2 enable b: a register never enabled\n3 sign c: SIGNEDA of a multiplier 1\n' \
  >"$dir/build/synth/small/planted.txt"
ledger() { printf '%s\n' "$@" >"$dir/lab/fpga/synth/planted_unseen.txt"; }
planted() { UNSEEN=$1 "$dir/scripts/netlist-lockstep.sh" "$dir/build/heddle" small planted 1; }

ledger "# none"
expect 0 "3 faults planted, 0 known as not found, 0 wrong" planted ""
expect 1 "2 enable b: a register never enabled: NOT FOUND" planted 2
ledger "small | enable b: a register never enabled | why" "large | sign c: SIGNEDA of a multiplier 1 | why"
expect 0 "3 faults planted, 1 known as not found, 0 wrong" planted 2
expect 1 "but is found: delete it there" planted ""
expect 1 "1 wrong" planted "2 3"
ledger "small | enable b: a register never enabled | why" "small | enable d: a register never enabled | why"
expect 1 "of which 1 are planted" planted 2
