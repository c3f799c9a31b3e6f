// SPDX-License-Identifier: Apache-2.0
// The text of cells_subjects.sv beside its netlists over lab/fpga/synth/cells: `right_*` over the models as they are, `wrong_*` over models
// that test_cells.sh has changed. The same random inputs for all; every bit that the text defines is compared. Such a bit was written
// (or is there from the beginning), and is not read as it is written, where the text leaves it undefined.
module cells_tb
  import cells_pkg::*;
(
  input  logic        clk_i,
  input  logic [MEMORIES-1:0][191:0] random_i,   // new in each cycle
  input  logic [63:0] a_i, b_i,
  output logic [31:0] compared_o,     // bits, of memories
  output logic [31:0] memories_o,     // memories of which some bit differed, one bit each
  output logic [31:0] wrong_o,        // the same over models that are wrong
  output logic [31:0] relied_o,       // memories that answered otherwise where the text defines nothing: as it is written
  output logic [31:0] races_o,        // memories where that happened
  output logic [31:0] products_o,     // products that differed
  output logic [31:0] signs_o         // the same where the sign of one operand is not looked at
);
  typedef struct packed {   // what a memory makes of its random bits
    logic [WORD-1:0]  data;
    logic [22:0]      spare;
    logic             none, all, first;
    logic [3:0]       enable;
    logic [2:0]       to, from, which;
    logic [1:0]       read, word;
    logic [5:0]       renew;
    logic [ADDR-1:0]  address;
  } chance_t;

  logic [MEMORIES-1:0][3:0]      wr_en_q;
  logic [MEMORIES-1:0][ADDR-1:0] wr_addr_q, rd_addr_q;
  logic [MEMORIES-1:0][WORD-1:0] wr_data_q;
  logic [MEMORIES-1:0]           rd_en_q;
  logic [MEMORIES-1:0][1:0]      rd_word_q;
  logic [MEMORIES-1:0][WORD-1:0] text, right, wrong;

  `define PORTS(data) .clk_i(clk_i), .wr_en_i(wr_en_q), .wr_addr_i(wr_addr_q), .wr_data_i(wr_data_q), .rd_en_i(rd_en_q), \
    .rd_addr_i(rd_addr_q), .rd_word_i(rd_word_q), .rd_data_o(data)
  cells_memories u_text  (`PORTS(text));
  right_memories u_right (`PORTS(right));
  wrong_memories u_wrong (`PORTS(wrong));
  `undef PORTS

  assign memories_o[31:MEMORIES] = '0;
  assign wrong_o[31:MEMORIES]    = '0;
  assign relied_o[31:MEMORIES]   = '0;
  assign races_o[31:MEMORIES]    = '0;

  logic [MEMORIES-1:0][31:0] compared;
  always_comb begin
    compared_o = '0;
    for (int m = 0; m < MEMORIES; m++) compared_o += compared[m];
  end

  for (genvar m = 0; m < MEMORIES; m++) begin : gen_memory
    localparam shape_t      S     = MEMORY[m];
    localparam int unsigned WIDTH = 32'(S.width);
    localparam int unsigned DEPTH = 32'(S.depth);
    localparam int unsigned PARTS = 32'(S.parts);
    localparam int unsigned WORDS = S.kind == RAM_UNPACK ? PARTS : 1;
    localparam int unsigned PART  = S.kind == RAM_UNPACK ? WIDTH : WIDTH / PARTS;

    logic [WORDS*WIDTH-1:0] known [DEPTH];
    logic [WORDS*WIDTH-1:0] written;
    logic [WIDTH-1:0]       look_q;          // bits of the output that the text defines
    logic                   race_q;          // the output is a word that was read as it was written
    logic [7:0][ADDR-1:0]   near_q;          // few addresses, so that what is read has been written

    initial begin
      for (int i = 0; i < DEPTH; i++) known[i] = S.first != '0 ? '1 : '0;
      for (int i = 0; i < 8; i++) near_q[i] = ADDR'(i);
      look_q        = '0;
      race_q        = 1'b0;
      compared[m]   = '0;
      memories_o[m] = 1'b0;
      wrong_o[m]    = 1'b0;
      wr_en_q[m]    = '0;
      rd_en_q[m]    = 1'b0;
      relied_o[m]   = 1'b0;
      races_o[m]    = 1'b0;
    end

    always_comb begin
      for (int b = 0; b < WORDS*WIDTH; b++) written[b] = S.kind == RAM_UNPACK ? wr_en_q[m][0] : wr_en_q[m][b/PART];
    end

    chance_t         chance;
    logic [3:0]      enable;
    logic [ADDR-1:0] to, from;
    always_comb begin
      chance = random_i[m];
      enable = chance.none ? '0 : chance.all ? '1 : chance.enable;
      enable &= S.kind == RAM_UNPACK ? 4'd1 : 4'((5'd1 << PARTS) - 5'd1);
      to     = near_q[chance.to];
      from   = near_q[chance.from];
      if (S.first != '0 && chance.first) from = chance.address % ADDR'(S.first);
    end

    always_ff @(posedge clk_i) begin
      wr_en_q[m]   <= enable;
      wr_addr_q[m] <= to;
      wr_data_q[m] <= chance.data;
      rd_en_q[m]   <= chance.read != '0 && (S.kind == RAM_1R1W || enable == '0 || to != from);
      rd_addr_q[m] <= from;
      rd_word_q[m] <= chance.word;
      if (chance.renew == '0) near_q[chance.which] <= chance.address % ADDR'(DEPTH);

      // The meaning of the coming cycle's output.
      if (rd_en_q[m]) begin
        race_q <= S.race && written != '0 && wr_addr_q[m] == rd_addr_q[m];
        look_q <= WORDS == 1 ? known[rd_addr_q[m]][WIDTH-1:0] : WIDTH'(known[rd_addr_q[m]] >> (WIDTH * 32'(rd_word_q[m])));
      end else if (S.zero) begin
        look_q <= '1;
        race_q <= 1'b0;
      end
      if (written != '0) known[wr_addr_q[m]] <= known[wr_addr_q[m]] | written;

      if (race_q) begin
        races_o[m]  <= 1'b1;
        relied_o[m] <= relied_o[m] | (((text[m] ^ right[m]) & WORD'(look_q)) != '0);
      end else begin
        compared[m]   <= compared[m] + 32'($countones(look_q));
        memories_o[m] <= memories_o[m] | (((text[m] ^ right[m]) & WORD'(look_q)) != '0);
        wrong_o[m]    <= wrong_o[m] | (((text[m] ^ wrong[m]) & WORD'(look_q)) != '0);
      end
    end
  end

  // ---- products
  logic [PRODUCTS-1:0][127:0] product, product_right, product_wrong;
  cells_products u_products       (.a_i(a_i), .b_i(b_i), .product_o(product));
  right_products u_products_right (.a_i(a_i), .b_i(b_i), .product_o(product_right));
  wrong_products u_products_wrong (.a_i(a_i), .b_i(b_i), .product_o(product_wrong));

  initial begin
    products_o = '0;
    signs_o    = '0;
  end
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < PRODUCTS; p++) begin
      if (product[p] != product_right[p]) products_o[p] <= 1'b1;
      if (product[p] != product_wrong[p]) signs_o[p] <= 1'b1;
    end
  end
endmodule
