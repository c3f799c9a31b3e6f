// SPDX-License-Identifier: Apache-2.0
// Free list of numbers 0 to N-1 and their credits: a returned number goes to the end of the queue, and a credit for it is owed. Reset
// frees all, in their order.
// Latency: the next number is there always; a number returned in cycle t is owed a credit from t+1 on.
// Handshake: all are events; take_i only with a credit that was given, credit_i only with owed_o.
// Returned numbers are not checked but in simulation.
`include "heddle_assert.svh"

module order_free #(
  parameter  int unsigned N = 8,
  localparam int unsigned W = (N > 1) ? $clog2(N) : 1
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  // to and from the user of the next number
  output logic [W-1:0]  number_o,
  input  logic          take_i,
  // from the last user of a number
  input  logic          give_i,
  input  logic [W-1:0]  give_number_i,
  // credits
  output logic          owed_o,
  input  logic          credit_i
);

  localparam int unsigned COUNT_W = $clog2(N + 1);

  logic               fresh_q;          // before the first lap ends, place i holds number i
  logic [W-1:0]       rd_q, wr_q, kept;
  logic [COUNT_W-1:0] owed_q;
  logic [COUNT_W-1:0] free_q;           // for assertions alone

  ram_async #(.WIDTH(W), .DEPTH(N)) u_row (
    .clk_i     (clk_i),
    .wr_en_i   (give_i),
    .wr_addr_i (wr_q),
    .wr_data_i (give_number_i),
    .rd_addr_i (rd_q),
    .rd_data_o (kept)
  );

  assign number_o = fresh_q ? rd_q : kept;
  assign owed_o   = owed_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fresh_q <= 1'b1;
      rd_q    <= '0;
      wr_q    <= '0;
      free_q  <= COUNT_W'(N);
      owed_q  <= COUNT_W'(N);
    end else begin
      if (take_i) rd_q <= (rd_q == W'(N - 1)) ? '0 : rd_q + 1'b1;
      if (give_i) wr_q <= (wr_q == W'(N - 1)) ? '0 : wr_q + 1'b1;
      if (take_i && rd_q == W'(N - 1)) fresh_q <= 1'b0;
      if (take_i != give_i)   free_q <= give_i ? free_q + 1'b1 : free_q - 1'b1;
      if (give_i != credit_i) owed_q <= give_i ? owed_q + 1'b1 : owed_q - 1'b1;
    end
  end

  // A take has a credit, given in an earlier cycle.
  `ASSUME(a_take, !take_i || free_q > owed_q)
  // A returned number was not free.
  `ASSUME(a_give, !give_i || free_q != COUNT_W'(N))
  `ASSERT(a_credit, !credit_i || owed_o)

endmodule
