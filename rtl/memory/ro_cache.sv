// SPDX-License-Identifier: Apache-2.0
// Read-only cache: direct-mapped, lines of 64 bytes (two sectors) in block RAM, OUT_BITS wide
// answers in the order of the requests. Latency of a hit: two cycles from request to answer, one
// a cycle. A miss blocks, fetches the line, looks again.
// Handshake: request valid/ready; answers are events; sector requests valid/ready, their data
// beats are events in order. skip_i requests are only passed along. A bus error is answered with
// err and fills nothing.
// It does not watch writes: invalidate_i (one cycle) empties it.
`default_nettype none
`include "heddle_assert.svh"

module ro_cache #(
  parameter int unsigned BYTES    = 2048,
  parameter int unsigned OUT_BITS = 32,
  parameter int unsigned TAG_BITS = 1,       // of the requester, returned with the answer
  localparam int unsigned LOW      = $clog2(OUT_BITS / 8),
  localparam int unsigned SECTOR_W = mem_pkg::SECTOR_W,
  localparam int unsigned AXI_BITS = mem_pkg::AXI_BITS
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  invalidate_i,
  input  logic                  stale_i,      // injected fault: a hit ignores the lowest tag bit
  // from the requester
  input  logic                  rq_valid_i,
  output logic                  rq_ready_o,
  input  logic [39:LOW]         rq_addr_i,    // byte address
  input  logic                  rq_skip_i,
  input  logic [TAG_BITS-1:0]   rq_tag_i,
  // to the requester
  output logic                  rs_valid_o,
  output logic [OUT_BITS-1:0]   rs_data_o,
  output logic                  rs_err_o,
  output logic [TAG_BITS-1:0]   rs_tag_o,
  output logic [SECTOR_W-1:0]   rs_sector_o,
  // to and from the AXI master
  output logic                  rd_valid_o,
  input  logic                  rd_ready_i,
  output logic [SECTOR_W-1:0]   rd_sector_o,
  input  logic                  ax_valid_i,
  input  logic [AXI_BITS-1:0]   ax_data_i,
  input  logic                  ax_err_i,
  output logic                  idle_o
);

  localparam int unsigned LINES    = BYTES / 64;
  localparam int unsigned INDEX_W  = $clog2(LINES);
  localparam int unsigned GROUPS   = LINES / 4;
  localparam int unsigned GROUP_W  = (GROUPS > 1) ? $clog2(GROUPS) : 1;
  localparam int unsigned TAGW     = 40 - 6 - INDEX_W;
  localparam int unsigned ROW_BITS = (AXI_BITS > OUT_BITS) ? AXI_BITS : OUT_BITS;   // of the data RAM
  localparam int unsigned ROWS     = 512 / ROW_BITS;                                // a line
  localparam int unsigned ROW_AW   = $clog2(LINES * ROWS);
  localparam int unsigned FILLS    = 512 / AXI_BITS;                                // beats a line
  localparam int unsigned FILL_W   = $clog2(FILLS);
  localparam int unsigned PARTS    = ROW_BITS / AXI_BITS;                           // beats a row
  localparam int unsigned RQ_W     = 40 - LOW + 1 + TAG_BITS;

  typedef enum logic [1:0] {LOOKUP, ASK, FILL, AGAIN} state_e;

  state_e               state_q;
  logic                 in_valid, in_take, in_skip;
  logic [39:LOW]        in_addr;
  logic [TAG_BITS-1:0]  in_tag;
  logic                 s1_valid_q, s1_skip_q, hit, answer, failed_q, stale_fill_q, second_q;
  logic [39:LOW]        s1_addr_q;
  logic [ROW_AW-1:0]    read_row, write_row;
  logic [TAG_BITS-1:0]  s1_tag_q;
  logic [GROUPS-1:0]    used_q;       // groups of four lines of which one has been looked for
  logic [GROUP_W-1:0]   s1_group;
  logic                 mark;
  logic [3:0]           line_hot, group, valid, marked;
  logic [INDEX_W-1:0]   s1_index;
  logic [TAGW-1:0]      s1_tagbits, line_tag;
  logic [OUT_BITS-1:0]  word;
  logic [FILL_W-1:0]    fill_q;
  logic                 fill_last, row_write;
  logic [ROW_BITS-1:0]  row_data;
  logic                 read_en;

  spare #(.WIDTH(RQ_W)) u_in (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (rq_valid_i),
    .in_ready_o  (rq_ready_o),
    .in_data_i   ({rq_addr_i, rq_skip_i, rq_tag_i}),
    .out_valid_o (in_valid),
    .out_ready_i (in_take),
    .out_data_o  ({in_addr, in_skip, in_tag})
  );

  // ---- lookup -----------------------------------------------------------------------------------
  assign in_take    = state_q == LOOKUP && (!s1_valid_q || answer);
  assign read_row   = (state_q == AGAIN) ? s1_addr_q[6 + INDEX_W - 1 -: ROW_AW] : in_addr[6 + INDEX_W - 1 -: ROW_AW];
  // The next one is read even if the one here misses, which reads again itself: whether it hits is known last.
  assign read_en    = state_q == AGAIN || (state_q == LOOKUP && in_valid);
  assign s1_index   = s1_addr_q[6 +: INDEX_W];
  assign s1_tagbits = s1_addr_q[39 -: TAGW];
  assign hit        = (valid & line_hot) != '0 && line_tag[TAGW-1:1] == s1_tagbits[TAGW-1:1]
                      && (stale_i || line_tag[0] == s1_tagbits[0]);
  assign answer     = state_q == LOOKUP && s1_valid_q && (hit || s1_skip_q || failed_q);

  ram_apart #(.WIDTH(TAGW), .DEPTH(LINES)) u_tags (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (row_write && fill_last),
    .wr_addr_i (s1_index),
    .wr_data_i (s1_tagbits),
    .rd_en_i   (read_en),
    .rd_addr_i (read_row[ROW_AW-1 -: INDEX_W]),
    .rd_data_o (line_tag)
  );

  assign write_row  = ROW_AW'(32'(s1_index) * ROWS + 32'(fill_q) / PARTS);

  // Of a bus wider than an answer the memory itself chooses the word.
  if (ROW_BITS > OUT_BITS) begin : gen_words
    localparam int unsigned SEL_W = $clog2(ROW_BITS / OUT_BITS);
    ram_unpack #(.WIDTH(OUT_BITS), .WORDS(ROW_BITS / OUT_BITS), .DEPTH(LINES * ROWS)) u_data (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (row_write),
      .wr_addr_i (write_row),
      .wr_data_i (row_data),
      .rd_en_i   (read_en),
      .rd_addr_i (read_row),
      .rd_word_i ((state_q == AGAIN) ? s1_addr_q[LOW +: SEL_W] : in_addr[LOW +: SEL_W]),
      .rd_data_o (word)
    );
  end else begin : gen_rows
    ram_apart #(.WIDTH(ROW_BITS), .DEPTH(LINES * ROWS)) u_data (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (row_write),
      .wr_addr_i (write_row),
      .wr_data_i (row_data),
      .rd_en_i   (read_en),
      .rd_addr_i (read_row),
      .rd_data_o (word)
    );
  end

  always_ff @(posedge clk_i) begin
    if (in_take && in_valid) begin
      s1_addr_q <= in_addr;
      s1_skip_q <= in_skip;
      s1_tag_q  <= in_tag;
    end
    if (answer) begin
      rs_err_o  <= failed_q && !s1_skip_q;
      rs_tag_o  <= s1_tag_q;
      rs_sector_o <= SECTOR_W'({s1_addr_q, LOW'(0)} >> 5);
      rs_data_o <= word;
    end
  end

  // Which lines are valid lies in LUT memory, four in a row, and a row counts once one of them has been looked for.
  assign s1_group = GROUP_W'(32'(s1_index) / 4);
  assign line_hot = 4'd1 << s1_index[1:0];
  assign valid    = group & {4{used_q[s1_group]}};
  assign mark     = (state_q == LOOKUP && s1_valid_q && !answer) || (state_q == FILL && ax_valid_i && fill_last);
  assign marked   = (valid & ~line_hot) | ((state_q == FILL && !failed_q && !ax_err_i && !stale_fill_q) ? line_hot : 4'd0);

  ram_async #(.WIDTH(4), .DEPTH(GROUPS)) u_valid (
    .clk_i     (clk_i),
    .wr_en_i   (mark),
    .wr_addr_i (s1_group),
    .wr_data_i (marked),
    .rd_addr_i (s1_group),
    .rd_data_o (group)
  );

  // ---- refill -----------------------------------------------------------------------------------
  assign rd_valid_o  = state_q == ASK;
  assign rd_sector_o = {s1_addr_q[39:6], second_q};
  assign fill_last   = fill_q == FILL_W'(FILLS - 1);

  if (PARTS > 1) begin : gen_parts
    logic [ROW_BITS-AXI_BITS-1:0] low_q;   // beats of the row that have come
    assign row_write = ax_valid_i && (32'(fill_q) % PARTS) == PARTS - 1;
    assign row_data  = {ax_data_i, low_q};
    always_ff @(posedge clk_i) begin
      if (ax_valid_i) low_q <= row_data[ROW_BITS-1:AXI_BITS];
    end
  end else begin : gen_direct
    assign row_write = ax_valid_i;
    assign row_data  = ax_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= LOOKUP;
      s1_valid_q   <= 1'b0;
      failed_q     <= 1'b0;
      stale_fill_q <= 1'b0;
      second_q     <= 1'b0;
      fill_q       <= '0;
      used_q       <= '0;
      rs_valid_o   <= 1'b0;
    end else begin
      rs_valid_o <= answer;
      if (mark) used_q[s1_group] <= 1'b1;
      if (in_take) s1_valid_q <= in_valid;
      if (answer)  failed_q   <= 1'b0;
      if (ax_valid_i) begin
        fill_q <= fill_q + 1'b1;
        if (ax_err_i) failed_q <= 1'b1;
      end
      case (state_q)
        LOOKUP: if (s1_valid_q && !answer) begin
          state_q      <= ASK;
          stale_fill_q <= 1'b0;
        end
        ASK: if (rd_ready_i) begin
          second_q <= !second_q;
          if (second_q) state_q <= FILL;
        end
        FILL: if (ax_valid_i && fill_last) begin
          state_q <= AGAIN;
        end
        default: state_q <= LOOKUP;
      endcase
      if (invalidate_i) begin
        used_q       <= '0;
        stale_fill_q <= 1'b1;
      end
    end
  end

  assign idle_o = state_q == LOOKUP && !s1_valid_q && !in_valid && !rs_valid_o;

  // The line's beats come only after its sectors were asked for.
  `ASSERT(a_fill, !ax_valid_i || state_q == ASK || state_q == FILL)

endmodule

`default_nettype wire
