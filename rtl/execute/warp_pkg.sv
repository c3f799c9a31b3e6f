// SPDX-License-Identifier: Apache-2.0
// The control word of the unit of warp-wide instructions, which travels with an instruction to it, and the source of each lane of
// SHFL.
// Latency and handshake: none, types and functions only.
// It does not hold operands; short immediates come as operands b and c like registers.
package warp_pkg;

  // Every folder uses some of the constants, none uses all.
  /* verilator lint_off UNUSEDPARAM */

  typedef enum logic [2:0] {SHUFFLE, VOTE, ACTIVE, MATCH, FOLD} job_e;

  typedef struct packed {
    job_e       job;
    logic [2:0] mode;      // isa_pkg::SHFL_*, VOTE_*, REDUX_* or (lowest bit) MATCH_*
    logic       first;     // FOLD: the lowest lane is enough (R2UR)
    logic       uns;       // FOLD: minimum and maximum of unsigned numbers
    logic       pairs;     // MATCH: of 64 bits
  } ctl_t;

  localparam int unsigned STEPS   = 4;                        // of a beat of SHFL
  localparam int unsigned ANSWERS = cfg_pkg::LANES / STEPS;   // lanes of SHFL in a step

  // Operands b and c of SHFL, as far as they count.
  typedef struct packed {
    logic [4:0] segment;
    logic [4:0] clamp;
    logic [4:0] b;         // lane number, distance
  } ask_t;

  localparam int unsigned ASK_W = $bits(ask_t);

  typedef struct packed {
    logic       heard;     // the predicate: in range, and executing
    logic [4:0] lane;      // the word's: the own one without a source
  } source_t;

  // REDUX: one more word.
  function automatic logic [31:0] folded(logic [2:0] mode, logic uns, logic [31:0] so_far, logic [31:0] word);
    automatic logic below = {word[31] ^ !uns, word[30:0]} < {so_far[31] ^ !uns, so_far[30:0]};
    case (mode)
      isa_pkg::REDUX_SUM: folded = so_far + word;
      isa_pkg::REDUX_MIN: folded = below ? word : so_far;
      isa_pkg::REDUX_MAX: folded = below ? so_far : word;
      isa_pkg::REDUX_AND: folded = so_far & word;
      isa_pkg::REDUX_OR:  folded = so_far | word;
      default:            folded = so_far ^ word;
    endcase
  endfunction

  // The part of operands b and c that is kept.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic ask_t asks(logic [31:0] b, logic [31:0] c);
    asks = {c[12:8], c[4:0], b[4:0]};
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // The source of `lane`; exec: lanes that can be one.
  function automatic source_t source(logic [2:0] mode, logic [4:0] lane, ask_t asked, logic [31:0] exec);
    automatic logic [4:0] low  = lane & asked.segment;
    automatic logic [4:0] high = low | (asked.clamp & ~asked.segment);
    automatic logic [5:0] sum  = {1'b0, lane} + {1'b0, asked.b};
    automatic logic [5:0] diff = {1'b0, lane} - {1'b0, asked.b};   // bit 5: below zero
    automatic logic [4:0] to;
    automatic logic       in_range;
    case (mode)
      3'(isa_pkg::SHFL_UP):   to = diff[4:0];
      3'(isa_pkg::SHFL_DOWN): to = sum[4:0];
      3'(isa_pkg::SHFL_BFLY): to = lane ^ asked.b;
      default:            to = low | (asked.b & ~asked.segment);
    endcase
    case (mode)
      3'(isa_pkg::SHFL_UP):   in_range = !diff[5] && to >= high;
      3'(isa_pkg::SHFL_DOWN): in_range = !sum[5] && to <= high;
      default:            in_range = to <= high;
    endcase
    source.heard = in_range && exec[to];
    source.lane  = source.heard ? to : lane;
  endfunction

  /* verilator lint_on UNUSEDPARAM */

endpackage
