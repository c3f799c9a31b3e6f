// SPDX-License-Identifier: Apache-2.0
// The request channel: where an SM ends and a memory system begins. A request is one access of one
// instruction to one line of 128 bytes (or a cache's refill), and its answer depends on nothing
// of the SM but what is here.
// Latency, handshake: none, this is a package; the channel's rules are in README.md, "The request
// channel". Five groups of nets, each named by its driver:
//   lw_  SM to memory: a beat of data, ahead of its request or with it (event)
//   lq_  SM to memory: a request (event; only with a credit)
//   lc_  memory to SM: a credit, room for one more request (event)
//   ld_  memory to SM: a beat of a requested line (event; its tag has the room)
//   la_  memory to SM: an answer, of a lane of an atomic or the end of a request (valid, ready)
// It has no bit number of the instruction word, and nothing of AXI.
package line_pkg;

  /* verilator lint_off UNUSEDPARAM */

  localparam int unsigned LINE_BYTES = 128;
  localparam int unsigned SECTORS    = 4;                      // of 32 bytes
  localparam int unsigned LINE_W     = 33;                     // 40-bit byte address / 128

  // Beats of data: 32 to 1,024 bits, in either direction.
  localparam int unsigned BITS       = cfg_pkg::AXI_BITS;
  localparam int unsigned BYTES      = BITS / 8;
  localparam int unsigned BEATS      = 8 * LINE_BYTES / BITS;  // of a line
  localparam int unsigned BEAT_W     = (BEATS > 1) ? $clog2(BEATS) : 1;

  // A cache gives whole lines, all beats at once, to a load/store unit that has a lane for each of 32 threads.
  localparam bit          WHOLE      = cfg_pkg::L1_BYTES != 0 && cfg_pkg::LSU_LANES == 32;
  localparam int unsigned SIDE       = WHOLE ? BEATS : 1;      // beats side by side

  // Requests in flight, by tag: those of the load/store unit first, then refills of the read-only caches. A tag is free again after the
  // end of its request. Credits: memory has room for all of an SM's tags, unless it gives fewer.
  localparam int unsigned LINES      = cfg_pkg::GMEM_LINES;
  localparam int unsigned ICACHE_TAG = LINES;
  localparam int unsigned CCACHE_TAG = ICACHE_TAG + cfg_pkg::ICACHE_MISSES;
  localparam int unsigned TAGS       = CCACHE_TAG + cfg_pkg::CCACHE_MISSES;
  localparam int unsigned TAG_W      = $clog2(TAGS);

  // Atomics among them, with operands to be kept: credits of their own.
  localparam int unsigned ATOMS      = cfg_pkg::GMEM_ATOMS;

  // SMs, and banks of memory: a line is of the bank that its lowest bits name. Behind the crossbar
  // (rtl/crossbar) a tag has its sender, {sm, tag}; where there is one SM alone it is the tag.
  localparam int unsigned SMS        = cfg_pkg::SMS;
  localparam int unsigned SM_W       = (SMS > 1) ? $clog2(SMS) : 1;
  // The senders of requests: the SMs, and behind them the mmu.
  localparam int unsigned SENDERS    = SMS + 32'(cfg_pkg::MMU != 0);
  localparam int unsigned SENDER_W   = (SENDERS > 1) ? $clog2(SENDERS) : 1;
  localparam int unsigned MEM_BANKS  = cfg_pkg::L2_BANKS;
  localparam int unsigned MEM_BANK_W = (MEM_BANKS > 1) ? $clog2(MEM_BANKS) : 1;
  localparam int unsigned AXI_PORTS  = cfg_pkg::AXI_PORTS;       // to memory: bank b is behind port b mod AXI_PORTS
  localparam int unsigned BANK_TAG_W = TAG_W + ((SENDERS > 1) ? SENDER_W : 0);

  // Beats of a request at most: a store of few lanes comes word by word of each lane, though the
  // lanes share some, and an atomic of the narrowest bus has as many pieces.
  localparam int unsigned MOST_BEATS = 32 * 4;

  // Loads, stores and atomics as records number them; refills of read-only data, which have no
  // record; refills of the SM's cache, with a number in their note and record.
  typedef enum logic [2:0] {LOAD = 3'd0, STORE = 3'd1, ATOM = 3'd2, FETCH = 3'd3, FILL = 3'd4} kind_e;

  // The scope in which an access must be in order. While no cache stands between an SM and the point of
  // order, all of them come to the same.
  typedef enum logic [1:0] {WEAK = 2'd0, CTA = 2'd1, GPU = 2'd2, SYS = 2'd3} scope_e;

  // A request. Bytes of a store and operands of an atomic came as beats. Records alone need lanes of a load or a store, and is_local.
  typedef struct packed {
    logic [7:0]              sm;       // number of the SM, or of the mmu SMS: the tag is one of its
    logic [TAG_W-1:0]        tag;
    kind_e                   kind;
    scope_e                  scope;
    logic [LINE_W-1:0]       line;     // byte address / 128
    logic [SECTORS-1:0]      sectors;  // touched ones
    logic [5:0]              op;       // of an atomic: isa_pkg::AOP_* or atom_pkg::COMPARE_SWAP
    logic                    wide;     // of an atomic: 64 bits
    logic                    gives;    // of an atomic: each lane's old value is wanted (not of RED)
    logic [cfg_pkg::SM_WARP_W-1:0] slot;   // the warp
    logic [31:0]             lanes;    // that it serves: all of the instruction's lanes in this line
    logic                    is_local; // local memory: the line holds a word of each thread of the warp
  } request_t;

  // All that records alone need of a request, in the cycle of it or before memory shows it: no queue has it. Observers keep it by sender
  // and tag. A refill of a read-only cache has none.
  typedef struct packed {
    logic                    valid;    // event
    logic [TAG_W-1:0]        tag;
    logic [7:0]              gen;      // which warp of its slot,
    logic [31:0]             seq;      // ... and which of its instructions; of a FILL its number
    logic [31:0][1:0]        at;       // the sector of each lane
    logic [17:0]             word;     // of local memory: which word of a thread
  } note_t;

  // A request as an observer of the order of memory has it (lab/fpga/board/digest).
  typedef struct packed {
    logic [7:0]              slot;     // warp slot of the SM
    logic                    writes;   // a store or an atomic
    logic [LINE_W-1:0]       line;
  } seen_t;

  // A beat of data. For a store: some bytes of a part of the line; beats of one request may touch a
  // part several times, a later one wins. For an atomic: the operands of a lane, each lane of the
  // request once and in ascending order, since in that order they are performed. b is the first 64
  // bits of them, c (of a compare-and-swap the new value) the other 64; a beat has as many of these
  // 128 as fit, and only an operand's words that count need be sent: 32-bit ones bits 31:0 of b and c.
  typedef struct packed {
    logic                    atom;
    logic [4:0]              lane;     // of an atomic: which,
    logic [4:0]              place;    // which word of the line it changes (64 bits: the even one of two),
    logic [1:0]              piece;    // and which part of 128 bits of operands, from bit piece * BITS
    logic [BEAT_W-1:0]       beat;     // of a store: bytes beat * BYTES of the line and up
    logic [BYTES-1:0]        strb;
    logic [BITS-1:0]         data;
  } write_t;

  // A beat of a load or a refill: of each requested sector all beats, once, in any order. A beat wider than a sector may hold other
  // sectors' bytes.
  typedef struct packed {
    logic [TAG_W-1:0]        tag;
    logic [BEAT_W-1:0]       beat;
    logic [BITS-1:0]         data;
  } read_t;

  // A beat for the load/store unit: of memory (in each of the places), or of a cache several.
  typedef struct packed {
    logic [TAG_W-1:0]           tag;
    logic [BEAT_W-1:0]          beat;    // the lowest
    logic [SIDE-1:0]            there;   // places in use; without SIDE the one
    logic [SIDE-1:0][BITS-1:0]  data;
  } back_t;

  function automatic back_t back_of(read_t r);
    back_of.tag   = r.tag;
    back_of.beat  = r.beat;
    back_of.there = SIDE'(1) << ((SIDE > 1) ? 32'(r.beat) : 0);
    back_of.data  = {SIDE{r.data}};
  endfunction

  // An answer: the old value of an atomic's lane (lanes ascending), or the end of a request. The end comes after all else of the request
  // (a load's after its last beat) and after the records of its sectors. An error is one of the whole line: nothing of it was performed,
  // and its data are invalid.
  typedef struct packed {
    logic [TAG_W-1:0]        tag;
    logic                    done;
    logic                    err;      // with done
    logic [4:0]              lane;     // else: the lane of the value
    logic [63:0]             old;      // 32 bits: in bits 31:0
  } answer_t;

  // The same between the crossbar and a bank, where tags have their senders.
  typedef struct packed {
    logic [BANK_TAG_W-1:0]   tag;
    logic [BEAT_W-1:0]       beat;
    logic [BITS-1:0]         data;
  } bank_read_t;

  typedef struct packed {
    logic [BANK_TAG_W-1:0]   tag;
    logic                    done;
    logic                    err;
    logic [4:0]              lane;
    logic [63:0]             old;
  } bank_answer_t;

  // The channel as ports of modules: what an SM sends; what it gets, what line_join gets behind a cache, what the load/store unit gets
  // of that, and what a bank of memory gives the crossbar. Requests to a bank are of the first kind.
  typedef struct packed {
    logic                    lw_valid;
    write_t                  lw;
    logic                    lq_valid;
    request_t                lq;
    logic                    la_ready;
  } sent_t;

  typedef struct packed {
    logic                    lc_valid;
    logic                    lc_atom;
    logic                    ld_valid;
    read_t                   ld;
    logic                    la_valid;
    answer_t                 la;
  } got_t;

  typedef struct packed {
    logic                    lc_valid;
    logic                    lc_atom;
    logic                    ld_valid;
    back_t                   ld;
    logic                    la_valid;
    answer_t                 la;
  } lsu_got_t;

  typedef struct packed {
    logic                    ld_valid;
    back_t                   ld;
    logic                    la_valid;
    answer_t                 la;
  } lsu_back_t;

  typedef struct packed {
    logic                    lc_valid;
    logic                    lc_atom;
    logic                    ld_valid;
    bank_read_t              ld;
    logic                    la_valid;
    bank_answer_t            la;
  } bank_got_t;

  function automatic logic [BANK_TAG_W-1:0] bank_tag(logic [7:0] sm, logic [TAG_W-1:0] tag);
    bank_tag = BANK_TAG_W'({sm, tag});
  endfunction

  function automatic logic [SENDER_W-1:0] sm_of(logic [BANK_TAG_W-1:0] tag);
    sm_of = (SENDERS > 1) ? SENDER_W'(32'(tag) >> TAG_W) : '0;
  endfunction

  /* verilator lint_on UNUSEDPARAM */

endpackage
