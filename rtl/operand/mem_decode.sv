// SPDX-License-Identifier: Apache-2.0
// What the load/store unit shall do, from a memory instruction that reaches the operand stage. It is made once, and waits with the
// instruction's operands in the queue of memory.
// Latency: combinational.
// No handshake.
// It does not look at operands; it gives zeros where en_i is low.
`include "heddle_idle.svh"

module mem_decode (
  // from issue
  input  logic             en_i,
  input  core_pkg::uop_t   uop_i,
  // to the queue of memory
  output core_pkg::memop_t op_o
);

  isa_pkg::dec_t dec;
  logic [15:0]   coff16;

  assign dec    = uop_i.dec;
  assign coff16 = isa_pkg::f_coff16(uop_i.word);

  // LDSM: eight lanes give the addresses of each matrix.
  function automatic logic [31:0] matrix_lanes(logic [1:0] rd_n);
    matrix_lanes = {{16{rd_n[1]}}, {8{rd_n[0]}}, 8'hff};
  endfunction

  always_comb begin
    op_o = '0;
    if (`HEDDLE_LIVE(en_i)) begin
      op_o.id    = uop_i.id;
      op_o.pc    = uop_i.pc;
      op_o.mem   = dec.mem;
      op_o.size  = isa_pkg::f_size(uop_i.word);
      op_o.off   = isa_pkg::f_off24(uop_i.word);
      op_o.cbank = isa_pkg::f_cbank(uop_i.word);
      op_o.rd    = dec.has_rd ? dec.rd : isa_pkg::RZ;
      op_o.rd_n  = dec.rd_n;
      op_o.wbar  = dec.wbar;
      op_o.exec  = uop_i.exec;
      op_o.rbase = uop_i.rbase;
      // The scope in which a load must be in order: where there is a cache.
      if (l1_pkg::THERE && dec.mem != isa_pkg::MEM_CONST_LOAD) begin
        op_o.cbank = (dec.mem == isa_pkg::MEM_GLOBAL_LOAD || dec.mem == isa_pkg::MEM_GENERIC_LOAD)
          ? 5'(isa_pkg::f_strong(uop_i.word)) : 5'd0;
      end
      if (dec.mem == isa_pkg::MEM_CONST_LOAD) op_o.off = {{8{coff16[15]}}, coff16};
      if (kind_pkg::uniform_load(dec)) begin
        op_o.size    = (dec.rd_n == 2'd0) ? isa_pkg::SIZE_32 : isa_pkg::SIZE_64;
        op_o.atom[0] = 1'b1;
      end
      // Atomics have no size field: their operand says it.
      if (dec.mem == isa_pkg::MEM_GLOBAL_ATOM || dec.mem == isa_pkg::MEM_GLOBAL_RED
          || dec.mem == isa_pkg::MEM_SHARED_ATOM || dec.mem == isa_pkg::MEM_GENERIC_ATOM) begin
        op_o.size = (dec.b_n == 2'd0) ? isa_pkg::SIZE_32 : isa_pkg::SIZE_64;
        op_o.atom = (dec.c_kind == isa_pkg::SRC_REG) ? atom_pkg::COMPARE_SWAP : isa_pkg::f_aop(uop_i.word);
      end
      if (dec.op == isa_pkg::OP_LDSM_16) begin
        op_o.size = isa_pkg::SIZE_128;
        op_o.atom = (isa_pkg::f_trans(uop_i.word) == isa_pkg::TRANS_MT88) ? core_pkg::MATRIX_TURNED : core_pkg::MATRIX;
        op_o.exec = uop_i.exec & matrix_lanes(dec.rd_n);
      end
      if (kind_pkg::is_copy(dec)) begin
        op_o.mem  = isa_pkg::MEM_GLOBAL_COPY;
        op_o.rd   = core_pkg::COPY_RD;
        op_o.rd_n = (op_o.size == isa_pkg::SIZE_128) ? 2'd3 : (op_o.size == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;
        if (dec.op == isa_pkg::OP_LDGDEPBAR) begin
          op_o.size = isa_pkg::SIZE_32;
          op_o.rd_n = 2'd0;
          op_o.atom = core_pkg::GROUP;
          op_o.exec = '0;
        end
      end
    end
  end

  // Fields that concern others.
  logic unused;
  assign unused = ^{uop_i, dec};

endmodule
