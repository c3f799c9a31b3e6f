// SPDX-License-Identifier: Apache-2.0
// Bytes of a store to local memory on their way into the cache: beats are kept as they pass; if the cache takes them
// they are written a row at a time, in cycles without a beat of a refill.
// Latency: the first row two cycles after take_i. Two lines: one that is written, one that passes; with free_o low the
// one that passes is not taken.
// Handshake: events. All that is being written is pinned (busy_o, place_o): none reads it, and nothing else comes there.
// It does not see what is in the cache.
`include "heddle_assert.svh"

module l1_store #(
  localparam int unsigned PLACE_W = l1_pkg::PLACE_W,
  localparam int unsigned SECTORS = l1_pkg::SECTORS,
  localparam int unsigned BITS    = line_pkg::BITS,
  localparam int unsigned BYTES   = line_pkg::BYTES,
  localparam int unsigned BEATS   = line_pkg::BEATS,
  localparam int unsigned BEAT_W  = line_pkg::BEAT_W,
  localparam int unsigned LINE    = line_pkg::LINE_BYTES
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // a beat passes; the request to which beats belong passes
  input  logic                  beat_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */   // of a store, its bytes
  input  line_pkg::write_t      beat_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic                  close_i,
  output logic [SECTORS-1:0]    whole_o,        // sectors of which every byte is written
  // from l1_lines: it takes them (with close_i)
  output logic                  free_o,
  input  logic                  take_i,
  input  logic [PLACE_W-1:0]    take_place_i,
  input  logic [SECTORS-1:0]    take_sectors_i,
  // what is being written
  output logic                  busy_o,
  output logic [PLACE_W-1:0]    place_o,
  // to l1_read
  output logic                  row_valid_o,
  input  logic                  row_ready_i,
  output logic [BEAT_W-1:0]     row_o,
  output logic [BYTES-1:0]      strb_o,
  output logic [BITS-1:0]       data_o
);

  localparam int unsigned ADDR_W = 1 + ((BEATS > 1) ? BEAT_W : 0);

  logic                   turn_q;               // where beats are kept
  logic [LINE-1:0]        mask_q, mask, left_q; // bytes of what passes, of what is being written
  logic                   busy_q, step, any;
  logic [BEATS-1:0]       rows, hot;
  logic [BEAT_W-1:0]      row;

  // ---- what passes ---------------------------------------------------------------------------------
  always_comb begin
    mask = mask_q;
    for (int unsigned b = 0; b < BEATS; b++) begin
      if (beat_valid_i && !beat_i.atom && 32'(beat_i.beat) == b) mask[b*BYTES +: BYTES] = mask_q[b*BYTES +: BYTES] | beat_i.strb;
    end
    for (int unsigned s = 0; s < SECTORS; s++) whole_o[s] = mask[s*32 +: 32] == '1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mask_q <= '0;
      turn_q <= 1'b0;
    end else begin
      if (close_i)           mask_q <= '0;
      else if (beat_valid_i) mask_q <= mask;
      if (take_i)            turn_q <= !turn_q;
    end
  end

  // ---- what is being written -----------------------------------------------------------------------
  for (genvar b = 0; b < BEATS; b++) begin : gen_row
    assign rows[b] = left_q[b*BYTES +: BYTES] != '0;
  end
  lowest_one #(.N(BEATS)) u_row (
    .in_i     (rows),
    .onehot_o (hot),
    .index_o  (row),
    .any_o    (any)
  );

  assign step   = busy_q && any && (!row_valid_o || row_ready_i);
  assign free_o = !busy_q;
  assign busy_o = busy_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      row_valid_o <= 1'b0;
    end else begin
      if (take_i)                                               busy_q <= 1'b1;
      else if (!any && (!row_valid_o || row_ready_i))           busy_q <= 1'b0;
      if (step)             row_valid_o <= 1'b1;
      else if (row_ready_i) row_valid_o <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      place_o <= take_place_i;
      for (int unsigned s = 0; s < SECTORS; s++) left_q[s*32 +: 32] <= take_sectors_i[s] ? mask[s*32 +: 32] : '0;
    end else if (step) begin
      for (int unsigned b = 0; b < BEATS; b++) begin
        if (hot[b]) left_q[b*BYTES +: BYTES] <= '0;
      end
    end
    if (step) begin
      row_o <= row;
      for (int unsigned b = 0; b < BEATS; b++) begin
        if (hot[b]) strb_o <= left_q[b*BYTES +: BYTES];
      end
    end
  end

  ram_apart #(.WIDTH(BITS), .DEPTH(2 * BEATS), .PARTS(BYTES)) u_kept (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (beat_i.strb & {BYTES{beat_valid_i && !beat_i.atom}}),
    .wr_addr_i (ADDR_W'(32'(turn_q) * BEATS + 32'(beat_i.beat))),
    .wr_data_i (beat_i.data),
    .rd_en_i   (step),
    .rd_addr_i (ADDR_W'(32'(!turn_q) * BEATS + 32'(row))),
    .rd_data_o (data_o)
  );

  `ASSERT(a_take, !take_i || (free_o && close_i))

endmodule
