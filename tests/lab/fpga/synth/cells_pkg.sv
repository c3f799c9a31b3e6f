// SPDX-License-Identifier: Apache-2.0
// Subjects that test_cells.sh maps to an ECP5 and runs beside their text: shapes of the memories of rtl/lib, and products.
package cells_pkg;
  typedef enum logic [1:0] {RAM_1R1W, RAM_APART, RAM_UNPACK} kind_e;

  typedef struct packed {
    kind_e      kind;
    logic [7:0]  width;
    logic [14:0] depth;
    logic [3:0]  parts;   // with a write enable each; of RAM_UNPACK the words of a row, all written at once
    logic        race;    // RAM_1R1W: a word that is read as it is written is not used
    logic        zero;    // RAM_1R1W: zero where nothing is read
    logic [7:0]  first;   // RAM_APART: words with content at the beginning
  } shape_t;

  localparam int unsigned MEMORIES = 22;
  localparam shape_t MEMORY [MEMORIES] = '{
    '{RAM_1R1W,   8'd32, 15'd256,   4'd1, 1'b0, 1'b0, 8'd0},
    '{RAM_1R1W,   8'd36, 15'd512,   4'd4, 1'b1, 1'b0, 8'd0},
    '{RAM_1R1W,   8'd36, 15'd512,   4'd4, 1'b0, 1'b0, 8'd0},
    '{RAM_1R1W,   8'd64, 15'd512,   4'd2, 1'b1, 1'b0, 8'd0},
    '{RAM_1R1W,   8'd32, 15'd1024,  4'd4, 1'b1, 1'b0, 8'd0},
    '{RAM_1R1W,   8'd18, 15'd1024,  4'd2, 1'b1, 1'b1, 8'd0},
    '{RAM_1R1W,   8'd16, 15'd1024,  4'd2, 1'b0, 1'b1, 8'd0},
    '{RAM_1R1W,   8'd9,  15'd2048,  4'd1, 1'b1, 1'b1, 8'd0},
    '{RAM_1R1W,   8'd28, 15'd32,    4'd1, 1'b1, 1'b1, 8'd0},
    '{RAM_1R1W,   8'd4,  15'd4096,  4'd1, 1'b1, 1'b0, 8'd0},
    '{RAM_1R1W,   8'd2,  15'd8192,  4'd1, 1'b1, 1'b0, 8'd0},
    '{RAM_1R1W,   8'd1,  15'd16384, 4'd1, 1'b1, 1'b1, 8'd0},
    '{RAM_APART,  8'd32, 15'd512,   4'd1, 1'b0, 1'b0, 8'd32},
    '{RAM_APART,  8'd72, 15'd100,   4'd2, 1'b0, 1'b0, 8'd0},
    '{RAM_APART,  8'd18, 15'd1024,  4'd1, 1'b0, 1'b0, 8'd50},
    '{RAM_APART,  8'd9,  15'd2048,  4'd1, 1'b0, 1'b0, 8'd100},
    '{RAM_APART,  8'd2,  15'd8192,  4'd1, 1'b0, 1'b0, 8'd200},
    '{RAM_UNPACK, 8'd32, 15'd64,    4'd4, 1'b0, 1'b0, 8'd0},
    '{RAM_UNPACK, 8'd9,  15'd512,   4'd4, 1'b0, 1'b0, 8'd0},
    // Parts that share a block.
    '{RAM_APART,  8'd36, 15'd512,   4'd4, 1'b0, 1'b0, 8'd0},
    '{RAM_APART,  8'd32, 15'd1024,  4'd4, 1'b0, 1'b0, 8'd0},
    '{RAM_APART,  8'd18, 15'd1024,  4'd2, 1'b0, 1'b0, 8'd0}
  };
  localparam int unsigned WORD = 128;   // bits that the widest write takes
  localparam int unsigned ADDR = 15;

  // The words at the beginning: no two neighbouring bits alike for long, no word like the next one.
  function automatic logic [4095:0] content();
    logic [31:0] state = 32'h9E3779B9;
    for (int i = 0; i < 128; i++) begin
      state = state * 32'd1664525 + 32'd1013904223;
      content[32*i +: 32] = state ^ {16'd0, state[31:16]};
    end
  endfunction

  typedef struct packed {
    logic       sign_a, sign_b;
    logic [5:0] a, b;     // widths
  } product_t;

  localparam int unsigned PRODUCTS = 14;
  localparam product_t PRODUCT [PRODUCTS] = '{
    '{1'b0, 1'b0, 6'd5,  6'd5},
    '{1'b0, 1'b0, 6'd11, 6'd11},
    '{1'b0, 1'b0, 6'd18, 6'd18},
    '{1'b0, 1'b0, 6'd24, 6'd24},
    '{1'b0, 1'b0, 6'd18, 6'd8},
    '{1'b0, 1'b0, 6'd32, 6'd32},
    '{1'b0, 1'b0, 6'd53, 6'd14},
    '{1'b1, 1'b1, 6'd8,  6'd8},
    '{1'b1, 1'b1, 6'd17, 6'd17},
    '{1'b1, 1'b1, 6'd18, 6'd18},
    '{1'b1, 1'b1, 6'd33, 6'd33},
    '{1'b1, 1'b1, 6'd27, 6'd10},
    '{1'b1, 1'b0, 6'd17, 6'd16},
    '{1'b1, 1'b0, 6'd18, 6'd24}
  };
endpackage
