// SPDX-License-Identifier: Apache-2.0
// Store data by entry, from the beats to the bus, in rows of a beat: nine bits a byte, the ninth its strobe. The first beat of a request
// for a row writes the whole row, later ones their bytes. The set of written rows is held in registers.
// Latency: a row is there from a cycle after row_i.valid until the next request of a row.
// Handshake: beats and requests are events; a beat comes before its request or with it.
// It does not hold the row's address.
module order_data #(
  localparam int unsigned ENTRIES = order_pkg::ENTRIES,
  localparam int unsigned BEATS   = order_pkg::BEATS,
  localparam int unsigned BYTES   = line_pkg::BYTES
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the channel
  input  logic                        lw_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */   // of a beat, a store's bytes; of the request, its entry
  input  line_pkg::write_t            lw_i,
  input  order_pkg::asked_t           asked_i,
  // to and from order_write: a row
  input  order_pkg::row_t             row_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output order_pkg::bytes_t           bytes_o,
  // stored bytes, for retire_order
  output order_pkg::stored_t          stored_o,
  output logic [BEATS-1:0]            stored_rows_o    // of the arriving request
);

  localparam int unsigned DEPTH  = ENTRIES * BEATS;
  localparam int unsigned ADDR_W = $clog2(DEPTH);

  logic [BEATS-1:0]      had_q;     // rows that the next request has written
  logic [BEATS-1:0]      row_rows;
  logic                  row_had_q;
  logic [BYTES-1:0][8:0] row;

  assign stored_rows_o = had_q | (stored_o.valid ? BEATS'(1) << lw_i.beat : '0);

  always_comb begin
    stored_o.valid = lw_valid_i && !lw_i.atom;
    stored_o.entry = asked_i.entry;
    stored_o.beat  = lw_i.beat;
    stored_o.en    = (lw_valid_i && !lw_i.atom) ? lw_i.strb | {BYTES{!had_q[lw_i.beat]}} : '0;
    for (int unsigned b = 0; b < BYTES; b++) stored_o.data[b] = {lw_i.strb[b], lw_i.data[8*b +: 8]};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || asked_i.valid) had_q <= '0;
    else                          had_q <= stored_rows_o;
  end

  ram_apart #(.WIDTH(9 * BYTES), .DEPTH(DEPTH), .PARTS(BYTES)) u_rows (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (stored_o.en),
    .wr_addr_i (ADDR_W'(32'(stored_o.entry) * BEATS + 32'(stored_o.beat))),
    .wr_data_i (stored_o.data),
    .rd_en_i   (row_i.valid && !row_i.atom),
    .rd_addr_i (ADDR_W'(32'(row_i.entry) * BEATS + 32'(row_i.beat))),
    .rd_data_o (row)
  );

  ram_async #(.WIDTH(BEATS), .DEPTH(ENTRIES)) u_had (
    .clk_i     (clk_i),
    .wr_en_i   (asked_i.valid),
    .wr_addr_i (asked_i.entry),
    .wr_data_i (stored_rows_o),
    .rd_addr_i (row_i.entry),
    .rd_data_o (row_rows)
  );

  always_ff @(posedge clk_i) begin
    if (row_i.valid) row_had_q <= row_rows[row_i.beat];
  end

  for (genvar b = 0; b < BYTES; b++) begin : gen_byte
    assign bytes_o.strb[b]        = row[b][8] && row_had_q;
    assign bytes_o.data[8*b +: 8] = row[b][7:0];
  end

endmodule
