// SPDX-License-Identifier: Apache-2.0
// First stage of the load/store unit: forms the addresses of a beat (operand a plus the offset).
// Latency: one cycle; a beat every cycle.
// Handshake: valid/ready on both sides, registered both ways (skid cell).
// Global: 64-bit sum. Shared and constant: 32-bit sum, upper half zero. Atomics are given the size of a word.
// It does not judge addresses.
`default_nettype none

module lsu_agen (
  input  logic                                                             clk_i,
  input  logic                                                             rst_ni,
  // from operand
  input  logic                                                             op_mem_valid_i,
  output logic                                                             op_mem_ready_o,
  input  core_pkg::memop_t                                                 op_memop_i,
  input  logic [4:0]                                                       op_mem_beat_i,
  input  logic [core_pkg::SLOTS-1:0][cfg_pkg::LANES-1:0][31:0]             op_mem_data_i,
  // to the check
  output logic                                                             ag_valid_o,
  input  logic                                                             ag_ready_i,
  output mem_pkg::beat_t                                                   ag_beat_o
);

  mem_pkg::beat_t                   beat;
  logic                             global_space;
  logic [63:0]                      off;
  logic [cfg_pkg::LANES-1:0][63:0]  sum;

  assign global_space = mem_pkg::is_global(op_memop_i.mem);
  assign off          = {{40{op_memop_i.off[23]}}, op_memop_i.off};

  for (genvar l = 0; l < cfg_pkg::LANES; l++) begin : gen_lane
    assign sum[l] = {op_mem_data_i[1][l], op_mem_data_i[0][l]} + off;
  end

  always_comb begin
    beat.op   = op_memop_i;
    beat.beat = op_mem_beat_i;
    for (int unsigned l = 0; l < cfg_pkg::LANES; l++) begin
      beat.addr[l] = {global_space ? sum[l][63:32] : 32'd0, sum[l][31:0]};
    end
    for (int unsigned w = 0; w < 4; w++) beat.data[w] = op_mem_data_i[w + 2];
    if (mem_pkg::is_atom(op_memop_i.mem)) beat.op.size = isa_pkg::SIZE_32;
  end

  skid #(
    .WIDTH ($bits(mem_pkg::beat_t))
  ) u_out (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (op_mem_valid_i),
    .in_ready_o  (op_mem_ready_o),
    .in_data_i   (beat),
    .out_valid_o (ag_valid_o),
    .out_ready_i (ag_ready_i),
    .out_data_o  (ag_beat_o)
  );

endmodule

`default_nettype wire
