// SPDX-License-Identifier: Apache-2.0
// Types that cross a boundary between the folders of rtl/.
// Fields are raw; nothing here knows a bit number of the instruction word. Over 400 lines with the list of all faults.
`default_nettype none

package core_pkg;

  // Every folder uses some of the constants, none uses all.
  /* verilator lint_off UNUSEDPARAM */

  // Who an instruction is.
  typedef struct packed {
    logic [cfg_pkg::SM_WARP_W-1:0] slot;
    logic [7:0]                    gen;
    logic [31:0]                   seq;
  } id_t;

  // Bits of every PC that are 0.
  localparam int unsigned PC_LOW = $clog2(isa_pkg::ISA_STEP);

  // What a request to the instruction cache carries and its answer brings back: with short words which half of the first is
  // wanted; place and number of the words wanted (of several an answer), epoch, warp. One to the constant cache: the first of
  // two words, warp, place in its buffer. Outside a partition its number comes with it, in the lowest bits.
  localparam int unsigned WHO_W          = (cfg_pkg::PARTITIONS > 1) ? cfg_pkg::PART_W : 0;
  localparam int unsigned FETCH_TAG_W    = cfg_pkg::WARP_W + 2 + 2 * $clog2(cfg_pkg::FETCH_WORDS) + 32'(isa_pkg::HAS_SHORT);
  localparam int unsigned SM_FETCH_TAG_W = FETCH_TAG_W + WHO_W;
  localparam int unsigned CST_TAG_W      = 1 + cfg_pkg::WARP_W + ((cfg_pkg::IBUF > 1) ? $clog2(cfg_pkg::IBUF) : 1);
  localparam int unsigned SM_CST_TAG_W   = CST_TAG_W + WHO_W;

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

  // The same as the retire port has it, tapped in partition `part`. retire_ports puts in the number of the SM.
  function automatic retire_pkg::id_t who(id_t id, logic [cfg_pkg::PART_W-1:0] part);
    who.sm        = 8'd0;
    who.partition = (cfg_pkg::PARTITIONS > 1) ? 8'(part) : 8'd0;
    who.slot      = 8'(id.slot);
    who.gen       = id.gen;
    who.seq       = id.seq;
  endfunction

  // Pipes of fixed latency: alu, fma, cvt, and half where the configuration has it.
  localparam int unsigned PIPES = cfg_pkg::HAS_HALF ? 4 : 3;

  // Cycles from dispatch to the first cycle in which a read sees the result.
  function automatic int unsigned latency(int unsigned pipe);
    case (pipe)
      0:       latency = cfg_pkg::LATENCY_ALU;
      1:       latency = cfg_pkg::LATENCY_FMA;
      2:       latency = cfg_pkg::LATENCY_CVT;
      default: latency = cfg_pkg::LATENCY_HALF;
    endcase
  endfunction

  // Cycles for which a row for a pipe stands on the operand bus.
  function automatic int unsigned passes(int unsigned pipe);
    case (pipe)
      0:       passes = cfg_pkg::LANES / cfg_pkg::ALU_LANES;
      1:       passes = cfg_pkg::LANES / cfg_pkg::FMA_LANES;
      2:       passes = cfg_pkg::LANES / cfg_pkg::CVT_LANES;
      default: passes = 1;
    endcase
  endfunction
  // With row queues rows go to the pipes on two lines, one of alu and cvt and one of fma, which nothing keeps in step: each pipe is a
  // group by itself then. Else all of them take rows from the operand bus.
  localparam bit          QUEUED = cfg_pkg::ROW_QUEUES != 0;
  localparam int unsigned LINES  = QUEUED ? 2 : 1;
  function automatic int unsigned line_of(int unsigned pipe);
    line_of = (QUEUED && pipe == 1) ? 1 : 0;
  endfunction
  // Where these are more than latencies differ by, no two pipes ever end a row of results in the same cycle: `pass_rows` puts them
  // together, of pipes of one lane, where no lane of alu that is kept meets one of cvt.
  function automatic bit rows_apart();
    rows_apart = !QUEUED && cfg_pkg::LANES > 1 && cfg_pkg::LATENCY_CVT - cfg_pkg::LATENCY_ALU <= 1;   // unsigned
    for (int unsigned p = 0; p < PIPES; p++) begin
      if (passes(p) != cfg_pkg::LANES) rows_apart = 1'b0;
      for (int unsigned q = 0; q < PIPES; q++) if (latency(p) >= latency(q) + passes(p)) rows_apart = 1'b0;
    end
  endfunction
  localparam bit ROWS_APART = rows_apart();

  // Pipes of one latency never have a result in the same cycle, as one row is dispatched in one: they are a group; where rows come
  // apart, all pipes are one. Is a pipe the first of its group; groups that begin below it; its group; the first pipe of a group.
  function automatic bit leads(int unsigned pipe);
    leads = 1'b1;
    for (int unsigned p = 0; p < pipe; p++) if (ROWS_APART || (!QUEUED && latency(p) == latency(pipe))) leads = 1'b0;
  endfunction
  function automatic int unsigned groups_before(int unsigned pipe);
    groups_before = 0;
    for (int unsigned p = 0; p < pipe; p++) if (leads(p)) groups_before++;
  endfunction
  function automatic int unsigned group_of_pipe(int unsigned pipe);
    group_of_pipe = QUEUED ? pipe : 0;
    for (int unsigned p = 0; p < PIPES; p++) if (!QUEUED && leads(p) && (ROWS_APART || latency(p) == latency(pipe))) group_of_pipe = groups_before(p);
  endfunction
  function automatic int unsigned leader(int unsigned group);
    leader = 0;
    for (int unsigned p = 0; p < PIPES; p++) if (leads(p) && groups_before(p) == group) leader = p;
  endfunction
  localparam int unsigned GROUPS = groups_before(PIPES);

  // The last rows of two instructions on one line are dispatched BEATS cycles apart or more. Where latencies differ by less, and there
  // is one line, instructions of all groups end one at a time.
  function automatic int unsigned latency_spread();
    latency_spread = 0;
    for (int unsigned p = 0; p < PIPES; p++) begin
      for (int unsigned q = 0; q < PIPES; q++) begin
        if (latency(p) >= latency(q) + latency_spread) latency_spread = latency(p) - latency(q);
      end
    end
  endfunction
  localparam int unsigned FIXED_ENDS = (LINES == 1 && latency_spread() < cfg_pkg::BEATS) ? 1 : GROUPS;

  // Whoever tells issue of ends of instructions: these, unit uni where the configuration has it, and last the late results.
  localparam int unsigned ENDS = FIXED_ENDS + (cfg_pkg::HAS_UNI ? 1 : 0);

  // What issue hands to the operand stage. `sval` is the broadcast value that fills operand b or c when it
  // is an immediate or a constant (the operand stage needs not know which), and CTAID for S2R; `sval_hi` its second word.
  typedef struct packed {
    id_t              id;
    logic [31:0]      pc;
    logic             is_short; // the next instruction lies 8 bytes after it, not 16
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

  // The ALU writes its own results, and those of control instructions: their value comes with the instruction (`sval`).
  /* verilator lint_off UNUSEDSIGNAL */   // of the instruction, most
  function automatic logic br_result(isa_pkg::dec_t dec);
    br_result = dec.unit == isa_pkg::UNIT_BR && (dec.has_rd || dec.has_pd0);
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  /* verilator lint_off UNUSEDSIGNAL */   // of the instruction, most
  // Does it name a uniform register or predicate? Without unit uni such words are illegal.
  function automatic logic has_uniform(isa_pkg::dec_t dec);
    has_uniform = dec.a_kind == isa_pkg::SRC_UREG || dec.b_kind == isa_pkg::SRC_UREG || dec.c_kind == isa_pkg::SRC_UREG
      || dec.rd_uni || dec.pd_uni || dec.guard_uni || dec.ps_uni;
  endfunction

  // ULDC: the load/store unit executes it; its warp waits for the result, which so has the latency that a stall count trusts.
  function automatic logic uniform_load(isa_pkg::dec_t dec);
    uniform_load = cfg_pkg::HAS_UNI && dec.op == isa_pkg::OP_ULDC;
  endfunction

  // What the uniform pipe executes.
  function automatic logic uniform(isa_pkg::dec_t dec);
    uniform = cfg_pkg::HAS_UNI && dec.guard_uni && !uniform_load(dec);
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // Slots of the operand collector: words of operands a, b, c. Memory has no more than the first six.
  //   a: slots 0,1    b: slots 2..5    c: slots 4,5   (b wider than two words only where c is absent)
  //   of a matrix instruction also a's third and fourth word: slots 6,7    c's: 8,9
  // Lanes of a register branch that come in a cycle.
  localparam int unsigned BR_LANES = cfg_pkg::FMA_LANES;

  localparam int unsigned MEM_SLOTS = 6, SLOTS = cfg_pkg::HAS_TENSOR ? 10 : MEM_SLOTS;

  localparam logic HAS_QUADS = SLOTS > MEM_SLOTS;   // operands of four words

  // Which units the machine has, a bit for each of isa_pkg::unit_e, asynchronous copies, and PART_FATOM: words for others are illegal.
  localparam int unsigned PART_FATOM = 28;   // atomics that add floats
  localparam logic [31:0] UNITS_THERE = (32'd1 << isa_pkg::UNIT_MEM) | (32'd1 << isa_pkg::UNIT_BR)
    | (32'(cfg_pkg::HAS_ALU) << isa_pkg::UNIT_ALU)   | (32'(cfg_pkg::HAS_FMA) << isa_pkg::UNIT_FMA)
    | (32'(cfg_pkg::HAS_CVT) << isa_pkg::UNIT_CVT)   | (32'(cfg_pkg::HAS_HALF) << isa_pkg::UNIT_HALF)
    | (32'(cfg_pkg::HAS_FP64) << isa_pkg::UNIT_FP64) | (32'(cfg_pkg::HAS_SFU) << isa_pkg::UNIT_SFU)
    | (32'(cfg_pkg::HAS_WARP) << isa_pkg::UNIT_WARP) | (32'(cfg_pkg::HAS_UNI) << isa_pkg::UNIT_UNI)
    | (32'(cfg_pkg::HAS_TENSOR) << isa_pkg::UNIT_TENSOR) | (32'(cfg_pkg::HAS_FATOM) << PART_FATOM)
    | (32'(cfg_pkg::HAS_ASYNC) << isa_pkg::PART_ASYNC);

  // In an FPGA what depends on an instruction's opcode is read from a table (rtl/fetch/late_decode.sv): twelve to fourteen block
  // RAMs, which the smallest machine has to spare; in larger ones block RAM and the wires to it are what is scarce.
  localparam bit DECODE_TABLE = cfg_pkg::SM_WARPS <= 4;

  // An atomic that adds floats? (A compare-and-swap has a third register, and no operation.) A machine may lack the adders.
  function automatic logic float_op(logic [5:0] op);
    float_op = op == isa_pkg::AOP_ADD_F32 || op == isa_pkg::AOP_ADD_F64 || op == isa_pkg::AOP_ADD_F16X2;
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */   // of the instruction, most
  function automatic logic adds_floats(isa_pkg::dec_t dec, logic [127:0] word);
    adds_floats = (dec.mem == isa_pkg::MEM_GLOBAL_ATOM || dec.mem == isa_pkg::MEM_GLOBAL_RED
                   || dec.mem == isa_pkg::MEM_SHARED_ATOM || dec.mem == isa_pkg::MEM_GENERIC_ATOM)
                  && dec.c_kind != isa_pkg::SRC_REG && float_op(isa_pkg::f_aop(word));
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // Units of a partition with a latency of their own, as indices of units.sv. (The load/store unit, which all partitions share,
  // is none of them.)
  localparam int unsigned UNITS = 4, UNIT_SFU = 0, UNIT_FP64 = 1, UNIT_WARP = 2, UNIT_TENSOR = 3;

  function automatic logic [UNITS-1:0] late_unit(isa_pkg::unit_e unit);
    late_unit            = '0;
    late_unit[UNIT_SFU]  = cfg_pkg::HAS_SFU  && unit == isa_pkg::UNIT_SFU;
    late_unit[UNIT_FP64] = cfg_pkg::HAS_FP64 && unit == isa_pkg::UNIT_FP64;
    late_unit[UNIT_WARP] = cfg_pkg::HAS_WARP && unit == isa_pkg::UNIT_WARP;
    late_unit[UNIT_TENSOR] = cfg_pkg::HAS_TENSOR && unit == isa_pkg::UNIT_TENSOR;
  endfunction

  // Is there a unit whose operands have two words?
  localparam logic HAS_WIDE = cfg_pkg::HAS_FP64;

  // An immediate that is the upper word of a 64-bit number, whose lower one is zero. (Of a 64-bit integer it is the lower one.)
  /* verilator lint_off UNUSEDSIGNAL */   // of the instruction, most
  function automatic logic wide_imm(isa_pkg::dec_t dec);
    wide_imm = HAS_WIDE && dec.op != isa_pkg::OP_I2F
      && ((dec.b_kind == isa_pkg::SRC_IMM && dec.b_n != 2'd0) || (dec.c_kind == isa_pkg::SRC_IMM && dec.c_n != 2'd0));
  endfunction

  // A constant operand of two words.
  function automatic logic wide_const(isa_pkg::dec_t dec);
    wide_const = HAS_WIDE && ((dec.b_kind == isa_pkg::SRC_CONST && dec.b_n != 2'd0)
                              || (dec.c_kind == isa_pkg::SRC_CONST && dec.c_n != 2'd0));
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // Does it leave the operand stage by the collectors?
  function automatic logic collected(isa_pkg::unit_e unit);
    collected = unit == isa_pkg::UNIT_MEM || late_unit(unit) != '0;
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */   // of the instruction, most
  // Three operands of one word for a unit of the partition: c takes the place of a's second word.
  function automatic logic near_c(isa_pkg::dec_t dec);
    near_c = late_unit(dec.unit) != '0 && dec.c_kind != isa_pkg::SRC_NONE
      && dec.a_n == 2'd0 && dec.b_n == 2'd0 && dec.c_n == 2'd0;
  endfunction

  // A collected instruction whose operands are two rows a beat: more than two words of data b, or an operand c; and three: of a
  // matrix, with four words c. (A second row then has two words of a and two of c.)
  function automatic logic two_rows(isa_pkg::dec_t dec);
    two_rows = collected(dec.unit) && !near_c(dec)
      && ((dec.b_kind == isa_pkg::SRC_REG && dec.b_n[1]) || dec.c_kind != isa_pkg::SRC_NONE);
  endfunction

  function automatic logic three_rows(isa_pkg::dec_t dec);
    three_rows = cfg_pkg::HAS_TENSOR && dec.unit == isa_pkg::UNIT_TENSOR && dec.c_n[1];
  endfunction

  // The number of its last row.
  function automatic logic [1:0] last_row(isa_pkg::dec_t dec);
    last_row = three_rows(dec) ? 2'd2 : 2'(two_rows(dec));
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // Memory instruction, once a warp instruction (its beats follow with the operands).
  typedef struct packed {
    id_t              id;
    logic [31:0]      pc;
    isa_pkg::mem_e    mem;
    logic [2:0]       size;      // isa_pkg::SIZE_*
    logic [5:0]       atom;      // of an atomic: isa_pkg::AOP_*, atom_pkg::COMPARE_SWAP; of LDSM: MATRIX or MATRIX_TURNED;
                                 // of a constant: 1 for a uniform register; of a copy: GROUP for LDGDEPBAR
    logic             pair;      // a part of a generic instruction whose other part goes to another space
    logic [23:0]      off;       // off24 as it stands; LDC: coff16 sign-extended
    logic [4:0]       cbank;     // of a load of other memory, where there is a cache, its scope: line_pkg::scope_e
    logic [7:0]       rd;        // 255 = drop
    logic [1:0]       rd_n;      // words - 1; of a copy too
    logic [2:0]       wbar;      // 7 = none
    logic [31:0]      exec;
    logic [15:0]      rbase;
  } memop_t;

  // LDSM is a shared load of 128 bits by the lanes that give addresses (exec), whose results go to all 32 lanes.
  localparam logic [5:0] MATRIX = 6'd1, MATRIX_TURNED = 6'd3;

  function automatic logic is_matrix(isa_pkg::mem_e mem, logic [5:0] atom);
    is_matrix = mem == isa_pkg::MEM_SHARED_LOAD && (atom == MATRIX || atom == MATRIX_TURNED);
  endfunction

  // Asynchronous copies (LDGSTS): a load of global memory whose words go to shared memory. LDGDEPBAR, which ends when the copies
  // of its warp before it have ended, is one of no lane.
  localparam logic [5:0] GROUP = 6'd1;

  /* verilator lint_off UNUSEDSIGNAL */   // of the instruction, most
  function automatic logic is_copy(isa_pkg::dec_t dec);
    is_copy = cfg_pkg::HAS_ASYNC && (dec.mem == isa_pkg::MEM_GLOBAL_COPY || dec.op == isa_pkg::OP_LDGDEPBAR);
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // Their ends are known by a register that no instruction without a result names: what has none has RZ.
  localparam logic [7:0] COPY_RD = 8'd0;

  // Does it need all 32 lanes, or none?
  /* verilator lint_off UNUSEDSIGNAL */   // of the instruction, most
  function automatic logic whole_warp(isa_pkg::dec_t dec);
    whole_warp = dec.op == isa_pkg::OP_LDSM_16 || dec.unit == isa_pkg::UNIT_TENSOR;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // A request of the load/store unit, from the partition to the point of order: the operation and one row of operands.
  // Row r carries lanes r·LSU_LANES … of the instruction, whatever the beats of a partition are. Data are up to 128 bits a
  // lane (slots 2..5). A compare-and-swap, at most 64 bits wide, has the value to compare with (b) in slots 2,3, the new
  // one (c) in 4,5, as the collectors place them.
  typedef struct packed {
    memop_t           op;
    logic [4:0]       row;       // of the unit
    logic [MEM_SLOTS-1:0][cfg_pkg::LSU_LANES-1:0][31:0] data;
  } memreq_t;

  // A late result, from a unit that the partitions share to the partition of the warp: a row of it, the end of its
  // instruction, or both. What it carries is its kind: nothing (an end alone: stores, trapped and refused instructions), or
  // a row of register rd + word; of a uniform register one lane of row 0.
  localparam logic [1:0] LATE_NONE = 2'd0, LATE_ROW = 2'd1;
  typedef struct packed {
    id_t              id;
    logic [1:0]       kind;      // LATE_*
    logic             uni;       // rd is a uniform register: the row is its word, in lane 0
    logic [15:0]      rbase;
    logic [1:0]       word;
    logic [4:0]       row;       // of the unit
    logic             last;      // the instruction has ended with this, and then:
    logic [2:0]       wbar;      //   7 = none
    logic             has_rd;
    logic [7:0]       rd;        //   (of a row always)
    logic [1:0]       rd_n;
    logic [cfg_pkg::LSU_LANES-1:0]       mask;
    logic [cfg_pkg::LSU_LANES-1:0][31:0] data;
  } late_t;

  // Register writes of late results that a partition can take in a cycle, in different banks: as many as make a row of the
  // load/store unit in little more than a cycle.
  localparam int unsigned LATE_PORTS = (cfg_pkg::LSU_LANES > cfg_pkg::LANES) ? 2 : 1;

  // One of them: one warp-register row of one beat.
  typedef struct packed {
    id_t              id;
    logic             uni;       // a uniform register: lane 0 is its word
    logic [7:0]       rd;        // architectural register
    logic [15:0]      rbase;
    logic [4:0]       beat;
    logic [cfg_pkg::LANES-1:0]       mask;
    logic [cfg_pkg::LANES-1:0][31:0] data;
  } memwb_t;

  // An instruction for a unit of the partition with a latency of its own (special functions, FP64, warp-wide, matrices). It comes
  // once a beat, with the operands of the beat's lanes, beats ascending and all of them; a = slots 0,1, b = 2,3, c = 4,5 of the
  // data; of matrices a = 0,1,6,7, c = 4,5,8,9.
  localparam int unsigned VAR_CTL_W = 24;
  typedef struct packed {
    id_t              id;
    logic [VAR_CTL_W-1:0] ctl;   // made by the unit's decoder from the instruction
    logic [31:0]      exec;      // of the whole warp
    logic [31:0]      ps0;       // source predicate, negation applied, of the whole warp
    logic             uni;       // rd and pd0 are uniform
    logic [7:0]       rd;        // 255 = drop
    logic [1:0]       rd_n;      // words - 1
    logic [2:0]       pd0;       // 7 = none
    logic [2:0]       pd1;
    logic [2:0]       wbar;
    logic [15:0]      rbase;
  } varop_t;

  // Its answer, beat by beat in any order: a word of a register, predicates, the end of the instruction, or several of these.
  // Exactly one end comes, last of all, also where no lane executes or nothing is written.
  typedef struct packed {
    id_t              id;
    logic             uni;       // row and predicate are uniform: those of lane 0
    logic             row;       // mask lanes of register rd + word are data
    logic             pred;      // mask lanes of pd0 are d0, of pd1 (which wins) d1
    logic             last;
    logic [4:0]       beat;
    logic [1:0]       word;
    logic [7:0]       rd;
    logic [1:0]       rd_n;
    logic [2:0]       pd0, pd1;
    logic [2:0]       wbar;
    logic [15:0]      rbase;
    logic [cfg_pkg::LANES-1:0]       mask, d0, d1;
    logic [cfg_pkg::LANES-1:0][31:0] data;
  } varres_t;

  // What such an answer waits for, and the bank of its row: told beside it, since who is served comes late.
  typedef struct packed {
    logic             row;       // a row for the register file
    logic             free;      // ... that may be written now, if it gets a port
    logic             pred;
    logic             uni;
    logic             last;
    logic [cfg_pkg::BANK_W-1:0] bank;
  } need_t;

  // What r needs, while the ports of these banks are free.
  function automatic need_t needs(varres_t r, logic [cfg_pkg::BANKS-1:0] free);
    needs.row  = r.row && r.rd != isa_pkg::RZ && r.mask != '0 && !r.uni;
    needs.pred = r.pred && (r.pd0 != isa_pkg::PT || r.pd1 != isa_pkg::PT) && r.mask != '0 && !r.uni;
    needs.uni  = cfg_pkg::HAS_UNI && r.uni && (r.row || r.pred);
    needs.last = r.last;
    needs.bank = cfg_pkg::BANK_W'((32'(r.rbase) + 32'(8'(r.rd + 8'(r.word)))) % cfg_pkg::BANKS);
    // A second word above the last register is written nowhere.
    needs.free = (r.word != '0 && 8'(r.rd + 8'(r.word)) == isa_pkg::RZ) || free[needs.bank];
  endfunction

  // A register-file or predicate result of an instruction is complete (scoreboard release, wbar); slot of the partition.
  typedef struct packed {
    logic [cfg_pkg::WARP_W-1:0] slot;
    logic [2:0]       wbar;      // 7 = none
    logic             has_rd;
    logic [7:0]       rd;
    logic [1:0]       rd_n;
    logic [2:0]       pd0;       // 7 = none
    logic [2:0]       pd1;
    logic             preds;     // R2P: all predicates
    logic             rd_uni;    // rd is a uniform register
    logic             pd_uni;    // so are the predicates
    logic             load;      // ULDC: its warp goes on
  } done_t;

  // Is it the end of an asynchronous copy, or of LDGDEPBAR?
  /* verilator lint_off UNUSEDSIGNAL */   // a part of it
  function automatic logic ends_copy(done_t done);
    ends_copy = cfg_pkg::HAS_ASYNC && !done.has_rd && done.rd == COPY_RD;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // A uniform result that comes late: a word of a register, a predicate, or both.
  typedef struct packed {
    id_t              id;
    logic             row;
    logic [7:0]       rd;
    logic [31:0]      data;
    logic [2:0]       pd0;       // 7 = none
    logic             d0;
  } unires_t;

  // How a warp comes to a barrier of its block; what those who reduce bring, and what a barrier has found: how many lanes
  // with a true predicate, and whether all had one.
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

  // A warp comes to life.
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

  // What the host asked for; stable while the grid runs.
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
    logic             scoreboard;     // strap: dependency mode
    logic [1:0]       sched;          // strap: SCHED_*; a machine without the others ignores it
    logic             its;            // strap: divergence unit; a machine without it ignores it
  } launch_t;

  // Scheduling policies (issue/warp_sched): a host's DEFAULT is cfg_pkg::SCHED, which names one of the others.
  localparam logic [1:0] SCHED_DEFAULT = 2'd0, SCHED_GTO = 2'd1, SCHED_LRR = 2'd2, SCHED_TWO_LEVEL = 2'd3;
  // Two levels: warps in the set: half of them, at least 2 if there are 2.
  localparam int unsigned SCHED_ACTIVE = (cfg_pkg::WARPS >= 4) ? cfg_pkg::WARPS / 2 : (cfg_pkg::WARPS >= 2) ? 2 : 1;
  // Selections (GTO) or cycles (two levels) after which a warp that is kept out comes nearer to its turn.
  localparam int unsigned SCHED_LIMIT = 256;

  localparam logic [3:0] TRAP_NONE = 4'd0, TRAP_ILLEGAL = 4'd1, TRAP_BAD_PC = 4'd2, TRAP_MISALIGNED = 4'd3,
    TRAP_OUT_OF_RANGE = 4'd4, TRAP_WRITE_PROTECTED = 4'd5, TRAP_CONST_RANGE = 4'd6, TRAP_DIVERGENCE = 4'd7,
    TRAP_DEADLOCK = 4'd8, TRAP_BARRIER = 4'd9, TRAP_BUS = 4'd10, TRAP_BREAKPOINT = 4'd11;

  typedef struct packed {
    logic [3:0]       cause;
    id_t              id;
    logic [31:0]      pc;
    logic [31:0]      lanes;
    logic [63:0]      addr;
  } trap_t;

  // Why a launch is refused (net ct_refuse; 0 = accepted). The first that holds, in this order.
  localparam logic [3:0] REFUSE_NONE = 4'd0,
    REFUSE_GRID = 4'd1,     // a grid dimension is 0
    REFUSE_BLOCK = 4'd2,    // a block dimension is 0 or too large, or more than 1,024 threads
    REFUSE_WARPS = 4'd3,    // more warps than warp slots
    REFUSE_REGS = 4'd4,     // registers a thread not in 1..255, or the block's do not fit into the register file
    REFUSE_SHARED = 4'd5;   // shared memory of a block does not fit

  // Faults that can be injected (0 = none). Each is stopped by the lockstep checker; see tests/expect_fail.
  localparam logic [7:0] FAULT_NONE = 8'd0;
  localparam logic [7:0] FAULT_ALU_CARRY        = 8'd1;  // alu: IADD3 loses the carry into bit 16
  localparam logic [7:0] FAULT_POP_MASK         = 8'd2;  // divergence: popped mask loses its lowest lane (when it has more than one)
  localparam logic [7:0] FAULT_STORE_LOST       = 8'd3;  // line_request: every 16th request of a store is dropped (but acknowledged)
  localparam logic [7:0] FAULT_STORE_TWICE      = 8'd4;  // order: every 16th request of a store is performed twice
  localparam logic [7:0] FAULT_LANE_SWAP        = 8'd5;  // operand: lanes 0 and 1 of operand a swapped
  localparam logic [7:0] FAULT_REUSE_STALE      = 8'd6;  // operand: reuse entry survives a write to its register
  localparam logic [7:0] FAULT_BAR_EARLY        = 8'd7;  // barrier: released one warp early
  localparam logic [7:0] FAULT_FMA_ROUND        = 8'd8;  // fma: RN rounds ties away
  localparam logic [7:0] FAULT_SECTOR_DROP      = 8'd9;  // line_request: the last of several sectors of a load is not asked for (stale data)
  localparam logic [7:0] FAULT_RESERVED_BIT     = 8'd10; // decode: reserved bits ignored
  localparam logic [7:0] FAULT_WB_CORRUPT       = 8'd11; // after the write-port tap: bit 7 of lane 0 flips, every 64th write
  localparam logic [7:0] FAULT_SHM_BANK_ADDR    = 8'd12; // after the tap: shared-memory bank 3 stores 128 bytes away
  localparam logic [7:0] FAULT_DRAM_DATA        = 8'd13; // after the tap: AXI write data byte 0 inverted, every 32nd burst
  localparam logic [7:0] FAULT_FTZ_IGNORED      = 8'd14; // fma: .FTZ ignored on inputs
  localparam logic [7:0] FAULT_GUARD_STUCK      = 8'd15; // issue: negated guard read as plain
  localparam logic [7:0] FAULT_SB_EARLY         = 8'd16; // issue: write counters fall one beat early / at first write
  localparam logic [7:0] FAULT_STALL_SHORT      = 8'd17; // issue: stall count loads stall-1, with issue_ranks of 1 stall-2
  localparam logic [7:0] FAULT_PRED_LANE        = 8'd18; // writeback: predicate of the last lane not written
  localparam logic [7:0] FAULT_SHM_COLLIDE      = 8'd19; // shared memory: lowest lane wins a colliding store
  localparam logic [7:0] FAULT_ATOM_ORDER       = 8'd20; // order: atomics of one line return the value before the whole group
  localparam logic [7:0] FAULT_CVT_SAT          = 8'd21; // cvt: F2I wraps instead of saturating
  localparam logic [7:0] FAULT_CONST_STALE      = 8'd22; // constant cache: hit ignores the lowest tag bit (lines one cache size apart)
  localparam logic [7:0] FAULT_TID_Y            = 8'd23; // dispatcher: tid.y off by one in lane 31
  localparam logic [7:0] FAULT_EXIT_KEEP        = 8'd24; // divergence: EXIT does not re-examine barriers
  localparam logic [7:0] FAULT_BSYNC_MASK       = 8'd25; // divergence: BSYNC releases only the arriving lanes
  localparam logic [7:0] FAULT_WB_ROW           = 8'd26; // writeback: bank 0 writes another register's row, every 64th write
  localparam logic [7:0] FAULT_SFU_SQUARE       = 8'd40; // sfu: the squarer loses the row of bit 14
  localparam logic [7:0] FAULT_SFU_MASK         = 8'd41; // sfu: lanes that are off are written, too
  localparam logic [7:0] FAULT_SHFL_HEARS       = 8'd44; // warp: SHFL hears lanes that do not execute
  localparam logic [7:0] FAULT_MATCH_HALF       = 8'd45; // warp: MATCH compares the lower half of a word
  localparam logic [7:0] FAULT_LOCAL_SLICE      = 8'd46; // local_place: warp slots 2k and 2k+1 have one slice of local memory
  localparam logic [7:0] FAULT_ATOM_ROUND       = 8'd47; // atom_add: a sum between two floats rounds away from zero
  localparam logic [7:0] FAULT_HALF_ROUND       = 8'd48; // half: ties away
  localparam logic [7:0] FAULT_HALF_PART        = 8'd49; // half: operand b's part ignored
  localparam logic [7:0] FAULT_RED_LAST         = 8'd50; // barrier: BAR.RED counts the warp that comes last alone
  localparam logic [7:0] FAULT_SYNC_EARLY       = 8'd51; // divergence: WARPSYNC does not wait for the highest lane of its mask
  localparam logic [7:0] FAULT_PARK_JOINS       = 8'd56; // divergence, its: lanes that park at a second PC of a barrier join the first path
  localparam logic [7:0] FAULT_TURN_PC          = 8'd57; // divergence, its: a turn that ends with a jump goes on after it
  localparam logic [7:0] FAULT_SETS_ROW         = 8'd59; // divergence: sets of B[x] are written where those of B[x ^ 8] lie
  localparam logic [7:0] FAULT_PUSH_MASK        = 8'd60; // divergence: a path that is pushed loses lane 31
  localparam logic [7:0] FAULT_LANE_CHAIN       = 8'd61; // operands, lane by lane: bit 0 of word b is lost on the way down to the pipes
  localparam logic [7:0] FAULT_COPY_EARLY       = 8'd62; // copy_store: the last word of a row is stored before it has come: an older row's first one
  localparam logic [7:0] FAULT_COPY_COUNTER     = 8'd63; // issue: the write counter of a copy never rises
  localparam logic [7:0] FAULT_COPY_GROUP       = 8'd64; // lsu_check: LDGDEPBAR ends at once
  localparam logic [7:0] FAULT_COPY_LANE        = 8'd65; // copy_store: the highest lane of a row is not stored
  localparam logic [7:0] FAULT_COPY_FENCE       = 8'd66; // issue: MEMBAR of GPU scope does not wait for copies
  localparam logic [7:0] FAULT_COPY_PLACE       = 8'd67; // lsu: shared addresses of copies have one place, whoever is under way
  localparam logic [7:0] FAULT_COPY_BLOCK       = 8'd68; // issue: a warp that has ended does not wait for its copies
  localparam logic [7:0] FAULT_MMA_ZERO         = 8'd54; // tensor: the exponents of zero products count
  localparam logic [7:0] FAULT_MMA_SIGN         = 8'd55; // tensor: IMMA takes B's bytes signed as A's are
  localparam logic [7:0] FAULT_LDSM_TURN        = 8'd58; // matrix_words, matrix_steps, shm_collect: LDSM.MT88 gives halves of a word in the wrong order
  localparam logic [7:0] FAULT_UNI_GUARD        = 8'd52; // uni: an instruction whose uniform guard is false writes its result
  localparam logic [7:0] FAULT_UNI_LANE         = 8'd53; // warp: R2UR takes the word of the highest executing lane
  localparam logic [7:0] FAULT_CROSS_SWAP       = 8'd72; // cross_queue: a store waits for what comes next, and a request without beats for its line goes before it
  localparam logic [7:0] FAULT_CROSS_STRAY      = 8'd73; // cross_who: every 16th beat for a load/store unit goes to another SM
  localparam logic [7:0] FAULT_BLOCK_TWICE      = 8'd74; // gpu_blocks: every 4th block is given to two SMs
  localparam logic [7:0] FAULT_TRAP_SM          = 8'd75; // gpu_trap: the host is told of another SM
  localparam logic [7:0] FAULT_L2_DIRTY_LOST    = 8'd80; // l2_rows: the last byte of a row is not written back
  localparam logic [7:0] FAULT_L2_BACK_ROW      = 8'd81; // l2_choose: the last row of a line is not written back
  localparam logic [7:0] FAULT_L2_FETCH_EARLY   = 8'd82; // l2_choose: a line is fetched while it is written back
  localparam logic [7:0] FAULT_L2_SECTOR_VALID  = 8'd83; // l2_choose: a sector that a store has written in part counts as whole
  localparam logic [7:0] FAULT_L2_ATOM_CLEAN    = 8'd84; // l2_choose: what an atomic changes is not written back
  localparam logic [7:0] FAULT_L2_TAG_BIT       = 8'd85; // l2_choose: a hit ignores the lowest bit of a tag
  localparam logic [7:0] FAULT_L2_STORE_PASSES  = 8'd86; // l2_choose: a store passes those who wait for its line
  localparam logic [7:0] FAULT_L2_FRESH         = 8'd87; // l2_choose: marks of bytes survive in a place from line to line
  localparam logic [7:0] FAULT_L2_WAY           = 8'd88; // l2_steps: stores go to the first way
  localparam logic [7:0] FAULT_L2_FILL_OVER     = 8'd89; // l2_fetch: nobody asks whether a row has newer bytes
  localparam logic [7:0] FAULT_L2_MERGE_OVER    = 8'd90; // l2_rows: what comes from memory is written over newer bytes, too
  localparam logic [7:0] FAULT_L2_READ_EARLY    = 8'd91; // l2_rows: a row is read before the step before has written it
  localparam logic [7:0] FAULT_L2_ATOM_STALE    = 8'd92; // l2_rows: a lane of an atomic does not see the one before it
  localparam logic [7:0] FAULT_L2_STAMP         = 8'd93; // l2_record: the stamp of a store is 64 cycles old
  localparam logic [7:0] FAULT_L2_FLUSH_SET     = 8'd94; // l2_tags: a flush leaves the last set out
  localparam logic [7:0] FAULT_L2_ERROR_LOST    = 8'd95; // l2_park: a load whose line memory refused ends without an error
  localparam logic [7:0] FAULT_L2_LOST_QUIET    = 8'd96; // l2_backs: a write-back that memory refused is not told
  localparam logic [7:0] FAULT_L2_ANSWER_EARLY  = 8'd97; // l2_answers: a store is answered before it is performed
  // Faults of order between SMs: interconnect, shared cache, fences, an SM's cache (verify/mutants/order_faults.py).
  localparam logic [7:0] FAULT_CROSS_MIX        = 8'd100; // cross_turn: another SM's request may come between the beats of one
  localparam logic [7:0] FAULT_CROSS_BEAT       = 8'd101; // cross_who: of two beats for an SM in one cycle one is lost
  localparam logic [7:0] FAULT_CROSS_ANSWER     = 8'd102; // cross_who: every 16th answer for a load/store unit goes to another SM
  localparam logic [7:0] FAULT_CROSS_BANK       = 8'd103; // cross_who: atomics of odd SMs go to another bank
  localparam logic [7:0] FAULT_L2_LOAD_PASSES   = 8'd105; // l2_choose: a load passes those who wait for its line
  localparam logic [7:0] FAULT_L2_ATOM_PASSES   = 8'd106; // l2_choose: so does an atomic
  localparam logic [7:0] FAULT_L2_ROW_TWICE     = 8'd111; // l2_steps: every 16th row of an atomic is performed twice
  localparam logic [7:0] FAULT_L2_FLUSH_EARLY   = 8'd112; // l2_bank: a flush does not wait until memory has what is written back
  localparam logic [7:0] FAULT_L2_FLUSH_BANK    = 8'd113; // gpu_memory: a flush is over when it is in bank 0
  localparam logic [7:0] FAULT_L2_BACK_EARLY    = 8'd114; // gpu_memory: a write-back is acknowledged when its address has gone
  localparam logic [7:0] FAULT_FENCE_OWN        = 8'd120; // issue: MEMBAR of GPU scope does not wait for accesses of its warp
  localparam logic [7:0] FAULT_BAR_OWN          = 8'd121; // issue: neither does BAR, nor MEMBAR of CTA scope
  localparam logic [7:0] FAULT_FENCE_OTHER      = 8'd122; // l1: fences do not wait for stores of other warps
  localparam logic [7:0] FAULT_FENCE_BANK       = 8'd124; // l1: fences wait for other warps' stores in bank 0 only
  localparam logic [7:0] FAULT_FENCE_ATOM       = 8'd125; // l1: fences do not wait for other warps' atomics
  localparam logic [7:0] FAULT_END_EARLY        = 8'd127; // issue: a warp that has ended does not wait for its accesses
  localparam logic [7:0] FAULT_GRID_EARLY       = 8'd128; // gpu_blocks: a grid has ended when one SM has
  localparam logic [7:0] FAULT_L1_FENCE_KEEPS   = 8'd130; // l1: a fence does not empty the cache
  localparam logic [7:0] FAULT_L1_IVALL_KEEPS   = 8'd131; // l1: CCTL.IVALL does not empty it
  localparam logic [7:0] FAULT_L1_EMPTY_BANK    = 8'd132; // l1_lines: lines of bank 1 are never emptied
  localparam logic [7:0] FAULT_L1_EMPTY_FLIGHT  = 8'd133; // l1: nothing is emptied while a refill is under way
  localparam logic [7:0] FAULT_L1_KEEPS         = 8'd134; // l1_lines: what a store, an atomic, a strong load gives up is kept
  localparam logic [7:0] FAULT_L1_STRONG        = 8'd136; // l1: strong loads are served from the cache
  localparam logic [7:0] FAULT_L1_JOIN          = 8'd137; // l1_lines: a refill that was overtaken is joined
  localparam logic [7:0] FAULT_L1_OVERTAKEN     = 8'd138; // l1_lines: what it brings is kept
  // Faults in the taps themselves.
  localparam logic [7:0] FAULT_TAP_SM_DROP      = 8'd139; // what stores, atomics and strong loads of SM 1 give up is not shown
  localparam logic [7:0] FAULT_TAP_DROP         = 8'd32; // every 64th write-port record is not shown
  localparam logic [7:0] FAULT_TAP_DOUBLE       = 8'd33; // every 64th global perform record is shown twice
  localparam logic [7:0] FAULT_TAP_REORDER      = 8'd34; // every 16th issue record is shown after the next one
  localparam logic [7:0] FAULT_TAP_LANE         = 8'd35; // operands-read record shows lane 1's data in lane 0
  localparam logic [7:0] FAULT_TAP_SEQ          = 8'd36; // every 64th issue record shows sequence + 1
  // Faults of units with a latency of their own.
  localparam logic [7:0] FAULT_FP64_ROUND       = 8'd42; // fp64: RN rounds ties away
  localparam logic [7:0] FAULT_FP64_NAN         = 8'd43; // fp64: negation acts on the sign of a NaN, too

  /* verilator lint_on UNUSEDPARAM */

endpackage

`default_nettype wire
