// SPDX-License-Identifier: Apache-2.0
// Register file: BANKS memories of rows of LANES words, one read and one write port each, write enable for each lane.
// Latency: read data of a bank is there one cycle after its read enable, and is zero after a cycle without. A row written in cycle t
// is read from t+1 on.
// No handshake: every port takes a request every cycle; arbitration happens in front.
// Consecutive warp registers are in different banks (see back_pkg).
// It does not check limits (issue refuses registers above the kernel's count), and clears its storage only as wipe_i says.
module regfile (
  input  logic                                                          clk_i,
  input  core_pkg::wipe_t                                               wipe_i,
  // from the readers
  input  bus_pkg::bank_read_t                                           read_i,
  output logic [cfg_pkg::BANKS-1:0][cfg_pkg::LANES-1:0][31:0]           rd_data_o,
  // from writeback
  input  bus_pkg::write_t                                               wb_write_i
);

  if (cfg_pkg::MMU == 0) begin : gen_keep
    logic unused_wipe;
    assign unused_wipe = ^wipe_i;
  end

  for (genvar b = 0; b < cfg_pkg::BANKS; b++) begin : gen_bank
    localparam bit WIPES = cfg_pkg::MMU != 0;
    logic [cfg_pkg::LANES-1:0]       wr_en;
    logic [back_pkg::ROW_W-1:0]      wr_row;
    logic [cfg_pkg::LANES-1:0][31:0] wr_data;
    assign wr_en   = wb_write_i.en[b] | {cfg_pkg::LANES{WIPES && wipe_i.valid}};
    assign wr_row  = (WIPES && wipe_i.valid) ? back_pkg::ROW_W'(wipe_i.at) : wb_write_i.row[b];
    assign wr_data = (WIPES && wipe_i.valid) ? '0 : wb_write_i.data[b];

    ram_1r1w #(
      .WIDTH (cfg_pkg::LANES * 32),
      .DEPTH (back_pkg::ROWS),
      .GRAIN (32),
      .ZERO  (1'b1),
      .RACE  (1'b1)   // issue keeps readers and writers of a register apart; lanes are in memories of their own
    ) u_ram (
      .clk_i     (clk_i),
      .wr_en_i   (wr_en),
      .wr_addr_i (wr_row),
      .wr_data_i (wr_data),
      .rd_en_i   (read_i.en[b]),
      .rd_addr_i (back_pkg::row_of(read_i.group[b], read_i.beat[b])),
      .rd_data_o (rd_data_o[b])
    );
  end

endmodule
