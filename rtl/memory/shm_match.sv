// SPDX-License-Identifier: Apache-2.0
// Compares the shared-memory addresses of a beat's lanes, each pair once, as they go into the queue, and keeps what it found there:
// for lanes k < l the bits hi, lo: 00 other banks; 01 the same bank (group of banks), another row; 10 the same row; 11 the same
// bytes. Bit k of row l; without a pair 0.
// Latency: a row written in cycle t is read from t+1 on, in the same cycle. Handshake: none.
// It does not know which lanes execute, nor how wide the access is: of an aligned one the address bits within it are 0.
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module shm_match #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned SHM_W  = mem_pkg::SHM_W,
  localparam int unsigned DEPTH  = mem_pkg::QUEUE_DEPTH * mem_pkg::BEATS,
  localparam int unsigned ADDR_W = mem_pkg::QROW_W
) (
  input  logic                         clk_i,
  // from the check
  input  logic                         wr_en_i,
  input  logic [ADDR_W-1:0]            wr_row_i,
  input  logic [LANES-1:0][SHM_W-1:0]  wr_addr_i,
  // read port
  input  logic                         rd_live_i,   // somebody looks: only saves work in simulation
  input  logic [ADDR_W-1:0]            rd_row_i,
  output logic [LANES-1:0][LANES-1:0]  hi_o,
  output logic [LANES-1:0][LANES-1:0]  lo_o
);

  localparam logic [31:0] BANK = 32'(4 * mem_pkg::SHM_BANKS - 4);   // address bits that name the bank
  localparam logic [31:0] ROW  = ~(BANK | 32'd3);

  // All pairs of a row, in kept loops: a simulator makes vector code of them, and there is none without a row; synthesis drops
  // what is never set.
  logic [1:0][LANES-1:0][LANES-1:0] pairs;

  always_comb begin
    `HEDDLE_IDLE(pairs, 'x);
    if (`HEDDLE_LIVE(wr_en_i)) begin
      automatic logic [31:0] addr [LANES], hi [LANES], lo [LANES];
      for (int l = 0; l < int'(LANES); l++) addr[l] = 32'(wr_addr_i[l]);
      `LANE_LOOP (int l = 0; l < int'(LANES); l++) begin
        automatic logic [31:0] own = addr[l], row_hi = '0, row_lo = '0, below = (32'd1 << l) - 32'd1;
        `LANE_LOOP (int k = 0; k < int'(LANES); k++) begin
          automatic logic [31:0] differ = own ^ addr[k];
          automatic logic        group  = (differ & BANK) == '0;
          automatic logic        same   = group && (differ & ROW) == '0;
          row_hi = row_hi | (32'(same) << k);
          row_lo = row_lo | (32'(group && (!same || differ[1:0] == 2'd0)) << k);
        end
        hi[l] = row_hi & below;
        lo[l] = row_lo & below;
      end
      for (int l = 0; l < int'(LANES); l++) begin
        pairs[1][l] = LANES'(hi[l]);
        pairs[0][l] = LANES'(lo[l]);
      end
    end
  end

  ram_live #(.WIDTH(2 * LANES * LANES), .DEPTH(DEPTH)) u_pairs (
    .clk_i     (clk_i),
    .wr_en_i   (wr_en_i),
    .wr_addr_i (wr_row_i),
    .wr_data_i (pairs),
    .rd_live_i (rd_live_i),
    .rd_addr_i (rd_row_i),
    .rd_data_o ({hi_o, lo_o})
  );

endmodule
