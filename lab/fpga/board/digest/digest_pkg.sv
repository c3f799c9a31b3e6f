// SPDX-License-Identifier: Apache-2.0
// Sizes of the digests of a board, what passes between their modules, and the field GF(2^32)
// (docs/digest-format.md).
package digest_pkg;

  localparam int unsigned LANES   = retire_pkg::LANES;
  localparam int unsigned WARPS   = retire_pkg::WARPS;
  localparam int unsigned BLOCKS  = retire_pkg::BLOCKS;
  localparam int unsigned BANKS   = retire_pkg::BANKS;         // of shared memory
  localparam int unsigned WRITERS = cfg_pkg::BANKS;            // write ports that say anything
  localparam int unsigned SLOT_W  = (WARPS > 1) ? $clog2(WARPS) : 1;
  localparam int unsigned BLOCK_W = (BLOCKS > 1) ? $clog2(BLOCKS) : 1;
  localparam int unsigned BEAT_W  = (retire_pkg::BEATS > 1) ? $clog2(retire_pkg::BEATS) : 1;

  // Items that become digests side by side: there may be more rows of results than cycles.
  localparam int unsigned PIPES   = 2;

  // Which sources one cycle shows.
  typedef struct packed {
    logic               trap;
    logic               block_start;
    logic               block_end;
    logic               shared;
    logic               request;
    logic               uniform;
    logic               predicate;
    logic [WRITERS-1:0] write;
    logic               issue;
  } sources_t;

  // ---- what is kept of a record ------------------------------------------------------------------
  // The bits of seq that an item needs: 16 bits of t, and 16 of the window.
  localparam int unsigned SEQ_W    = 22;
  localparam int unsigned WINDOW_W = 6;                        // 2^6 instructions

  typedef logic [SLOT_W-1:0] slot_t;
  typedef logic [SEQ_W-1:0]  seq_t;

  localparam int unsigned CLOCK_W  = 48;

  typedef struct packed {
    slot_t               slot;
    logic [31:0]         seq;
    logic [31:0]         r;
    logic                clock;     // it reads the clock,
    logic [CLOCK_W-1:0]  now;       // which says this
  } issue_t;

  typedef struct packed {
    slot_t             slot;
    seq_t              seq;
    logic [7:0]        rd;
    logic [BEAT_W-1:0] beat;
    logic [31:0]       r;
  } write_t;

  typedef struct packed {
    slot_t                                              slot;
    seq_t                                               seq;
    logic [BEAT_W-1:0]                                  beat;
    logic [retire_pkg::PREDICATES-1:0][LANES-1:0]       mask;   // by predicate, of which the last entry counts
    logic [retire_pkg::PREDICATES-1:0][LANES-1:0]       data;
  } predicate_t;

  typedef struct packed {
    slot_t                             slot;
    seq_t                              seq;
    logic [7:0]                        rd;
    logic [retire_pkg::RESULT-1:0]     used;
    logic [retire_pkg::PREDICATES-1:0] pred;
    logic [retire_pkg::PREDICATES-1:0] value;
    logic [retire_pkg::RESULT-1:0][31:0] data;
  } uniform_t;

  typedef struct packed {
    logic [BLOCK_W-1:0] bslot;
    logic [WARPS-1:0]   warps;
    logic [2:0][31:0]   ctaid;
  } start_t;

  typedef struct packed {
    slot_t       slot;
    logic [31:0] seq;
    logic [31:0] pc;
    logic [31:0] lanes;
    logic [7:0]  cause;
    logic [63:0] addr;
  } trap_t;

  // ---- items -------------------------------------------------------------------------------------
  typedef enum logic [1:0] {ISSUE = 2'd0, WRITE = 2'd1, PREDICATE = 2'd2, UNIFORM = 2'd3} kind_e;

  typedef struct packed {
    slot_t       slot;
    logic [31:0] seq;       // of other kinds than ISSUE its low SEQ_W bits
    kind_e       kind;
    logic [7:0]  place;
    logic [4:0]  beat;
    logic [31:0] r;
  } item_t;

  // ---- the order of memory -------------------------------------------------------------------------
  // Lines and rows share a place in the table when these bits of them (lines: of a hash) are the same.
  localparam int unsigned INDEX_W = 9;
  localparam int unsigned ROW_W   = $clog2(cfg_pkg::SHARED_BYTES / 4 / cfg_pkg::SHARED_BANKS);
  localparam int unsigned COUNT_W = 13;                        // of accesses of a slot between two cuts
  localparam int unsigned CUT_W   = 6;                         // of the number of a cut

  typedef logic [INDEX_W-1:0] index_t;

  typedef struct packed {
    slot_t  slot;
    logic   writes;
    index_t index;
  } request_t;

  typedef struct packed {
    slot_t               slot;
    logic                writes;
    logic                first;      // pass of its instruction
    logic [BANKS-1:0]    bank_en;
    index_t [BANKS-1:0]  index;
  } shared_t;

  typedef struct packed {
    start_t              start;
    trap_t               trap;
    logic [BLOCK_W-1:0]  end_bslot;
    shared_t             shared;
    request_t            request;
    uniform_t            uniform;
    predicate_t          predicate;
    write_t [WRITERS-1:0] write;
    issue_t              issue;
  } heads_t;

  typedef struct packed {
    logic   space;                   // 0 global, 1 shared
    slot_t  slot;
    logic   writes;
    logic   first;                   // of its instruction: it counts
    index_t index;
  } access_t;

  function automatic index_t line_index(input logic [line_pkg::LINE_W-1:0] line);
    line_index = '0;
    for (int unsigned b = 0; b < line_pkg::LINE_W; b++) line_index[b % INDEX_W] ^= line[b];
  endfunction

  // Rows of shared memory are as many, or follow each other in a place.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic index_t row_index(input logic [15:0] row);
    row_index = index_t'((ROW_W > INDEX_W) ? row >> (ROW_W - INDEX_W) : row);
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // ---- entries -------------------------------------------------------------------------------------
  localparam logic [3:0] MARK_GLOBAL = 4'd0, MARK_SHARED = 4'd1, WINDOW = 4'd2, CORRECTION = 4'd3, WARP_END = 4'd4,
                         CLOCK = 4'd5, BLOCK_START = 4'd6, BLOCK_END = 4'd7, TRAP = 4'd8;

  // A part of an entry, the lowest nibble first.
  typedef struct packed {
    logic        ends;               // the entry
    logic [2:0]  last;               // nibbles less one
    logic [31:0] data;
  } chunk_t;

  // Entries that are neither a window nor a mark.
  typedef enum logic [1:0] {DO_CLOCK, DO_END, DO_START, DO_TRAP} do_e;

  localparam logic [31:0] FORMAT  = 32'h44474401;
  localparam logic [7:0]  PROFILE = 8'd128;

  // ---- GF(2^32) ------------------------------------------------------------------------------------
  localparam logic [31:0] POLY = 32'h04c11db7;                 // without x^32

  function automatic logic [31:0] times_x(input logic [31:0] a);
    times_x = (a << 1) ^ (a[31] ? POLY : 32'd0);
  endfunction

endpackage
