// SPDX-License-Identifier: Apache-2.0
// Structs and constants that only fetch/ and issue/ share.
// head_t is what the scheduler must know of an instruction before it is read from the buffer: a few flags an entry, found
// once when the word arrives; everything else waits in LUT memory until the warp is selected.
`default_nettype none

package issue_pkg;

  // Users pick what they need.
  /* verilator lint_off UNUSEDPARAM */

  // Index of an instruction buffer entry.
  localparam int unsigned IDX_W = (cfg_pkg::IBUF > 1) ? $clog2(cfg_pkg::IBUF) : 1;

  // Dependency counters of a warp.
  localparam int unsigned NSB = 6;

  typedef struct packed {
    logic           gen;       // reads operands for a fixed pipe or a register branch
    logic           coll;      // reads operands for a unit whose latency varies: takes a collector
    logic           two;       // ... two of them at least
    logic           three;     // ... three
    logic           alone;     // control, barrier: the next one waits for what it does
    logic           stalls;    // stall count above 1
    logic           ordered;   // may trap after its issue (memory, control): needs a place in the order list
    logic           drain;     // waits until the warp's memory operations have been performed
    logic           cst;       // has a constant operand
    logic           uni;       // goes to the uniform pipe
    logic [3:0]     bx;        // convergence barrier, if it names one
    logic [NSB-1:0] wait_mask; // counters that must be zero
    logic [NSB-1:0] raise;     // counters that it increments
  } head_t;
  localparam int unsigned HEAD_W = 14 + 2 * NSB;   // bits of head_t

  // Places of these flags, where each is kept as a vector of warps.
  localparam int unsigned HEAD_RAISE = 0, HEAD_WAIT = NSB, HEAD_BX = 2 * NSB, HEAD_UNI = HEAD_W - 10, HEAD_CST = HEAD_W - 9,
    HEAD_DRAIN = HEAD_W - 8, HEAD_ORDERED = HEAD_W - 7, HEAD_STALLS = HEAD_W - 6, HEAD_ALONE = HEAD_W - 5,
    HEAD_THREE = HEAD_W - 4, HEAD_TWO = HEAD_W - 3, HEAD_COLL = HEAD_W - 2, HEAD_GEN = HEAD_W - 1;

  // An instruction in the buffer.
  typedef struct packed {
    logic           bus_err;   // could not be fetched
    logic           illegal;
    logic [127:0]   word;
    isa_pkg::dec_t  dec;
  } entry_t;

  // What stays known of a warp from its start on.
  typedef struct packed {
    logic [7:0]  gen;
    logic [15:0] rbase;
  } warp_t;

  // Bits of core_pkg::done_t: arrays of it are passed as plain vectors.
  localparam int unsigned DONE_W = cfg_pkg::WARP_W + 24;

  // Performance counters (order of is_cnt).
  localparam int unsigned NCNT = 10;
  localparam int unsigned CNT_ISSUED = 0, CNT_NOT_SELECTED = 1, CNT_WAIT = 2, CNT_STALL = 3, CNT_PIPE = 4, CNT_FETCH = 5,
    CNT_SYNC = 6, CNT_MEMORY = 7, CNT_CONST = 8, CNT_OTHER = 9;

  // What the counters tell apart, of a cycle: of each warp, and of the check stage.
  typedef struct packed {
    logic [cfg_pkg::WARPS-1:0] alive;     // the others are not counted
    logic [cfg_pkg::WARPS-1:0] s1;        // stands in the check stage
    logic [cfg_pkg::WARPS-1:0] pick;      // the scheduler's, which goes there if it is free
    logic [cfg_pkg::WARPS-1:0] sync;
    logic [cfg_pkg::WARPS-1:0] there;     // has an instruction
    logic [cfg_pkg::WARPS-1:0] stalled;
    logic [cfg_pkg::WARPS-1:0] no_cst;
    logic [cfg_pkg::WARPS-1:0] waits;     // for a counter, or the scoreboard
    logic [cfg_pkg::WARPS-1:0] drains;
    logic [cfg_pkg::WARPS-1:0] no_room;   // no collector, or no place in a list
    logic                      issued;    // the instruction in the check stage issues
    logic                      redone;    // ... for the second time
    logic                      s1_go;     // nothing behind the check stage holds it up
    logic                      s1_free;
    logic                      run;
  } reasons_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage

`default_nettype wire
