// SPDX-License-Identifier: Apache-2.0
// Operands of atomics by slot, from their beats on: once by lane, and once by word, so that those of a row come together. The set of
// words, and whether two lanes share one.
// Latency: words and places are there always; operands a cycle after their address, until the next.
// Handshake: beats and requests are events.
// It does not compute.
module l2_operands (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from the channel
  input  logic                            lw_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */   // beats of an atomic, lanes of its request
  input  line_pkg::write_t                lw_i,
  input  order_pkg::asked_t               asked_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // to and from l2_steps
  input  logic [l2_pkg::SLOT_W-1:0]       slot_i,
  output logic [31:0]                     lanes_o,
  output logic [31:0]                     words_o,
  output logic                            apart_o,      // no two lanes change one word
  input  logic [l2_pkg::SLOT_W-1:0]       at_slot_i,
  input  logic [4:0]                      at_lane_i,
  output logic [4:0]                      at_word_o,
  // to and from the rows: operands of a lane, of a row's words
  input  logic                            lane_en_i,
  input  logic                            row_en_i,
  input  logic [l2_pkg::SLOT_W-1:0]       from_slot_i,
  input  logic [4:0]                      from_lane_i,
  input  logic [l2_pkg::ROW_W-1:0]        from_row_i,
  output logic [127:0]                    lane_o,       // b, c
  output logic [l2_pkg::WORDS-1:0][31:0]  low_o,        // of each word: b,
  output logic [l2_pkg::WORDS/2-1:0][31:0] high_o       // of each pair: the upper half, at 64 bits
);

  localparam int unsigned SLOTS  = l2_pkg::SLOTS;
  localparam int unsigned ROWS   = l2_pkg::ROWS;
  localparam int unsigned WORDS  = l2_pkg::WORDS;
  localparam int unsigned PIECE  = (l2_pkg::BITS < 128) ? l2_pkg::BITS : 128;
  localparam int unsigned PIECES = 128 / PIECE;
  localparam int unsigned LANE_A = $clog2(SLOTS * 32);
  localparam int unsigned ROW_A  = $clog2(SLOTS * ROWS);

  logic atom, first;      // a beat of an atomic, its lane's first
  assign atom  = lw_valid_i && lw_i.atom;
  assign first = atom && lw_i.piece == '0;

  // ---- words, and lanes of each ---------------------------------------------------------------------
  logic [31:0] words_q, words, hot;
  logic        twice_q, twice, together;

  assign hot   = first ? 32'd1 << lw_i.place : '0;
  assign words = words_q | hot;
  assign twice = twice_q || (words_q & hot) != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || asked_i.valid) begin
      words_q <= '0;
      twice_q <= 1'b0;
    end else begin
      words_q <= words;
      twice_q <= twice;
    end
  end

  ram_async #(.WIDTH(65), .DEPTH(SLOTS)) u_words (
    .clk_i     (clk_i),
    .wr_en_i   (asked_i.valid && asked_i.rq.kind == line_pkg::ATOM),
    .wr_addr_i (asked_i.slot),
    .wr_data_i ({twice, words, asked_i.rq.lanes}),
    .rd_addr_i (slot_i),
    .rd_data_o ({together, words_o, lanes_o})
  );
  assign apart_o = !together;

  ram_async #(.WIDTH(5), .DEPTH(SLOTS * 32)) u_places (
    .clk_i     (clk_i),
    .wr_en_i   (first),
    .wr_addr_i (LANE_A'({asked_i.slot, lw_i.lane})),
    .wr_data_i (lw_i.place),
    .rd_addr_i (LANE_A'({at_slot_i, at_lane_i})),
    .rd_data_o (at_word_o)
  );

  // ---- by lane ----------------------------------------------------------------------------------
  ram_apart #(.WIDTH(128), .DEPTH(SLOTS * 32), .PARTS(PIECES)) u_lanes (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (atom ? PIECES'(1) << lw_i.piece : '0),
    .wr_addr_i (LANE_A'({asked_i.slot, lw_i.lane})),
    .wr_data_i ({PIECES{lw_i.data[PIECE-1:0]}}),
    .rd_en_i   (lane_en_i),
    .rd_addr_i (LANE_A'({from_slot_i, from_lane_i})),
    .rd_data_o (lane_o)
  );

  // ---- by word: the lower half where it is, the upper one of an even word by its pair ------------
  logic [ROW_A-1:0]     wr_row, rd_row;
  logic [WORDS-1:0]     low_en;
  logic [WORDS/2-1:0]   high_en;

  assign wr_row = ROW_A'(32'(asked_i.slot) * ROWS + 32'(lw_i.place) / WORDS);
  assign rd_row = ROW_A'(32'(from_slot_i) * ROWS + 32'(from_row_i));
  always_comb begin
    for (int unsigned w = 0; w < WORDS; w++) low_en[w] = first && 32'(lw_i.place) % WORDS == w;
    for (int unsigned w = 0; w < WORDS / 2; w++) high_en[w] = low_en[2*w];
  end

  ram_apart #(.WIDTH(32 * WORDS), .DEPTH(SLOTS * ROWS), .PARTS(WORDS)) u_low (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (low_en),
    .wr_addr_i (wr_row),
    .wr_data_i ({WORDS{lw_i.data[31:0]}}),
    .rd_en_i   (row_en_i),
    .rd_addr_i (rd_row),
    .rd_data_o (low_o)
  );
  ram_apart #(.WIDTH(16 * WORDS), .DEPTH(SLOTS * ROWS), .PARTS(WORDS / 2)) u_high (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (high_en),
    .wr_addr_i (wr_row),
    .wr_data_i ({(WORDS/2){lw_i.data[63:32]}}),
    .rd_en_i   (row_en_i),
    .rd_addr_i (rd_row),
    .rd_data_o (high_o)
  );

endmodule
