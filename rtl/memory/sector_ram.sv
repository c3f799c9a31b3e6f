// SPDX-License-Identifier: Apache-2.0
// LUT RAM of sectors, one for each entry of gmem: 256 bits, written by bytes (or larger grains),
// read whole.
// Latency: read 0; what is written in cycle t is read from cycle t+1 on.
// No handshake: both ports take a request every cycle.
// It does not clear its storage (undefined until written; randomised in simulation).
`default_nettype none

module sector_ram #(
  parameter int unsigned GRAIN = 8,   // bits that one write enable covers
  localparam int unsigned GRAINS  = 256 / GRAIN,
  localparam int unsigned ENTRY_W = mem_pkg::ENTRY_W
) (
  input  logic                clk_i,
  // write port
  input  logic                wr_any_i,    // some enable is set
  input  logic [GRAINS-1:0]   wr_en_i,
  input  logic [ENTRY_W-1:0]  wr_addr_i,
  input  logic [255:0]        wr_data_i,
  // read port
  input  logic [ENTRY_W-1:0]  rd_addr_i,
  output logic [255:0]        rd_data_o
);

  logic [255:0] mem_q [mem_pkg::ENTRIES];

  always_ff @(posedge clk_i) begin
    if (wr_any_i) begin
      for (int unsigned g = 0; g < GRAINS; g++) begin
        if (wr_en_i[g]) mem_q[wr_addr_i][g*GRAIN +: GRAIN] <= wr_data_i[g*GRAIN +: GRAIN];
      end
    end
  end

  assign rd_data_o = mem_q[rd_addr_i];

endmodule

`default_nettype wire
