#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_memories.sh ROOT
# The simulator's memories and arbiters, which are written otherwise for it, are those of synthesis, by proof.
source "$(dirname "$0")/checks.sh"

# ---- memories (five cycles of two words from zero, written and read in every way), shared memory of 16 rows, two sectors, arbiters
cp rtl/core_pkg.sv rtl/*/*.sv rtl/lib/*.svh "$generated"/*.sv "$dir"
sed 's/SHARED_BYTES = [0-9]*/SHARED_BYTES = 256/' "$generated/fpga/cfg_pkg.sv" >"$dir/cfg_pkg.sv"
printf 'package mem_pkg;\n  localparam int unsigned ENTRIES = 2, ENTRY_W = 1;\nendpackage\n' >"$dir/two_sectors.sv"
broken=''
same() { # MODULE CYCLES [PARAMETERS and packages] [OPTIONS of sat]
  sed "s/module $1 /module simulated /; s/(\*[^)]*\*)//; s/\(ifn*def\) VERILATOR/\1 SIMULATED/; $broken" "$dir/$1.sv" \
    >"$dir/simulated.sv"
  cat >"$dir/same.ys" <<END
read_slang -j 1 --std 1800-2017 -I . -y . --libext .sv --top $1 ${3:-} $1.sv
read_slang -j 1 --std 1800-2017 -D SIMULATED -I . -y . --libext .sv --top simulated ${3:-} simulated.sv
miter -equiv $1 simulated both
hierarchy -top both
proc
flatten
memory -nordff
opt
techmap
simplemap
opt
sat -verify -prove trigger 0 -seq $2 -set-init-zero ${4:-} both
END
  (cd "$dir" && yosys -q -T same.ys >out 2>err </dev/null)
}
words='-G WIDTH=4 -G DEPTH=2'
same ram_1r1w 5 "$words -G GRAIN=2" || fail 'the simulator takes another ram_1r1w'
same ram_1r1w 5 "$words -G GRAIN=2 -G ZERO=1" || fail 'the simulator takes another ram_1r1w with ZERO'
same ram_apart 5 "$words -G PARTS=2" || fail 'the simulator takes another ram_apart'
same ram_blank 5 "$words" || fail 'the simulator takes another ram_blank'
same ram_live 5 "$words -G PARTS=2" '-set in_rd_live_i 1' || fail 'the simulator takes another ram_live'
same sector_ram 5 two_sectors.sv '-set in_rd_live_i 1' || fail 'the simulator takes another sector_ram'
same arb_fixed 1 '-G N=8' || fail 'the simulator takes another arb_fixed'
same arb_rr 3 '-G N=8' || fail 'the simulator takes another arb_rr'
same shared_mem 3 || fail 'the simulator takes another shared_mem'
same shm_word 3 || fail 'the simulator takes another shm_word'
noticed() { # CHANGE, and what `same` takes: by the proof, not by what reads the text
  broken=$1
  shift
  refuted same "$@" || fail "another $1 for the simulator is not noticed"
  broken=''
}
noticed 's/mem_q.wr_addr_i. = wr_data_i/mem_q[rd_addr_i] = wr_data_i/' ram_1r1w 5 "$words -G GRAIN=2"
noticed 's/else if (ZERO) rd_data_q/else rd_data_q/' ram_1r1w 5 "$words -G GRAIN=2"
noticed 's/~req_i + N.(1)/~req_i/' arb_fixed 1 '-G N=8'
noticed 's/grant_o - N.(1)/grant_o/' arb_rr 3 '-G N=8'
noticed 's/(wr_data_i & ~keep)/wr_data_i/' sector_ram 5 two_sectors.sv '-set in_rd_live_i 1'
# What refutes a wrong one is found sooner among fewer addresses: rows 0, 1, 8 and 9 of each bank.
rows=''
for bank in 0 16 32 48; do rows+=" -set in_rt_row_i[$((bank + 2)):$((bank + 1))] 0"; done
noticed 's/rt_wstrb_i.b. == .1/rt_wstrb_i[b][0]/' shared_mem 3 '' "$rows"
noticed 's/if (strobe.y.) mem_q/if (strobe[0]) mem_q/' shm_word 3 '' '-set in_rd_addr_i[6:4] 0'

# ---- synthesis has the words in the table of lanes' values that the special registers are: 8 and on, of lane l, 1 << l, those
# below, up to it, above, from it on; else l
cat >"$dir/table.ys" <<'END'
read_slang -j 1 --std 1800-2017 --top lane_table isa_pkg.sv lane_table.sv
proc
opt_expr
opt_clean
memory -nomap
write_json table.json
END
cat >"$dir/table.py" <<'END'
import json, sys
cells = json.load(open(sys.argv[1]))["modules"]["lane_table"]["cells"].values()
memory, = (cell["parameters"] for cell in cells if cell["type"] == "$mem_v2")
width, init = int(memory["WIDTH"], 2), memory["INIT"]
words = [int(init[len(init) - width * (i + 1):len(init) - width * i], 2) for i in range(512)]
def value(register, lane):
    own = 1 << lane
    masks = {8: own, 9: own - 1, 10: 2 * own - 1, 11: -2 * own, 12: -own}
    return masks.get(register, lane) & 0xffffffff
assert width == 32 and words == [value(i >> 5, i & 31) for i in range(512)]
END
(cd "$dir" && yosys -q table.ys >out 2>err </dev/null) && $python "$dir/table.py" "$dir/table.json" >"$dir/out" 2>"$dir/err" ||
  fail "the table of lanes' values has other words in synthesis"

[ $failures = 0 ]
