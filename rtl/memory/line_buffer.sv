// SPDX-License-Identifier: Apache-2.0
// Lines that memory sends back, by tag: written a beat at a time as they come, read by the lanes.
// With few lanes each lane has a copy and reads one word of its own; with 32 lanes a sector is read,
// and each lane picks up to four words of it. Where a cache gives whole lines a line is read instead.
// Latency: words stand one cycle after rd_en_i.
// Handshake: none. A tag is not read while its beats are coming.
// It does not count what has come: the end of a request says so.
`include "heddle_idle.svh"

module line_buffer #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES,
  localparam int unsigned PAR   = mem_pkg::PAR,
  localparam int unsigned TAG_W = line_pkg::TAG_W
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from the request channel; beats of other tags are not the load/store unit's
  input  logic                            ld_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */                  // each form of the buffer reads a part
  input  line_pkg::back_t                 ld_i,
  // from line_gather: which words
  input  logic                            rd_en_i,
  input  logic [TAG_W-1:0]                rd_tag_i,
  input  logic [1:0]                      rd_part_i,    // 32 lanes: the sector
  input  logic [1:0]                      rd_word_i,    // few lanes: the word of the access
  input  logic [LANES-1:0][6:0]           rd_place_i,   // where in the line each lane's access begins
  input  logic [LANES-1:0][6:0]           at_place_i,   // the same, a cycle later,
  input  logic                            at_wide_i,    // and that it has several words
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [LANES-1:0][PAR-1:0][31:0] words_o
);

  localparam int unsigned BITS   = line_pkg::BITS;
  localparam int unsigned BEATS  = line_pkg::BEATS;
  localparam int unsigned WORDS  = BITS / 32;
  localparam int unsigned LINES  = line_pkg::LINES;

  logic take;
  assign take = ld_valid_i && 32'(ld_i.tag) < LINES;

  if (PAR == 1) begin : gen_words
    localparam int unsigned DEPTH  = LINES * BEATS;
    localparam int unsigned ADDR_W = $clog2(DEPTH);
    localparam int unsigned WORD_W = (WORDS > 1) ? $clog2(WORDS) : 1;

    logic [LANES-1:0][ADDR_W-1:0] row_of;
    logic [LANES-1:0][WORD_W-1:0] word_of;
    logic [LANES-1:0][31:0]       words;

    always_comb begin
      row_of  = 'x;
      word_of = 'x;
      `HEDDLE_ONLY(rd_en_i) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          automatic logic [4:0] place = rd_place_i[l][6:2] | 5'(rd_word_i);
          row_of[l]  = ADDR_W'(32'(rd_tag_i) * BEATS + 32'(place) / WORDS);
          word_of[l] = WORD_W'(32'(place) % WORDS);
        end
      end
    end

    ram_unpack #(.LANES(LANES), .WORDS(WORDS), .DEPTH(DEPTH)) u_copies (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (take),
      .wr_addr_i (ADDR_W'(32'(ld_i.tag) * BEATS + 32'(ld_i.beat))),
      .wr_data_i (ld_i.data),
      .rd_en_i   (rd_en_i),
      .rd_addr_i (row_of),
      .rd_word_i (word_of),
      .rd_data_o (words)
    );
    for (genvar l = 0; l < LANES; l++) begin : gen_lane
      assign words_o[l][0] = words[l];
    end
  end else if (line_pkg::WHOLE) begin : gen_lines
    localparam int unsigned ADDR_W = $clog2(LINES);

    logic [BEATS-1:0][BITS-1:0] line;
    logic [31:0][31:0]          word;

    for (genvar b = 0; b < BEATS; b++) begin : gen_beat
      ram_apart #(.WIDTH(BITS), .DEPTH(LINES)) u_lines (
        .clk_i     (clk_i),
        .rst_ni    (rst_ni),
        .wr_en_i   (take && ld_i.there[b]),
        .wr_addr_i (ADDR_W'(ld_i.tag)),
        .wr_data_i (ld_i.data[b]),
        .rd_en_i   (rd_en_i),
        .rd_addr_i (ADDR_W'(rd_tag_i)),
        .rd_data_o (line[b])
      );
    end
    assign word = line;

    logic live_q;
    always_ff @(posedge clk_i) live_q <= rd_en_i;

    always_comb begin
      words_o = 'x;
      `HEDDLE_ONLY(live_q) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          for (int unsigned w = 0; w < PAR; w++) words_o[l][w] = word[at_place_i[l][6:2] | (at_wide_i ? 5'(w) : 5'd0)];
        end
      end
    end
  end else begin : gen_sectors
    // Beats side by side make a sector; of wider ones it is a part.
    localparam int unsigned SIDE   = (BITS < 256) ? 256 / BITS : 1;
    localparam int unsigned DEPTH  = LINES * BEATS / SIDE;
    localparam int unsigned ADDR_W = $clog2(DEPTH);

    logic [ADDR_W-1:0]      wr_addr, rd_addr;
    logic [SIDE*BITS-1:0]   row;
    logic [255:0]           sector;

    assign wr_addr = ADDR_W'((32'(ld_i.tag) * BEATS + 32'(ld_i.beat)) / SIDE);
    assign rd_addr = ADDR_W'((32'(rd_tag_i) * BEATS + 32'(rd_part_i) * 256 / BITS) / SIDE);

    for (genvar s = 0; s < SIDE; s++) begin : gen_side
      ram_apart #(.WIDTH(BITS), .DEPTH(DEPTH)) u_lines (
        .clk_i     (clk_i),
        .rst_ni    (rst_ni),
        .wr_en_i   (take && 32'(ld_i.beat) % SIDE == s),
        .wr_addr_i (wr_addr),
        .wr_data_i (ld_i.data),
        .rd_en_i   (rd_en_i),
        .rd_addr_i (rd_addr),
        .rd_data_o (row[s*BITS +: BITS])
      );
    end

    if (BITS > 256) begin : gen_part
      logic [1:0] part_q;
      always_ff @(posedge clk_i) begin
        if (rd_en_i) part_q <= rd_part_i;
      end
      assign sector = row[(32'(part_q) % (BITS / 256)) * 256 +: 256];
    end else begin : gen_all
      assign sector = row;
    end

    logic live_q;
    always_ff @(posedge clk_i) live_q <= rd_en_i;

    always_comb begin
      words_o = 'x;
      `HEDDLE_ONLY(live_q) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          for (int unsigned w = 0; w < PAR; w++) begin
            words_o[l][w] = sector[{at_place_i[l][4:2] | (at_wide_i ? 3'(w) : 3'd0), 5'd0} +: 32];
          end
        end
      end
    end
  end

endmodule
