// SPDX-License-Identifier: Apache-2.0
// An SDRAM with data pins that a bench may drive; tRC is longer than tRAS and tRP together, so that it can be broken alone.
module sdram_tb (
  input  logic        clk_i, cke_i, cs_ni, ras_ni, cas_ni, we_ni,
  input  logic [1:0]  ba_i,
  input  logic [12:0] a_i,
  input  logic [1:0]  dm_i,
  input  logic        drive_i,
  input  logic [15:0] dq_i,
  output logic [15:0] dq_o,
  output logic [31:0] errors_o,
  output logic [7:0]  rule_o
);

  wire  [15:0] dq;
  logic [15:0] q;
  logic [1:0]  drives;
  logic [31:0] unused_reads, unused_writes, unused_refreshes;

  assign dq   = drive_i ? dq_i : 16'bz;
  assign dq_o = dq;
  for (genvar i = 0; i < 2; i++) begin : gen_byte
    assign dq[8*i +: 8] = drives[i] ? q[8*i +: 8] : 8'bz;
  end

  sdram_model #(.CLOCK_PS(10_000), .TRC(80_000)) u_sdram (
    .clk_i(clk_i), .cke_i(cke_i), .cs_ni(cs_ni), .ras_ni(ras_ni), .cas_ni(cas_ni), .we_ni(we_ni), .ba_i(ba_i), .a_i(a_i),
    .dm_i(dm_i), .dq_i(dq), .dq_o(q), .drives_o(drives), .bad_i('0), .errors_o(errors_o), .rule_o(rule_o),
    .reads_o(unused_reads), .writes_o(unused_writes), .refreshes_o(unused_refreshes)
  );

endmodule
