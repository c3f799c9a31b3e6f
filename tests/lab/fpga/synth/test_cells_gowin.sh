#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_cells_gowin.sh ROOT
# The memories of rtl/lib, mapped to a Gowin GW5A, over the models of its block memories (lab/fpga/synth/cells), beside their text: the
# same answers to random inputs. A wrong model is noticed, and so is a design that relies on what is read as it is written; what is
# not modelled is refused. From the environment: as test_cells.sh.
source "$(dirname "$0")/checks.sh"
source "$(dirname "$0")/cells.sh"

cp lab/fpga/synth/cells/gowin.v tests/lab/fpga/synth/cells_* rtl/lib/ram_{1r1w,apart,unpack}.sv rtl/lib/*.svh "$dir"
cat >"$dir/map.ys" <<END
read_slang -j 1 --unroll-limit 20000 --std 1800-2017 -DSYNTHESIS -I . -y . --libext .sv --top cells_memories cells_pkg.sv cells_subjects.sv
synth_gowin -family gw5a -noiopads -top cells_memories -run begin:map_gates
select -assert-none t:\$mem* t:RAM16*
select -assert-min 20 t:SDPB t:SDPX9B t:DPB t:DPX9B
rename cells_memories right_memories
write_verilog -noattr right_memories.v
END
(cd "$dir" && yosys -q map.ys >out 2>err </dev/null) || { fail 'Yosys does not map them'; exit 1; }

# Bytes of a wide write have changed places, each byte of the contents is read two bits away.
sed -E "s/32'\(k & 11'/32'((k ^ 11'd1) \& 11'/; s/INIT\[BITS\*i \+: BITS\]/INIT[BITS*i+2 +: BITS]/" "$dir/gowin.v" >"$dir/changed.v"
[ "$(diff "$dir/gowin.v" "$dir/changed.v" | grep -c '^>')" = 2 ] || fail 'nothing of the models to be changed'
sed -E 's/^(module|  ) ?(gowin_bsram|SP|SPX9|SDPB|SDPX9B|DPB|DPX9B) /\1 wrong_\2 /' "$dir/changed.v" >"$dir/wrong_gowin.v"
sed -E 's/right_/wrong_/; s/^  (SP|SPX9|SDPB|SDPX9B|DPB|DPX9B) /  wrong_\1 /' "$dir/right_memories.v" >"$dir/wrong_memories.v"
# Yosys infers no multiplier of a GW5A: products are their text on all sides.
for side in right wrong; do
  sed -n "/^module cells_products/,/^endmodule/{s/cells_products/${side}_products/;p}" tests/lab/fpga/synth/cells_subjects.sv \
    >"$dir/${side}_products.v"
done
cells_built gowin.v wrong_gowin.v
for seed in 1 2 3; do
  (cd "$dir" && ./cells 10000 $seed) >"$dir/out" 2>"$dir/err" || fail 'the run fails'
  [ "$(count compared)" -gt 2000000 ] || fail 'hardly anything is compared'
  [ "$(count memories)" = 00000000 ] || fail 'a mapped memory answers otherwise'
  # By bits (cells_pkg.sv): all whose parts have more than nine bits, all with contents.
  (((0x$(count wrong) & 0x7F109) == 0x7F109)) || fail 'wrong bytes or contents are not noticed'
  [ "$(count relied)" = 00000fba ] || fail 'who relies on a word that is read as it is written is not noticed'
done

refused SDPB READ_MODE 1 gowin.v
refused SDPX9B BLK_SEL_0 1 gowin.v
refused SPX9 WRITE_MODE 2 gowin.v
refused DPB READ_MODE1 1 gowin.v

[ $failures = 0 ]
