// SPDX-License-Identifier: Apache-2.0
// Lines as they are written, row by row, and shown, a sector at a time: for retire_order alone.
// Latency: a sector stands a cycle after show_i, until the next one. A row a cycle.
// Handshake: none; no line is shown that is written in the same cycle.
// It does not clear its storage.
module retire_sectors #(
  parameter  int unsigned N     = 4,      // lines
  parameter  int unsigned UNITS = 2,      // of a row, each with a write enable
  parameter  int unsigned UNIT  = 32,     // bits of each as stored; of ROWS rows a line has
  parameter  int unsigned ROWS  = 16,
  localparam int unsigned N_W   = (N > 1) ? $clog2(N) : 1,
  localparam int unsigned ROW_W = (ROWS > 1) ? $clog2(ROWS) : 1,
  localparam int unsigned FEW   = order_pkg::FEW,
  localparam int unsigned SHOWN = UNITS * ROWS / 4
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // a row
  input  logic [UNITS-1:0]            wr_en_i,
  input  logic [N_W-1:0]              wr_line_i,
  input  logic [ROW_W-1:0]            wr_row_i,
  input  logic [UNITS-1:0][UNIT-1:0]  wr_data_i,
  // a sector
  input  logic                        show_i,
  input  logic [N_W-1:0]              show_line_i,
  input  logic [1:0]                  show_sector_i,
  output logic [SHOWN-1:0][UNIT-1:0]  sector_o
);

  if (ROWS >= 4) begin : gen_banks
    // Rows of a sector side by side.
    localparam int unsigned BANKS  = ROWS / 4;
    localparam int unsigned ADDR_W = $clog2(4 * N);
    for (genvar b = 0; b < BANKS; b++) begin : gen_bank
      ram_apart #(.WIDTH(UNITS * UNIT), .DEPTH(4 * N), .PARTS(UNITS), .FEW(4 * N <= FEW)) u_rows (
        .clk_i     (clk_i),
        .rst_ni    (rst_ni),
        .wr_en_i   ((32'(wr_row_i) % BANKS == b) ? wr_en_i : '0),
        .wr_addr_i (ADDR_W'(32'(wr_line_i) * 4 + 32'(wr_row_i) / BANKS)),
        .wr_data_i (wr_data_i),
        .rd_en_i   (show_i),
        .rd_addr_i (ADDR_W'({show_line_i, show_sector_i})),
        .rd_data_o (sector_o[b*UNITS +: UNITS])
      );
    end
  end else begin : gen_wide
    // Sectors of a row side by side.
    localparam int unsigned EACH   = 4 / ROWS;
    localparam int unsigned DEPTH  = N * ROWS;
    localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;
    logic [EACH-1:0][SHOWN-1:0][UNIT-1:0] row;
    logic [1:0]                           sector_q;
    ram_apart #(.WIDTH(UNITS * UNIT), .DEPTH(DEPTH), .PARTS(UNITS), .FEW(DEPTH <= FEW)) u_rows (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (wr_en_i),
      .wr_addr_i (ADDR_W'(32'(wr_line_i) * ROWS + 32'(wr_row_i))),
      .wr_data_i (wr_data_i),
      .rd_en_i   (show_i),
      .rd_addr_i (ADDR_W'(32'(show_line_i) * ROWS + 32'(show_sector_i) / EACH)),
      .rd_data_o (row)
    );
    always_ff @(posedge clk_i) begin
      if (show_i) sector_q <= show_sector_i;
    end
    assign sector_o = row[32'(sector_q) % EACH];
  end

endmodule
