// SPDX-License-Identifier: Apache-2.0
// rtl/memory/store_words.sv, with the four lanes of `tiny`, a word of one lane a step: any row of a store, to its end.
// config: tiny
`default_nettype none
`include "properties.svh"

module store_words_formal (
  input logic clk_i
);
  `RESET
  localparam int unsigned LANES = mem_pkg::LANES;

  // Any row, which stands until it has gone, and any byte of the sector. Of its words those stand there that were asked for.
  logic [2:0]                 size_q;
  logic [LANES-1:0]           lanes_q, left_q, left_next;
  logic [LANES-1:0][4:0]      offset_q;
  logic [3:0][LANES-1:0][31:0] data_q;
  logic [4:0]                 byte_q;
  logic [31:0]                strb;
  mem_pkg::piece_t            unused_piece;
  logic [mem_pkg::ST_BITS-1:0] data;
  logic                       valid, take, last_piece;
  logic [1:0]                 group, group_q;

  assign valid = left_q != '0;
  assign take  = valid;   // the receiver never waits

  store_words u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .valid_i     (valid),
    .step_i      (take),
    .size_i      (size_q),
    .part_i      (2'd0),
    .left_i      (left_q),
    .offset_i    (offset_q),
    .data_i      (data_q[group_q]),
    .left_next_o (left_next),
    .final_o     (last_piece),
    .group_o     (group),
    .strb_o      (strb),
    .piece_o     (unused_piece),   // strb_o says the same
    .data_o      (data)
  );

  logic [7:0] got_q;
  logic       any_q;
  always_ff @(posedge clk_i) begin
    {size_q, lanes_q, offset_q, data_q, byte_q} <= {size_q, lanes_q, offset_q, data_q, byte_q};
    group_q <= rst_ni ? group : '0;
    if (!rst_ni) begin
      left_q <= lanes_q;
      any_q  <= 1'b0;
    end else if (take) begin
      left_q <= left_next;
      // The receiver repeats the word over the sector; strobes choose.
      if (strb[byte_q]) begin
        any_q <= 1'b1;
        got_q <= data[8*byte_q[1:0] +: 8];
      end
    end
  end

  // Sizes that there are; addresses are multiples of them.
  logic aligned;
  always_comb begin
    aligned = size_q <= isa_pkg::SIZE_128;
    for (int l = 0; l < int'(LANES); l++) aligned = aligned && (offset_q[l][3:0] & mem_pkg::size_mask(size_q)) == 4'd0;
  end
  `GIVEN(g_aligned, aligned)

  // What must lie at that byte: that of the highest lane which stores there.
  logic       hit;
  logic [7:0] want;
  logic [4:0] at;
  always_comb begin
    hit  = 1'b0;
    want = 8'd0;
    at   = 5'd0;
    for (int l = 0; l < int'(LANES); l++) begin
      at = byte_q - offset_q[l];
      if (lanes_q[l] && at <= 5'(mem_pkg::size_mask(size_q))) begin
        hit  = 1'b1;
        want = data_q[at[3:2]][l][8*at[1:0] +: 8];
      end
    end
  end

  // Steps that have been taken: sixteen are enough for four lanes of four words.
  logic [4:0] steps_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)   steps_q <= 5'd0;
    else if (take) steps_q <= steps_q + 5'd1;
  end

  // When the row has gone, a byte has been written exactly if a lane stores there.
  `BOUND(19, p_bytes, valid || any_q == hit)
  // What lies there is the byte of the highest such lane (rows of up to eight words).
  `BOUND(11, p_highest, valid || !hit || got_q == want)
  // A row has gone after as many steps as it has words.
  `BOUND(19, p_steps, !valid || steps_q < 5'd16)
  // The last piece is told.
  `PROVE(p_final, !valid || last_piece == (left_next == '0))
  // It never writes where no lane stores.
  `PROVE(p_none, !valid || !strb[byte_q] || hit)
  // All lanes store four words at one place.
  `REACH(r_same, !valid && steps_q == 5'd16)
endmodule

`default_nettype wire
