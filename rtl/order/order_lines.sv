// SPDX-License-Identifier: Apache-2.0
// Lines of atomics by slot, from memory and back, in rows of a beat (two at 32 bits). Two readers, a copy each: the bus reads a row with
// a change bit for each word; the atomic unit reads a pair of words.
// Latency: read data is there from the next cycle until the next read; a write in cycle t is read from t+1 on.
// Handshake: a beat from memory is an event; a lane's words are written while at_ready_o. Words read and written in one cycle are
// undefined.
// It has no operation.
module order_lines #(
  localparam int unsigned SLOTS     = order_pkg::SLOTS,
  localparam int unsigned SLOT_W    = order_pkg::SLOT_W,
  localparam int unsigned ROWS      = order_pkg::ROWS,
  localparam int unsigned ROW_W     = order_pkg::ROW_W,
  localparam int unsigned ROW_WORDS = order_pkg::ROW_WORDS,
  localparam int unsigned WORDS     = order_pkg::BITS / 32
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // a beat from memory
  /* verilator lint_off UNUSEDSIGNAL */   // of it, an atomic's part; of a row, its place
  input  order_pkg::found_t           found_i,
  // to and from order_atom: words of one line
  input  logic [SLOT_W-1:0]           at_slot_i,
  input  logic                        at_read_i,
  input  logic [4:0]                  at_from_i,      // the pair of this word
  output logic [1:0][31:0]            at_pair_o,
  output logic                        at_ready_o,
  input  logic                        at_write_i,     // event
  input  logic [4:0]                  at_word_i,
  input  logic                        at_wide_i,      // this word and the next one
  input  logic [1:0][31:0]            at_sum_i,       // one word twice, or two
  // to and from order_write: a row
  input  order_pkg::row_t             row_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output order_pkg::bytes_t           bytes_o,
  // writes, for retire_order
  output order_pkg::changed_t         changed_o
);

  localparam int unsigned DEPTH  = SLOTS * ROWS;
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam int unsigned SUB_W  = (ROW_WORDS > 2) ? $clog2(ROW_WORDS / 2) : 1;   // a pair of a row

  function automatic logic [ADDR_W-1:0] place(logic [SLOT_W-1:0] slot, logic [ROW_W-1:0] row);
    place = ADDR_W'(32'(slot) * ROWS + 32'(row));
  endfunction

  // ---- writes -----------------------------------------------------------------------------------------
  logic line;
  assign line       = found_i.valid && found_i.atom;
  assign at_ready_o = !line;

  always_comb begin
    changed_o.valid = line || at_write_i;
    changed_o.slot = line ? found_i.slot : at_slot_i;
    changed_o.row  = ROW_W'(line ? 32'(found_i.beat) * WORDS / ROW_WORDS : 32'(at_word_i) / ROW_WORDS);
    for (int unsigned w = 0; w < ROW_WORDS; w++) begin
      automatic logic here = 32'(at_word_i) % ROW_WORDS == w || (at_wide_i && (32'(at_word_i) % ROW_WORDS | 32'd1) == w);
      changed_o.en[w]   = line ? 32'(found_i.beat) % (ROW_WORDS / WORDS) == w / WORDS : at_write_i && here;
      changed_o.data[w] = line ? {1'b0, found_i.data[32*(w%WORDS) +: 32]} : {1'b1, at_sum_i[w%2]};
    end
  end

  // ---- a pair of words --------------------------------------------------------------------------
  logic [ROW_WORDS-1:0][31:0]        words;
  logic [ROW_WORDS/2-1:0][1:0][31:0] at_row;
  logic [SUB_W-1:0]                  at_sub_q;

  for (genvar w = 0; w < ROW_WORDS; w++) begin : gen_written
    assign words[w] = changed_o.data[w][31:0];
  end

  ram_1r1w #(.WIDTH(32 * ROW_WORDS), .DEPTH(DEPTH), .GRAIN(32), .RACE(1'b1)) u_pairs (
    .clk_i     (clk_i),
    .wr_en_i   (changed_o.en),
    .wr_addr_i (place(changed_o.slot, changed_o.row)),
    .wr_data_i (words),
    .rd_en_i   (at_read_i),
    .rd_addr_i (place(at_slot_i, ROW_W'(32'(at_from_i) / ROW_WORDS))),
    .rd_data_o (at_row)
  );

  always_ff @(posedge clk_i) begin
    if (at_read_i) at_sub_q <= SUB_W'(32'(at_from_i) % ROW_WORDS / 2);
  end

  if (ROW_WORDS > 2) begin : gen_sub
    assign at_pair_o = at_row[at_sub_q];
  end else begin : gen_one
    logic unused;
    assign unused    = at_sub_q;
    assign at_pair_o = at_row[0];
  end

  // ---- a row for the bus ------------------------------------------------------------------------
  logic [ROW_WORDS/WORDS-1:0][WORDS-1:0][32:0] row;
  logic [WORDS-1:0][32:0]                      beat;
  logic                                        half_q;   // of a row that is two beats

  ram_apart #(.WIDTH(33 * ROW_WORDS), .DEPTH(DEPTH), .PARTS(ROW_WORDS)) u_rows (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (changed_o.en),
    .wr_addr_i (place(changed_o.slot, changed_o.row)),
    .wr_data_i (changed_o.data),
    .rd_en_i   (row_i.valid && row_i.atom),
    .rd_addr_i (place(row_i.slot, ROW_W'(32'(row_i.beat) * WORDS / ROW_WORDS))),
    .rd_data_o (row)
  );

  always_ff @(posedge clk_i) begin
    if (row_i.valid) half_q <= row_i.beat[0];
  end

  if (ROW_WORDS > WORDS) begin : gen_half
    assign beat = row[half_q];
  end else begin : gen_whole
    logic unused;
    assign unused = half_q;
    assign beat   = row[0];
  end

  for (genvar w = 0; w < WORDS; w++) begin : gen_word
    assign bytes_o.strb[4*w +: 4]    = {4{beat[w][32]}};
    assign bytes_o.data[32*w +: 32] = beat[w][31:0];
  end

endmodule
