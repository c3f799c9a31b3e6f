// SPDX-License-Identifier: Apache-2.0
// rtl/memory/store_beats.sv, with the 32 lanes and the bus of 256 bits of `sm`, the bytes of all
// lanes in a unit of the line: rows of stores one after another, taken whenever the receiver likes.
// config: sm
`default_nettype none
`include "properties.svh"

module store_units_formal (
  input logic                                 clk_i,
  input logic                                 come,      // a row: what the `new` say
  input logic [mem_pkg::LANES-1:0]            new_lanes,
  input logic [2:0]                           new_size,
  input logic [1:0]                           new_part,
  input logic [mem_pkg::LANES-1:0][6:0]       new_offset,
  input logic [3:0][mem_pkg::LANES-1:0][31:0] new_data,
  input logic [6:0]                           new_byte,  // any byte of the line
  input logic                                 ready
);
  `RESET
  localparam int unsigned LANES = mem_pkg::LANES;
  localparam int unsigned BYTES = line_pkg::BYTES;
  localparam int unsigned UNITS = 4;

  // A row, which stands until it has gone, with all its words.
  logic [2:0]                  size_q;
  logic [1:0]                  part_q;
  logic [LANES-1:0]            lanes_q;
  logic [LANES-1:0][6:0]       offset_q;
  logic [3:0][LANES-1:0][31:0] data_q;
  logic [6:0]                  byte_q;
  logic                        load, step, more, last_beat, unused_first, unused_group;
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
    .data_i        (data_q),
    .step_i        (step),
    .more_o        (more),
    .final_o       (last_beat),
    .first_group_o (unused_first),
    .group_o       (unused_group),
    .beat_o        (beat)
  );

  // Steps of the row that have been taken; whether its byte went, or goes now.
  logic       any_q, writes;
  logic [2:0] steps_q;
  assign writes = 7'(beat.beat) == byte_q / 7'(BYTES) && beat.strb[byte_q % 7'(BYTES)];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {size_q, part_q, lanes_q, offset_q, any_q, steps_q} <= '0;
    end else if (load) begin
      {size_q, part_q, lanes_q, offset_q, data_q, byte_q} <= {new_size, new_part, new_lanes, new_offset, new_data, new_byte};
      {any_q, steps_q} <= '0;
    end else if (step) begin
      any_q   <= any_q || writes;
      steps_q <= steps_q + 3'd1;
    end
  end

  // Sizes that there are; addresses are multiples of them; one word of several is a word.
  function automatic logic aligned(logic [2:0] size, logic [1:0] part, logic [LANES-1:0][6:0] offset);
    aligned = size <= isa_pkg::SIZE_128 && (part == 2'd0 || mem_pkg::size_mask(size) == 4'd3);
    for (int l = 0; l < int'(LANES); l++) aligned = aligned && (offset[l][3:0] & mem_pkg::size_mask(size)) == 4'd0;
  endfunction
  `GIVEN(g_aligned, aligned(new_size, new_part, new_offset))

  // What must lie at that byte: that of the highest lane which stores there. And the units of the line
  // that any lane reaches, an access of up to 16 bytes none but that of its first byte.
  logic             hit;
  logic [7:0]       want;
  logic [6:0]       at;
  logic [UNITS-1:0] reach;
  always_comb begin
    {hit, want, at, reach} = '0;
    for (int l = 0; l < int'(LANES); l++) begin
      at = byte_q - offset_q[l];
      if (lanes_q[l]) begin
        reach[offset_q[l][6:5]] = 1'b1;
        if (at <= 7'(mem_pkg::size_mask(size_q))) begin
          hit  = 1'b1;
          want = data_q[part_q | at[3:2]][l][8*at[1:0] +: 8];
        end
      end
    end
  end

  // What is inside: units that have gone are the lowest of those that are reached; lanes are left together.
  logic             right, here;
  logic [UNITS-1:0] gone;
  assign gone  = u_dut.gen_units.gone_q;
  assign here  = u_dut.left_q != '0;
  assign right = aligned(size_q, part_q, offset_q) && (!here || (u_dut.left_q == lanes_q && (gone & ~reach) == '0
    && gone < (reach & ~gone & (~(reach & ~gone) + UNITS'(1))) && 32'(steps_q) == $countones(gone)
    && any_q == (hit && gone[byte_q[6:5]])));

  // Each byte goes out with the last step of its row at the latest, exactly if a lane stores there, and once.
  `PROVE(p_bytes, right && (!step || !writes || (hit && !any_q)) && (!(step && last_beat) || (any_q || writes) == hit))
  // What goes out is the byte of the highest such lane.
  `PROVE(p_highest, !step || !writes || beat.data[8*(byte_q % 7'(BYTES)) +: 8] == want)
  // A row has gone after as many steps as it has units, and the last one is told.
  `PROVE(p_steps, right && more == here && (!more || (32'(steps_q) < $countones(reach) && last_beat == (32'(steps_q) + 1 == $countones(reach)))))
  // A row goes in four steps.
  `REACH(r_four, step && last_beat && steps_q == 3'd3)
endmodule

`default_nettype wire
