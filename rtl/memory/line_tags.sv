// SPDX-License-Identifier: Apache-2.0
// Tags of the load/store unit's requests: which are free, and what each stands for until its answer
// has been given to the lanes.
// Latency: the next tag is chosen beforehand and stays until a request takes it; what a tag stands
// for is read in the same cycle (LUT RAM).
// Handshake: take_i only with free_o; give_i is an event.
// It does not count credits: line_join does.
`include "heddle_assert.svh"

module line_tags #(
  localparam int unsigned TAGS  = line_pkg::LINES,
  localparam int unsigned TAG_W = line_pkg::TAG_W
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // to and from line_request: the tag of the next request
  output logic              free_o,
  output logic [TAG_W-1:0]  tag_o,
  output logic [TAGS-1:0]   used_o,       // requests in flight
  input  logic              take_i,       // event: a request has it
  input  mem_pkg::tagged_t  tagged_i,
  // from line_gather: what a tag stands for; it is free again
  /* verilator lint_off UNUSEDSIGNAL */   // a tag of this unit's
  input  logic [TAG_W-1:0]  of_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output mem_pkg::tagged_t  tagged_o,
  input  logic              give_i,       // event
  input  logic [TAG_W-1:0]  give_tag_i
);

  localparam int unsigned INDEX_W = (TAGS > 1) ? $clog2(TAGS) : 1;

  logic [TAGS-1:0]    used_q, take, give;
  logic               next_valid_q, next_any;
  logic [INDEX_W-1:0] next_q, next;

  assign take = take_i ? TAGS'(1) << next_q : '0;
  assign give = give_i ? TAGS'(1) << give_tag_i : '0;

  // Tags for the request after the next one.
  lowest_one #(.N(TAGS)) u_next (
    .in_i     (~used_q & ~(next_valid_q ? TAGS'(1) << next_q : '0)),
    .onehot_o (),
    .index_o  (next),
    .any_o    (next_any)
  );

  always_ff @(posedge clk_i) begin
    if (!next_valid_q || take_i) next_q <= next;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q       <= '0;
      next_valid_q <= 1'b0;
    end else begin
      if (take_i || give_i)        used_q <= (used_q & ~give) | take;
      if (!next_valid_q || take_i) next_valid_q <= next_any;
    end
  end

  ram_async #(.WIDTH($bits(mem_pkg::tagged_t)), .DEPTH(TAGS)) u_tagged (
    .clk_i     (clk_i),
    .wr_en_i   (take_i),
    .wr_addr_i (next_q),
    .wr_data_i (tagged_i),
    .rd_addr_i (INDEX_W'(of_i)),
    .rd_data_o (tagged_o)
  );

  assign free_o = next_valid_q;
  assign used_o = used_q;
  assign tag_o  = TAG_W'(next_q);

  // Only what is in flight ends.
  `ASSERT(a_give, (give & ~used_q) == '0)
  `ASSERT(a_take, !take_i || next_valid_q)

endmodule
