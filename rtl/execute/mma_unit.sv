// SPDX-License-Identifier: Apache-2.0
// The matrix unit of a partition: HMMA, IMMA, QMMA, DMMA (isa/doc/10-matrices.md). SUMS = 128 /
// CYCLES elements of D a step, each with 16 products; a pass over all of D takes CYCLES steps. The
// beats of the next instruction come in meanwhile.
//   one pass      HMMA (all shapes: those with fewer products leave the others idle), IMMA.16816
//   two passes    IMMA.16832, QMMA
//   four passes   DMMA (two numbers a lane: half as many sums a step)
// Throughput: an instruction every CYCLES cycles a pass, where the rows of results are taken at
// once, and beats come in time. The second pass of IMMA.16832 and QMMA begins RANK_SUM cycles
// after the first at the earliest. DMMA begins when what is not DMMA has left the ranks.
// Latency: the last beat is taken in cycle t; with GROUPS = LANES / SUMS steps making a row, the
// first row is offered in t + 15 + GROUPS (F16 results: 15 + 2 GROUPS), of two passes the longer
// of CYCLES and RANK_SUM later, of DMMA in t + 8 + 2 GROUPS + 3 CYCLES; an end alone (no lane
// executes, or the result is dropped) in t + 16.
// Operands, in words: slots 0, 1 A 0, 1; 2, 3 B; 4, 5 C 0, 1; 6, 7 A 2, 3; 8, 9 C 2, 3.
// Handshake: valid/ready on both sides; rows, in the order of the instructions, are held until
// taken. No combinational path from lr_ready_i to any output.
// It does not look for instructions that some lanes execute and some do not: issue traps there.
`include "heddle_assert.svh"

module mma_unit #(
  parameter  int unsigned CYCLES = mma_pkg::CYCLES,
  localparam int unsigned LANES  = cfg_pkg::LANES,
  localparam int unsigned SLOTS  = mma_pkg::SLOTS
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // from the operand stage, a beat of operands
  input  logic                              op_valid_i,
  output logic                              op_ready_o,
  input  core_pkg::varop_t                  op_i,
  input  logic [4:0]                        op_beat_i,
  input  logic [SLOTS-1:0][LANES-1:0][31:0] op_data_i,
  // to writeback, a late result
  output logic                              lr_valid_o,
  input  logic                              lr_ready_i,
  output core_pkg::result_t                 lr_o
);

  localparam int unsigned SUMS     = 128 / CYCLES;
  localparam int unsigned QUADS    = SUMS / 4;
  localparam int unsigned PAIRS    = SUMS / 2;
  localparam int unsigned QUAD_W   = (QUADS > 1) ? $clog2(QUADS) : 1;
  localparam int unsigned GROUPS   = LANES / SUMS;
  localparam int unsigned STEP_W   = mma_pkg::STEP_W;
  localparam int unsigned RANKS    = mma_pkg::RANKS;
  localparam int unsigned RANK_SUM = mma_pkg::RANK_SUM;
  localparam int unsigned RANK_D   = mma_pkg::RANK_FP64;
  localparam int unsigned ROWS     = 16;

  if (LANES % SUMS != 0 || CYCLES * SUMS != 128 || SUMS < 4) begin : gen_check
    $error("mma_unit: CYCLES is 8, 16 or 32, and at least 128 / LANES");
  end

  // ---- Beats come in: two instructions are held --------------------------------------------------
  core_pkg::varop_t op_q [2];
  logic [1:0]       full_q;
  logic             in_q, cur_q;      // the one that comes in, the one at work
  logic             take, done;

  assign op_ready_o = !full_q[in_q];
  assign take       = op_valid_i && op_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q <= '0;
      in_q   <= 1'b0;
    end else begin
      if (done) full_q[cur_q] <= 1'b0;
      if (take && op_beat_i == 5'(cfg_pkg::BEATS - 1)) begin
        full_q[in_q] <= 1'b1;
        in_q         <= !in_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) op_q[in_q] <= op_i;
  end

  // ---- Steps ---------------------------------------------------------------------------------------
  logic [RANKS:1]          valid_q;
  mma_pkg::token_t         token_q [1:RANKS];
  mma_pkg::token_t         token;
  mma_pkg::ctl_t           ctl;
  core_pkg::varop_t        op;
  logic [STEP_W-1:0]       step_q;
  logic [1:0]              pass_q;
  logic [3:0]              age_q;       // of the pass, saturating
  logic [4:0]              owed_q;      // rows that have places in the queue
  logic [1:0]              rows;
  logic                    none, first, fp64, other, wait_pass, room, go, ends_row, info_ready, pop;

  assign op   = op_q[cur_q];
  assign ctl  = mma_pkg::ctl_t'(op.ctl[$bits(mma_pkg::ctl_t)-1:0]);
  assign none = op.exec == '0 || !op.to.has_rd;
  assign fp64 = ctl.kind == mma_pkg::FP64 && !none;

  // Steps count groups of lanes, even and odd columns, halves of rows, beats.
  always_comb begin
    token            = '0;
    token.ctl        = ctl;
    token.step       = step_q;
    token.pass       = pass_q;
    token.none       = none;
    token.final_pass = none || pass_q == ctl.passes;
    token.last       = none || (token.final_pass && step_q == STEP_W'(CYCLES - 1));
    token.place.group = 3'(32'(step_q) % GROUPS);
    token.place.odd   = 1'(32'(step_q) / GROUPS);
    token.place.half  = 1'(32'(step_q) / (2 * GROUPS));
    token.place.beat  = 3'(32'(step_q) / (4 * GROUPS));
  end

  assign first    = pass_q == '0 && step_q == '0;
  assign ends_row = token.final_pass && 32'(token.place.group) == GROUPS - 1 && (token.place.odd || !(fp64 || ctl.acc16));
  assign rows     = none ? 2'd1 : ends_row ? (fp64 ? 2'd2 : 2'd1) : 2'd0;
  assign room     = 32'(owed_q) + 32'(rows) <= ROWS;

  // Steps of other kinds in the ranks, which are longer.
  always_comb begin
    other = 1'b0;
    for (int unsigned r = 1; r <= RANKS; r++) other |= valid_q[r] && (token_q[r].ctl.kind != mma_pkg::FP64 || token_q[r].none);
  end
  assign wait_pass = (first && (!info_ready || (fp64 && other)))
                     || (pass_q != '0 && !fp64 && step_q == '0 && 32'(age_q) < RANK_SUM);
  assign go        = full_q[cur_q] && room && !wait_pass;
  assign done      = go && token.last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cur_q  <= 1'b0;
      step_q <= '0;
      pass_q <= '0;
      age_q  <= '0;
      owed_q <= '0;
    end else begin
      if (go) begin
        step_q <= step_q + 1'b1;
        if (step_q == STEP_W'(CYCLES - 1)) begin
          step_q <= '0;
          pass_q <= pass_q + 2'd1;
        end
        if (token.last) begin
          step_q <= '0;
          pass_q <= '0;
          cur_q  <= !cur_q;
        end
      end
      if (go && step_q == '0)     age_q <= 4'd1;
      else if (age_q != 4'd15)    age_q <= age_q + 4'd1;
      if (go || pop) owed_q <= owed_q + (go ? 5'(rows) : 5'd0) - 5'(pop);
    end
  end

  // The tag of the results, but for their place.
  typedef struct packed {
    core_pkg::id_t     id;
    core_pkg::target_t to;
    logic [15:0]       rbase;
  } info_t;

  info_t      info_in, info;
  logic       info_valid;
  logic [2:0] info_count;

  assign info_in = '{id: op.id, to: op.to, rbase: op.rbase};

  fifo #(.WIDTH($bits(info_t)), .DEPTH(4)) u_info (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .in_valid_i(go && first), .in_ready_o(info_ready), .in_data_i(info_in),
    .out_valid_o(info_valid), .out_ready_i(pop && lr_o.tag.last), .out_data_o(info), .count_o(info_count));

  // ---- Ranks: nothing in them waits -------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      valid_q <= {valid_q[RANKS-1:1], go};
      // DMMA is shorter.
      if (token_q[RANK_D].ctl.kind == mma_pkg::FP64 && !token_q[RANK_D].none) valid_q[RANK_D+1] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (go) token_q[1] <= token;
    for (int unsigned r = 2; r <= RANKS; r++) begin
      if (valid_q[r-1]) token_q[r] <= token_q[r-1];
    end
  end

  // Which ranks compute, and what.
  logic [RANKS:1]                fp64_on, sum_on;
  mma_pkg::ctl_t [RANKS:1]       ctl_at;
  always_comb begin
    for (int unsigned r = 1; r <= RANKS; r++) begin
      ctl_at[r]  = token_q[r].ctl;
      fp64_on[r] = valid_q[r] && !token_q[r].none && token_q[r].ctl.kind == mma_pkg::FP64;
      sum_on[r]  = valid_q[r] && !token_q[r].none && token_q[r].ctl.kind != mma_pkg::FP64;
    end
  end

  logic [QUADS-1:0][3:0][1:0][31:0] a;
  logic [3:0][3:0][1:0][31:0]       b;
  logic [SUMS-1:0][31:0]            c, part, c_late, sums, added, doubles;

  mma_store #(.CYCLES(CYCLES)) u_store (
    .clk_i(clk_i),
    .wr_en_i(take), .wr_buf_i(in_q), .wr_beat_i(op_beat_i), .wr_data_i(op_data_i),
    .rd_en_i(go && !none), .rd_buf_i(cur_q), .rd_ctl_i(ctl), .rd_place_i(token.place),
    .a_o(a), .b_o(b), .c_o(c));

  mma_sum_lanes #(.CYCLES(CYCLES)) u_sum (
    .clk_i(clk_i), .en_i(sum_on[9:2]), .ctl_i(ctl_at[9:2]), .en_open_i(sum_on[1]), .token_i(token_q[1]),
    .a_i(a), .b_i(b), .c_i(c), .part_i(part), .sum_o(sums));

  mma_add_lanes #(.CYCLES(CYCLES)) u_add (
    .clk_i(clk_i), .en_i(sum_on[12:10]), .ctl_i(ctl_at[12:10]), .sum_i(sums), .c_i(c_late), .d_o(added));

  // ---- DMMA: half as many FP64 multiply-adds a step, ranks 1 to 5; a pass is one k, added to C, then to the pass before ----------
  fp64_pkg::ctl_t fma;
  always_comb begin
    fma      = '0;
    fma.kind = fp64_pkg::FMA;
    fma.rnd  = isa_pkg::RND_RN;
  end

  logic             upper;
  logic [PAIRS-1:0] pd0, pd1;
  assign upper = 1'(mma_pkg::lanes_of_fp64(token_q[1].place, GROUPS));

  for (genvar e = 0; e < PAIRS; e++) begin : gen_lane
    // Its lane, among those of the rows of A that were read: row g is a quad, column 2t + s of B
    // is number t.
    logic [63:0] x, y, z;
    logic [3:0]  lane;
    assign lane = (upper ? 4'(PAIRS) : 4'd0) + 4'(e);
    always_comb begin
      {x, y, z} = 'x;
      if (fp64_on[1]) begin
        x = a[QUAD_W'(32'(lane) / 4)][token_q[1].pass];
        y = b[lane[1:0]][token_q[1].pass];
        z = (token_q[1].pass == '0) ? c[2*e +: 2] : part[2*e +: 2];
      end
    end

    fp64_lane #(.PASSES(1)) u_lane (
      .clk_i       (clk_i),
      .en_open_i   (fp64_on[1]),
      .en_pass_i   (fp64_on[2]),
      .en_sum_i    (fp64_on[3]),
      .en_close_i  (fp64_on[5:4]),
      .ctl_open_i  (fma),
      .ctl_sum_i   (fma),
      .ctl_close_i ({fma, fma}),
      .a_i         (x),
      .b_i         (y),
      .c_i         (z),
      .ps0_i       (1'b0),
      .result_o    (doubles[2*e +: 2]),
      .pd0_o       (pd0[e]),
      .pd1_o       (pd1[e])
    );
  end

  // ---- Between passes: a place for each step -------------------------------------------------------
  localparam int unsigned PART_W = $clog2(CYCLES);
  logic                  keep_sum, keep_fp64;

  assign keep_sum  = sum_on[RANK_SUM] && !token_q[RANK_SUM].final_pass;
  assign keep_fp64 = fp64_on[RANK_D] && !token_q[RANK_D].final_pass;

  ram_live #(.WIDTH(SUMS * 32), .DEPTH(CYCLES)) u_parts (
    .clk_i     (clk_i),
    .wr_en_i   (keep_sum || keep_fp64),
    .wr_addr_i (keep_sum ? PART_W'(token_q[RANK_SUM].step) : PART_W'(token_q[RANK_D].step)),
    .wr_data_i (keep_sum ? sums : doubles),
    .rd_live_i (valid_q[1] && token_q[1].pass != '0),
    .rd_addr_i (PART_W'(token_q[1].step)),
    .rd_data_o (part)
  );

  // ---- C of the last addition: a queue from rank 1 to rank 10, with no more in it than steps between ---
  logic [3:0]            c_wr_q, c_rd_q;
  logic                  c_put, c_get;

  assign c_put = sum_on[1] && token_q[1].ctl.kind != mma_pkg::SUM;
  assign c_get = sum_on[RANK_SUM] && token_q[RANK_SUM].ctl.kind != mma_pkg::SUM;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      c_wr_q <= '0;
      c_rd_q <= '0;
    end else begin
      if (c_put) c_wr_q <= c_wr_q + 4'd1;
      if (c_get) c_rd_q <= c_rd_q + 4'd1;
    end
  end

  ram_live #(.WIDTH(SUMS * 32), .DEPTH(16)) u_late (
    .clk_i     (clk_i),
    .wr_en_i   (c_put),
    .wr_addr_i (c_wr_q),
    .wr_data_i (c),
    .rd_live_i (c_get),
    .rd_addr_i (c_rd_q),
    .rd_data_o (c_late)
  );

  // ---- Results ---------------------------------------------------------------------------------------
  logic            from_fp64, rows_valid;
  mma_pkg::token_t rows_token;

  assign from_fp64  = fp64_on[RANK_D] && token_q[RANK_D].final_pass;
  assign rows_valid = from_fp64 || (valid_q[RANKS] && token_q[RANKS].final_pass);
  assign rows_token = from_fp64 ? token_q[RANK_D] : token_q[RANKS];

  logic                   row, last;
  logic [4:0]             beat;
  logic [1:0]             word;
  logic [LANES-1:0][31:0] data;

  mma_rows #(.CYCLES(CYCLES), .ROWS(ROWS)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .valid_i(rows_valid), .token_i(rows_token), .words_i(from_fp64 ? doubles : added),
    .valid_o(lr_valid_o), .ready_i(lr_ready_i), .row_o(row), .last_o(last), .beat_o(beat), .word_o(word), .data_o(data));

  assign pop = lr_valid_o && lr_ready_i;

  always_comb begin
    lr_o      = '0;
    lr_o.tag  = '{id: info.id, to: info.to, rbase: info.rbase, row: row, pred: 1'b0, last: last, word: word, beat: beat};
    lr_o.mask = row ? '1 : '0;
    lr_o.data = data;
  end

  // All lanes execute, or none does; the beats of an instruction come ascending.
  logic [4:0] next_beat_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)   next_beat_q <= '0;
    else if (take) next_beat_q <= (op_beat_i == 5'(cfg_pkg::BEATS - 1)) ? '0 : op_beat_i + 5'd1;
  end
  `ASSERT_IF(a_whole, take, op_i.exec == '0 || op_i.exec == '1)
  `ASSERT_IF(a_ascending, take, op_beat_i == next_beat_q)
  // A result belongs to an instruction that is known; results of two kinds never meet.
  `ASSERT_IF(a_info, lr_valid_o, info_valid)
  `ASSERT_IF(a_meet, from_fp64, !(valid_q[RANKS] && token_q[RANKS].final_pass))
  `ASSERT_IF(a_keep, keep_fp64, !keep_sum)

  logic unused;
  assign unused = ^{op, info_count, info_valid, fp64_on, sum_on, ctl_at, pd0, pd1};

endmodule
