// SPDX-License-Identifier: Apache-2.0
// What gmem writes to memory: 256 bits and 32 byte enables for each of its entries. What goes to memory, what an atomic changes and
// what is shown in a record are read at once, so each has a copy. The first two read a part of a sector at a time: theirs lie in
// rows of as much as the bus has, apart for words of even and of odd number, since a store may write two words of different rows.
// Byte enables are gathered in such rows as well, a piece of a store at a time; they count in words that have been written.
// Latency: reads 0; what is written in cycle t is read from t+1 on.
// Handshake: none. One of a beat read from memory (of an atomic's sector), bytes of a store and an atomic's sum is written a
// cycle: a beat goes first, then a store, and whoever gives the others knows it.
// It does not know what an entry is for.
`default_nettype none
`include "heddle_idle.svh"

module gmem_data #(
  localparam int unsigned ENTRIES  = mem_pkg::ENTRIES,
  localparam int unsigned ENTRY_W  = mem_pkg::ENTRY_W,
  localparam int unsigned AXI_BITS = mem_pkg::AXI_BITS,
  localparam int unsigned ST_BITS  = mem_pkg::ST_BITS,
  localparam int unsigned CNT_W    = mem_pkg::AXI_CNT_W
) (
  input  logic                clk_i,
  // a beat from memory
  input  logic                ax_valid_i,
  input  logic [ENTRY_W-1:0]  ax_entry_i,
  input  logic [CNT_W-1:0]    ax_beat_i,
  input  logic [AXI_BITS-1:0] ax_data_i,
  // bytes of a store
  input  logic                st_valid_i,
  input  logic [ENTRY_W-1:0]  st_entry_i,
  input  logic [31:0]         st_strb_i,
  input  mem_pkg::piece_t     st_piece_i,
  input  logic [7:0]          st_words_i,         // words of which it has written some before
  input  logic [ST_BITS-1:0]  st_data_i,
  // the sum of an atomic, one word or two from a word of the sector on
  input  logic                at_valid_i,
  input  logic [ENTRY_W-1:0]  at_entry_i,
  input  logic                at_wide_i,
  input  logic [2:0]          at_word_i,
  input  logic [63:0]         at_sum_i,
  // all has been written: byte enables, and the words that have any
  input  logic                strb_valid_i,
  input  logic [ENTRY_W-1:0]  strb_entry_i,
  input  logic [31:0]         strb_i,
  input  logic [7:0]          words_i,
  // read on the way to memory: a piece, at each of its places; byte enables
  input  logic                rd_live_i,          // somebody looks: only saves work in simulation, as the others
  input  logic [ENTRY_W-1:0]  rd_entry_i,
  input  logic [CNT_W-1:0]    rd_beat_i,
  output logic [255:0]        rd_data_o,
  output logic [31:0]         rd_strb_o,
  // read for an atomic, of at_entry_i: a pair of words
  input  logic                pair_live_i,
  input  logic [1:0]          pair_i,
  output logic [1:0][31:0]    pair_data_o,
  // read for the record
  input  logic                fr_live_i,
  input  logic [ENTRY_W-1:0]  fr_entry_i,
  output logic [255:0]        fr_data_o,
  output logic [31:0]         fr_strb_o
);

  logic               wr_any;
  logic [31:0]        wr_en, beat_bytes;
  logic [ENTRY_W-1:0] wr_entry;
  logic [255:0]       wr_data;

  for (genvar b = 0; b < 32; b++) begin : gen_byte
    assign beat_bytes[b] = ax_beat_i == CNT_W'(b * 8 / AXI_BITS);
  end

  assign wr_any   = ax_valid_i || st_valid_i || at_valid_i;
  assign wr_entry = ax_valid_i ? ax_entry_i : st_valid_i ? st_entry_i : at_entry_i;

  always_comb begin
    wr_en   = '0;
    wr_data = 'x;
    if (`HEDDLE_LIVE(wr_any)) begin
      if (ax_valid_i) begin
        wr_en   = beat_bytes;
        wr_data = {mem_pkg::AXI_BEATS{ax_data_i}};
      end else if (st_valid_i) begin
        wr_en   = st_strb_i;
        wr_data = {(256/ST_BITS){st_data_i}};
      end else begin
        if (at_valid_i) wr_en = (at_wide_i ? 32'hff : 32'hf) << {at_word_i, 2'b00};
        wr_data = {4{at_sum_i}};
      end
    end
  end

  // ---- rows: of each the words of even and of odd number -------------------------------------------
  localparam int unsigned ROW_BITS = (ST_BITS == 256) ? 256 : (AXI_BITS < 64) ? 64 : AXI_BITS;
  localparam int unsigned ROWS     = 256 / ROW_BITS;
  localparam int unsigned ROW_W    = (ROWS > 1) ? $clog2(ROWS) : 1;
  localparam int unsigned HALF     = ROW_BITS / 64;            // words of either in a row
  localparam int unsigned DEPTH    = ENTRIES * ROWS;
  localparam int unsigned ADDR_W   = $clog2(DEPTH);

  logic [1:0][ROW_W-1:0]           row;       // that is written, of each
  logic [1:0][4*HALF-1:0]          row_en;
  logic [1:0][HALF-1:0][31:0]      row_data;  // the same in all rows
  logic [1:0][HALF-1:0][31:0]      piece, pairs;

  always_comb begin
    row      = 'x;
    row_en   = '0;
    row_data = 'x;
    if (`HEDDLE_LIVE(wr_any)) begin
      for (int unsigned p = 0; p < 2; p++) begin
        if (ST_BITS == 256) begin
          row[p] = '0;
          for (int unsigned w = 0; w < HALF; w++) row_en[p][4*w +: 4] = wr_en[4*(2*w+p) +: 4];
        end else begin
          automatic logic [1:0] pair = st_valid_i ? st_piece_i.pair[p] : at_word_i[2:1];
          row[p] = ROW_W'(ax_valid_i ? 32'(ax_beat_i) * AXI_BITS / ROW_BITS : 32'(pair) / HALF);
          if (ax_valid_i)                                          row_en[p] = {4*HALF{AXI_BITS >= 64 || 32'(ax_beat_i) % 2 == p}};
          else if (st_valid_i)                                     row_en[p] = (4*HALF)'(st_piece_i.bytes[p]) << (4 * (32'(pair) % HALF));
          else if (at_valid_i && (at_wide_i || 32'(at_word_i[0]) == p)) row_en[p] = (4*HALF)'(15) << (4 * (32'(pair) % HALF));
        end
        for (int unsigned w = 0; w < HALF; w++) row_data[p][w] = wr_data[32*(2*w+p) +: 32];
      end
    end
  end

  function automatic logic [ADDR_W-1:0] at(logic [ENTRY_W-1:0] entry, logic [ROW_W-1:0] of_entry);
    at = (ROWS > 1) ? ADDR_W'({entry, of_entry}) : ADDR_W'(entry);
  endfunction

  for (genvar p = 0; p < 2; p++) begin : gen_words
    ram_live #(.WIDTH(32 * HALF), .DEPTH(DEPTH), .PARTS(4 * HALF)) u_piece (
      .clk_i     (clk_i),
      .wr_en_i   (row_en[p]),
      .wr_addr_i (at(wr_entry, row[p])),
      .wr_data_i (row_data[p]),
      .rd_live_i (rd_live_i),
      .rd_addr_i (at(rd_entry_i, ROW_W'(32'(rd_beat_i) * AXI_BITS / ROW_BITS))),
      .rd_data_o (piece[p])
    );
    ram_live #(.WIDTH(32 * HALF), .DEPTH(DEPTH), .PARTS(4 * HALF)) u_pair (
      .clk_i     (clk_i),
      .wr_en_i   (row_en[p]),
      .wr_addr_i (at(wr_entry, row[p])),
      .wr_data_i (row_data[p]),
      .rd_live_i (pair_live_i),
      .rd_addr_i (at(at_entry_i, ROW_W'(32'(pair_i) / HALF))),
      .rd_data_o (pairs[p])
    );
    assign pair_data_o[p] = pairs[p][32'(pair_i) % HALF];
  end

  always_comb begin
    rd_data_o = 'x;
    if (`HEDDLE_LIVE(rd_live_i)) begin
      for (int unsigned w = 0; w < 8; w++) rd_data_o[32*w +: 32] = piece[w%2][(w/2) % HALF];
    end
  end

  // ---- for the record, and byte enables -------------------------------------------------------------
  ram_columns #(.DEPTH(ENTRIES)) u_record (
    .clk_i     (clk_i),
    .wr_any_i  (wr_any),
    .wr_en_i   (wr_en),
    .wr_addr_i (wr_entry),
    .wr_data_i (wr_data),
    .rd_live_i (fr_live_i),
    .rd_addr_i ({8{fr_entry_i}}),
    .rd_data_o (fr_data_o)
  );

  ram_async #(.WIDTH(32), .DEPTH(ENTRIES)) u_strb (
    .clk_i     (clk_i),
    .wr_en_i   (strb_valid_i),
    .wr_addr_i (strb_entry_i),
    .wr_data_i (strb_i),
    .rd_addr_i (fr_entry_i),
    .rd_data_o (fr_strb_o)
  );

  if (ST_BITS == 256) begin : gen_whole
    ram_async #(.WIDTH(32), .DEPTH(ENTRIES)) u_out (
      .clk_i     (clk_i),
      .wr_en_i   (strb_valid_i),
      .wr_addr_i (strb_entry_i),
      .wr_data_i (strb_i),
      .rd_addr_i (rd_entry_i),
      .rd_data_o (rd_strb_o)
    );
    logic unused;
    assign unused = ^{st_piece_i, st_words_i, words_i, row_en};
  end else begin : gen_pieces
    logic [1:0][4*HALF-1:0] had_bytes, bytes, enables;
    logic [1:0][HALF-1:0]   written;
    logic [ROW_W-1:0]       rd_row;
    logic [7:0]             words;

    assign rd_row = ROW_W'(32'(rd_beat_i) * AXI_BITS / ROW_BITS);

    // A piece adds to the bytes that its word had, if any; an atomic's words are whole.
    for (genvar p = 0; p < 2; p++) begin : gen_parity
      logic had;
      assign had = st_words_i[{st_piece_i.pair[p], 1'(p)}];
      for (genvar w = 0; w < HALF; w++) begin : gen_word
        assign written[p][w]       = !ax_valid_i && row_en[p][4*w +: 4] != '0;
        assign bytes[p][4*w +: 4] = row_en[p][4*w +: 4] | (had_bytes[p][4*w +: 4] & {4{had}});
      end
      ram_live #(.WIDTH(4 * HALF), .DEPTH(DEPTH), .PARTS(HALF)) u_had (
        .clk_i     (clk_i),
        .wr_en_i   (written[p]),
        .wr_addr_i (at(wr_entry, row[p])),
        .wr_data_i (bytes[p]),
        .rd_live_i (written[p] != '0),
        .rd_addr_i (at(wr_entry, row[p])),
        .rd_data_o (had_bytes[p])
      );
      ram_live #(.WIDTH(4 * HALF), .DEPTH(DEPTH), .PARTS(HALF)) u_out (
        .clk_i     (clk_i),
        .wr_en_i   (written[p]),
        .wr_addr_i (at(wr_entry, row[p])),
        .wr_data_i (bytes[p]),
        .rd_live_i (rd_live_i),
        .rd_addr_i (at(rd_entry_i, rd_row)),
        .rd_data_o (enables[p])
      );
    end

    ram_async #(.WIDTH(8), .DEPTH(ENTRIES)) u_words (
      .clk_i     (clk_i),
      .wr_en_i   (strb_valid_i),
      .wr_addr_i (strb_entry_i),
      .wr_data_i (words_i),
      .rd_addr_i (rd_entry_i),
      .rd_data_o (words)
    );

    always_comb begin
      rd_strb_o = 'x;
      `HEDDLE_ONLY(rd_live_i) begin
        for (int unsigned w = 0; w < 8; w++) begin
          rd_strb_o[4*w +: 4] = enables[w%2][4*((w/2)%HALF) +: 4] & {4{words[32'(rd_row) * 2 * HALF + w % (2 * HALF)]}};
        end
      end
    end
  end

endmodule

`default_nettype wire
