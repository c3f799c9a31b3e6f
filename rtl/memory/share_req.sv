// SPDX-License-Identifier: Apache-2.0
// One request port for the N partitions of an SM, with answers in any order: a turn for each. A request's tag goes out with the
// number of its partition below it, which brings the answer back.
// Latency: none either way. A request and an answer a cycle; whoever asks is taken after all others at the latest.
// Handshake: requests valid/ready, held until taken on both sides; answers are events.
// It does not look at requests or answers, nor count them. With one partition it is wires.
`include "heddle_assert.svh"

module share_req #(
  parameter int unsigned N     = 2,
  parameter int unsigned WIDTH = 32,
  parameter int unsigned TAG_W = 4,
  localparam int unsigned WHO_W = (N > 1) ? $clog2(N) : 0
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the partitions
  input  logic [N-1:0]            req_valid_i,
  output logic [N-1:0]            req_ready_o,
  input  logic [N-1:0][WIDTH-1:0] req_i,
  input  logic [N-1:0][TAG_W-1:0] req_tag_i,
  // to whom they share
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic [WIDTH-1:0]        req_o,
  output logic [TAG_W+WHO_W-1:0]  req_tag_o,
  // from there, and to who asked
  input  logic                    rsp_valid_i,
  input  logic [TAG_W+WHO_W-1:0]  rsp_tag_i,
  output logic [N-1:0]            rsp_valid_o,
  output logic [TAG_W-1:0]        rsp_tag_o
);

  if (N == 1) begin : gen_wires
    assign valid_o     = req_valid_i[0];
    assign req_ready_o = ready_i;
    assign req_o       = req_i[0];
    assign req_tag_o   = req_tag_i[0];
    assign rsp_valid_o = rsp_valid_i;
    assign rsp_tag_o   = rsp_tag_i;
    logic unused;
    assign unused      = &{1'b0, clk_i, rst_ni};
  end else begin : gen_share
    logic [N-1:0]     pick, ask, held_q;
    logic [WHO_W-1:0] who;

    arb_rr #(.N(N)) u_turn (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .req_i   (ask),
      .grant_o (pick),
      .take_i  (valid_o && ready_i)
    );

    // Who was offered stays until taken, and only then has had his turn.
    assign ask     = (held_q != '0) ? held_q : req_valid_i;
    assign valid_o = pick != '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) held_q <= '0;
      else         held_q <= (valid_o && !ready_i) ? pick : '0;
    end

    logic [N-1:0][WIDTH+TAG_W-1:0] word;
    logic [TAG_W-1:0]              tag;
    for (genvar p = 0; p < N; p++) begin : gen_word
      assign word[p]        = {req_i[p], req_tag_i[p]};
      assign rsp_valid_o[p] = rsp_valid_i && rsp_tag_i[WHO_W-1:0] == WHO_W'(p);
    end
    onehot_mux #(.N(N), .WIDTH(WIDTH + TAG_W)) u_req (
      .sel_i  (pick),
      .data_i (word),
      .data_o ({req_o, tag})
    );
    onehot_index #(.N(N)) u_who (
      .onehot_i (pick),
      .index_o  (who)
    );
    assign req_tag_o   = {tag, who};
    assign rsp_tag_o   = rsp_tag_i[WHO_W +: TAG_W];
    assign req_ready_o = (valid_o && ready_i) ? pick : '0;

    // Turns are fair: while one waits, nobody else is served twice.
    logic [N-1:0][N-1:0] before_q;   // of each who waits: who has been served since
    logic [N-1:0]        unfair;
    always_comb begin
      unfair = '0;
      for (int unsigned p = 0; p < N; p++) unfair[p] = req_valid_i[p] && (req_ready_o & before_q[p]) != '0;
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned p = 0; p < N; p++) begin
        if (!rst_ni || !req_valid_i[p] || req_ready_o[p]) before_q[p] <= '0;
        else                                              before_q[p] <= before_q[p] | req_ready_o;
      end
    end
    `ASSERT(a_fair, unfair == '0)
  end

endmodule
