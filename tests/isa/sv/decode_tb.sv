// SPDX-License-Identifier: Apache-2.0
// isa_pkg::decode with every member on a port of its own, so that a bench can
// compare it with the C decoder. Combinational.
// Does not check anything itself.
module decode_tb (
    input  wire logic [127:0] word_i,
    output logic              legal_o,
    output logic [7:0]        op_o,
    output logic [3:0]        unit_o,
    output logic [3:0]        mem_o,
    output logic [2:0][2:0]   kind_o,  // a, b, c from index 0
    output logic [2:0][7:0]   reg_o,
    output logic [2:0][1:0]   n_o,
    output logic [2:0]        neg_o,
    output logic [2:0]        abs_o,
    output logic              imm_short_o,
    output logic [31:0]       imm_o,
    output logic [4:0]        cbank_o,
    output logic [15:0]       coff_o,
    output logic              has_rd_o,
    output logic [7:0]        rd_o,
    output logic [1:0]        rd_n_o,
    output logic [1:0]        has_pd_o,
    output logic [1:0][2:0]   pd_o,
    output logic [3:0]        guard_o,
    output logic [2:0][3:0]   ps_o,
    output logic [20:0]       ctl_o,   // reuse, wait, rbar, wbar, yield, stall
    output logic [3:0]        uni_o,   // uniform: rd, pd, guard, ps
    output logic [8:0]        max_reg_o,
    output logic [2:0]        flow_o,
    output logic              drains_o
);

  isa_pkg::dec_t d;

  always_comb begin
    d         = isa_pkg::decode(word_i);
    legal_o   = d.legal;
    op_o      = d.op;
    unit_o    = d.unit;
    mem_o     = d.mem;
    kind_o    = {d.c_kind, d.b_kind, d.a_kind};
    reg_o     = {d.c_reg, d.b_reg, d.a_reg};
    n_o       = {d.c_n, d.b_n, d.a_n};
    neg_o     = {d.c_neg, d.b_neg, d.a_neg};
    abs_o     = {d.c_abs, d.b_abs, d.a_abs};
    imm_short_o = d.imm_short;
    imm_o     = d.imm;
    cbank_o   = d.cbank;
    coff_o    = d.coff;
    has_rd_o  = d.has_rd;
    rd_o      = d.rd;
    rd_n_o    = d.rd_n;
    has_pd_o  = {d.has_pd1, d.has_pd0};
    pd_o      = {d.pd1, d.pd0};
    guard_o   = d.guard;
    ps_o      = {d.ps2, d.ps1, d.ps0};
    ctl_o     = {d.reuse, d.wait_mask, d.rbar, d.wbar, d.yield, d.stall};
    uni_o     = {d.ps_uni, d.guard_uni, d.pd_uni, d.rd_uni};
    max_reg_o = isa_pkg::max_reg(d);
    flow_o    = isa_pkg::op_flow(d.op);
    drains_o  = isa_pkg::op_drains(d.op);
  end

endmodule
