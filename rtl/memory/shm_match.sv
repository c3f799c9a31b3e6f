// SPDX-License-Identifier: Apache-2.0
// Compares the shared-memory addresses of a beat's lanes, each pair once, before they go into the queue.
// For lanes k < l: 00 other banks; 01 the same bank (group of banks), another row; 10 the same row; 11 the same bytes.
// Latency: combinational. Handshake: none; valid_i only saves work.
// It does not know which lanes execute, nor how wide the access is: of an aligned one the address bits within it are 0.
`default_nettype none
`include "heddle_lanes.svh"

module shm_match #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES,
  localparam int unsigned SHM_W = mem_pkg::SHM_W,
  localparam int unsigned PAIRS = mem_pkg::SHM_PAIRS
) (
  input  logic                        valid_i,
  input  logic [LANES-1:0][SHM_W-1:0] addr_i,
  output logic [PAIRS-1:0]            hi_o,
  output logic [PAIRS-1:0]            lo_o
);

  localparam logic [31:0] BANK = 32'(4 * mem_pkg::SHM_BANKS - 4);   // address bits that name the bank
  localparam logic [31:0] ROW  = ~(BANK | 32'd3);

  // All pairs of a row, in kept loops: a simulator makes vector code of them, synthesis drops what no output reads.
  logic [31:0] addr [LANES], hi [LANES], lo [LANES];

  always_comb begin
    for (int l = 0; l < int'(LANES); l++) begin
      addr[l] = '0;
      hi[l]   = '0;
      lo[l]   = '0;
    end
    if (valid_i) begin
      for (int l = 0; l < int'(LANES); l++) addr[l] = 32'(addr_i[l]);
      `LANE_LOOP (int l = 1; l < int'(LANES); l++) begin
        automatic logic [31:0] own = addr[l], row_hi = '0, row_lo = '0;
        `LANE_LOOP (int k = 0; k < int'(LANES); k++) begin
          automatic logic [31:0] differ = own ^ addr[k];
          automatic logic        group  = (differ & BANK) == '0;
          automatic logic        same   = group && (differ & ROW) == '0;
          row_hi = row_hi | (32'(same) << k);
          row_lo = row_lo | (32'(group && (!same || differ[1:0] == 2'd0)) << k);
        end
        hi[l] = row_hi;
        lo[l] = row_lo;
      end
    end
  end

  for (genvar l = 1; l < LANES; l++) begin : gen_lane
    assign hi_o[l*(l-1)/2 +: l] = hi[l][l-1:0];
    assign lo_o[l*(l-1)/2 +: l] = lo[l][l-1:0];
    if (l < 32) begin : gen_unused
      logic unused;
      assign unused = ^{hi[l][31:l], lo[l][31:l]};
    end
  end
  logic unused_row;
  assign unused_row = ^{hi[0], lo[0]};

endmodule

`default_nettype wire
