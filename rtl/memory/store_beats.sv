// SPDX-License-Identifier: Apache-2.0
// Which bytes of a row of a store go out now: a beat of the line at most, so that of lanes that
// write the same byte the highest stays. With 32 lanes a unit of the line (256 bits, or a beat where
// that is less) with the bytes of all lanes, units ascending. With fewer lanes ascending by lane: a
// word of it, or (from 8 lanes on) two words, its own or its and that of the next lane, if both lie
// in one beat at places of different kinds, even and odd.
// Latency: combinational from the row; it takes as many steps as it has such pieces. Handshake:
// load_i says that a row comes, which stands beside it from the next cycle on, until final_o and
// step_i; step_i takes what is shown.
// It does not read data: group_o is what data_i has to show in the next cycle (TAKE words of a lane).
`include "heddle_idle.svh"

module store_beats #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned TAKE    = mem_pkg::ST_TAKE,
  localparam int unsigned GROUP_W = mem_pkg::ST_GROUP_W
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // from line_request: a row
  input  logic                             load_i,        // event: it comes,
  input  logic [LANES-1:0]                 lanes_i,       // with these lanes,
  input  logic [1:0]                       new_part_i,    // and this word, if it is one word of several
  input  logic [2:0]                       size_i,
  input  logic [1:0]                       part_i,
  input  logic [LANES-1:0][6:0]            offset_i,      // in the line
  input  logic [TAKE-1:0][LANES-1:0][31:0] data_i,
  input  logic                             step_i,
  output logic                             more_o,        // something is left,
  output logic                             final_o,       // nothing after this
  output logic [GROUP_W-1:0]               first_group_o, // words of the row that comes
  output logic [GROUP_W-1:0]               group_o,       // ... of this one, in the next cycle
  output line_pkg::write_t                 beat_o
);

  localparam int unsigned BITS   = line_pkg::BITS;
  localparam int unsigned BYTES  = line_pkg::BYTES;
  localparam int unsigned WORDS  = BITS / 32;             // of a beat
  localparam int unsigned BEAT_W = line_pkg::BEAT_W;

  logic             quad, wide;
  logic [LANES-1:0] left_q;    // lanes that have something left

  assign quad          = size_i == isa_pkg::SIZE_128;
  assign wide          = quad || size_i == isa_pkg::SIZE_64;
  assign first_group_o = GROUP_W'(32'(new_part_i) / TAKE);

  if (TAKE == 4) begin : gen_units
    localparam int unsigned UNIT_WORDS = (WORDS < 8) ? WORDS : 8;
    localparam int unsigned UNITS      = 32 / UNIT_WORDS;
    localparam int unsigned UNIT_W     = $clog2(UNITS);

    logic [UNITS-1:0]            gone_q, waits, hot;
    logic [UNIT_W-1:0]           unit;
    logic [UNIT_WORDS-1:0][31:0] sum;
    logic [4*UNIT_WORDS-1:0]     strb;
    logic [3:0]                  bytes;
    logic [31:0]                 word;
    logic                        unused;

    assign group_o = '0;
    assign unused  = rst_ni;

    // Units that an access of the row reaches, but those that have gone.
    always_comb begin
      waits = '0;
      `HEDDLE_ONLY(left_q != '0) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          for (int unsigned w = 0; w < 4; w++) begin
            if (left_q[l] && (w == 0 || (w == 1 && wide) || quad)) waits[UNIT_W'((32'(offset_i[l][6:2]) + w) / UNIT_WORDS)] = 1'b1;
          end
        end
        waits = waits & ~gone_q;
      end
    end

    lowest_one #(.N(UNITS)) u_unit (
      .in_i     (waits),
      .onehot_o (hot),
      .index_o  (unit),
      .any_o    (more_o)
    );
    assign final_o = waits == hot && more_o;

    always_ff @(posedge clk_i) begin
      if (load_i)      gone_q <= '0;
      else if (step_i) gone_q <= gone_q | hot;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                left_q <= '0;
      else if (load_i)            left_q <= lanes_i;
      else if (step_i && final_o) left_q <= '0;
    end

    always_comb begin
      sum   = '0;
      strb  = '0;
      bytes = '0;
      word  = '0;
      `HEDDLE_ONLY(more_o) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          if (left_q[l]) begin
            bytes = mem_pkg::byte_mask(size_i, offset_i[l][1:0]);
            for (int unsigned w = 0; w < 4; w++) begin
              automatic logic [4:0] place = offset_i[l][6:2] + 5'(w);
              if ((w == 0 || (w == 1 && wide) || quad) && 32'(place) / UNIT_WORDS == 32'(unit)) begin
                word = wide ? data_i[w][l] : mem_pkg::replicate(size_i, data_i[part_i][l]);
                for (int unsigned y = 0; y < 4; y++) begin
                  if (bytes[y]) begin
                    strb[4 * (32'(place) % UNIT_WORDS) + y]      = 1'b1;
                    sum[32'(place) % UNIT_WORDS][8*y +: 8] = word[8*y +: 8];
                  end
                end
              end
            end
          end
        end
      end
    end

    always_comb begin
      beat_o      = '0;
      beat_o.beat = BEAT_W'(32'(unit) * UNIT_WORDS / WORDS);
      beat_o.data = {WORDS / UNIT_WORDS{sum}};
      beat_o.strb = BYTES'(strb) << (32'(unit) * UNIT_WORDS % WORDS * 4);
    end
  end else begin : gen_lane
    localparam int unsigned STEP = (TAKE < WORDS) ? TAKE : WORDS;   // words of a lane that a step takes

    // The words that go: up to two, each with its place in the line and the bytes of it that count.
    logic [LANES-1:0] hot, rest, after;
    logic [6:0]       at;
    logic [1:0]       word_q, word_next, last;      // of the lane's access: the first that goes, in a step
    logic [31:0]      word_a, word_b;
    logic [4:0]       place_a, place_b;
    logic [1:0][3:0]  bytes;
    logic             lane_done;

    assign last      = quad ? 2'(4 - STEP) : (wide && STEP == 1) ? 2'd1 : 2'd0;
    assign lane_done = word_q == last;
    assign word_next = !step_i ? word_q : lane_done ? '0 : word_q + 2'(STEP);
    assign group_o   = GROUP_W'(32'(word_next | part_i) / TAKE);
    assign hot       = left_q & (~left_q + LANES'(1));
    assign after     = left_q & (left_q - LANES'(1));
    assign more_o    = left_q != '0;
    assign place_a   = at[6:2] | 5'(word_q);
    assign bytes[0]  = mem_pkg::byte_mask(size_i, at[1:0]);

    onehot_mux #(.WIDTH(7), .N(LANES)) u_offset (
      .sel_i  (hot),
      .data_i (offset_i),
      .data_o (at)
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        word_q <= '0;
        left_q <= '0;
      end else begin
        word_q <= word_next;
        if (load_i)                   left_q <= lanes_i;
        else if (step_i && lane_done) left_q <= rest;
      end
    end

    // For the words that are shown: the only one, that of the step, or the first of two that go.
    logic                   which;
    logic [LANES-1:0][31:0] first_words;
    assign which = TAKE > 1 && (part_i[0] || (STEP == 1 && word_q[0]));
    for (genvar l = 0; l < LANES; l++) begin : gen_first
      assign first_words[l] = data_i[which][l];
    end
    logic [31:0] first_word;
    onehot_mux #(.WIDTH(32), .N(LANES)) u_word (
      .sel_i  (hot),
      .data_i (first_words),
      .data_o (first_word)
    );
    assign word_a  = mem_pkg::replicate(size_i, first_word);

    if (STEP == 1) begin : gen_one
      assign rest     = after;
      assign final_o  = lane_done && after == '0;
      assign word_b  = word_a;
      assign place_b = place_a;
      assign bytes[1] = '0;
    end else begin : gen_two
      logic [LANES-1:0]       next;
      logic [LANES-1:0][31:0] second_words;
      logic [6:0]             next_at;
      logic [31:0]            second_word;
      logic                   joins;

      assign next  = after & (~after + LANES'(1));
      assign joins = !wide && after != '0 && next_at[2] != at[2] && 32'(next_at[6:2]) / WORDS == 32'(at[6:2]) / WORDS;
      assign rest  = joins ? after & ~next : after;
      assign final_o = lane_done && rest == '0;

      onehot_mux #(.WIDTH(7), .N(LANES)) u_next_offset (
        .sel_i  (next),
        .data_i (offset_i),
        .data_o (next_at)
      );
      for (genvar l = 0; l < LANES; l++) begin : gen_second
        assign second_words[l] = data_i[wide ? 1'b1 : part_i[0]][l];
      end
      onehot_mux #(.WIDTH(32), .N(LANES)) u_second (
        .sel_i  (wide ? hot : next),
        .data_i (second_words),
        .data_o (second_word)
      );
      assign word_b  = mem_pkg::replicate(size_i, second_word);
      assign place_b = wide ? place_a | 5'd1 : next_at[6:2];
      assign bytes[1] = wide ? 4'hf : mem_pkg::byte_mask(size_i, next_at[1:0]) & {4{joins}};
    end

    // Words at even and at odd places are repeated over the beat; its bytes say which count.
    always_comb begin
      beat_o      = '0;
      beat_o.beat = BEAT_W'(32'(place_a) / WORDS);
      for (int unsigned w = 0; w < WORDS; w++) begin
        beat_o.data[32*w +: 32] = (bytes[1] != '0 && place_b[0] == 1'(w)) ? word_b : word_a;
        for (int unsigned k = 0; k < 2; k++) begin
          if (32'((k == 0) ? place_a : place_b) % WORDS == w) beat_o.strb[4*w +: 4] |= bytes[k];
        end
      end
    end
  end

endmodule
