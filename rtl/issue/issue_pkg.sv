// SPDX-License-Identifier: Apache-2.0
// Structs and constants that only fetch/ and issue/ share.
// head_t is what the scheduler must know of an instruction before it is read from the buffer: a few flags an entry, found
// once when the word arrives; everything else waits in LUT memory until the warp is selected.
package issue_pkg;

  // Users pick what they need.
  /* verilator lint_off UNUSEDPARAM */

  // Index of an instruction buffer entry.
  localparam int unsigned IDX_W = (cfg_pkg::IBUF > 1) ? $clog2(cfg_pkg::IBUF) : 1;

  // Dependency counters of a warp.
  localparam int unsigned NSB = 6;

  // Two levels: warps in the set: half of them, at least 2 if there are 2.
  localparam int unsigned SCHED_ACTIVE = (cfg_pkg::WARPS >= 4) ? cfg_pkg::WARPS / 2 : (cfg_pkg::WARPS >= 2) ? 2 : 1;
  // Selections (GTO) or cycles (two levels) after which a warp that is kept out comes nearer to its turn.
  localparam int unsigned SCHED_LIMIT = 256;

  typedef struct packed {
    logic           gen;       // reads operands for a fixed pipe or a register branch
    logic           coll;      // reads operands for a unit whose latency varies: takes a place of its queue
    logic           two;       // ... two of them at least
    logic           three;     // ... three
    logic           alone;     // control, barrier: the next one waits for what it does
    logic           stalls;    // stall count above 1
    logic           ordered;   // may trap after its issue (memory, control): needs a place in the order list; with coll: of memory
    logic           drain;     // waits until the warp's memory operations (but copies) have been performed
    logic           cst;       // has a constant operand
    logic           uni;       // goes to the uniform pipe
    logic           fence;     // waits for copies, too, and until the cache says that stores of others have been performed
    logic           line;      // with row queues: its rows wait in that of fma (gen: in some queue); with two readers: it is the second's
    logic [3:0]     bx;        // convergence barrier, if it names one
    logic [NSB-1:0] wait_mask; // counters that must be zero
    logic [NSB-1:0] raise;     // counters that it increments
  } head_t;
  localparam int unsigned HEAD_W = $bits(head_t);

  // The same flags in the same order, each as a vector of warps.
  typedef struct packed {
    logic [cfg_pkg::WARPS-1:0]          gen, coll, two, three, alone, stalls, ordered, drain, cst, uni, fence, line;
    logic [3:0][cfg_pkg::WARPS-1:0]     bx;
    logic [NSB-1:0][cfg_pkg::WARPS-1:0] wait_mask, raise;
  } flags_t;

  // The heads of all warps: which have one, of which the entry is being written, and of each flag the warps.
  typedef struct packed {
    logic [cfg_pkg::WARPS-1:0] valid;
    logic [cfg_pkg::WARPS-1:0] fresh;
    flags_t                    flag;
  } heads_t;

  // What the check stage asks of an instruction's kind: found a cycle after the word has arrived.
  typedef struct packed {
    logic bsync;
    logic bar;       // BAR of any kind
    logic red;       // ... with a result
    logic arrive;    // ... that does not wait
    logic depbar;
    logic whole;     // all 32 lanes execute it, or none
    logic jmp;       // JMP to what is no place of an instruction
    logic bpt;       // BPT.TRAP
    logic cst;       // has a constant operand
  } kind_t;

  /* verilator lint_off UNUSEDSIGNAL */   // of the instruction, most
  function automatic kind_t kind_of(isa_pkg::dec_t dec, logic [127:0] word);
    logic [31:0] target;
    target         = isa_pkg::f_abs32(word);
    kind_of.bsync  = dec.op == isa_pkg::OP_BSYNC;
    kind_of.red    = dec.op == isa_pkg::OP_BAR_RED || dec.op == isa_pkg::OP_BAR_RED_POPC;
    kind_of.arrive = dec.op == isa_pkg::OP_BAR_ARV;
    kind_of.bar    = kind_of.red || kind_of.arrive || dec.op == isa_pkg::OP_BAR_SYNC;
    kind_of.depbar = dec.op == isa_pkg::OP_DEPBAR_LE;
    kind_of.whole  = kind_pkg::whole_warp(dec);
    kind_of.jmp    = dec.op == isa_pkg::OP_JMP && target[core_pkg::PC_LOW-1:0] != '0;
    kind_of.bpt    = dec.op == isa_pkg::OP_BPT_TRAP;
    kind_of.cst    = kind_pkg::has_const(dec);
  endfunction

  // What the scoreboard asks of an instruction. Predicates are sets, uniform ones above the others.
  localparam int unsigned NP = cfg_pkg::HAS_UNI ? 14 : 7;

  // Registers that it names in one place.
  typedef struct packed {
    logic       there;   // one that counts
    logic       uni;
    logic [7:0] first;
    logic [1:0] more;    // behind it
  } tuple_t;

  // ... as a head: what it reads or writes.
  typedef struct packed {
    logic [NP-1:0] pred;
    tuple_t [3:0]  regs;    // the destination first
  } look_t;

  // ... when it issues: what it writes.
  typedef struct packed {
    logic [NP-1:0] pred;
    tuple_t        rd;
  } dest_t;

  // A predicate as a set; number 7 is none.
  function automatic logic [NP-1:0] pred_set(logic uni, logic [2:0] index);
    pred_set = NP'({uni ? 7'(8'd1 << index) : 7'd0, uni ? 7'd0 : 7'(8'd1 << index)});
  endfunction

  // P2R, R2P and their uniform kin name all of a kind.
  function automatic logic [NP-1:0] pred_every(logic uni);
    pred_every = NP'({{7{uni}}, {7{!uni}}});
  endfunction

  // A source of this kind: a register of either.
  function automatic logic is_reg(isa_pkg::src_e kind, logic [7:0] number);
    is_reg = (kind == isa_pkg::SRC_REG || (cfg_pkg::HAS_UNI && kind == isa_pkg::SRC_UREG)) && number != isa_pkg::RZ;
  endfunction

  function automatic dest_t dest_of(isa_pkg::dec_t dec);
    dest_of.pred = (dec.has_pd0 ? pred_set(dec.pd_uni, dec.pd0) : '0) | (dec.has_pd1 ? pred_set(dec.pd_uni, dec.pd1) : '0);
    if (dec.op == isa_pkg::OP_R2P || dec.op == isa_pkg::OP_UR2UP) dest_of.pred = pred_every(dec.op == isa_pkg::OP_UR2UP);
    dest_of.rd   = '{there: dec.has_rd && dec.rd != isa_pkg::RZ, uni: dec.rd_uni, first: dec.rd, more: dec.rd_n};
  endfunction

  function automatic look_t look_of(isa_pkg::dec_t dec);
    dest_t dest;
    dest         = dest_of(dec);
    look_of.regs[0] = dest.rd;
    look_of.regs[1] = '{there: is_reg(dec.a_kind, dec.a_reg), uni: dec.a_kind == isa_pkg::SRC_UREG, first: dec.a_reg, more: dec.a_n};
    look_of.regs[2] = '{there: is_reg(dec.b_kind, dec.b_reg), uni: dec.b_kind == isa_pkg::SRC_UREG, first: dec.b_reg, more: dec.b_n};
    look_of.regs[3] = '{there: is_reg(dec.c_kind, dec.c_reg), uni: dec.c_kind == isa_pkg::SRC_UREG, first: dec.c_reg, more: dec.c_n};
    look_of.pred = pred_set(dec.guard_uni, dec.guard[2:0]) | pred_set(dec.ps_uni, dec.ps0[2:0])
      | pred_set(dec.ps_uni, dec.ps1[2:0]) | pred_set(dec.ps_uni, dec.ps2[2:0]) | dest.pred;
    if (dec.op == isa_pkg::OP_P2R || dec.op == isa_pkg::OP_UP2UR) look_of.pred |= pred_every(dec.op == isa_pkg::OP_UP2UR);
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // The immediate of a legal instruction, from its word: one of 32 bits, or short ones of b and c side by side (shuffles).
  /* verilator lint_off UNUSEDSIGNAL */   // of the instruction, most
  function automatic logic [31:0] imm_of(isa_pkg::dec_t dec, logic [127:0] word);
    logic b, c;
    b      = dec.b_kind == isa_pkg::SRC_IMM;
    c      = dec.c_kind == isa_pkg::SRC_IMM;
    imm_of = (b || c) ? isa_pkg::f_imm(word) : '0;
    if (dec.imm_short) imm_of = {c ? 16'(isa_pkg::f_shc(word)) : 16'd0, b ? 16'(isa_pkg::f_shb(word)) : 16'd0};
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // An instruction in the buffer, as it arrives.
  typedef struct packed {
    core_pkg::err_t bus_err;   // why it could not be fetched
    logic           illegal;
    logic [127:0]   word;
    isa_pkg::dec_t  dec;
  } stored_t;

  // ... and as the check stage sees it.
  typedef struct packed {
    core_pkg::err_t bus_err;
    logic           illegal;   // or it names a register beyond the kernel's count, or its PC is the middle of a long word
    logic           is_short;  // made long; the next instruction lies 8 bytes after it
    logic           followed;  // fetch has gone on at its target
    logic           gen;       // as in head_t
    kind_t          kind;
    logic [127:0]   word;
    isa_pkg::dec_t  dec;
  } entry_t;

  // What fetch asks of a word that arrives.
  typedef struct packed {
    logic likely;     // what follows in memory is not likely to come next
    logic direct;     // ... and what comes stands in the word:
    logic absolute;   //     a PC, or a distance from the next instruction
  } jump_t;

  // A word for the buffer.
  typedef struct packed {
    logic                       valid;
    logic [cfg_pkg::WARP_W-1:0] slot;
    core_pkg::err_t             err;      // why it could not be fetched
    logic                       is_short; // made long
    logic                       middle;   // the PC is the middle of this long word: no instruction
    logic [127:0]               word;
  } push_t;

  // An entry has come, and may want a constant.
  typedef struct packed {
    logic                       valid;
    logic [cfg_pkg::WARP_W-1:0] slot;
    logic [IDX_W-1:0]           index;
    logic                       need;
    logic                       wide;     // of two words
    logic [4:0]                 bank;
    logic [15:0]                off;
  } want_t;

  // Performance counters (order of is_cnt).
  localparam int unsigned NCNT = host_regs_pkg::COUNTERS;
  localparam int unsigned CNT_ISSUED = host_regs_pkg::COUNTER_ISSUED, CNT_NOT_SELECTED = host_regs_pkg::COUNTER_NOT_SELECTED,
    CNT_WAIT = host_regs_pkg::COUNTER_WAIT, CNT_STALL = host_regs_pkg::COUNTER_STALL,
    CNT_PIPE = host_regs_pkg::COUNTER_PIPE, CNT_FETCH = host_regs_pkg::COUNTER_FETCH,
    CNT_SYNC = host_regs_pkg::COUNTER_SYNC, CNT_MEMORY = host_regs_pkg::COUNTER_MEMORY,
    CNT_CONST = host_regs_pkg::COUNTER_CONST, CNT_OTHER = host_regs_pkg::COUNTER_OTHER;

  /* verilator lint_on UNUSEDPARAM */
endpackage
