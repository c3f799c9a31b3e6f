// SPDX-License-Identifier: Apache-2.0
// Kind of an instruction on this machine: predicates over a decoded word that more than one folder uses. Its unit, whether the machine
// has that unit, its number of operand rows. Constants and functions without state.
// Types that travel between folders are in core_pkg; predicates of one folder are in that folder.
package kind_pkg;

  // Every folder uses some of it, none uses all; most of an instruction is not read.
  /* verilator lint_off UNUSEDPARAM */
  /* verilator lint_off UNUSEDSIGNAL */

  // Units of the machine, a bit for each of isa_pkg::unit_e, asynchronous copies, and PART_FATOM: words for others are illegal.
  localparam int unsigned PART_FATOM = 28;   // atomics that add floats
  localparam logic [31:0] UNITS_THERE = (32'd1 << isa_pkg::UNIT_MEM) | (32'd1 << isa_pkg::UNIT_BR) | cfg_pkg::UNITS
    | (32'(cfg_pkg::HAS_FATOM) << PART_FATOM) | (32'(cfg_pkg::HAS_ASYNC) << isa_pkg::PART_ASYNC);

  // An FPGA reads functions of the opcode from a table (rtl/fetch/late_decode.sv): twelve to fourteen block RAMs. The smallest machine
  // has these to spare; larger ones do not, nor the wires to them.
  localparam bit DECODE_TABLE = cfg_pkg::SM_WARPS <= 4;

  // Units of a partition with a latency of their own, as indices of units.sv. The load/store unit, which partitions share, is not
  // among them.
  localparam int unsigned UNITS = 4, UNIT_SFU = 0, UNIT_FP64 = 1, UNIT_WARP = 2, UNIT_TENSOR = 3;

  function automatic logic [UNITS-1:0] late_unit(isa_pkg::unit_e unit);
    late_unit            = '0;
    late_unit[UNIT_SFU]  = cfg_pkg::HAS_SFU  && unit == isa_pkg::UNIT_SFU;
    late_unit[UNIT_FP64] = cfg_pkg::HAS_FP64 && unit == isa_pkg::UNIT_FP64;
    late_unit[UNIT_WARP] = cfg_pkg::HAS_WARP && unit == isa_pkg::UNIT_WARP;
    late_unit[UNIT_TENSOR] = cfg_pkg::HAS_TENSOR && unit == isa_pkg::UNIT_TENSOR;
  endfunction

  // Instructions of memory and of these units wait in queues (operand/unit_queue): one for memory, one for the partition's units, if
  // it has any. Rows of the second: their number a beat at most, and the words of each that are used. Without FP64 and matrices b never
  // has two words.
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

  // ULDC: the load/store unit executes it; its warp waits for the result, so a stall count may trust its latency.
  function automatic logic uniform_load(isa_pkg::dec_t dec);
    uniform_load = cfg_pkg::HAS_UNI && dec.op == isa_pkg::OP_ULDC;
  endfunction

  // Instructions of the uniform pipe.
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

  // An immediate as the upper word of a 64-bit number with a lower word of zero. A 64-bit integer has it as the lower word.
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

  // A collected instruction with two rows a beat: more than two words of data b, or an operand c. Three rows: a matrix with four words c;
  // its second row has two words of a and two of c.
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
