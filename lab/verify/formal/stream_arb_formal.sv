// SPDX-License-Identifier: Apache-2.0
// rtl/lib/stream_arb.sv, with three streams of words of four bits. Any one stream is followed.
// config: tiny
// quick
`include "properties.svh"

module stream_arb_formal (
  input logic            clk_i,
  input logic [2:0]      valid,
  input logic [2:0][3:0] data,
  input logic [2:0]      last,        // of each stream's transfer: it ends a turn
  input logic            ready
);
  `RESET
  localparam int unsigned N = 3;

  logic [N-1:0] in_ready, sel;
  logic         out_valid, out_last;
  logic [3:0]   out;

  stream_arb #(.N(N), .WIDTH(4)) u_dut (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (valid),
    .ready_o (in_ready),
    .data_i  (data),
    .valid_o (out_valid),
    .ready_i (ready),
    .last_i  (out_last),
    .data_o  (out),
    .sel_o   (sel)
  );
  assign out_last = (sel & last) != '0;

  logic         take;
  logic [N-1:0] done;
  assign take = out_valid && ready;
  assign done = in_ready & valid;

  // A transfer that is offered stays until it is taken, in each stream.
  logic [N-1:0]      wait_q, last_q;
  logic [N-1:0][3:0] data_q;
  logic              kept_q, begun_q, stays;
  logic [3:0]        word_q;
  logic [N-1:0]      turn_q;
  always_ff @(posedge clk_i) begin
    wait_q <= rst_ni ? valid & ~done : '0;
    last_q <= last;
    data_q <= data;
    kept_q <= rst_ni && out_valid && !ready;
    word_q <= out;
    if (!rst_ni) begun_q <= 1'b0;
    else if (take) begin
      begun_q <= !out_last;
      turn_q  <= done;
    end
  end
  always_comb begin
    stays = (wait_q & ~valid) == '0;
    for (int n = 0; n < int'(N); n++)
      stays = stays && (!wait_q[n] || (data[n] == data_q[n] && last[n] == last_q[n]));
  end
  `GIVEN(g_stable, stays)

  // Any one stream: turns of others that have begun since it became valid.
  logic [1:0] one_q, others_q;
  always_ff @(posedge clk_i) begin
    one_q <= one_q;
    if (!rst_ni || !valid[one_q] || done[one_q])      others_q <= 2'd0;
    else if (take && !begun_q && others_q != 2'd3)    others_q <= others_q + 2'd1;
  end
  `GIVEN(g_one, one_q < 2'(N))

  // A transfer is that of the one stream which sees it taken, and which is valid.
  `PROVE(p_word, !take || ($countones(done) == 1 && sel == done
    && out == ({4{done[0]}} & data[0] | {4{done[1]}} & data[1] | {4{done[2]}} & data[2])))
  // No stream sees a transfer taken that is not.
  `PROVE(p_taken, take || done == '0)
  // The transfers of a turn come one after the other, without one of another stream between them.
  `PROVE(p_whole, !(take && begun_q) || done == turn_q)
  // An offered transfer stays, unchanged, until it is taken.
  `PROVE(p_stable, !kept_q || (out_valid && out == word_q))
  // While no turn is under way, one that is valid is offered.
  `PROVE(p_offers, begun_q || out_valid == (valid != '0))
  // A stream that is valid has its turn after those of all others at the latest.
  `PROVE(p_wait, !(valid[one_q] && take && !begun_q && !done[one_q]) || others_q < 2'(N - 1))
  // One has waited for both others, and its turn has several transfers.
  `REACH(r_wait, others_q == 2'(N - 1) && done[one_q] && !out_last)
endmodule
