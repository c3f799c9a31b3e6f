// SPDX-License-Identifier: Apache-2.0
// Faults that can be injected: bugs that `fault_i` switches on by their number, each with where it is and what it does. Each is
// stopped by the lockstep checker (tests/expect_fail/README.md, which also says how to add one). Numbers stay what they are,
// since recorded runs and lists name them. Synthesis ties `fault_i` to NONE.
`default_nettype none

package fault_pkg;

  // Every folder has some of them, none has all.
  /* verilator lint_off UNUSEDPARAM */

  localparam logic [7:0] NONE = 8'd0;
  localparam logic [7:0] ALU_CARRY        = 8'd1;  // alu: IADD3 loses the carry into bit 16
  localparam logic [7:0] POP_MASK         = 8'd2;  // divergence: popped mask loses its lowest lane (when it has more than one)
  localparam logic [7:0] STORE_LOST       = 8'd3;  // line_request: every 16th request of a store is dropped (but acknowledged)
  localparam logic [7:0] STORE_TWICE      = 8'd4;  // order: every 16th request of a store is performed twice
  localparam logic [7:0] LANE_SWAP        = 8'd5;  // operand: lanes 0 and 1 of operand a swapped
  localparam logic [7:0] REUSE_STALE      = 8'd6;  // operand: reuse entry survives a write to its register
  localparam logic [7:0] BAR_EARLY        = 8'd7;  // barrier: released one warp early
  localparam logic [7:0] FMA_ROUND        = 8'd8;  // fma: RN rounds ties away
  localparam logic [7:0] SECTOR_DROP      = 8'd9;  // line_request: the last of several sectors of a load is not asked for (stale data)
  localparam logic [7:0] RESERVED_BIT     = 8'd10; // decode: reserved bits ignored
  localparam logic [7:0] WB_CORRUPT       = 8'd11; // after the write-port tap: bit 7 of lane 0 flips, every 64th write
  localparam logic [7:0] SHM_BANK_ADDR    = 8'd12; // after the tap: shared-memory bank 3 stores 128 bytes away
  localparam logic [7:0] DRAM_DATA        = 8'd13; // after the tap: AXI write data byte 0 inverted, every 32nd burst
  localparam logic [7:0] FTZ_IGNORED      = 8'd14; // fma: .FTZ ignored on inputs
  localparam logic [7:0] GUARD_STUCK      = 8'd15; // issue: negated guard read as plain
  localparam logic [7:0] SB_EARLY         = 8'd16; // issue: write counters fall one beat early / at first write
  localparam logic [7:0] STALL_SHORT      = 8'd17; // issue: stall count loads stall-1, with issue_ranks of 1 stall-2
  localparam logic [7:0] PRED_LANE        = 8'd18; // writeback: predicate of the last lane not written
  localparam logic [7:0] SHM_COLLIDE      = 8'd19; // shared memory: lowest lane wins a colliding store
  localparam logic [7:0] ATOM_ORDER       = 8'd20; // order: atomics of one line return the value before the whole group
  localparam logic [7:0] CVT_SAT          = 8'd21; // cvt: F2I wraps instead of saturating
  localparam logic [7:0] CONST_STALE      = 8'd22; // constant cache: hit ignores the lowest tag bit (lines one cache size apart)
  localparam logic [7:0] TID_Y            = 8'd23; // dispatcher: tid.y off by one in lane 31
  localparam logic [7:0] EXIT_KEEP        = 8'd24; // divergence: EXIT does not re-examine barriers
  localparam logic [7:0] BSYNC_MASK       = 8'd25; // divergence: BSYNC releases only the arriving lanes
  localparam logic [7:0] WB_ROW           = 8'd26; // writeback: bank 0 writes another register's row, every 64th write
  localparam logic [7:0] SFU_SQUARE       = 8'd40; // sfu: the squarer loses the row of bit 14
  localparam logic [7:0] SFU_MASK         = 8'd41; // sfu: lanes that are off are written, too
  localparam logic [7:0] SHFL_HEARS       = 8'd44; // warp: SHFL hears lanes that do not execute
  localparam logic [7:0] MATCH_HALF       = 8'd45; // warp: MATCH compares the lower half of a word
  localparam logic [7:0] LOCAL_SLICE      = 8'd46; // local_place: warp slots 2k and 2k+1 have one slice of local memory
  localparam logic [7:0] ATOM_ROUND       = 8'd47; // atom_add: a sum between two floats rounds away from zero
  localparam logic [7:0] HALF_ROUND       = 8'd48; // half: ties away
  localparam logic [7:0] HALF_PART        = 8'd49; // half: operand b's part ignored
  localparam logic [7:0] RED_LAST         = 8'd50; // barrier: BAR.RED counts the warp that comes last alone
  localparam logic [7:0] SYNC_EARLY       = 8'd51; // divergence: WARPSYNC does not wait for the highest lane of its mask
  localparam logic [7:0] PARK_JOINS       = 8'd56; // divergence, its: lanes that park at a second PC of a barrier join the first path
  localparam logic [7:0] TURN_PC          = 8'd57; // divergence, its: a turn that ends with a jump goes on after it
  localparam logic [7:0] SETS_ROW         = 8'd59; // divergence: sets of B[x] are written where those of B[x ^ 8] lie
  localparam logic [7:0] PUSH_MASK        = 8'd60; // divergence: a path that is pushed loses lane 31
  localparam logic [7:0] LANE_CHAIN       = 8'd61; // operands, lane by lane: bit 0 of word b is lost on the way down to the pipes
  localparam logic [7:0] COPY_EARLY       = 8'd62; // copy_store: the last word of a row is stored before it has come: an older row's first one
  localparam logic [7:0] COPY_COUNTER     = 8'd63; // issue: the write counter of a copy never rises
  localparam logic [7:0] COPY_GROUP       = 8'd64; // lsu_check: LDGDEPBAR ends at once
  localparam logic [7:0] COPY_LANE        = 8'd65; // copy_store: the highest lane of a row is not stored
  localparam logic [7:0] COPY_FENCE       = 8'd66; // issue: MEMBAR of GPU scope does not wait for copies
  localparam logic [7:0] COPY_PLACE       = 8'd67; // lsu: shared addresses of copies have one place, whoever is under way
  localparam logic [7:0] COPY_BLOCK       = 8'd68; // issue: a warp that has ended does not wait for its copies
  localparam logic [7:0] MMA_ZERO         = 8'd54; // tensor: the exponents of zero products count
  localparam logic [7:0] MMA_SIGN         = 8'd55; // tensor: IMMA takes B's bytes signed as A's are
  localparam logic [7:0] LDSM_TURN        = 8'd58; // matrix_words, matrix_steps, shm_collect: LDSM.MT88 gives halves of a word in the wrong order
  localparam logic [7:0] UNI_GUARD        = 8'd52; // uni: an instruction whose uniform guard is false writes its result
  localparam logic [7:0] UNI_LANE         = 8'd53; // warp: R2UR takes the word of the highest executing lane
  localparam logic [7:0] CROSS_SWAP       = 8'd72; // cross_queue: a store waits for what comes next, and a request without beats for its line goes before it
  localparam logic [7:0] CROSS_STRAY      = 8'd73; // cross_who: every 16th beat for a load/store unit goes to another SM
  localparam logic [7:0] BLOCK_TWICE      = 8'd74; // gpu_blocks: every 4th block is given to two SMs
  localparam logic [7:0] TRAP_SM          = 8'd75; // gpu_trap: the host is told of another SM
  localparam logic [7:0] L2_DIRTY_LOST    = 8'd80; // l2_rows: the last byte of a row is not written back
  localparam logic [7:0] L2_BACK_ROW      = 8'd81; // l2_choose: the last row of a line is not written back
  localparam logic [7:0] L2_FETCH_EARLY   = 8'd82; // l2_choose: a line is fetched while it is written back
  localparam logic [7:0] L2_SECTOR_VALID  = 8'd83; // l2_choose: a sector that a store has written in part counts as whole
  localparam logic [7:0] L2_ATOM_CLEAN    = 8'd84; // l2_choose: what an atomic changes is not written back
  localparam logic [7:0] L2_TAG_BIT       = 8'd85; // l2_choose: a hit ignores the lowest bit of a tag
  localparam logic [7:0] L2_STORE_PASSES  = 8'd86; // l2_choose: a store passes those who wait for its line
  localparam logic [7:0] L2_FRESH         = 8'd87; // l2_choose: marks of bytes survive in a place from line to line
  localparam logic [7:0] L2_WAY           = 8'd88; // l2_steps: stores go to the first way
  localparam logic [7:0] L2_FILL_OVER     = 8'd89; // l2_fetch: nobody asks whether a row has newer bytes
  localparam logic [7:0] L2_MERGE_OVER    = 8'd90; // l2_rows: what comes from memory is written over newer bytes, too
  localparam logic [7:0] L2_READ_EARLY    = 8'd91; // l2_rows: a row is read before the step before has written it
  localparam logic [7:0] L2_ATOM_STALE    = 8'd92; // l2_rows: a lane of an atomic does not see the one before it
  localparam logic [7:0] L2_STAMP         = 8'd93; // l2_record: the stamp of a store is 64 cycles old
  localparam logic [7:0] L2_FLUSH_SET     = 8'd94; // l2_tags: a flush leaves the last set out
  localparam logic [7:0] L2_ERROR_LOST    = 8'd95; // l2_park: a load whose line memory refused ends without an error
  localparam logic [7:0] L2_LOST_QUIET    = 8'd96; // l2_backs: a write-back that memory refused is not told
  localparam logic [7:0] L2_ANSWER_EARLY  = 8'd97; // l2_answers: a store is answered before it is performed
  // Faults of order between SMs: interconnect, shared cache, fences, an SM's cache (verify/mutants/order_faults.py).
  localparam logic [7:0] CROSS_MIX        = 8'd100; // cross_turn: another SM's request may come between the beats of one
  localparam logic [7:0] CROSS_BEAT       = 8'd101; // cross_who: of two beats for an SM in one cycle one is lost
  localparam logic [7:0] CROSS_ANSWER     = 8'd102; // cross_who: every 16th answer for a load/store unit goes to another SM
  localparam logic [7:0] CROSS_BANK       = 8'd103; // cross_who: atomics of odd SMs go to another bank
  localparam logic [7:0] L2_LOAD_PASSES   = 8'd105; // l2_choose: a load passes those who wait for its line
  localparam logic [7:0] L2_ATOM_PASSES   = 8'd106; // l2_choose: so does an atomic
  localparam logic [7:0] L2_ROW_TWICE     = 8'd111; // l2_steps: every 16th row of an atomic is performed twice
  localparam logic [7:0] L2_FLUSH_EARLY   = 8'd112; // l2_bank: a flush does not wait until memory has what is written back
  localparam logic [7:0] L2_FLUSH_BANK    = 8'd113; // gpu_memory: a flush is over when it is in bank 0
  localparam logic [7:0] L2_BACK_EARLY    = 8'd114; // gpu_memory: a write-back is acknowledged when its address has gone
  localparam logic [7:0] FENCE_OWN        = 8'd120; // issue: MEMBAR of GPU scope does not wait for accesses of its warp
  localparam logic [7:0] BAR_OWN          = 8'd121; // issue: neither does BAR, nor MEMBAR of CTA scope
  localparam logic [7:0] FENCE_OTHER      = 8'd122; // l1: fences do not wait for stores of other warps
  localparam logic [7:0] FENCE_BANK       = 8'd124; // l1: fences wait for other warps' stores in bank 0 only
  localparam logic [7:0] FENCE_ATOM       = 8'd125; // l1: fences do not wait for other warps' atomics
  localparam logic [7:0] END_EARLY        = 8'd127; // issue: a warp that has ended does not wait for its accesses
  localparam logic [7:0] GRID_EARLY       = 8'd128; // gpu_blocks: a grid has ended when one SM has
  localparam logic [7:0] L1_FENCE_KEEPS   = 8'd130; // l1: a fence does not empty the cache
  localparam logic [7:0] L1_IVALL_KEEPS   = 8'd131; // l1: CCTL.IVALL does not empty it
  localparam logic [7:0] L1_EMPTY_BANK    = 8'd132; // l1_lines: lines of bank 1 are never emptied
  localparam logic [7:0] L1_EMPTY_FLIGHT  = 8'd133; // l1: nothing is emptied while a refill is under way
  localparam logic [7:0] L1_KEEPS         = 8'd134; // l1_lines: what a store, an atomic, a strong load gives up is kept
  localparam logic [7:0] L1_STRONG        = 8'd136; // l1: strong loads are served from the cache
  localparam logic [7:0] L1_JOIN          = 8'd137; // l1_lines: a refill that was overtaken is joined
  localparam logic [7:0] L1_OVERTAKEN     = 8'd138; // l1_lines: what it brings is kept
  // Faults in the taps themselves.
  localparam logic [7:0] TAP_SM_DROP      = 8'd139; // what stores, atomics and strong loads of SM 1 give up is not shown
  localparam logic [7:0] TAP_DROP         = 8'd32; // every 64th write-port record is not shown
  localparam logic [7:0] TAP_DOUBLE       = 8'd33; // every 64th global perform record is shown twice
  localparam logic [7:0] TAP_REORDER      = 8'd34; // every 16th issue record is shown after the next one
  localparam logic [7:0] TAP_LANE         = 8'd35; // operands-read record shows lane 1's data in lane 0
  localparam logic [7:0] TAP_SEQ          = 8'd36; // every 64th issue record shows sequence + 1
  // Faults of units with a latency of their own.
  localparam logic [7:0] FP64_ROUND       = 8'd42; // fp64: RN rounds ties away
  localparam logic [7:0] FP64_NAN         = 8'd43; // fp64: negation acts on the sign of a NaN, too

  /* verilator lint_on UNUSEDPARAM */

endpackage

`default_nettype wire
