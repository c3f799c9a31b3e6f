// SPDX-License-Identifier: Apache-2.0
// Writes: requests in turn, an INCR burst each, row by row from the first touched sector to the last; unwritten bytes between have no
// strobe.
// Latency: the address is offered two cycles after a request came, the first beat three; a beat a cycle. The end is offered a cycle
// after B.
// Handshake: store_ valid/ready, atom_ is an event, which goes first. A row is there from the cycle after its read until the next. W may
// run ahead of AW, and AW of W; BREADY is always 1.
// It does not hold data.
`include "heddle_assert.svh"

module order_write #(
  localparam int unsigned ENTRIES = order_pkg::ENTRIES,
  localparam int unsigned ENTRY_W = order_pkg::ENTRY_W,
  localparam int unsigned BEAT_W  = order_pkg::BEAT_W
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the channel
  /* verilator lint_off UNUSEDSIGNAL */   // of the request, its place; of the next one, its kind
  input  order_pkg::asked_t       asked_i,
  // from order_table: a store
  input  logic                    store_valid_i,
  output logic                    store_ready_o,
  input  order_pkg::going_t       going_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // from order_atom: an atomic's line
  input  logic                    atom_valid_i,
  input  order_pkg::towrite_t     atom_i,
  // read port of the rows
  output order_pkg::row_t         row_o,
  input  order_pkg::bytes_t       store_bytes_i,
  input  order_pkg::bytes_t       atom_bytes_i,
  // to order_finish
  output logic                    written_valid_o,
  input  logic                    written_ready_i,
  output order_pkg::ended_t       written_o,
  // AXI4
  output logic                    aw_valid_o,
  input  logic                    aw_ready_i,
  output axi_pkg::burst_t         aw_o,
  output logic                    w_valid_o,
  input  logic                    w_ready_i,
  output axi_pkg::beat_t          w_o,
  input  logic                    b_valid_i,
  output logic                    b_ready_o,
  input  axi_pkg::written_t       b_i
);

  logic [1:0]              ready;           // of the queues of requests

  // ---- waiting writes ---------------------------------------------------------------------------------
  order_pkg::towrite_t now, next;
  logic                come, valid, leave;

  assign store_ready_o = !atom_valid_i;
  assign come          = atom_valid_i || store_valid_i;
  assign next.atom     = atom_valid_i && atom_i.atom;
  assign next.entry    = atom_valid_i ? atom_i.entry : going_i.entry;
  assign next.slot     = atom_i.slot;

  fifo #(.WIDTH($bits(order_pkg::towrite_t)), .DEPTH(ENTRIES)) u_next (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (come),
    .in_ready_o  (ready[0]),
    .in_data_i   (next),
    .out_valid_o (valid),
    .out_ready_i (leave),
    .out_data_o  (now),
    .count_o     ()
  );

  logic [line_pkg::LINE_W-1:0]  line;
  logic [line_pkg::SECTORS-1:0] sectors;
  order_pkg::burst_t            burst, aw;

  ram_async #(.WIDTH(line_pkg::LINE_W + line_pkg::SECTORS), .DEPTH(ENTRIES)) u_where (
    .clk_i     (clk_i),
    .wr_en_i   (asked_i.valid),
    .wr_addr_i (asked_i.entry),
    .wr_data_i ({asked_i.rq.line, asked_i.rq.sectors}),
    .rd_addr_i (now.entry),
    .rd_data_o ({line, sectors})
  );
  assign burst = order_pkg::burst(now.entry, line, sectors);

  // ---- rows: the next is read while the one before is offered -----------------------------------------
  logic              begun_q, stands_q, last_q, atom_q, step, last, aw_ready, w_ready;
  logic [BEAT_W-1:0] beat_q, beat;
  order_pkg::bytes_t bytes;

  assign beat  = begun_q ? beat_q : burst.first;
  assign last  = beat == order_pkg::last_beat(sectors);
  assign step  = valid && (!stands_q || w_ready) && (begun_q || aw_ready);
  assign leave = step && last;
  assign row_o = '{valid: step, atom: now.atom, entry: now.entry, slot: now.slot, beat: beat};
  assign bytes = atom_q ? atom_bytes_i : store_bytes_i;

  always_ff @(posedge clk_i) begin
    if (step) begin
      beat_q <= beat + 1'b1;
      last_q <= last;
      atom_q <= now.atom;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q  <= 1'b0;
      stands_q <= 1'b0;
    end else begin
      if (step)                 begun_q  <= !last;
      if (!stands_q || w_ready) stands_q <= step;
    end
  end

  // ---- to memory and back -----------------------------------------------------------------------
  fifo #(.WIDTH($bits(order_pkg::burst_t)), .DEPTH(2)) u_aw (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (step && !begun_q),
    .in_ready_o  (aw_ready),
    .in_data_i   (burst),
    .out_valid_o (aw_valid_o),
    .out_ready_i (aw_ready_i),
    .out_data_o  (aw),
    .count_o     ()
  );
  fifo #(.WIDTH($bits(axi_pkg::beat_t)), .DEPTH(2)) u_w (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (stands_q),
    .in_ready_o  (w_ready),
    .in_data_i   ({bytes.data, bytes.strb, last_q}),
    .out_valid_o (w_valid_o),
    .out_ready_i (w_ready_i),
    .out_data_o  (w_o),
    .count_o     ()
  );
  fifo #(.WIDTH($bits(order_pkg::ended_t)), .DEPTH(ENTRIES)) u_written (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (b_valid_i),
    .in_ready_o  (ready[1]),
    .in_data_i   ({ENTRY_W'(b_i.id), b_i.resp != '0}),
    .out_valid_o (written_valid_o),
    .out_ready_i (written_ready_i),
    .out_data_o  (written_o),
    .count_o     ()
  );

  assign aw_o      = axi_pkg::burst_of(l2_pkg::AXI_ID_W'(aw.entry), order_pkg::address(aw.line, aw.first), 8'(aw.more));
  assign b_ready_o = 1'b1;

  // Answers have the ids of requests.
  `ASSUME_IF(a_bid, b_valid_i, 32'(b_i.id) < ENTRIES)
  // There is a place for each request.
  `ASSERT(a_room, (ready | ~{b_valid_i, come}) == '1)

endmodule
