// SPDX-License-Identifier: Apache-2.0
// rtl/memory/store_beats.sv, with four lanes and the bus of 64 bits as in `tiny` and `mid`. A word
// of one lane goes a step: rows of stores one after another, taken whenever the receiver likes.
// config: tiny
`include "properties.svh"

module store_beats_formal (
  input logic                               clk_i,
  input logic                               come,      // a row: what the `new` say
  input logic [mem_pkg::LANES-1:0]          new_lanes,
  input logic [2:0]                         new_size,
  input logic [1:0]                         new_part,
  input logic [mem_pkg::LANES-1:0][6:0]     new_offset,
  input logic [3:0][mem_pkg::LANES-1:0][31:0] new_data,
  input logic [6:0]                         new_byte,  // any byte of the line
  input logic                               ready
);
  `RESET
  localparam int unsigned LANES = mem_pkg::LANES;
  localparam int unsigned BYTES = line_pkg::BYTES;

  // A row, which holds until it has gone. It has the words that were requested.
  logic [2:0]                  size_q;
  logic [1:0]                  part_q, first_group, group, group_q;
  logic [LANES-1:0]            lanes_q;
  logic [LANES-1:0][6:0]       offset_q;
  logic [3:0][LANES-1:0][31:0] data_q;
  logic [6:0]                  byte_q;
  logic                        load, step, more, last_beat;
  line_pkg::write_t            beat;

  assign step = more && ready;
  assign load = come && (!more || (step && last_beat));

  store_beats u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .load_i        (load),
    .lanes_i       (new_lanes),
    .new_part_i    (new_part),
    .size_i        (size_q),
    .part_i        (part_q),
    .offset_i      (offset_q),
    .data_i        (data_q[group_q]),
    .step_i        (step),
    .more_o        (more),
    .final_o       (last_beat),
    .first_group_o (first_group),
    .group_o       (group),
    .beat_o        (beat)
  );

  // The byte as written so far, with the beat of now.
  logic       any_q, any, writes;
  logic [7:0] got_q, got;
  logic [4:0] steps_q;
  assign writes = 7'(beat.beat) == byte_q / 7'(BYTES) && beat.strb[byte_q % 7'(BYTES)];
  assign any    = any_q || writes;
  assign got    = writes ? beat.data[8*(byte_q % 7'(BYTES)) +: 8] : got_q;
  always_ff @(posedge clk_i) begin
    group_q <= load ? first_group : group;
    if (!rst_ni) begin
      {size_q, part_q, lanes_q, offset_q, any_q, steps_q} <= '0;
    end else if (load) begin
      {size_q, part_q, lanes_q, offset_q, data_q, byte_q} <= {new_size, new_part, new_lanes, new_offset, new_data, new_byte};
      {any_q, steps_q} <= '0;
    end else if (step) begin
      any_q   <= any;
      got_q   <= got;
      steps_q <= steps_q + 5'd1;
    end
  end

  // Sizes that there are; addresses are multiples of them; one word of several is a word.
  function automatic logic aligned(logic [2:0] size, logic [1:0] part, logic [LANES-1:0][6:0] offset);
    aligned = size <= isa_pkg::SIZE_128 && (part == 2'd0 || mem_pkg::size_mask(size) == 4'd3);
    for (int l = 0; l < int'(LANES); l++) aligned = aligned && (offset[l][3:0] & mem_pkg::size_mask(size)) == 4'd0;
  endfunction
  `GIVEN(g_aligned, aligned(new_size, new_part, new_offset))

  // The final byte: that of the highest lane which stores there. And the byte so
  // far, when of the lowest lane that is left word_q words have gone, and no lane above it has begun.
  logic [LANES-1:0] left;
  logic [1:0]       word;
  logic             hit, hit_now;
  logic [7:0]       want, want_now;
  logic [6:0]       at;
  logic [4:0]       words, gone;
  assign left = u_dut.left_q;
  assign word = u_dut.gen_lane.word_q;
  always_comb begin
    {hit, want, hit_now, want_now, at, words, gone} = '0;
    for (int l = 0; l < int'(LANES); l++) begin
      automatic logic first = left[l] && (left & (LANES'(1) << l) - LANES'(1)) == '0;
      at = byte_q - offset_q[l];
      if (lanes_q[l]) begin
        words += 5'(mem_pkg::size_mask(size_q) / 4) + 5'd1;
        gone  += !left[l] ? 5'(mem_pkg::size_mask(size_q) / 4) + 5'd1 : first ? 5'(word) : 5'd0;
        if (at <= 7'(mem_pkg::size_mask(size_q))) begin
          hit  = 1'b1;
          want = data_q[part_q | at[3:2]][l][8*at[1:0] +: 8];
          if (!left[l] || (first && at[3:2] < word)) begin
            hit_now  = 1'b1;
            want_now = want;
          end
        end
      end
    end
  end

  // Inside: the upper lanes of the row are left, words of the lowest one, and those are shown
  // that are to go.
  logic right;
  assign right = aligned(size_q, part_q, offset_q) && (left & ~lanes_q) == '0
    && (left == '0 || (left ^ lanes_q) < (left & (~left + LANES'(1))))
    && word <= 2'(mem_pkg::size_mask(size_q) / 4)
    && (left != '0 || word == 2'd0) && (left == '0 || group_q == (part_q | word)) && steps_q == gone;

  // When the row has gone, a byte has been written exactly if a lane stores there.
  `PROVE(p_bytes, right && any_q == hit_now && (!(step && last_beat) || any == hit))
  // The byte there is that of the highest such lane.
  `PROVE(p_highest, right && any_q == hit_now && (!any_q || got_q == want_now) && (!(step && last_beat && hit) || got == want))
  // A row has gone after as many steps as it has words, and the last one is marked.
  `PROVE(p_steps, right && more == (steps_q != words) && (!more || last_beat == (steps_q + 5'd1 == words)))
  // It never writes where no lane stores.
  `PROVE(p_none, right && (!step || !writes || hit))
  // All lanes store four words at one place.
  `REACH(r_same, !more && steps_q == 5'd16 && offset_q == {LANES{7'd112}})
endmodule
