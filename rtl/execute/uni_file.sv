// SPDX-License-Identifier: Apache-2.0
// Uniform registers UR0-UR62 and predicates UP0-UP6 of every warp: block RAM, a copy for each of three read ports, whose rows
// are pairs; predicates in registers.
// Latency: registers stand a cycle after the read, predicates in the same one; what is written in t is read from t+1 on.
// Handshake: none. One write a cycle, of one word or both of a pair, and of any predicates.
// It clears itself only as wipe_i says: a fresh warp's are undefined. URZ and UPT are the reader's business.
module uni_file (
  input  logic                         clk_i,
  input  core_pkg::wipe_t              wipe_i,
  // read ports: operands a, b, c
  input  logic [cfg_pkg::WARP_W-1:0]   rd_slot_i,
  input  logic [2:0]                   rd_en_i,
  input  logic [2:0][5:0]              rd_reg_i,
  output logic [2:0][1:0][31:0]        rd_pair_o,   // the pair in which the register lies
  output logic [6:0]                   rd_pred_o,
  // write port
  input  logic [cfg_pkg::WARP_W-1:0]   wr_slot_i,
  input  logic [1:0]                   wr_en_i,     // the even register of a pair, the odd one
  input  logic [4:0]                   wr_pair_i,
  input  logic [1:0][31:0]             wr_data_i,
  input  logic [6:0]                   wr_pred_en_i,
  input  logic [6:0]                   wr_pred_i
);

  localparam bit WIPES = cfg_pkg::MMU != 0;
  logic          wipes;
  assign wipes = WIPES && wipe_i.valid;

  for (genvar p = 0; p < 3; p++) begin : gen_port
    ram_1r1w #(
      .WIDTH (64),
      .DEPTH (cfg_pkg::WARPS * 32),
      .GRAIN (32),
      .RACE  (1'b1)   // who reads what is being written has a wrong stall count
    ) u_ram (
      .clk_i     (clk_i),
      .wr_en_i   (wr_en_i | {2{wipes}}),
      .wr_addr_i (wipes ? (cfg_pkg::WARP_W+5)'(wipe_i.at) : {wr_slot_i, wr_pair_i}),
      .wr_data_i (wipes ? '0 : wr_data_i),
      .rd_en_i   (rd_en_i[p]),
      .rd_addr_i ({rd_slot_i, rd_reg_i[p][5:1]}),
      .rd_data_o (rd_pair_o[p])
    );
  end

  logic [cfg_pkg::WARPS-1:0][6:0] pred_q;

  always_ff @(posedge clk_i) begin
    if (wipes)                   pred_q <= '0;
    else if (wr_pred_en_i != '0) pred_q[wr_slot_i] <= (pred_q[wr_slot_i] & ~wr_pred_en_i) | (wr_pred_i & wr_pred_en_i);
  end
  assign rd_pred_o = pred_q[rd_slot_i];

  // Which word of a pair is meant, the reader knows.
  logic unused;
  assign unused = ^{wipe_i, rd_reg_i[0][0], rd_reg_i[1][0], rd_reg_i[2][0]};

endmodule
