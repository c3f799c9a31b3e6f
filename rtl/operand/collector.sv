// SPDX-License-Identifier: Apache-2.0
// Rows of operands on their way to a pipe or a unit: DEPTH places for rows that wait, in the order in which they were read, and a
// register behind them. DEPTH 0 is the operand bus itself: words go into the register as they come.
// In the register a row makes its passes, if its pipe (of PIPES; of a register branch, fma) has fewer lanes than the machine: in each
// pass after the first the lanes of the next one come down to the lowest.
// BLOCK: the places are block RAM, its output is the register. Such rows make no passes and carry words alone (op_line_o.row.valid
// says that one is shown); a row is shown until it is taken.
// Latency: a row with its last words in cycle t can leave its place in t+1; it is in the register a cycle after it leaves, or
// after its words have come. Throughput: a row in as many cycles as it makes passes.
// Handshake: issue has counted the rows, so a row always finds a place. op_valid_o offers the oldest row, as soon as the row before
// it has made its passes but one; it leaves with op_ready_i. With keep_i words a and b of the row before it stay.
// It does not reorder rows, and does not choose what takes them.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module collector #(
  parameter  int unsigned WORDS = back_pkg::WORDS,        // of a row, from word a on
  parameter  int unsigned DEPTH = 0,                      // a power of two, unless BLOCK
  parameter  bit          BLOCK = 1'b0,
  parameter  logic [cfg_pkg::PIPES-1:0] PIPES = '0,
  localparam int unsigned LANES = cfg_pkg::LANES
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // from dispatch: words on their way, each kept at once; with its last ones a row is complete. They are of a row that comes here
  input  bus_pkg::coming_t                   ds_coming_i,
  input  logic                               ds_here_i,
  // the oldest row that waits
  output logic                               op_valid_o,
  input  logic                               op_ready_i,
  input  logic                               keep_i,
  output back_pkg::row_t                     op_row_o,
  // the row in the register
  output bus_pkg::line_t                     op_line_o
);

  localparam int unsigned STAY_W = back_pkg::STAY_W;

  logic                               leave;            // a row comes into the register
  logic [WORDS-1:0]                   load;             // a word does
  logic [WORDS-1:0][LANES-1:0][31:0]  from, word_q;
  back_pkg::row_t                     row_q;
  logic                               valid_q, more_q;  // its first pass, a later one
  logic [STAY_W-1:0]                  left_q;           // passes of the row in the register that are still to come
  logic [WORDS-1:0]                   arrive;           // a word comes here
  logic                               complete;         // a row does

  assign arrive   = ds_here_i ? ds_coming_i.take[WORDS-1:0] : '0;
  assign complete = ds_here_i && ds_coming_i.last;

  // ---- places -----------------------------------------------------------------------------------------------------
  if (DEPTH == 0) begin : gen_bus
    assign op_valid_o = complete;
    assign op_row_o   = ds_coming_i.row;
    assign leave      = complete;
    assign load       = arrive;
    assign from       = ds_coming_i.words[WORDS-1:0];
  end else begin : gen_places
    localparam int unsigned PLACE_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;

    logic [PLACE_W-1:0] head_q, tail_q;   // the oldest row; the place after the newest, where words go
    logic [PLACE_W:0]   rows_q;

    assign op_valid_o = rows_q != '0 && left_q == '0;
    assign leave      = op_valid_o && op_ready_i;
    assign load       = {WORDS{leave}} & ~(WORDS'(2'b11) & {WORDS{keep_i}});

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        head_q <= '0;
        tail_q <= '0;
        rows_q <= '0;
      end else begin
        if (complete) tail_q <= tail_q + 1'b1;
        if (leave)    head_q <= head_q + 1'b1;
        rows_q <= rows_q + (PLACE_W+1)'(complete) - (PLACE_W+1)'(leave);
      end
    end

    for (genvar w = 0; w < WORDS; w++) begin : gen_word
      if (BLOCK) begin : gen_block
        ram_apart #(.WIDTH(LANES * 32), .DEPTH(1 << PLACE_W)) u_words (
          .clk_i     (clk_i),
          .rst_ni    (rst_ni),
          .wr_en_i   (arrive[w]),
          .wr_addr_i (tail_q),
          .wr_data_i (ds_coming_i.words[w]),
          .rd_en_i   (load[w]),
          .rd_addr_i (head_q),
          .rd_data_o (from[w])
        );
      end else begin : gen_lut
        ram_async #(.WIDTH(LANES * 32), .DEPTH(DEPTH)) u_words (
          .clk_i     (clk_i),
          .wr_en_i   (arrive[w]),
          .wr_addr_i (tail_q),
          .wr_data_i (ds_coming_i.words[w]),
          .rd_addr_i (head_q),
          .rd_data_o (from[w])
        );
      end
    end

    if (BLOCK) begin : gen_words_alone
      assign op_row_o = '0;
    end else begin : gen_row
      ram_async #(.WIDTH($bits(back_pkg::row_t)), .DEPTH(DEPTH)) u_row (
        .clk_i     (clk_i),
        .wr_en_i   (complete),
        .wr_addr_i (tail_q),
        .wr_data_i (ds_coming_i.row),
        .rd_addr_i (head_q),
        .rd_data_o (op_row_o)
      );
    end

    // A row finds a place: beside those that wait, in block RAM also beside that which is shown.
    `ASSERT(a_room, !(arrive != '0 || complete) || 32'(rows_q) + 32'(BLOCK && valid_q) < DEPTH)
  end

  // ---- the register ---------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= leave || (BLOCK && valid_q && !op_ready_i);
  end

  if (BLOCK) begin : gen_shown
    assign row_q  = '{valid: 1'b1, default: '0};
    assign left_q = '0;
    assign more_q = 1'b0;
    assign word_q = from;
  end else begin : gen_passes
    logic [WORDS-1:0][LANES-1:0][31:0] word_d;
    logic [2:0][LANES-1:0]             ps_d;
    logic [cfg_pkg::PIPES-1:0]         pipe;    // of the row in the register
    logic                              branch;  // what comes into it is a row of a register branch
    assign branch = op_row_o.valid && op_row_o.dest.pipe == '0;

    always_comb begin
      pipe = row_q.dest.pipe;
      if (pipe == '0) pipe[cfg_pkg::PIPE_FMA] = 1'b1;
      for (int unsigned w = 0; w < WORDS; w++) `HEDDLE_IDLE(word_d[w], 'x);
      `HEDDLE_IDLE(ps_d, 'x);
      if (`HEDDLE_LIVE(left_q != '0)) begin
        word_d = word_q;
        for (int unsigned p = 0; p < cfg_pkg::PIPES; p++) begin
          for (int unsigned w = 0; w < WORDS; w++) begin
            if (PIPES[p] && pipe[p] && back_pkg::reads_word(p, w)) word_d[w] = word_q[w] >> (32 * LANES / cfg_pkg::PIPE_PASSES[p]);
          end
        end
        ps_d = {row_q.ps2 >> cfg_pkg::ALU_LANES, row_q.ps1 >> cfg_pkg::ALU_LANES, row_q.ps0 >> cfg_pkg::ALU_LANES};
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        left_q <= '0;
        more_q <= 1'b0;
      end else begin
        if (leave)             left_q <= back_pkg::stay_of(op_row_o.dest.pipe & PIPES, PIPES[cfg_pkg::PIPE_FMA] && branch);
        else if (left_q != '0) left_q <= left_q - 1'b1;
        more_q <= left_q != '0;
      end
    end

    always_ff @(posedge clk_i) begin
      for (int unsigned w = 0; w < WORDS; w++) begin
        if (load[w])           word_q[w] <= from[w];
        else if (left_q != '0) word_q[w] <= word_d[w];
      end
      if (leave)             row_q <= op_row_o;
      else if (left_q != '0) {row_q.ps2, row_q.ps1, row_q.ps0} <= ps_d;
    end

    // Nothing comes into the register while a row makes its passes.
    `ASSERT_IF(a_passes, left_q != '0, load == '0 && !leave)
  end

  always_comb begin
    op_line_o           = '0;
    op_line_o.row       = row_q;
    op_line_o.row.valid = valid_q && row_q.valid;
    op_line_o.row.into  = valid_q ? row_q.into : '0;
    op_line_o.words     = (32 * LANES * back_pkg::WORDS)'(word_q);
    op_line_o.more      = more_q;
    op_line_o.left      = left_q;
  end

  // Fields that concern others; without places a row leaves at once.
  logic unused;
  assign unused = ^{ds_coming_i, op_ready_i, keep_i};

endmodule
