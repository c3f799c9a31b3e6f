// SPDX-License-Identifier: Apache-2.0
// Queue of arriving requests; the beats of a store give the rows that it touches and the sectors that it writes whole.
// Latency: a cycle. One a cycle.
// Handshake: beats and requests are events (each has a place); ask_ valid/ready.
// It does not keep data.
`include "heddle_assert.svh"

module l2_arrive (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from the channel
  input  logic                lw_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */   // bytes of a store's beat, fields for the tags
  input  line_pkg::write_t    lw_i,
  input  order_pkg::asked_t   asked_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [l2_pkg::ROWS-1:0] rows_i,          // rows that the request has written
  // to the tags
  output logic                ask_valid_o,
  input  logic                ask_ready_i,
  output l2_pkg::ask_t        ask_o
);

  localparam int unsigned ROWS  = l2_pkg::ROWS;
  localparam int unsigned BYTES = l2_pkg::BYTES;

  // Bytes that beats of the next request have written.
  logic [ROWS-1:0][BYTES-1:0]     strb_q, strb;
  logic [l2_pkg::SECTORS-1:0]     full;
  logic                           ready;
  l2_pkg::ask_t                   ask;

  always_comb begin
    strb = strb_q;
    if (lw_valid_i && !lw_i.atom) strb[lw_i.beat] = strb_q[lw_i.beat] | lw_i.strb;
    full = '1;
    for (int unsigned r = 0; r < ROWS; r++) begin
      if (strb[r] != '1) full[r * l2_pkg::SECTORS / ROWS] = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || asked_i.valid) strb_q <= '0;
    else if (lw_valid_i)          strb_q <= strb;
  end

  always_comb begin
    ask.entry   = asked_i.entry;
    ask.kind    = asked_i.rq.kind;
    ask.line    = asked_i.rq.line;
    ask.sectors = asked_i.rq.sectors;
    ask.full    = full;
    ask.rows    = rows_i;
  end

  fifo #(.WIDTH($bits(l2_pkg::ask_t)), .DEPTH(l2_pkg::ENTRIES)) u_asks (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (asked_i.valid),
    .in_ready_o  (ready),
    .in_data_i   (ask),
    .out_valid_o (ask_valid_o),
    .out_ready_i (ask_ready_i),
    .out_data_o  (ask_o),
    .count_o     ()
  );

  // Each request has a place.
  `ASSERT(a_room, !asked_i.valid || ready)

endmodule
