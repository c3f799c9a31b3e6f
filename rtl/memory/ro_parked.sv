// SPDX-License-Identifier: Apache-2.0
// Requests of a read-only cache that wait for a line: a queue, a LUT RAM deep, and which sources have one in it.
// Latency: a request that is pushed in cycle t can be the head in t+1; waits_o at once.
// Handshake: push_i and pop_i are events. room_o: two more requests have room (of which one may be on its way here). While the
// head is judged (judged_i, the only cycle in which it may go) the one after it is shown, so that a head may go every cycle.
// It has no lines. With ORDERS = 0 the sources are not read.
`include "heddle_assert.svh"

module ro_parked #(
  parameter int unsigned WIDTH  = 40,
  parameter int unsigned ORDERS = 8,      // sources with requests in order
  parameter int unsigned DEPTH  = 16,     // one less than that may wait; a power of two
  localparam int unsigned SOURCE_W = (ORDERS > 1) ? $clog2(ORDERS) : 1,
  localparam int unsigned PLACE_W  = $clog2(DEPTH)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from the lookup
  input  logic [SOURCE_W-1:0] source_i,   // of the request looked up, which may be pushed
  output logic                waits_o,    // it has a request here
  input  logic                push_i,
  input  logic [WIDTH-1:0]    push_word_i,
  output logic                room_o,
  // the oldest, or the one after it
  input  logic                judged_i,
  output logic                head_valid_o,
  output logic [WIDTH-1:0]    head_o,
  input  logic [SOURCE_W-1:0] head_source_i,
  input  logic                pop_i
);

  logic [PLACE_W-1:0] in_q, out_q, after_q, count_q;   // after_q: out_q + 1

  ram_async #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_words (
    .clk_i     (clk_i),
    .wr_en_i   (push_i),
    .wr_addr_i (in_q),
    .wr_data_i (push_word_i),
    .rd_addr_i (judged_i ? after_q : out_q),
    .rd_data_o (head_o)
  );

  assign head_valid_o = count_q > PLACE_W'(judged_i);
  assign room_o       = count_q[PLACE_W-1:1] != '1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q    <= '0;
      out_q   <= '0;
      after_q <= PLACE_W'(1);
      count_q <= '0;
    end else begin
      if (push_i) in_q <= in_q + 1'b1;
      if (pop_i) begin
        out_q   <= after_q;
        after_q <= after_q + 1'b1;
      end
      if (push_i && !pop_i)      count_q <= count_q + 1'b1;
      else if (pop_i && !push_i) count_q <= count_q - 1'b1;
    end
  end

  // For each source: it has a request here, and where its youngest lies, with which that ends.
  if (ORDERS > 0) begin : gen_order
    logic [ORDERS-1:0]  waits_q, comes, goes;
    logic [PLACE_W-1:0] youngest;

    ram_async #(.WIDTH(PLACE_W), .DEPTH(ORDERS)) u_youngest (
      .clk_i     (clk_i),
      .wr_en_i   (push_i),
      .wr_addr_i (source_i),
      .wr_data_i (in_q),
      .rd_addr_i (head_source_i),
      .rd_data_o (youngest)
    );

    assign waits_o = waits_q[source_i];
    assign comes   = push_i ? ORDERS'(1) << source_i : '0;
    assign goes    = (pop_i && youngest == out_q) ? ORDERS'(1) << head_source_i : '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) waits_q <= '0;
      else         waits_q <= (waits_q & ~goes) | comes;
    end
  end else begin : gen_free
    logic unused;
    assign waits_o = 1'b0;
    assign unused  = ^{source_i, head_source_i};
  end

  // There is room for what comes, and what goes was here.
  `ASSERT(a_room, !push_i || count_q != '1)
  `ASSERT(a_there, !pop_i || (judged_i && count_q != '0))

endmodule
