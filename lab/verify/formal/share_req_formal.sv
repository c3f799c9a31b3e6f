// SPDX-License-Identifier: Apache-2.0
// rtl/sm/share_req.sv, with three partitions, words of four bits and tags of two.
// config: tiny
// quick
`include "properties.svh"

module share_req_formal (
  input logic            clk_i,
  input logic [2:0]      req_valid,
  input logic [2:0][3:0] req,
  input logic            ready,
  input logic [2:0][1:0] req_tag,
  input logic            rsp_valid,
  input logic [3:0]      rsp_tag,
  input logic            watch        // the request taken now is followed to its answer
);
  `RESET
  localparam int unsigned N = 3;

  logic [N-1:0] req_ready, rsp_for;
  logic         valid;
  logic [3:0]   word, tag;
  logic [1:0]   own;

  share_req #(.N(N), .WIDTH(4), .TAG_W(2)) u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_valid_i (req_valid),
    .req_ready_o (req_ready),
    .req_i       (req),
    .req_tag_i   (req_tag),
    .valid_o     (valid),
    .ready_i     (ready),
    .req_o       (word),
    .req_tag_o   (tag),
    .rsp_valid_i (rsp_valid),
    .rsp_tag_i   (rsp_tag),
    .rsp_valid_o (rsp_for),
    .rsp_tag_o   (own)
  );

  logic take;
  assign take = valid && ready;

  // Requests stay until taken.
  logic [N-1:0]      held_q;
  logic [N-1:0][5:0] req_q, all;
  always_comb begin
    for (int p = 0; p < int'(N); p++) all[p] = {req[p], req_tag[p]};
  end
  always_ff @(posedge clk_i) begin
    held_q <= rst_ni ? req_valid & ~req_ready : '0;
    req_q  <= all;
  end
  logic held_ok;
  always_comb begin
    held_ok = (held_q & ~req_valid) == '0;
    for (int p = 0; p < int'(N); p++) held_ok = held_ok && (!held_q[p] || all[p] == req_q[p]);
  end
  `GIVEN(g_stable, held_ok)

  // One request, followed: its partition, its tag, and the tag that went out.
  logic         in_q;
  logic [N-1:0] who_q;
  logic [1:0]   own_q;
  logic [3:0]   tag_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) in_q <= 1'b0;
    else if (take && watch) begin
      in_q  <= 1'b1;
      who_q <= req_ready;
      own_q <= req_tag[req_ready[0] ? 2'd0 : req_ready[1] ? 2'd1 : 2'd2];
      tag_q <= tag;
    end
  end
  // An answer has the tag of a request.
  `GIVEN(g_tag, !rsp_valid || rsp_tag[1:0] < 2'(N))

  // The answer goes to the requesting partition, with its own tag, after any later requests.
  `PROVE(p_back, !(in_q && rsp_valid && rsp_tag == tag_q) || (rsp_for == who_q && own == own_q))
  // Every answer goes to exactly one partition.
  `PROVE(p_one, $countones(rsp_for) == 32'(rsp_valid))
  // The request that goes out is that of the one partition which sees it taken.
  `PROVE(p_word, !take || ($countones(req_ready) == 1 && (req_ready & ~req_valid) == '0
    && {word, tag[3:2]} == ({6{req_ready[0]}} & all[0] | {6{req_ready[1]}} & all[1] | {6{req_ready[2]}} & all[2])))
  // An answer comes for another partition than the last requester.
  `REACH(r_other, in_q && rsp_valid && rsp_tag != tag_q)
endmodule
