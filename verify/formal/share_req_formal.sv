// SPDX-License-Identifier: Apache-2.0
// rtl/memory/share_req.sv (who reaches the caches), with three partitions, words of four bits and three answers owed.
// config: tiny
// quick
`default_nettype none
`include "properties.svh"

module share_req_formal (
  input logic            clk_i,
  input logic [2:0]      req_valid,
  input logic [2:0][3:0] req,
  input logic            ready,
  input logic            rsp_valid,
  input logic            watch        // the request taken now is followed to its answer
);
  `RESET
  localparam int unsigned N = 3, OWED = 3;

  logic [N-1:0] req_ready, rsp_for;
  logic         valid;
  logic [3:0]   word;

  share_req #(.N(N), .WIDTH(4), .OWED(OWED)) u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_valid_i (req_valid),
    .req_ready_o (req_ready),
    .req_i       (req),
    .valid_o     (valid),
    .ready_i     (ready),
    .req_o       (word),
    .rsp_valid_i (rsp_valid),
    .rsp_valid_o (rsp_for)
  );

  logic take;
  assign take = valid && ready;

  // Requests stay until taken.
  logic [N-1:0]      held_q;
  logic [N-1:0][3:0] req_q;
  logic              kept_q;
  logic [3:0]        word_q;
  always_ff @(posedge clk_i) begin
    held_q <= rst_ni ? req_valid & ~req_ready : '0;
    req_q  <= req;
    kept_q <= rst_ni && valid && !ready;
    word_q <= word;
  end
  logic held_ok;
  always_comb begin
    held_ok = (held_q & ~req_valid) == '0;
    for (int p = 0; p < int'(N); p++) held_ok = held_ok && (!held_q[p] || req[p] == req_q[p]);
  end
  `GIVEN(g_stable, held_ok)

  // Answers owed; one request, followed: how many are owed before its answer.
  logic [2:0]   owed_q;
  logic [2:0]   before_q;
  logic         in_q;
  logic [N-1:0] who_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owed_q <= 3'd0;
      in_q   <= 1'b0;
    end else begin
      owed_q <= owed_q + 3'(take) - 3'(rsp_valid);
      if (!in_q && take && watch) begin
        in_q     <= 1'b1;
        who_q    <= req_ready;
        before_q <= owed_q - 3'(rsp_valid);
      end else if (in_q && rsp_valid) begin
        in_q     <= before_q != 3'd0;
        before_q <= before_q - 3'd1;
      end
    end
  end
  // An answer belongs to a request that was taken before.
  `GIVEN(g_owed, !rsp_valid || owed_q != 3'd0)

  // Any one partition: requests of others taken since it began to ask.
  logic [1:0] one_q;
  logic [1:0] others_q;
  always_ff @(posedge clk_i) begin
    one_q <= one_q;
    if (!rst_ni || !req_valid[one_q] || req_ready[one_q]) others_q <= 2'd0;
    else if (take && others_q != 2'd3)                    others_q <= others_q + 2'd1;
  end
  `GIVEN(g_one, one_q < 2'(N))

  // The answer goes to the partition that asked, in the order of the requests.
  `PROVE(p_order, !(in_q && before_q == 3'd0 && rsp_valid) || rsp_for == who_q)
  // Every answer goes to exactly one partition.
  `PROVE(p_one, $countones(rsp_for) == 32'(rsp_valid))
  // What is offered is the request of the one that is told it was taken, and of one partition at a time.
  `PROVE(p_word, !take || ($countones(req_ready) == 1 && (req_ready & ~req_valid) == '0
    && word == ({4{req_ready[0]}} & req[0] | {4{req_ready[1]}} & req[1] | {4{req_ready[2]}} & req[2])))
  // Nobody is told so unless a request was taken.
  `PROVE(p_taken, take || req_ready == '0)
  // An offered request stays, unchanged, until it is taken.
  `PROVE(p_stable, !kept_q || (valid && word == word_q))
  // Whoever asks is taken after all others at the latest.
  `PROVE(p_wait, !(req_valid[one_q] && take && !req_ready[one_q]) || others_q < 2'(N - 1))
  // No more answers are owed than there is room to remember.
  `PROVE(p_room, owed_q <= 3'(OWED))
  // All that can be owed is.
  `REACH(r_full, owed_q == 3'(OWED) && in_q && before_q == 3'd2)
endmodule

`default_nettype wire
