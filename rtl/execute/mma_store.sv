// SPDX-License-Identifier: Apache-2.0
// Operands of two instructions of the matrix unit: one is read, step by step, while the beats of
// the next come in. A and C lie in LUT memory, a row a beat; B, of which a step needs four columns
// out of all lanes, in registers.
// A step's sums belong to neighbouring lanes: QUADS rows of A, the even or odd columns of B (sum
// d: row d / 4, column d % 4).
// Latency: one cycle, from rd_en_i to the operands, which keep their value until the next.
// No handshake: what is read must have been written.
// It does not look at formats: words of registers go out as they came in.
`include "heddle_idle.svh"

module mma_store #(
  parameter  int unsigned CYCLES = mma_pkg::CYCLES,
  localparam int unsigned LANES  = cfg_pkg::LANES,
  localparam int unsigned SUMS   = 128 / CYCLES,
  localparam int unsigned QUADS  = SUMS / 4
) (
  input  logic                                      clk_i,
  // a beat
  input  logic                                      wr_en_i,
  input  logic                                      wr_buf_i,
  input  logic [4:0]                                wr_beat_i,
  input  logic [mma_pkg::SLOTS-1:0][LANES-1:0][31:0] wr_data_i,
  // a step
  input  logic                                      rd_en_i,
  input  logic                                      rd_buf_i,
  input  mma_pkg::ctl_t                             rd_ctl_i,
  input  mma_pkg::place_t                           rd_place_i,
  // its operands: A by row, lane of the row, register; B by column; C by sum (of DMMA pairs)
  output logic [QUADS-1:0][3:0][1:0][31:0]          a_o,
  output logic [3:0][3:0][1:0][31:0]                b_o,
  output logic [SUMS-1:0][31:0]                     c_o
);

  localparam int unsigned GROUPS = LANES / SUMS;
  localparam int unsigned ADDR_W = cfg_pkg::BEAT_W + 1;

  // ---- A and C: four words a lane --------------------------------------------------------------
  logic [LANES-1:0][3:0][31:0] wr_a, wr_c, rd_a, rd_c;
  logic [ADDR_W-1:0]           wr_addr, rd_addr;

  assign wr_addr = {wr_buf_i, cfg_pkg::BEAT_W'(wr_beat_i)};
  assign rd_addr = {rd_buf_i, cfg_pkg::BEAT_W'(rd_place_i.beat)};

  always_comb begin
    {wr_a, wr_c} = 'x;
    if (`HEDDLE_LIVE(wr_en_i)) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        wr_a[l] = {wr_data_i[7][l], wr_data_i[6][l], wr_data_i[1][l], wr_data_i[0][l]};
        wr_c[l] = {wr_data_i[9][l], wr_data_i[8][l], wr_data_i[5][l], wr_data_i[4][l]};
      end
    end
  end

  ram_live #(.WIDTH(LANES * 128), .DEPTH(2 ** ADDR_W)) u_a (
    .clk_i(clk_i), .wr_en_i(wr_en_i), .wr_addr_i(wr_addr), .wr_data_i(wr_a),
    .rd_live_i(rd_en_i), .rd_addr_i(rd_addr), .rd_data_o(rd_a));
  ram_live #(.WIDTH(LANES * 128), .DEPTH(2 ** ADDR_W)) u_c (
    .clk_i(clk_i), .wr_en_i(wr_en_i), .wr_addr_i(wr_addr), .wr_data_i(wr_c),
    .rd_live_i(rd_en_i), .rd_addr_i(rd_addr), .rd_data_o(rd_c));

  // ---- B: eight columns of four lanes ----------------------------------------------------------
  logic [1:0][7:0][3:0][1:0][31:0] b_all_q;

  always_ff @(posedge clk_i) begin
    if (wr_en_i) begin
      for (int unsigned j = 0; j < 8; j++) begin
        if (32'(wr_beat_i) == 4 * j / LANES) begin
          for (int unsigned t = 0; t < 4; t++) begin
            if (wr_buf_i) b_all_q[1][j][t] <= {wr_data_i[3][(4 * j + t) % LANES], wr_data_i[2][(4 * j + t) % LANES]};
            else          b_all_q[0][j][t] <= {wr_data_i[3][(4 * j + t) % LANES], wr_data_i[2][(4 * j + t) % LANES]};
          end
        end
      end
    end
  end

  // ---- A step ----------------------------------------------------------------------------------
  // DMMA's steps have half as many lanes, of two words each.
  logic       fp64, odd, upper;
  logic [2:0] group;

  assign fp64  = rd_ctl_i.kind == mma_pkg::FP64;
  assign odd   = fp64 ? rd_place_i.half : rd_place_i.odd;
  assign group = fp64 ? 3'(mma_pkg::lanes_of_fp64(rd_place_i, GROUPS) >> 1) : rd_place_i.group;
  assign upper = 1'(mma_pkg::lanes_of_fp64(rd_place_i, GROUPS));

  always_ff @(posedge clk_i) begin
    if (rd_en_i) begin
      automatic logic [SUMS-1:0][3:0][31:0] a_here = '0, c_here = '0;
      for (int unsigned g = 0; g < GROUPS; g++) begin
        if (32'(group) == g) begin
          a_here = rd_a[g*SUMS +: SUMS];
          c_here = rd_c[g*SUMS +: SUMS];
        end
      end
      // Rows 0 to 7 lie in words 0 and 2, rows 8 to 15 in 1 and 3; an FP64 number in 0 and 1.
      for (int unsigned l = 0; l < SUMS; l++) begin
        a_o[l/4][l%4][0] <= a_here[l][{1'b0, rd_place_i.half && !fp64}];
        a_o[l/4][l%4][1] <= fp64 ? a_here[l][1] : a_here[l][{1'b1, rd_place_i.half}];
        if (fp64)                c_o[l] <= c_here[32'(upper) * (SUMS / 2) + l / 2][{rd_place_i.half, 1'(l % 2)}];
        else if (rd_ctl_i.acc16) c_o[l] <= c_here[l][{1'b0, rd_place_i.half}];
        else                     c_o[l] <= c_here[l][{rd_place_i.half, rd_place_i.odd}];
      end
      for (int unsigned t = 0; t < 4; t++) b_o[t] <= b_all_q[rd_buf_i][{2'(t), odd}];
    end
  end

  logic unused;
  assign unused = ^{rd_ctl_i, rd_place_i};

endmodule
