// SPDX-License-Identifier: Apache-2.0
// One request port for the N partitions of an SM, with answers in any order: a turn for each. A request's tag goes out with the
// number of its partition below it, which brings the answer back.
// Latency: none either way. A request and an answer a cycle; turns are lib/stream_arb's.
// Handshake: requests valid/ready, held until taken on both sides; answers are events.
// It does not look at requests or answers, nor count them. With one partition it is wires.
module share_req #(
  parameter int unsigned N     = 2,
  parameter int unsigned WIDTH = 32,
  parameter int unsigned TAG_W = 4,
  localparam int unsigned PART_W = (N > 1) ? $clog2(N) : 0
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the partitions
  input  logic [N-1:0]            req_valid_i,
  output logic [N-1:0]            req_ready_o,
  input  logic [N-1:0][WIDTH-1:0] req_i,
  input  logic [N-1:0][TAG_W-1:0] req_tag_i,
  // to the cache that they share
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic [WIDTH-1:0]        req_o,
  output logic [TAG_W+PART_W-1:0] req_tag_o,
  // from there, and to the partition that asked
  input  logic                    rsp_valid_i,
  input  logic [TAG_W+PART_W-1:0] rsp_tag_i,
  output logic [N-1:0]            rsp_valid_o,
  output logic [TAG_W-1:0]        rsp_tag_o
);

  localparam int unsigned PARTS = 1 << PART_W;      // numbers of partitions

  logic [N-1:0][WIDTH+TAG_W+PART_W-1:0] word;

  stream_arb #(.N(N), .WIDTH(WIDTH + TAG_W + PART_W)) u_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (req_valid_i),
    .ready_o (req_ready_o),
    .data_i  (word),
    .valid_o (valid_o),
    .ready_i (ready_i),
    .last_i  (1'b1),
    .data_o  ({req_o, req_tag_o}),
    .sel_o   ()
  );

  for (genvar p = 0; p < N; p++) begin : gen_partition
    assign word[p]        = {req_i[p], (TAG_W+PART_W)'(32'(req_tag_i[p]) * PARTS + p)};
    assign rsp_valid_o[p] = rsp_valid_i && 32'(rsp_tag_i) % PARTS == p;
  end
  assign rsp_tag_o = rsp_tag_i[PART_W +: TAG_W];

endmodule
