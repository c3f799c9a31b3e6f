// SPDX-License-Identifier: Apache-2.0
// The memories and products of cells_pkg.sv side by side: the form that Yosys maps, and the form of the simulator.
module cells_memories
  import cells_pkg::*;
(
  input  logic                           clk_i,
  input  logic [MEMORIES-1:0][3:0]       wr_en_i,
  input  logic [MEMORIES-1:0][ADDR-1:0]  wr_addr_i,
  input  logic [MEMORIES-1:0][WORD-1:0]  wr_data_i,
  input  logic [MEMORIES-1:0]            rd_en_i,
  input  logic [MEMORIES-1:0][ADDR-1:0]  rd_addr_i,
  input  logic [MEMORIES-1:0][1:0]       rd_word_i,
  output logic [MEMORIES-1:0][WORD-1:0]  rd_data_o
);
  for (genvar m = 0; m < MEMORIES; m++) begin : gen_memory
    localparam shape_t      S     = MEMORY[m];
    localparam int unsigned WIDTH = 32'(S.width);
    localparam int unsigned DEPTH = 32'(S.depth);
    localparam int unsigned PARTS = 32'(S.parts);
    localparam int unsigned A     = $clog2(DEPTH);
    logic [WIDTH-1:0] data;
    assign rd_data_o[m] = WORD'(data);

    if (S.kind == RAM_1R1W) begin : gen_1r1w
      ram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH), .GRAIN(WIDTH / PARTS), .RACE(S.race), .ZERO(S.zero)) u_ram (
        .clk_i(clk_i), .wr_en_i(wr_en_i[m][PARTS-1:0]), .wr_addr_i(wr_addr_i[m][A-1:0]), .wr_data_i(wr_data_i[m][WIDTH-1:0]),
        .rd_en_i(rd_en_i[m]), .rd_addr_i(rd_addr_i[m][A-1:0]), .rd_data_o(data));
    end else if (S.kind == RAM_APART) begin : gen_apart
      localparam int unsigned FIRST = 32'(S.first);
      localparam int unsigned BITS  = ((FIRST > 0) ? FIRST : 1) * WIDTH;
      localparam logic [4095:0] CONTENT = content();
      ram_apart #(.WIDTH(WIDTH), .DEPTH(DEPTH), .PARTS(PARTS), .FIRST(FIRST), .CONTENT(CONTENT[BITS-1:0])) u_ram (
        .clk_i(clk_i), .rst_ni(1'b1), .wr_en_i(wr_en_i[m][PARTS-1:0]), .wr_addr_i(wr_addr_i[m][A-1:0]),
        .wr_data_i(wr_data_i[m][WIDTH-1:0]), .rd_en_i(rd_en_i[m]), .rd_addr_i(rd_addr_i[m][A-1:0]), .rd_data_o(data));
    end else begin : gen_unpack
      ram_unpack #(.WIDTH(WIDTH), .WORDS(PARTS), .DEPTH(DEPTH)) u_ram (
        .clk_i(clk_i), .rst_ni(1'b1), .wr_en_i(wr_en_i[m][0]), .wr_addr_i(wr_addr_i[m][A-1:0]),
        .wr_data_i(wr_data_i[m][PARTS*WIDTH-1:0]), .rd_en_i(rd_en_i[m]), .rd_addr_i(rd_addr_i[m][A-1:0]),
        .rd_word_i(rd_word_i[m][$clog2(PARTS)-1:0]), .rd_data_o(data));
    end
  end
endmodule

module cells_products
  import cells_pkg::*;
(
  input  logic [63:0]                   a_i, b_i,
  output logic [PRODUCTS-1:0][127:0]    product_o
);
  for (genvar p = 0; p < PRODUCTS; p++) begin : gen_product
    localparam product_t    P = PRODUCT[p];
    localparam int unsigned A = 32'(P.a);
    localparam int unsigned B = 32'(P.b);
    if (P.sign_a && P.sign_b) begin : gen_signed
      logic signed [A+B-1:0] product;
      assign product      = $signed(a_i[A-1:0]) * $signed(b_i[B-1:0]);
      assign product_o[p] = 128'(product);
    end else if (P.sign_a) begin : gen_mixed
      logic signed [A+B:0] product;
      assign product      = $signed(a_i[A-1:0]) * $signed({1'b0, b_i[B-1:0]});
      assign product_o[p] = 128'(product);
    end else begin : gen_unsigned
      logic [A+B-1:0] product;
      assign product      = a_i[A-1:0] * b_i[B-1:0];
      assign product_o[p] = 128'(product);
    end
  end
endmodule
