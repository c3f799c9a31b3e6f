// SPDX-License-Identifier: Apache-2.0
// Which bytes of a store's row go out now, ascending by lane, so that the highest lane stays. By ST_BITS: 32, a word of the
// lowest lane that is left; 64, two words of it, or its word and that of the next lane where one has an even and the other
// an odd place in the sector; 256, all lanes of the row.
// Latency: combinational; a row takes as many steps as it has such pieces. Handshake: step_i says that a piece is taken, what
// is left after it is left_next_o.
// Data are shown at one place of each width: the receiver repeats them over the sector, strobes choose. With few lanes a row's words
// come as they are asked for: a group of them (ST_TAKE words of each lane), for the next cycle.
`default_nettype none

module store_words #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned ST_BITS = mem_pkg::ST_BITS,
  localparam int unsigned TAKE    = mem_pkg::ST_TAKE,
  localparam int unsigned GROUP_W = (TAKE == 4) ? 1 : $clog2(mem_pkg::ST_GROUPS)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from and to store_merge: the row
  input  logic                          valid_i,
  input  logic                          step_i,
  input  logic [2:0]                    size_i,
  input  logic [1:0]                    part_i,        // which word of its data an access of one word takes
  input  logic [LANES-1:0]              left_i,        // lanes that have not gone
  input  logic [LANES-1:0][4:0]         offset_i,      // in the sector
  input  logic [TAKE-1:0][LANES-1:0][31:0] data_i,
  output logic [LANES-1:0]              left_next_o,
  output logic                          final_o,       // no lane is left after this piece
  output logic [GROUP_W-1:0]            group_o,       // that data_i has to show in the next cycle, of a row that stays
  // to the point of order
  output logic [31:0]                   strb_o,
  output mem_pkg::piece_t               piece_o,       // the same, of 32 or 64 bits
  output logic [ST_BITS-1:0]            data_o
);

  logic quad, wide;

  assign quad = size_i == isa_pkg::SIZE_128;
  assign wide = quad || size_i == isa_pkg::SIZE_64;

  if (ST_BITS == 256) begin : gen_row
    localparam int unsigned WORDS = 8;
    logic [255:0] sum;
    logic [2:0]   keep;      // word bits that tell accesses apart
    logic [3:0]   bytes;
    logic [31:0]  word;
    logic         unused;

    assign keep        = quad ? 3'b100 : wide ? 3'b110 : 3'b111;
    assign left_next_o = '0;
    assign final_o     = 1'b1;
    assign data_o      = sum;
    assign group_o     = '0;
    assign piece_o     = '0;
    assign unused      = ^{clk_i, rst_ni, step_i};

    always_comb begin
      sum    = '0;
      strb_o = '0;
      bytes  = '0;
      word   = '0;
      if (valid_i) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          if (left_i[l]) begin
            bytes = mem_pkg::byte_mask(size_i, offset_i[l][1:0]);
            for (int unsigned w = 0; w < WORDS; w++) begin
              if (((offset_i[l][4:2] ^ 3'(w)) & keep) == '0) begin
                word = quad ? data_i[w%4][l] : wide ? data_i[w%2][l] : mem_pkg::replicate(size_i, data_i[part_i][l]);
                for (int unsigned y = 0; y < 4; y++) begin
                  if (bytes[y]) begin
                    strb_o[4*w+y]      = 1'b1;
                    sum[32*w+8*y +: 8] = word[8*y +: 8];
                  end
                end
              end
            end
          end
        end
      end
    end
  end else begin : gen_lane
    localparam int unsigned WORDS = TAKE;           // a step takes of one lane
    logic [3:0]             own_bytes;
    logic [LANES-1:0]       hot, after;
    logic [4:0]             at;
    logic [1:0]             word_q, word_next, shown, last;
    logic [31:0]            picked;
    logic                   lane_done;

    assign last      = 2'((quad ? 4 : wide ? 2 : WORDS) - WORDS);
    assign lane_done = word_q == last;
    assign word_next = !step_i ? word_q : lane_done ? '0 : word_q + 2'(WORDS);
    assign shown     = word_next | part_i;
    assign group_o   = GROUP_W'(shown >> $clog2(WORDS));
    assign hot       = left_i & (~left_i + LANES'(1));
    assign after     = left_i & (left_i - LANES'(1));

    assign own_bytes = mem_pkg::byte_mask(size_i, at[1:0]);
    assign strb_o    = (32'(piece_o.bytes[0]) << {piece_o.pair[0], 3'b000}) | (32'(piece_o.bytes[1]) << {piece_o.pair[1], 3'b100});

    onehot_mux #(.WIDTH(5), .N(LANES)) u_offset (
      .sel_i  (hot),
      .data_i (offset_i),
      .data_o (at)
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni) word_q <= '0;
      else         word_q <= word_next;
    end

    if (WORDS == 1) begin : gen_one
      logic [2:0] place;
      logic       unused;
      assign final_o = lane_done && after == '0;
      assign place   = at[4:2] | 3'(word_q);
      onehot_mux #(.WIDTH(32), .N(LANES)) u_word (
        .sel_i  (hot),
        .data_i (data_i[0]),
        .data_o (picked)
      );
      assign unused      = valid_i;
      assign left_next_o = lane_done ? left_i & ~hot : left_i;
      assign piece_o     = '{pair: {2{place[2:1]}}, bytes: place[0] ? {own_bytes, 4'd0} : {4'd0, own_bytes}};
      assign data_o      = mem_pkg::replicate(size_i, picked);
    end else begin : gen_two
      // The second word: of the same access, or of the next lane.
      logic [LANES-1:0]       rest, next, at_odd;   // at_odd: lanes that are left, at odd places
      logic [LANES-1:0][31:0] own;         // the word of an access of one
      logic [4:0]             next_at;
      logic [31:0]            even, odd, other, second;
      logic                   pair, swap, unused;
      logic [1:0]             own_pair, other_pair;
      logic [3:0]             other_bytes;

      assign unused      = ^{valid_i, shown[0]};
      assign rest        = left_i & ~hot;
      assign next        = rest & (~rest + LANES'(1));
      assign pair        = !wide && rest != '0 && next_at[2] != at[2];
      assign swap        = !wide && at[2];
      assign left_next_o = !lane_done ? left_i : pair ? rest & ~next : rest;

      for (genvar l = 0; l < LANES; l++) begin : gen_own
        assign own[l] = data_i[part_i[0]][l];
        assign at_odd[l] = left_i[l] && offset_i[l][2];
      end
      // The last lane, or the last two, of which one has an odd place.
      assign final_o = lane_done && (after == '0 || (!wide && (after & (after - LANES'(1))) == '0 && ^at_odd));

      onehot_mux #(.WIDTH(32), .N(LANES)) u_even (
        .sel_i  (hot),
        .data_i (data_i[0]),
        .data_o (even)
      );

      onehot_mux #(.WIDTH(32), .N(LANES)) u_odd (
        .sel_i  (hot),
        .data_i (data_i[1]),
        .data_o (odd)
      );

      onehot_mux #(.WIDTH(32), .N(LANES)) u_other (
        .sel_i  (next),
        .data_i (own),
        .data_o (other)
      );

      onehot_mux #(.WIDTH(5), .N(LANES)) u_next_offset (
        .sel_i  (next),
        .data_i (offset_i),
        .data_o (next_at)
      );

      assign picked = part_i[0] ? odd : even;
      assign second = wide ? odd : other;
      // The other word is of the same access, or of a lane at a place of the other kind.
      assign other_bytes = wide ? 4'hf : mem_pkg::byte_mask(size_i, next_at[1:0]) & {4{pair}};
      assign other_pair  = wide ? at[4:3] | 2'(word_q[1]) : next_at[4:3];
      assign own_pair    = at[4:3] | (wide ? 2'(word_q[1]) : 2'd0);
      assign piece_o     = swap ? '{pair: {own_pair, other_pair}, bytes: {own_bytes, other_bytes}}
                                : '{pair: {other_pair, own_pair}, bytes: {other_bytes, own_bytes}};
      assign data_o = swap ? {mem_pkg::replicate(size_i, picked), mem_pkg::replicate(size_i, second)}
        : {mem_pkg::replicate(size_i, second), mem_pkg::replicate(size_i, picked)};
    end
  end

endmodule

`default_nettype wire
