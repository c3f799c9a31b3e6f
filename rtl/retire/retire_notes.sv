// SPDX-License-Identifier: Apache-2.0
// What records alone need of requests (line_pkg::note_t), by sender and tag, for a bank of memory that shows one.
// Latency: a cycle from rd_en_i, and it stays until the next. Handshake: events.
// A note stays until its tag has another one: the request has been shown by then.
// It does not look at what it keeps.
module retire_notes #(
  localparam int unsigned SENDERS = line_pkg::SENDERS
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  line_pkg::note_t [SENDERS-1:0]   note_i,
  input  logic                            rd_en_i,
  input  logic [line_pkg::BANK_TAG_W-1:0] rd_tag_i,
  output line_pkg::note_t                 note_o
);

  line_pkg::note_t [SENDERS-1:0]   notes;
  logic [line_pkg::SENDER_W-1:0]   sender_q;

  for (genvar s = 0; s < SENDERS; s++) begin : gen_sender
    ram_apart #(.WIDTH($bits(line_pkg::note_t)), .DEPTH(line_pkg::TAGS), .FEW(line_pkg::TAGS <= order_pkg::FEW)) u_notes (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (note_i[s].valid),
      .wr_addr_i (note_i[s].tag),
      .wr_data_i (note_i[s]),
      .rd_en_i   (rd_en_i && 32'(line_pkg::sm_of(rd_tag_i)) == s),
      .rd_addr_i (line_pkg::TAG_W'(rd_tag_i)),
      .rd_data_o (notes[s])
    );
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) sender_q <= line_pkg::sm_of(rd_tag_i);
  end
  assign note_o = notes[sender_q];

endmodule
