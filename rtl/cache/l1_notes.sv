// SPDX-License-Identifier: Apache-2.0
// Notes of requests (line_pkg::note_t) beside the cache, for records alone: that of the request that passes, and that of a refill,
// which has its number in place of a sequence number. Without records all of it is pruned.
// Latency: a cycle, as the request. Handshake: events; refills are counted from go_i on, from 1.
// It decides nothing: the cache does not read it.
module l1_notes (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             go_i,        // event: a launch begins
  input  line_pkg::note_t  up_note_i,   // from the load/store unit
  // from l1_lines: the cache answers the request that passes; it asks for sectors (event)
  input  logic             keeps_i,
  input  logic             asks_i,
  // to retire_l1: of the request that passes; of the next refill
  output line_pkg::note_t  passed_o,
  output logic [31:0]      number_o,
  // to memory's observers
  output line_pkg::note_t  note_o
);

  line_pkg::note_t note_q;
  logic [31:0]     number_q;

  always_ff @(posedge clk_i) note_q <= up_note_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)     number_q <= 32'd1;
    else if (go_i)   number_q <= 32'd1;
    else if (asks_i) number_q <= number_q + 32'd1;
  end

  always_comb begin
    note_o = note_q;
    if (keeps_i) note_o.seq = number_q;
  end
  assign passed_o = note_q;
  assign number_o = number_q;

endmodule
