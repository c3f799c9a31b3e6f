// SPDX-License-Identifier: Apache-2.0
// Uses the packages once, so that lint and synthesis elaborate them.
// Combinational; does nothing useful.
module package_top (
    input  wire logic [127:0]                word_i,
    output logic [8:0]                       regs_o,
    output logic [cfg_pkg::WARP_W-1:0]       warp_o,
    output logic                             is_load_o,
    output logic [31:0]                      kept_o
);

  isa_pkg::dec_t d;

  always_comb begin
    d         = isa_pkg::decode(word_i);
    regs_o    = isa_pkg::max_reg(d);
    warp_o    = cfg_pkg::WARP_W'(cfg_pkg::WARPS - 1);
    kept_o    = host_regs_pkg::kept(host_regs_pkg::W_REGS, word_i[31:0]);
    is_load_o = d.legal && (d.mem == isa_pkg::MEM_GLOBAL_LOAD) && (isa_pkg::f_size(word_i) == isa_pkg::SIZE_32);
  end

endmodule
