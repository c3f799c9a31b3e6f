// SPDX-License-Identifier: Apache-2.0
// Types of address translation: pages, spaces, results of walks, requests of an SM and their answers, invalidations.
// Latency, handshake: none, this is a package; README.md has the rules of each channel.
// It does not distinguish uses of an address: line, word, constant.
package mmu_pkg;

  /* verilator lint_off UNUSEDPARAM */

  localparam int unsigned SPACE_W = 8;
  localparam int unsigned PAGE_W  = 37;   // bits 48:12 of a virtual address
  localparam int unsigned FRAME_W = 28;   // bits 39:12 of a physical one
  localparam int unsigned PART_W  = 9;    // bits 20:12: which 4 KiB of a page of 2 MiB
  localparam int unsigned LARGE_W = PAGE_W - PART_W;
  localparam int unsigned ROOT_W  = 27;   // PAGE_ROOT is a multiple of 8,192
  localparam int unsigned WORD_W  = 37;   // an entry: physical byte address / 8
  localparam int unsigned WHO_W   = 4;    // places of a micro-TLB: 16 at most

  // Bits of an entry.
  localparam int unsigned E_P = 0;
  localparam int unsigned E_L = 1;
  localparam int unsigned E_W = 2;
  localparam int unsigned E_G = 3;
  localparam int unsigned E_A = 4;
  localparam int unsigned E_D = 5;

  // Kinds of faults, as FAULT_INFO has them.
  typedef enum logic [1:0] {ABSENT = 2'd0, PROTECTED = 2'd1, MALFORMED = 2'd2, ERROR = 2'd3} kind_e;

  // Frame of a page. The low nine bits of a page of 2 MiB are 0.
  typedef struct packed {
    logic [FRAME_W-1:0] frame;
    logic               big;
    logic               shared;   // G: the same in all spaces
    logic               stores;   // W, and D is known to be set: a store needs no walk
  } leaf_t;

  // A micro-TLB requests a page. `lists`: a fault goes to the list of faults; else it is a trap, or the access was ahead of need.
  typedef struct packed {
    logic [SPACE_W-1:0] space;
    logic [PAGE_W-1:0]  page;
    logic               write;
    logic               lists;
    logic [WHO_W-1:0]   who;      // its place in the micro-TLB
  } ask_t;

  // ... and its answer. `lists` of a fault: whether the list has it, or was full.
  typedef struct packed {
    logic [SPACE_W-1:0] space;    // of the request
    logic [PAGE_W-1:0]  page;
    logic [WHO_W-1:0]   who;
    logic               fault;
    kind_e              kind;
    logic               lists;
    leaf_t              leaf;     // without a fault
  } answer_t;

  // A fault, as SMs receive it.
  typedef struct packed {
    logic [WHO_W-1:0]   who;
    logic               fault;
    kind_e              kind;
    logic               lists;
  } came_t;

  // Lookup of a micro-TLB; its outcome: a hit, a place to wait for, or neither.
  typedef struct packed {
    logic [SPACE_W-1:0] space;
    logic [PAGE_W-1:0]  page;
    logic               write;
    logic               lists;    // a fault goes to the list
  } lookup_t;

  typedef struct packed {
    logic               hit;
    logic               waits;
    logic [FRAME_W-1:0] frame;    // of the 4 KiB
    logic [WHO_W-1:0]   who;
  } outcome_t;

  // Translations that INVALIDATE drops (TLB_WHAT, TLB_SPACE, TLB_ADDR).
  typedef struct packed {
    logic               all_spaces;
    logic               all_pages;
    logic [SPACE_W-1:0] space;
    logic [PAGE_W-1:0]  page;
  } forget_t;

  // Broadcast to all SMs.
  typedef struct packed {
    logic               replay;   // each access that waits for the host is looked up again,
    logic               fail;     // ... and traps at a fault
    logic               forgets;  // `forget` is invalidated
    forget_t            forget;
  } news_t;

  // A page in the list of faults.
  typedef struct packed {
    logic [SPACE_W-1:0] space;
    logic [PAGE_W-1:0]  page;
    logic               write;
    kind_e              kind;
  } fault_t;

  // The host's commands, from its registers: events and their operands. A replay is held until taken.
  localparam int unsigned LISTED  = host_regs_pkg::FAULT_PLACES;   // in the list
  localparam int unsigned AT_W    = $clog2(LISTED);
  localparam int unsigned COUNT_W = $clog2(LISTED + 1);
  typedef struct packed {
    logic               replay;
    logic               fail;     // with it
    logic               invalidate;
    forget_t            what;
    logic               exchange;
    logic [WORD_W-1:0]  word;
    logic [63:0]        value;
    logic [AT_W-1:0]    at;       // the fault that the host reads
    logic [31:0]        ended;    // ended launches, for the retire port
  } do_t;

  // ... and the state that registers show.
  typedef struct packed {
    logic               fault_added;   // event
    logic [COUNT_W-1:0] faults;
    fault_t             fault;
    logic               invalidating;
    logic               exchanging;
    logic               exchange_err;
    logic [63:0]        old;
  } did_t;

  // Result of a walk.
  typedef struct packed {
    logic               fault;
    kind_e              kind;
    leaf_t              leaf;
  } found_t;

  // Start of a walk.
  typedef struct packed {
    logic [31:0]        number;
    logic [SPACE_W-1:0] space;
    logic [PAGE_W-1:0]  page;
    logic               write;
  } walk_t;

  // An access of eight bytes to a table.
  typedef enum logic [1:0] {READ = 2'd0, SWAP = 2'd1, EXCHANGE = 2'd2} do_e;
  typedef struct packed {
    do_e                what;
    logic [WORD_W-1:0]  word;
    logic [63:0]        b;        // SWAP: the expected word; EXCHANGE: the new one
    logic [63:0]        c;        // SWAP: the new word
    logic [1:0]         level;    // for records: the walk's level
    logic [31:0]        number;
  } access_t;

  // End of an access, for its record. Memory's own record has `number` as its seq, `level` as its slot, `exchange` as its gen, and so
  // gives the place in the order of memory.
  typedef struct packed {
    logic [31:0]        number;   // of the walk, or of the host's exchange, in the order of their starts
    logic [1:0]         level;
    logic               swap;
    logic               exchange;
    logic               err;
  } record_t;

  // Whether an entry of this level is malformed, if it is present.
  function automatic logic malformed(logic [63:0] e, logic [1:0] level);
    malformed = e[11:9] != '0 || e[63:40] != '0
      || (e[E_L] ? (level[1] || (level == 2'd1 && e[20:12] != '0)) : (level == 2'd0 || e[E_D:E_W] != '0));
  endfunction

  typedef struct packed {
    logic                           valid;    // event
    logic                           waits;    // for this place of the micro-TLB
    logic [WHO_W-1:0]      who;
    logic                           write;    // the lookup was for a write,
    logic                           lists;    // ... and its fault goes to the host's list
  } missed_t;

  /* verilator lint_on UNUSEDPARAM */

endpackage
