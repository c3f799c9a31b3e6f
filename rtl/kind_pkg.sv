// SPDX-License-Identifier: Apache-2.0
// What kind an instruction is on this machine: questions about a decoded word that more than one folder asks. Which unit
// executes it, whether the machine has that one, how many rows of operands it takes. Constants and functions without state;
// what an instruction carries from folder to folder is in core_pkg, what one folder alone asks in that folder.
package kind_pkg;

  // Every folder uses some of it, none uses all; and of an instruction most is not looked at.
  /* verilator lint_off UNUSEDPARAM */
  /* verilator lint_off UNUSEDSIGNAL */

  // Which units the machine has, a bit for each of isa_pkg::unit_e, asynchronous copies, and PART_FATOM: words for others are illegal.
  localparam int unsigned PART_FATOM = 28;   // atomics that add floats
  localparam logic [31:0] UNITS_THERE = (32'd1 << isa_pkg::UNIT_MEM) | (32'd1 << isa_pkg::UNIT_BR) | cfg_pkg::UNITS
    | (32'(cfg_pkg::HAS_FATOM) << PART_FATOM) | (32'(cfg_pkg::HAS_ASYNC) << isa_pkg::PART_ASYNC);

  // In an FPGA what depends on an instruction's opcode is read from a table (rtl/fetch/late_decode.sv): twelve to fourteen block
  // RAMs, which the smallest machine has to spare; in larger ones block RAM and the wires to it are what is scarce.
  localparam bit DECODE_TABLE = cfg_pkg::SM_WARPS <= 4;

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

  // Instructions of memory and of these units wait for them in queues (operand/unit_queue): those of memory in one, those of the
  // partition's units, where it has any, in another. Of the latter's rows: how many a beat has at the most, and how many words of
  // each count (without FP64 and matrices b has never two words).
  localparam bit          HAS_UNITS = cfg_pkg::HAS_SFU || cfg_pkg::HAS_FP64 || cfg_pkg::HAS_WARP || cfg_pkg::HAS_TENSOR;
  localparam int unsigned QUEUES = HAS_UNITS ? 2 : 1, QUEUE_MEM = 0, QUEUE_UNITS = QUEUES - 1;
  localparam int unsigned UNIT_ROWS  = cfg_pkg::HAS_TENSOR ? 3 : cfg_pkg::HAS_FP64 ? 2 : 1;
  localparam int unsigned UNIT_WORDS = (UNIT_ROWS == 1) ? 3 : 4;

  // Does it leave the operand stage by one of these queues?
  function automatic logic collected(isa_pkg::unit_e unit);
    collected = unit == isa_pkg::UNIT_MEM || late_unit(unit) != '0;
  endfunction

  // The ALU writes its own results, and those of control instructions: their value comes with the instruction (`sval`).
  function automatic logic br_result(isa_pkg::dec_t dec);
    br_result = dec.unit == isa_pkg::UNIT_BR && (dec.has_rd || dec.has_pd0);
  endfunction

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

  // An atomic that adds floats? (A compare-and-swap has a third register, and no operation.) A machine may lack the adders.
  function automatic logic float_op(logic [5:0] op);
    float_op = op == isa_pkg::AOP_ADD_F32 || op == isa_pkg::AOP_ADD_F64 || op == isa_pkg::AOP_ADD_F16X2;
  endfunction

  function automatic logic adds_floats(isa_pkg::dec_t dec, logic [127:0] word);
    adds_floats = (dec.mem == isa_pkg::MEM_GLOBAL_ATOM || dec.mem == isa_pkg::MEM_GLOBAL_RED
                   || dec.mem == isa_pkg::MEM_SHARED_ATOM || dec.mem == isa_pkg::MEM_GENERIC_ATOM)
                  && dec.c_kind != isa_pkg::SRC_REG && float_op(isa_pkg::f_aop(word));
  endfunction

  // An asynchronous copy, or LDGDEPBAR (core_pkg::GROUP).
  function automatic logic is_copy(isa_pkg::dec_t dec);
    is_copy = cfg_pkg::HAS_ASYNC && (dec.mem == isa_pkg::MEM_GLOBAL_COPY || dec.op == isa_pkg::OP_LDGDEPBAR);
  endfunction

  // Does it need all 32 lanes, or none?
  function automatic logic whole_warp(isa_pkg::dec_t dec);
    whole_warp = dec.op == isa_pkg::OP_LDSM_16 || dec.unit == isa_pkg::UNIT_TENSOR;
  endfunction

  // An immediate that is the upper word of a 64-bit number, whose lower one is zero. (Of a 64-bit integer it is the lower one.)
  function automatic logic wide_imm(isa_pkg::dec_t dec);
    wide_imm = cfg_pkg::HAS_FP64 && dec.op != isa_pkg::OP_I2F
      && ((dec.b_kind == isa_pkg::SRC_IMM && dec.b_n != 2'd0) || (dec.c_kind == isa_pkg::SRC_IMM && dec.c_n != 2'd0));
  endfunction

  // An operand from a constant bank.
  function automatic logic has_const(isa_pkg::dec_t dec);
    has_const = dec.b_kind == isa_pkg::SRC_CONST || dec.c_kind == isa_pkg::SRC_CONST;
  endfunction

  // ... of two words.
  function automatic logic wide_const(isa_pkg::dec_t dec);
    wide_const = (dec.b_kind == isa_pkg::SRC_CONST && dec.b_n != 2'd0)
      || (dec.c_kind == isa_pkg::SRC_CONST && dec.c_n != 2'd0);
  endfunction

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
  /* verilator lint_on UNUSEDPARAM */

endpackage
