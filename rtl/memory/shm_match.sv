// SPDX-License-Identifier: Apache-2.0
// Compares the shared-memory addresses of a beat's lanes, each pair once, before they go into the queue.
// For lanes k < l: 00 other banks; 01 the same bank (group of banks), another row; 10 the same row; 11 the same bytes.
// Latency: combinational. Handshake: none; valid_i only saves work.
// It does not know which lanes execute.
`default_nettype none

module shm_match #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned SHM_W = mem_pkg::SHM_W,
  localparam int unsigned PAIRS = mem_pkg::SHM_PAIRS
) (
  input  logic                        valid_i,
  input  logic [2:0]                  size_i,
  input  logic [LANES-1:0][SHM_W-1:0] addr_i,
  output logic [PAIRS-1:0]            hi_o,
  output logic [PAIRS-1:0]            lo_o
);

  localparam logic [31:0] BANK = 32'(4 * mem_pkg::SHM_BANKS - 4);   // address bits that name the bank
  localparam logic [31:0] ROW  = ~(BANK | 32'd3);

  logic [31:0] bank;     // without those within an access of 2 or 4 words

  assign bank = (size_i == isa_pkg::SIZE_128) ? (BANK & ~32'd15) : (size_i == isa_pkg::SIZE_64) ? (BANK & ~32'd7) : BANK;

  for (genvar l = 1; l < LANES; l++) begin : gen_lane
    logic [l-1:0] hi, lo;
    logic [31:0]  differ;
    logic         group, same;

    always_comb begin
      hi     = '0;
      lo     = '0;
      differ = '0;
      group  = 1'b0;
      same   = 1'b0;
      if (valid_i) begin
        for (int k = 0; k < l; k++) begin
          differ = 32'(addr_i[l]) ^ 32'(addr_i[k]);
          group  = (differ & bank) == '0;
          same   = group && (differ & ROW) == '0;
          hi[k]  = same;
          lo[k]  = group && (!same || differ[1:0] == 2'd0);
        end
      end
    end

    assign hi_o[l*(l-1)/2 +: l] = hi;
    assign lo_o[l*(l-1)/2 +: l] = lo;
  end

endmodule

`default_nettype wire
