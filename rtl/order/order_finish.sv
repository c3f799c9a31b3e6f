// SPDX-License-Identifier: Apache-2.0
// Ends of requests, reads and writes in turns: sectors are recorded, one a cycle, ascending (a cache's refill all at once). Then the
// line and its places are free, and the answer leaves.
// Latency: sectors (a refill, an error: one cycle) and 2 from the end of its accesses to its answer.
// Handshake: answers valid/ready, values of an atomic's lanes first; shown_ and leave_ are events.
// It does not distinguish reads from writes.
`include "heddle_assert.svh"

module order_finish #(
  localparam int unsigned ENTRIES = order_pkg::ENTRIES
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the channel
  input  order_pkg::asked_t           asked_i,
  // ended accesses
  input  logic                        read_valid_i,
  output logic                        read_ready_o,
  input  order_pkg::ended_t           read_i,
  input  logic                        written_valid_i,
  output logic                        written_ready_o,
  input  order_pkg::ended_t           written_i,
  // from order_atom: a lane's old value
  input  logic                        at_valid_i,
  output logic                        at_ready_o,
  input  line_pkg::bank_answer_t      at_i,
  // to the channel
  output logic                        la_valid_o,
  input  logic                        la_ready_i,
  output line_pkg::bank_answer_t      la_o,
  // to retire_order: a sector is performed
  output order_pkg::shown_t           shown_o,
  // to all modules that hold a place of it
  output order_pkg::leave_t           leave_o
);

  // ---- the request in work ----------------------------------------------------------------------------
  order_pkg::ended_t            now;
  order_pkg::meta_t             meta;
  logic                         valid, side, begun_q, side_q, turn_q, final_sector, step, over, end_free, fill;
  logic [line_pkg::SECTORS-1:0] left_q, todo, rest;
  logic                         some;

  assign valid = read_valid_i || written_valid_i;
  assign side  = begun_q ? side_q : written_valid_i && (!read_valid_i || turn_q);
  assign now   = side ? written_i : read_i;

  ram_async #(.WIDTH($bits(order_pkg::meta_t)), .DEPTH(ENTRIES)) u_meta (
    .clk_i     (clk_i),
    .wr_en_i   (asked_i.valid),
    .wr_addr_i (asked_i.entry),
    .wr_data_i (order_pkg::meta_of(asked_i)),
    .rd_addr_i (now.entry),
    .rd_data_o (meta)
  );

  assign todo         = begun_q ? left_q : (now.err || meta.kind == line_pkg::FETCH || fill) ? '0 : meta.sectors;
  assign rest         = todo & (todo - 4'd1);
  assign final_sector = rest == '0;
  assign step         = valid && (!final_sector || end_free);
  assign over         = step && final_sector;
  assign fill         = l1_pkg::THERE && meta.kind == line_pkg::FILL;

  lowest_one #(.N(line_pkg::SECTORS)) u_sector (
    .in_i     (todo),
    .onehot_o (),
    .index_o  (shown_o.sector),
    .any_o    (some)
  );

  assign read_ready_o    = over && !side;
  assign written_ready_o = over && side;
  assign shown_o.valid   = step && (some || (fill && !now.err));
  assign shown_o.entry   = now.entry;
  assign shown_o.tag     = meta.tag;
  assign shown_o.slot    = meta.slot;
  assign shown_o.kind    = meta.kind;
  assign leave_o         = '{valid: over, entry: now.entry, atom: meta.kind == line_pkg::ATOM, slot: meta.slot};

  always_ff @(posedge clk_i) begin
    if (step) begin
      left_q <= rest;
      side_q <= side;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      turn_q  <= 1'b0;
    end else begin
      if (step) begun_q <= !final_sector;
      if (over) turn_q  <= !side;
    end
  end

  // ---- answers: an end waits a cycle, so that its last sector is recorded first ----------------------
  logic                        end_valid_q, end_err_q, free;
  logic [line_pkg::BANK_TAG_W-1:0] end_tag_q;
  line_pkg::bank_answer_t      end_answer;

  assign free       = !la_valid_o || la_ready_i;
  assign at_ready_o = free;
  assign end_free   = !end_valid_q || (free && !at_valid_i);
  assign end_answer = '{tag: end_tag_q, done: 1'b1, err: end_err_q, lane: 'x, old: 'x};

  always_ff @(posedge clk_i) begin
    if (end_free) begin
      end_tag_q <= meta.tag;
      end_err_q <= now.err;
    end
    if (free) la_o <= at_valid_i ? at_i : end_answer;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      end_valid_q <= 1'b0;
      la_valid_o  <= 1'b0;
    end else begin
      if (end_free) end_valid_q <= leave_o.valid;
      if (free)     la_valid_o  <= at_valid_i || end_valid_q;
    end
  end

  // Each request in work has a sector.
  `ASSERT_IF(a_sectors, asked_i.valid, asked_i.rq.sectors != '0)

endmodule
