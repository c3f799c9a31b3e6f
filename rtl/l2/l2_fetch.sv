// SPDX-License-Identifier: Apache-2.0
// Fetches: a burst each, from the first wanted sector to the last. A row without newer bytes is written beside the steps (fill_); one
// with newer bytes takes a step (merge_), which keeps them. Beats of unwanted sectors are dropped. Beats may interleave, and responses
// come in any order.
// Latency: a cycle to AR; from R two cycles to the row.
// Handshake: fetch_ (operands) and send_ (start) are events; fill_, merge_ valid/ready; come_ is an event.
// Requests that wait for it are in l2_park.
`include "heddle_assert.svh"

module l2_fetch (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from the tags: an entry's fetch
  input  logic                            fetch_valid_i,
  input  logic [l2_pkg::ENTRY_W-1:0]      fetch_entry_i,
  input  l2_pkg::fetch_t                  fetch_i,
  // from l2_steps: it may be sent (event)
  input  logic                            send_valid_i,
  input  logic [l2_pkg::ENTRY_W-1:0]      send_entry_i,
  // to and from the rows
  output logic                            fill_valid_o,
  input  logic                            fill_ready_i,
  output logic                            merge_valid_o,
  input  logic                            merge_ready_i,
  input  logic                            merged_i,      // event: it is written
  output l2_pkg::place_t                  place_o,
  output logic [l2_pkg::ROW_W-1:0]        row_o,
  output logic [l2_pkg::BITS-1:0]         data_o,
  // to l2_park: the fetch is complete
  output l2_pkg::fetched_t                come_o,
  // AXI4
  output logic                            ar_valid_o,
  input  logic                            ar_ready_i,
  output axi_pkg::burst_t                 ar_o,
  input  logic                            r_valid_i,
  output logic                            r_ready_o,
  input  axi_pkg::read_t                  r_i
);

  localparam int unsigned ENTRIES = l2_pkg::ENTRIES;
  localparam int unsigned ENTRY_W = l2_pkg::ENTRY_W;
  localparam int unsigned ROW_W   = l2_pkg::ROW_W;

  // ---- addresses --------------------------------------------------------------------------------
  logic [ENTRY_W-1:0]           ar;
  /* verilator lint_off UNUSEDSIGNAL */   // of each copy, a part
  l2_pkg::fetch_t               sent, now;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [l2_pkg::ROWS-1:0]      sent_rows;
  logic                         ready;

  fifo #(.WIDTH(ENTRY_W), .DEPTH(ENTRIES)) u_ar (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (send_valid_i),
    .in_ready_o  (ready),
    .in_data_i   (send_entry_i),
    .out_valid_o (ar_valid_o),
    .out_ready_i (ar_ready_i),
    .out_data_o  (ar),
    .count_o     ()
  );
  ram_async #(.WIDTH($bits(l2_pkg::fetch_t)), .DEPTH(ENTRIES)) u_sent (
    .clk_i     (clk_i),
    .wr_en_i   (fetch_valid_i),
    .wr_addr_i (fetch_entry_i),
    .wr_data_i (fetch_i),
    .rd_addr_i (ar),
    .rd_data_o (sent)
  );
  assign sent_rows = l2_pkg::rows_of(sent.sectors);
  assign ar_o      = axi_pkg::burst_of(l2_pkg::AXI_ID_W'(ar),
    {sent.line, 7'd0} | (40'(l2_pkg::first_row(sent_rows)) << $clog2(l2_pkg::BYTES)),
    8'(l2_pkg::last_row(sent_rows) - l2_pkg::first_row(sent_rows)));

  // ---- beats ------------------------------------------------------------------------------------
  typedef struct packed {
    logic [ENTRY_W-1:0]         entry;
    logic                       wrong;
    logic                       last;
    logic [l2_pkg::BITS-1:0]    data;
  } beat_t;

  beat_t              beat;
  logic               valid, take, wanted, newer, merging_q;
  logic [ENTRIES-1:0] begun_q;
  logic               begun, met, err;
  logic [ROW_W-1:0]   next;

  fifo #(.WIDTH($bits(beat_t)), .DEPTH(2)) u_beats (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (r_valid_i),
    .in_ready_o  (r_ready_o),
    .in_data_i   ({ENTRY_W'(r_i.id), r_i.resp != '0, r_i.last, r_i.data}),
    .out_valid_o (valid),
    .out_ready_i (take),
    .out_data_o  (beat),
    .count_o     ()
  );
  ram_async #(.WIDTH($bits(l2_pkg::fetch_t)), .DEPTH(ENTRIES)) u_now (
    .clk_i     (clk_i),
    .wr_en_i   (fetch_valid_i),
    .wr_addr_i (fetch_entry_i),
    .wr_data_i (fetch_i),
    .rd_addr_i (beat.entry),
    .rd_data_o (now)
  );
  ram_async #(.WIDTH(ROW_W + 1), .DEPTH(ENTRIES)) u_next (
    .clk_i     (clk_i),
    .wr_en_i   (take),
    .wr_addr_i (beat.entry),
    .wr_data_i ({err, ROW_W'(row_o + 1'b1)}),
    .rd_addr_i (beat.entry),
    .rd_data_o ({met, next})
  );

  assign begun   = begun_q[beat.entry];
  assign err     = beat.wrong || (begun && met);
  assign place_o = now.place;
  assign row_o   = begun ? next : l2_pkg::first_row(l2_pkg::rows_of(now.sectors));
  assign data_o  = beat.data;
  assign wanted  = now.sectors[l2_pkg::sector_of(row_o)];
  assign newer   = now.dirty[row_o];

  // A failed fetch is written, too: its sectors are invalid, their bytes marked as old.
  assign fill_valid_o  = valid && wanted && !newer;
  assign merge_valid_o = valid && wanted && newer && !merging_q;
  assign take          = valid && (!wanted || (newer ? merged_i : fill_ready_i));

  assign come_o.valid  = take && beat.last;
  assign come_o.park   = now.park;
  assign come_o.failed = err ? now.sectors : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q   <= '0;
      merging_q <= 1'b0;
    end else begin
      if (take) begun_q[beat.entry] <= !beat.last;
      merging_q <= (merging_q || (merge_valid_o && merge_ready_i)) && !merged_i;
    end
  end

  // Answers have the ids of requests, and mark the last beat where it is.
  `ASSUME_IF(a_rid, r_valid_i, 32'(r_i.id) < ENTRIES)
  `ASSUME_IF(a_rlast, valid, beat.last == (row_o == l2_pkg::last_row(l2_pkg::rows_of(now.sectors))))
  `ASSERT(a_room, !send_valid_i || ready)
  `ASSERT_IF(a_merged, merged_i, merging_q)

endmodule
