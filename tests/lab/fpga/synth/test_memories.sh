#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_memories.sh ROOT
# Primitives of rtl/lib that keep something, or arbitrate, are the same in both of their forms (rtl/lib/heddle_form.svh), by
# proof; another one is noticed. Those without a register: test_simulated.sh.
source "$(dirname "$0")/checks.sh"
source "$(dirname "$0")/forms.sh"

# ---- memories: five cycles of two words from zero, written and read in every way
words='-G WIDTH=4 -G DEPTH=2'
same ram_1r1w 5 "$words -G GRAIN=2"
same ram_1r1w 5 "$words -G GRAIN=2 -G ZERO=1"
same ram_apart 5 "$words -G PARTS=2"
same ram_unpack 5 '-G WIDTH=2 -G WORDS=2 -G DEPTH=2'
same ram_live 5 "$words -G PARTS=2" '-set in_rd_live_i 1'
# Nobody reads what is written: of two rows the other one, or none is read.
same ram_unpack 4 '-G LANES=2 -G WIDTH=2 -G WORDS=2 -G DEPTH=2' '-set in_wr_addr_i 0 -set in_rd_addr_i 3'
# Reads or writes.
banks='-G BANKS=2 -G ROWS=2 -G ROW_W=2'
turns='-set-at 1 in_rd_any_i 0 -set-at 2 in_rd_any_i 0 -set-at 3 in_wr_any_i 0 -set-at 4 in_rd_any_i 0'
same ram_banks 4 "$banks" "$turns"
same ram_banks 4 '-G BANKS=1 -G ROWS=2 -G ROW_W=2' "$turns"
noticed 's/mem_q.wr_addr_i. = wr_data_i/mem_q[rd_addr_i] = wr_data_i/' ram_1r1w 5 "$words -G GRAIN=2"
noticed 's/else if (ZERO) rd_data_q/else rd_data_q/' ram_1r1w 5 "$words -G GRAIN=2"
noticed 's/wr_strb_i.b. == .1/wr_strb_i[b][0]/' ram_banks 4 "$banks" "$turns"
noticed 's/mem_q.rd_addr_i.l.../mem_q[0][/' ram_unpack 4 '-G LANES=2 -G WIDTH=2 -G WORDS=2 -G DEPTH=2' \
  '-set in_wr_addr_i 0 -set in_rd_addr_i 3'

# ---- flags, a column at a time
same flag_planes 3 '-G COLUMNS=3 -G FLAGS=2' '-set-at 1 in_put_i 1 -set-at 2 in_put_i 4'
noticed 's/& ~put_i)/\& put_i)/' flag_planes 3 '-G COLUMNS=3 -G FLAGS=2' '-set-at 1 in_put_i 1 -set-at 2 in_put_i 4'

# ---- a word that was taken, for as long as no other is
taken='-prove-skip 1 -set-at 1 in_take_i 1 -set-at 1 in_sel_i 1 -set-at 2 in_sel_i 2 -set-at 3 in_sel_i 4'
same chosen 4 '-G WIDTH=2 -G N=3' "$taken"
noticed 's/if (sel_i.i.) data_o/data_o/' chosen 4 '-G WIDTH=2 -G N=3' "$taken"

# ---- arbiters
same arb_fixed 1 '-G N=8'
same arb_rr 3 '-G N=8'
noticed 's/~req_i + N.(1)/~req_i/' arb_fixed 1 '-G N=8'
noticed 's/grant_o - N.(1)/grant_o/' arb_rr 3 '-G N=8'

[ $failures = 0 ]
