// SPDX-License-Identifier: Apache-2.0
// Types that cross a boundary between the folders of rtl/.
// Fields are raw; no bit number of the instruction word is here. Predicates over a decoded word: kind_pkg.
package core_pkg;

  // Every folder uses some of the constants, none uses all.
  /* verilator lint_off UNUSEDPARAM */

  // Identity of an instruction.
  typedef struct packed {
    logic [cfg_pkg::SM_WARP_W-1:0] slot;
    logic [7:0]                    gen;
    logic [31:0]                   seq;
  } id_t;

  // Bits of every PC that are 0.
  localparam int unsigned PC_LOW = $clog2(isa_pkg::ISA_STEP);

  // Tag of a request to the instruction cache, which returns with its answer. With an MMU: the host is to provide a missing page (WANT_W).
  // With short words: the half of the first. Place and number of the wanted words (several an answer), epoch, warp.
  // To the constant cache: the same, the first of two words, warp, place in its buffer. Outside a partition its number is in the
  // lowest bits.
  localparam int unsigned WANT_W         = 32'(cfg_pkg::MMU != 0);
  localparam int unsigned WHO_W          = (cfg_pkg::PARTITIONS > 1) ? cfg_pkg::PART_W : 0;
  localparam int unsigned FETCH_TAG_W    = cfg_pkg::WARP_W + 2 + 2 * $clog2(cfg_pkg::FETCH_WORDS) + 32'(isa_pkg::HAS_SHORT) + WANT_W;
  localparam int unsigned SM_FETCH_TAG_W = FETCH_TAG_W + WHO_W;
  localparam int unsigned CST_TAG_W      = 1 + cfg_pkg::WARP_W + ((cfg_pkg::IBUF > 1) ? $clog2(cfg_pkg::IBUF) : 1) + WANT_W;
  localparam int unsigned SM_CST_TAG_W   = CST_TAG_W + WHO_W;

  // Failure of a word of code or of a constant bank, 0 for none. Bit 0: memory answered with an error. Bit 1, with an MMU: its page
  // is absent, or an entry of the walk is malformed.
  localparam int unsigned ERR_W = 1 + WANT_W;
  typedef logic [ERR_W-1:0] err_t;
  localparam err_t ERR_BUS  = err_t'(1);
  localparam err_t ERR_PAGE = err_t'(2);   // 0 without an MMU

  function automatic logic is_page(err_t err);
    is_page = (err & ERR_PAGE) != '0;
  endfunction

  // Warp slot s of the SM is slot s / PARTITIONS of partition s mod PARTITIONS.
  function automatic logic [cfg_pkg::WARP_W-1:0] local_slot(logic [cfg_pkg::SM_WARP_W-1:0] slot);
    local_slot = cfg_pkg::WARP_W'(32'(slot) / cfg_pkg::PARTITIONS);
  endfunction

  function automatic logic [cfg_pkg::PART_W-1:0] part_of(logic [cfg_pkg::SM_WARP_W-1:0] slot);
    part_of = cfg_pkg::PART_W'(32'(slot) % cfg_pkg::PARTITIONS);
  endfunction

  function automatic logic [cfg_pkg::SM_WARP_W-1:0] sm_slot(logic [cfg_pkg::WARP_W-1:0] slot, logic [cfg_pkg::PART_W-1:0] part);
    sm_slot = cfg_pkg::SM_WARP_W'(32'(slot) * cfg_pkg::PARTITIONS + ((cfg_pkg::PARTITIONS > 1) ? 32'(part) : 32'd0));
  endfunction

  // The same as the retire port has it, tapped in partition `part`. retire_pkg::sm_of puts in the number of the SM.
  function automatic retire_pkg::id_t who(id_t id, logic [cfg_pkg::PART_W-1:0] part);
    who.sm        = 8'd0;
    who.partition = (cfg_pkg::PARTITIONS > 1) ? 8'(part) : 8'd0;
    who.slot      = 8'(id.slot);
    who.gen       = id.gen;
    who.seq       = id.seq;
  endfunction

  // Readers of operands, each with a bus of its own and an instruction at a time: one, or one for alu, cvt and half and another for
  // all else.
  localparam int unsigned READERS = cfg_pkg::OPERAND_LINES;

  // With two readers, or with row queues, rows go to the pipes on two independent lines, one of alu and cvt and one of fma. Else all
  // pipes take rows from one operand bus.
  localparam bit          QUEUED = cfg_pkg::ROW_QUEUES != 0;
  localparam int unsigned LINES  = (QUEUED || READERS > 1) ? 2 : 1;
  function automatic int unsigned line_of(int unsigned pipe);
    line_of = (LINES > 1 && pipe == cfg_pkg::PIPE_FMA) ? 1 : 0;
  endfunction

  // Sources of ends of instructions for issue: these, unit uni where the configuration has it, and last the late results.
  localparam int unsigned ENDS = cfg_pkg::FIXED_ENDS + (cfg_pkg::HAS_UNI ? 1 : 0);

  // Instruction from issue to the operand stage. `sval` is the broadcast value of operand b or c, an immediate or a constant, and CTAID
  // for S2R; `sval_hi` its second word.
  typedef struct packed {
    id_t              id;
    logic [31:0]      pc;
    logic             is_short; // the next instruction is 8 bytes after it, not 16
    logic             followed; // a jump; fetch has gone on at its target
    logic [127:0]     word;
    isa_pkg::dec_t    dec;
    logic [31:0]      exec;
    logic [31:0]      ps0;   // source predicates, negation applied, all lanes
    logic [31:0]      ps1;
    logic [31:0]      ps2;
    logic [6:0][31:0] preds; // all predicates: without uniform ones ps1 and ps2 of a beat are chosen among those of that beat alone
    logic [31:0]      sval;
    logic [31:0]      sval_hi; // second word of a 64-bit immediate or constant; short immediate c beside a short one b
    logic [15:0]      rbase; // first register-file row group (warp register number) of this warp
  } uop_t;

  // Slots of a beat for memory or another unit (operand/unit_queue): words of operands a, b, c. Memory has no more than the first six.
  // a: slots 0,1    b: slots 2..5    c: slots 4,5   (b wider than two words only without c).
  // Matrix instructions, third and fourth word of a: slots 6,7    of c: 8,9
  localparam int unsigned MEM_SLOTS = 6, SLOTS = cfg_pkg::HAS_TENSOR ? 10 : MEM_SLOTS;

  localparam logic HAS_QUADS = SLOTS > MEM_SLOTS;   // operands of four words

  // Lanes of a register branch that come in a cycle.
  localparam int unsigned BR_LANES = cfg_pkg::FMA_LANES;

  // Memory instruction, once a warp instruction (its beats follow with the operands).
  typedef struct packed {
    id_t              id;
    logic [31:0]      pc;
    isa_pkg::mem_e    mem;
    logic [2:0]       size;      // isa_pkg::SIZE_*
    logic [5:0]       atom;      // of an atomic: isa_pkg::AOP_*, atom_pkg::COMPARE_SWAP; of LDSM: MATRIX or MATRIX_TURNED;
                                 // of a constant: 1 for a uniform register; of a copy: GROUP for LDGDEPBAR
    logic             pair;      // a part of a generic instruction; the other part goes to another space
    logic [23:0]      off;       // off24 as it is; LDC: coff16 sign-extended
    logic [4:0]       cbank;     // of a load of other memory, where there is a cache, its scope: line_pkg::scope_e
    logic [7:0]       rd;        // 255 = drop
    logic [1:0]       rd_n;      // words - 1; of a copy too
    logic [2:0]       wbar;      // 7 = none
    logic [31:0]      exec;
    logic [15:0]      rbase;
  } memop_t;

  // LDSM is a shared load of 128 bits by the lanes that give addresses (exec); its results go to all 32 lanes.
  localparam logic [5:0] MATRIX = 6'd1, MATRIX_TURNED = 6'd3;

  function automatic logic is_matrix(isa_pkg::mem_e mem, logic [5:0] atom);
    is_matrix = mem == isa_pkg::MEM_SHARED_LOAD && (atom == MATRIX || atom == MATRIX_TURNED);
  endfunction

  // Asynchronous copies (LDGSTS): a load of global memory that writes its words to shared memory. LDGDEPBAR, which ends after the
  // earlier copies of its warp, has no lane.
  localparam logic [5:0] GROUP = 6'd1;

  // An instruction without a result has RZ as its register; another register marks the end of a copy.
  localparam logic [7:0] COPY_RD = 8'd0;

  // A request of the load/store unit, from the partition to the point of order: the operation and one row of operands.
  // Row r carries lanes r·LSU_LANES … of the instruction, whatever the beats of a partition are. Data are up to 128 bits a
  // lane (slots 2..5). A compare-and-swap, at most 64 bits wide, has the value to compare with (b) in slots 2,3, the new
  // one (c) in 4,5, as its queue places them.
  typedef struct packed {
    memop_t           op;
    logic [4:0]       row;       // of the unit
    logic [MEM_SLOTS-1:0][cfg_pkg::LSU_LANES-1:0][31:0] data;
  } memreq_t;

  // What an instruction writes, and the counter that falls with its end.
  typedef struct packed {
    logic             uni;       // rd and the predicates are uniform
    logic             has_rd;    // a register is written (RZ is none)
    logic [7:0]       rd;
    logic [1:0]       rd_n;      // words - 1
    logic [2:0]       pd0;       // 7 = none
    logic [2:0]       pd1;
    logic [2:0]       wbar;      // 7 = none
  } target_t;

  /* verilator lint_off UNUSEDSIGNAL */   // a part of the instruction
  function automatic target_t target_of(isa_pkg::dec_t dec);
    target_of.uni    = cfg_pkg::HAS_UNI && (dec.rd_uni || dec.pd_uni);
    target_of.has_rd = dec.has_rd && dec.rd != isa_pkg::RZ;
    target_of.rd     = dec.has_rd ? dec.rd : isa_pkg::RZ;
    target_of.rd_n   = dec.rd_n;
    target_of.pd0    = dec.has_pd0 ? dec.pd0 : isa_pkg::PT;
    target_of.pd1    = dec.has_pd1 ? dec.pd1 : isa_pkg::PT;
    target_of.wbar   = dec.wbar;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // The tag of a result: its instruction, and which parts of the result come: a row of a word of a register, predicates, the end
  // of the instruction, or several of these. An instruction has one end, last of all, also where it writes nothing.
  typedef struct packed {
    id_t              id;
    target_t          to;
    logic [15:0]      rbase;
    logic             row;       // register rd + word gets data
    logic             pred;      // pd0 gets d0, pd1 (which wins) d1
    logic             last;      // the end
    logic [1:0]       word;
    logic [4:0]       beat;
  } tag_t;

  // A result, one beat of it: from a unit of the partition, and, cut into beats, from the load/store unit. A uniform result is in
  // lane 0. Results of fixed pipes have their write port before they are there, and so another tag (back_pkg::dest_t).
  typedef struct packed {
    tag_t             tag;
    logic [cfg_pkg::LANES-1:0]       mask, d0, d1;   // lanes; their predicates
    logic [cfg_pkg::LANES-1:0][31:0] data;
  } result_t;

  // A result of the load/store unit, whose row (tag.beat) is not as wide as a beat; it has no predicates.
  typedef struct packed {
    tag_t             tag;
    logic [cfg_pkg::LSU_LANES-1:0]       mask;
    logic [cfg_pkg::LSU_LANES-1:0][31:0] data;
  } late_t;

  // Register writes of late results that a partition can take in a cycle, in different banks: enough for a row of the load/store
  // unit in little more than a cycle.
  localparam int unsigned LATE_PORTS = (cfg_pkg::LSU_LANES > cfg_pkg::LANES) ? 2 : 1;

  // The register of a row.
  /* verilator lint_off UNUSEDSIGNAL */   // a part of the tag
  function automatic logic [7:0] reg_of(tag_t tag);
    reg_of = tag.to.rd + 8'(tag.word);
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // An instruction for a unit of the partition with a latency of its own (special functions, FP64, warp-wide, matrices). It comes
  // once a beat, in ascending order, with the operands of the beat's lanes. Slots of the data: a = 0,1, b = 2,3, c = 4,5; for matrices
  // a = 0,1,6,7, c = 4,5,8,9.
  localparam int unsigned VAR_CTL_W = 24;
  typedef struct packed {
    id_t              id;
    logic [VAR_CTL_W-1:0] ctl;   // made by the unit's decoder from the instruction
    logic [31:0]      exec;      // of the whole warp
    logic [31:0]      ps0;       // source predicate, negation applied, of the whole warp
    target_t          to;
    logic [15:0]      rbase;
  } varop_t;

  // Its answer comes beat by beat (result_t), in any order.

  // The end of an instruction: all that it writes is written (scoreboard release, wbar); slot of the partition.
  typedef struct packed {
    logic [cfg_pkg::WARP_W-1:0] slot;
    target_t          to;
    logic             preds;     // R2P: all predicates
    logic             load;      // ULDC: its warp goes on
  } done_t;

  // End of an asynchronous copy, or of LDGDEPBAR?
  /* verilator lint_off UNUSEDSIGNAL */   // a part of it
  function automatic logic ends_copy(done_t done);
    ends_copy = cfg_pkg::HAS_ASYNC && !done.to.has_rd && done.to.rd == COPY_RD;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // Arrival of a warp at a barrier of its block, with its operands of a reduction. Result of a barrier: the number of lanes with a
  // true predicate, and whether all had one.
  localparam logic [1:0] BAR_SYNC = 2'd0, BAR_ARV = 2'd1, BAR_RED = 2'd2;
  typedef struct packed {
    logic             all;
    logic [10:0]      sum;
  } red_t;
  typedef struct packed {
    logic [1:0]       kind;      // BAR_*
    logic [3:0]       id;
    logic [11:0]      count;     // threads, 0 = all
    red_t             red;       // of BAR_RED
  } bar_t;

  // Start of a warp.
  typedef struct packed {
    logic [cfg_pkg::SM_WARP_W-1:0] slot;
    logic [7:0]       gen;
    logic [7:0]       bslot;     // block slot
    logic [7:0]       nwarps;    // warps of its block
    logic [31:0]      live;      // lanes that hold a thread
    logic [15:0]      rbase;     // first warp register in the register file
    logic [23:0]      shm_base;  // byte offset of the block's shared memory
    logic [31:0]      ctaid_x, ctaid_y, ctaid_z;
  } start_t;

  // State of a kernel, which is set to 0, row by row, if the next launch has another address space.
  localparam int unsigned WIPE_W = 17;   // rows of the memory that has most
  typedef struct packed {
    logic              valid;
    logic [WIPE_W-1:0] at;
  } wipe_t;

  // Scheduling policies (issue/warp_sched): host_regs_pkg::POLICY_*. DEFAULT is cfg_pkg::SCHED, which names one of the others.
  typedef logic [host_regs_pkg::MODE_SCHED_W-1:0] policy_t;

  // The host's launch; stable while the grid runs.
  typedef struct packed {
    logic [2:0][31:0] grid;      // x at index 0
    logic [2:0][10:0] block;
    logic [31:0]      entry_pc;
    logic [8:0]       regs;      // registers a thread, 1..255
    logic [23:0]      shared_bytes;
    logic [39:0]      code_base;
    logic [31:0]      code_bytes;
    logic [3:0][39:0] cbank_base;
    logic [3:0][16:0] cbank_bytes;
    logic [15:0]      region_write;
    logic [39:0]      local_base;   // local memory: a multiple of 32
    logic [19:0]      local_bytes;  // of a thread, a multiple of 16
    logic             pages;        // addresses are virtual,
    logic             fault_trap;   // a fault of a page is a trap,
    logic [7:0]       space;        // in this address space
    logic             scoreboard;     // strap: dependency mode
    policy_t          sched;          // strap; a machine without the others ignores it
    logic             its;            // strap: divergence unit; a machine without it ignores it
  } launch_t;

  localparam logic [3:0] TRAP_NONE = 4'd0, TRAP_ILLEGAL = 4'd1, TRAP_BAD_PC = 4'd2, TRAP_MISALIGNED = 4'd3,
    TRAP_OUT_OF_RANGE = 4'd4, TRAP_WRITE_PROTECTED = 4'd5, TRAP_CONST_RANGE = 4'd6, TRAP_DIVERGENCE = 4'd7,
    TRAP_DEADLOCK = 4'd8, TRAP_BARRIER = 4'd9, TRAP_BUS = 4'd10, TRAP_BREAKPOINT = 4'd11,
    TRAP_PAGE = 4'd12;

  typedef struct packed {
    logic [3:0]       cause;
    id_t              id;
    logic [31:0]      pc;
    logic [31:0]      lanes;
    logic [63:0]      addr;
  } trap_t;

  // Why a launch is refused (net ct_refuse; 0 = accepted). The first that holds, in this order.
  localparam logic [3:0] REFUSE_NONE = 4'(host_regs_pkg::REFUSE_NONE),
    REFUSE_GRID = 4'(host_regs_pkg::REFUSE_GRID),
    REFUSE_BLOCK = 4'(host_regs_pkg::REFUSE_BLOCK),
    REFUSE_WARPS = 4'(host_regs_pkg::REFUSE_WARPS),
    REFUSE_REGS = 4'(host_regs_pkg::REFUSE_REGS),
    REFUSE_SHARED = 4'(host_regs_pkg::REFUSE_SHARED);

  /* verilator lint_on UNUSEDPARAM */

endpackage
