// SPDX-License-Identifier: Apache-2.0
// Shows each sector of a finished request on the retire port, from copies of its own of what was
// asked, read and written: without the port all of it is pruned, and nothing waits for it.
// Latency: one cycle. Handshake: events.
// It does not decide what is shown, and when; the stamp counts cycles since reset. Loads show no written bytes, stores none that
// were read; bytes that were not written are zero.
`include "heddle_idle.svh"

module retire_order #(
  parameter  int unsigned BANK    = 0,      // which one this is
  localparam int unsigned ENTRIES = order_pkg::ENTRIES,
  localparam int unsigned BEATS   = order_pkg::BEATS
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */   // of these, what is shown
  // a request, and the rows that a store has written
  input  order_pkg::asked_t           asked_i,
  input  line_pkg::note_t [line_pkg::SENDERS-1:0] note_i,
  input  logic [BEATS-1:0]            stored_rows_i,
  // bytes of stores, words of atomics, beats that were read
  input  order_pkg::stored_t          stored_i,
  input  order_pkg::changed_t         changed_i,
  input  order_pkg::found_t           found_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // from order_finish
  input  order_pkg::shown_t           shown_i,
  // retire port
  output logic                        ret_global_valid_o,
  output retire_pkg::global_t         ret_global_o,
  output logic [retire_pkg::LINE-1:0]                ret_fill_valid_o,
  output retire_pkg::fill_t [retire_pkg::LINE-1:0]   ret_fill_o
);

  // ---- what is shown, from memories --------------------------------------------------------------
  /* verilator lint_off UNUSEDSIGNAL */   // of these, what is shown
  line_pkg::request_t  rq;
  line_pkg::note_t     note;
  order_pkg::shown_t   shown_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [BEATS-1:0]    rows, rows_q;
  logic [31:0][8:0]    stored;
  logic [7:0][32:0]    changed;
  logic [7:0][31:0]    found;

  ram_apart #(.WIDTH($bits(line_pkg::request_t)), .DEPTH(ENTRIES), .FEW(ENTRIES <= order_pkg::FEW)) u_request (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (asked_i.valid),
    .wr_addr_i (asked_i.entry),
    .wr_data_i (asked_i.rq),
    .rd_en_i   (shown_i.valid),
    .rd_addr_i (shown_i.entry),
    .rd_data_o (rq)
  );
  retire_notes u_notes (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .note_i   (note_i),
    .rd_en_i  (shown_i.valid),
    .rd_tag_i (shown_i.tag),
    .note_o   (note)
  );
  ram_async #(.WIDTH(BEATS), .DEPTH(ENTRIES)) u_had (
    .clk_i     (clk_i),
    .wr_en_i   (asked_i.valid),
    .wr_addr_i (asked_i.entry),
    .wr_data_i (stored_rows_i),
    .rd_addr_i (shown_i.entry),
    .rd_data_o (rows)
  );

  retire_sectors #(.N(ENTRIES), .UNITS(line_pkg::BYTES), .UNIT(9), .ROWS(BEATS)) u_stored (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .wr_en_i       (stored_i.en & {line_pkg::BYTES{stored_i.valid}}),
    .wr_line_i     (stored_i.entry),
    .wr_row_i      (stored_i.beat),
    .wr_data_i     (stored_i.data),
    .show_i        (shown_i.valid && shown_i.kind == line_pkg::STORE),
    .show_line_i   (shown_i.entry),
    .show_sector_i (shown_i.sector),
    .sector_o      (stored)
  );
  retire_sectors #(.N(order_pkg::SLOTS), .UNITS(order_pkg::ROW_WORDS), .UNIT(33), .ROWS(order_pkg::ROWS)) u_changed (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .wr_en_i       (changed_i.en & {order_pkg::ROW_WORDS{changed_i.valid}}),
    .wr_line_i     (changed_i.slot),
    .wr_row_i      (changed_i.row),
    .wr_data_i     (changed_i.data),
    .show_i        (shown_i.valid && shown_i.kind == line_pkg::ATOM),
    .show_line_i   (shown_i.slot),
    .show_sector_i (shown_i.sector),
    .sector_o      (changed)
  );
  retire_sectors #(.N(ENTRIES), .UNITS(order_pkg::BITS / 32), .UNIT(32), .ROWS(BEATS)) u_found (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .wr_en_i       ({(order_pkg::BITS/32){found_i.valid}}),
    .wr_line_i     (found_i.entry),
    .wr_row_i      (found_i.beat),
    .wr_data_i     (found_i.data),
    .show_i        (shown_i.valid && shown_i.kind != line_pkg::STORE && shown_i.kind != line_pkg::FILL),
    .show_line_i   (shown_i.entry),
    .show_sector_i (shown_i.sector),
    .sector_o      (found)
  );

  // ---- when: in the cycle after -----------------------------------------------------------------
  logic        valid_q, fill;
  logic [63:0] stamp_q;    // cycles

  always_ff @(posedge clk_i) begin
    if (shown_i.valid) begin
      shown_q <= shown_i;
      rows_q  <= rows;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      stamp_q <= '0;
    end else begin
      valid_q <= shown_i.valid;
      stamp_q <= stamp_q + 1'b1;
    end
  end

  // ---- the record --------------------------------------------------------------------------------
  logic store, atom;

  assign fill  = l1_pkg::THERE && shown_q.kind == line_pkg::FILL;
  assign store = shown_q.kind == line_pkg::STORE;
  assign atom  = shown_q.kind == line_pkg::ATOM;

  assign ret_global_valid_o = valid_q && !fill;

  // A refill has all its sectors at once: nothing of them is shown but when.
  assign ret_fill_valid_o = (valid_q && fill) ? rq.sectors : '0;

  always_comb begin
    ret_fill_o = 'x;
    `HEDDLE_ONLY(valid_q && fill) begin
      for (int unsigned s = 0; s < line_pkg::SECTORS; s++) begin
        ret_fill_o[s]          = '0;
        ret_fill_o[s].sector   = rq.is_local ? 64'({rq.slot, note.word, 2'(s)}) : 64'({rq.line, 2'(s)});
        ret_fill_o[s].stamp    = stamp_q;
        ret_fill_o[s].number   = note.seq;
        ret_fill_o[s].sm       = rq.sm;
        ret_fill_o[s].bank     = 8'(BANK);
        ret_fill_o[s].is_local = 8'(rq.is_local);
      end
    end
  end

  always_comb begin
    ret_global_o = 'x;
    `HEDDLE_ONLY(ret_global_valid_o) begin
      ret_global_o        = '0;
      ret_global_o.id     = core_pkg::who('{slot: rq.slot, gen: note.gen, seq: note.seq}, core_pkg::part_of(rq.slot));
      ret_global_o.id.sm  = rq.sm;
      ret_global_o.bank   = 8'(BANK);
      ret_global_o.stamp  = stamp_q;
      ret_global_o.access = 8'(shown_q.kind) + (rq.is_local ? 8'd3 : 8'd0);
      ret_global_o.sector = rq.is_local ? 64'({rq.slot, note.word, shown_q.sector}) : 64'({rq.line, shown_q.sector});
      for (int unsigned l = 0; l < 32; l++) ret_global_o.lanes[l] = rq.lanes[l] && note.at[l] == shown_q.sector;
      for (int unsigned b = 0; b < 32; b++) begin
        if (store)     ret_global_o.wstrb[b] = stored[b][8] && rows_q[order_pkg::BEAT_W'((32'(shown_q.sector) * 32 + b) * BEATS / 128)];
        else if (atom) ret_global_o.wstrb[b] = changed[b/4][32];
        if (ret_global_o.wstrb[b]) ret_global_o.wdata[8*b +: 8] = store ? stored[b][7:0] : changed[b/4][8*(b%4) +: 8];
        if (!store)                ret_global_o.rdata[8*b +: 8] = found[b/4][8*(b%4) +: 8];
      end
    end
  end

endmodule
