// SPDX-License-Identifier: Apache-2.0
// Reads: an INCR burst a request. Beats of loads and refills go to the channel with their tag and place; beats of an atomic's line go to
// order_atom. Beats of requests may interleave, and responses come in any order: each has its place and an error bit.
// A read with older reads of its line in flight ends after them; its end is held until then.
// Latency: a cycle to AR, one from R to the channel; the end of a request is offered in the next one.
// A request and a beat a cycle.
// Handshake: requests and beats are events (RREADY is always 1); ended_ and start_ valid/ready. Each has a place.
// It does not look at data.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module order_read #(
  localparam int unsigned ENTRIES = order_pkg::ENTRIES,
  localparam int unsigned ENTRY_W = order_pkg::ENTRY_W,
  localparam int unsigned SLOTS   = order_pkg::SLOTS,
  localparam int unsigned SLOT_W  = order_pkg::SLOT_W,
  localparam int unsigned BITS    = order_pkg::BITS,
  localparam int unsigned BEAT_W  = order_pkg::BEAT_W
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the channel
  input  order_pkg::asked_t       asked_i,
  // from order_table: the next read
  input  logic                    read_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */   // of it, its place
  input  order_pkg::going_t       going_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic                    going_behind_i,   // older reads of its line are in flight
  input  logic                    next_valid_i,     // of this entry they have ended (event)
  input  logic [ENTRY_W-1:0]      next_entry_i,
  // to the channel
  output logic                    ld_valid_o,
  output line_pkg::bank_read_t    ld_o,
  // to order_atom: a beat; an atomic with its whole line
  output order_pkg::found_t       found_o,
  output logic                    start_valid_o,
  input  logic                    start_ready_i,
  output logic [SLOT_W-1:0]       start_slot_o,
  // to order_finish
  output logic                    ended_valid_o,
  input  logic                    ended_ready_i,
  output order_pkg::ended_t       ended_o,
  // AXI4
  output logic                    ar_valid_o,
  input  logic                    ar_ready_i,
  output axi_pkg::burst_t         ar_o,
  input  logic                    r_valid_i,
  output logic                    r_ready_o,
  input  axi_pkg::read_t          r_i
);

  logic [3:0]              ready;           // of the queues

  // ---- addresses --------------------------------------------------------------------------------
  order_pkg::burst_t ar;

  fifo #(.WIDTH($bits(order_pkg::burst_t)), .DEPTH(ENTRIES)) u_ar (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (read_valid_i),
    .in_ready_o  (ready[0]),
    .in_data_i   (order_pkg::burst(going_i.entry, going_i.line, going_i.sectors)),
    .out_valid_o (ar_valid_o),
    .out_ready_i (ar_ready_i),
    .out_data_o  (ar),
    .count_o     ()
  );

  assign ar_o      = axi_pkg::burst_of(l2_pkg::AXI_ID_W'(ar.entry), order_pkg::address(ar.line, ar.first), 8'(ar.more));
  assign r_ready_o = 1'b1;

  // ---- the beat from memory ---------------------------------------------------------------------------
  logic                valid_q, last_q, wrong_q;
  logic [ENTRY_W-1:0]  entry_q;
  logic [BITS-1:0]     data_q;

  always_ff @(posedge clk_i) begin
    if (r_valid_i) begin
      entry_q <= ENTRY_W'(r_i.id);
      last_q  <= r_i.last;
      wrong_q <= r_i.resp != '0;
      data_q  <= r_i.data;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= r_valid_i;
  end

  // Its request; for each entry the place of its next beat, once one has come, and an error bit.
  order_pkg::meta_t   meta;
  logic [ENTRIES-1:0] begun_q;
  logic               begun, met, err, atom, over;
  logic [BEAT_W-1:0]  next, beat;

  ram_async #(.WIDTH($bits(order_pkg::meta_t)), .DEPTH(ENTRIES)) u_meta (
    .clk_i     (clk_i),
    .wr_en_i   (asked_i.valid),
    .wr_addr_i (asked_i.entry),
    .wr_data_i (order_pkg::meta_of(asked_i)),
    .rd_addr_i (entry_q),
    .rd_data_o (meta)
  );
  ram_async #(.WIDTH(BEAT_W + 1), .DEPTH(ENTRIES)) u_next (
    .clk_i     (clk_i),
    .wr_en_i   (valid_q),
    .wr_addr_i (entry_q),
    .wr_data_i ({err, BEAT_W'(beat + 1'b1)}),
    .rd_addr_i (entry_q),
    .rd_data_o ({met, next})
  );

  assign begun = begun_q[entry_q];
  assign beat  = begun ? next : order_pkg::first_beat(meta.sectors);
  assign err   = wrong_q || (begun && met);
  assign atom  = meta.kind == line_pkg::ATOM;
  assign over  = valid_q && last_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)      begun_q <= '0;
    else if (valid_q) begun_q[entry_q] <= !last_q;
  end

  assign ld_valid_o = valid_q && !atom && order_pkg::in_beat(meta.sectors, beat);
  assign ld_o       = '{tag: meta.tag, beat: beat, data: data_q};
  assign found_o    = '{valid: valid_q, atom: atom, entry: entry_q, slot: meta.slot, beat: beat, data: data_q};

  // ---- a complete line starts its atomic, unless it has an error; other requests end, after older ends of their line --
  logic [ENTRIES-1:0] behind_q, kept_q, kept_err_q, freed, ending;
  logic               ends, keep, freed_valid;
  logic [1:0]         end_valid, end_ready;
  order_pkg::ended_t [1:0] ended;

  assign ends        = over && (!atom || err);
  assign ending      = ends ? ENTRIES'(1) << entry_q : '0;
  assign freed       = next_valid_i ? ENTRIES'(1) << next_entry_i : '0;
  assign keep        = (ending & behind_q & ~freed) != '0;
  assign freed_valid = (freed & kept_q) != '0;

  always_ff @(posedge clk_i) begin
    if (ends) kept_err_q[entry_q] <= err;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      behind_q <= '0;
      kept_q   <= '0;
    end else begin
      behind_q <= (behind_q & ~freed) | ((read_valid_i && going_behind_i) ? ENTRIES'(1) << going_i.entry : '0);
      kept_q   <= (kept_q & ~freed) | (keep ? ending : '0);
    end
  end

  fifo #(.WIDTH($bits(order_pkg::ended_t)), .DEPTH(ENTRIES)) u_ended (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ends && !keep),
    .in_ready_o  (ready[1]),
    .in_data_i   ({entry_q, err}),
    .out_valid_o (end_valid[0]),
    .out_ready_i (end_ready[0]),
    .out_data_o  (ended[0]),
    .count_o     ()
  );
  fifo #(.WIDTH($bits(order_pkg::ended_t)), .DEPTH(ENTRIES)) u_freed (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (freed_valid),
    .in_ready_o  (ready[3]),
    .in_data_i   ({next_entry_i, kept_err_q[next_entry_i]}),
    .out_valid_o (end_valid[1]),
    .out_ready_i (end_ready[1]),
    .out_data_o  (ended[1]),
    .count_o     ()
  );
  stream_arb #(.N(2), .WIDTH($bits(order_pkg::ended_t))) u_ends (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (end_valid),
    .ready_o (end_ready),
    .data_i  (ended),
    .valid_o (ended_valid_o),
    .ready_i (ended_ready_i),
    .last_i  (1'b1),
    .data_o  (ended_o),
    .sel_o   ()
  );

  fifo #(.WIDTH(SLOT_W), .DEPTH(SLOTS)) u_start (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (over && atom && !err),
    .in_ready_o  (ready[2]),
    .in_data_i   (meta.slot),
    .out_valid_o (start_valid_o),
    .out_ready_i (start_ready_i),
    .out_data_o  (start_slot_o),
    .count_o     ()
  );

  // Answers have the ids of requests, and mark the last beat where it is.
  `ASSUME_IF(a_rid, r_valid_i, 32'(r_i.id) < ENTRIES)
  `ASSUME_IF(a_rlast, valid_q, last_q == (beat == order_pkg::last_beat(meta.sectors)))
  // Each request has a place.
  `ASSERT(a_room, (ready | ~{freed_valid, over && atom && !err, ends && !keep, read_valid_i}) == '1)

endmodule
