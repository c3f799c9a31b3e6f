// SPDX-License-Identifier: Apache-2.0
// FP64 unit of a partition: WORKING lanes work at a time, on groups of WORKING neighbours of a beat; groups with every lane
// off are left out. Results of a beat are gathered and leave as rows of the low words, then of the high ones, or as one beat
// of predicates. Instructions and beats keep their order.
// Latency: PASSES + 6 cycles from a beat of one group, taken, to its first row. A beat of G groups takes
// (G-1) * PASSES + max(PASSES, 3) cycles, where its rows are taken at once.
// Handshake: valid/ready on both sides. A beat stands at the input until its last group is taken; the output is held until
// taken, and holds up the lanes meanwhile. No combinational path from lr_ready_i to any output.
// It does not read registers, and does not look at the destination, which comes out with the results.
`include "heddle_assert.svh"

module fp64_unit #(
  parameter int unsigned WORKING = fp64_pkg::WORKING,
  parameter int unsigned PASSES  = fp64_pkg::PASSES
) (
  input  logic                                                  clk_i,
  input  logic                                                  rst_ni,
  // from operand
  input  logic                                                  op_valid_i,
  output logic                                                  op_ready_o,
  input  core_pkg::varop_t                                      op_i,
  input  logic [4:0]                                            op_beat_i,
  input  logic [core_pkg::MEM_SLOTS-1:0][cfg_pkg::LANES-1:0][31:0]  op_data_i,
  // to writeback and issue
  output logic                                                  lr_valid_o,
  input  logic                                                  lr_ready_i,
  output core_pkg::result_t                                     lr_o
);

  localparam int unsigned LANES  = cfg_pkg::LANES;
  localparam int unsigned GROUPS = LANES / WORKING;
  localparam int unsigned GROUP_W = (GROUPS > 1) ? $clog2(GROUPS) : 1;
  localparam int unsigned GAP_W   = $clog2(PASSES + 1);

  if (LANES % WORKING != 0) begin : gen_check
    $error("fp64_unit: the lanes of a beat are no multiple of the working lanes");
  end

  // Ranks that a group passes: operands, open, the passes of the product, sum, close, close; then its result stands.
  localparam int unsigned RANKS = PASSES + 5;

  typedef struct packed {
    fp64_pkg::ctl_t     ctl;
    logic [4:0]         beat;
    logic [GROUP_W-1:0] group;
    logic [WORKING-1:0] mask;
    logic               close;   // last group of its beat
    logic               last;    // last of its instruction
  } token_t;

  logic              [RANKS-1:0] valid_q;
  token_t            [RANKS-1:0] token_q;
  logic                          go;       // the ranks advance
  logic                          busy_q;   // a beat of results is on its way out

  // A result that finds the last beat's still there waits, and everything with it.
  assign go = !(valid_q[RANKS-1] && busy_q);

  // ---- The next group of the beat at the input -------------------------------------------------
  logic [LANES-1:0]  on;
  logic [GROUPS-1:0] groups_on, done_q;
  logic [GROUP_W-1:0] group;
  logic              empty, last_beat, more, fire, open_q, info_ready;
  logic [GAP_W-1:0]  gap_q;

  always_comb begin
    on        = '0;
    groups_on = '0;
    group     = '0;
    more      = 1'b0;
    if (op_valid_i) begin
      on = LANES'(op_i.exec >> (32'(op_beat_i) * LANES));
      for (int unsigned g = 0; g < GROUPS; g++) groups_on[g] = on[g*WORKING +: WORKING] != '0 && !done_q[g];
      for (int unsigned g = GROUPS; g > 0; g--) begin
        if (groups_on[g-1]) begin
          more  = (groups_on >> g) != '0;
          group = GROUP_W'(g - 1);
        end
      end
    end
  end

  assign empty      = on == '0;
  assign last_beat  = op_beat_i == 5'(cfg_pkg::BEATS - 1);
  assign fire       = op_valid_i && (!empty || last_beat) && go && gap_q == '0 && (open_q || info_ready);
  assign op_ready_o = op_valid_i && ((empty && !last_beat) || (fire && !more));

  token_t token;
  always_comb begin
    token.ctl   = fp64_pkg::ctl_t'(op_i.ctl[$bits(fp64_pkg::ctl_t)-1:0]);
    token.beat  = op_beat_i;
    token.group = group;
    token.mask  = on[group*WORKING +: WORKING];
    token.close = !more;
    token.last  = !more && last_beat;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q <= '0;
      gap_q  <= '0;
      open_q <= 1'b0;
    end else begin
      if (fire) begin
        done_q <= more ? done_q | (GROUPS'(1) << group) : '0;
        open_q <= !token.last;
        gap_q  <= GAP_W'(PASSES - 1);
      end else if (go && gap_q != '0) begin
        gap_q <= gap_q - 1'b1;
      end
    end
  end

  // ---- What an instruction says of its destination, kept while it is under way ------------------
  typedef struct packed {
    core_pkg::id_t     id;
    core_pkg::target_t to;
    logic [15:0]       rbase;
  } info_t;

  info_t info_in, info;
  logic  info_valid, info_pop;
  logic [2:0] info_count;

  assign info_in = '{id: op_i.id, to: op_i.to, rbase: op_i.rbase};

  fifo #(.WIDTH($bits(info_t)), .DEPTH(4)) u_info (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .in_valid_i(fire && !open_q), .in_ready_o(info_ready), .in_data_i(info_in),
    .out_valid_o(info_valid), .out_ready_i(info_pop), .out_data_o(info), .count_o(info_count));

  // ---- Ranks -----------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else if (go) valid_q <= {valid_q[RANKS-2:0], fire};
  end

  always_ff @(posedge clk_i) begin
    if (fire) token_q[0] <= token;
    for (int unsigned k = 1; k < RANKS; k++) begin
      if (go && valid_q[k-1]) token_q[k] <= token_q[k-1];
    end
  end

  logic [WORKING-1:0][63:0] result;
  logic [WORKING-1:0]       pd0, pd1;

  for (genvar w = 0; w < WORKING; w++) begin : gen_lane
    logic [63:0] a_q, b_q, c_q;
    logic        ps0_q;
    always_ff @(posedge clk_i) begin
      if (fire) begin
        automatic logic [31:0] lane = 32'(group) * WORKING + 32'(w);
        a_q   <= {op_data_i[1][lane[$clog2(LANES)-1:0]], op_data_i[0][lane[$clog2(LANES)-1:0]]};
        b_q   <= {op_data_i[3][lane[$clog2(LANES)-1:0]], op_data_i[2][lane[$clog2(LANES)-1:0]]};
        c_q   <= {op_data_i[5][lane[$clog2(LANES)-1:0]], op_data_i[4][lane[$clog2(LANES)-1:0]]};
        ps0_q <= op_i.ps0[5'(32'(op_beat_i) * LANES + lane)];
      end
    end

    fp64_lane #(.PASSES(PASSES)) u_lane (
      .clk_i       (clk_i),
      .en_open_i   (go && valid_q[0]),
      .en_pass_i   (valid_q[PASSES:1] & {PASSES{go}}),
      .en_sum_i    (go && valid_q[PASSES+1]),
      .en_close_i  (valid_q[PASSES+3:PASSES+2] & {2{go}}),
      .ctl_open_i  (token_q[0].ctl),
      .ctl_sum_i   (token_q[PASSES+1].ctl),
      .ctl_close_i ({token_q[PASSES+3].ctl, token_q[PASSES+2].ctl}),
      .a_i         (a_q),
      .b_i         (b_q),
      .c_i         (c_q),
      .ps0_i       (ps0_q),
      .result_o    (result[w]),
      .pd0_o       (pd0[w]),
      .pd1_o       (pd1[w])
    );
  end

  // ---- Results of a beat -----------------------------------------------------------------------
  token_t                  out;        // its control has been used
  logic [LANES-1:0][31:0]  lo_q, hi_q;
  logic [LANES-1:0]        mask_q, d0_q, d1_q, mask;
  logic [4:0]              beat_q;
  logic                    filled_q;   // some group of the beat has come
  logic                    last_q, high_q;
  logic                    take, to_rows, to_preds, row, more_words, last;

  assign out      = token_q[RANKS-1];
  assign take     = valid_q[RANKS-1] && !busy_q;
  assign mask     = (filled_q ? mask_q : '0) | (LANES'(out.mask) << (32'(out.group) * WORKING));
  assign to_rows  = info.to.has_rd;
  assign to_preds = info.to.pd0 != isa_pkg::PT || info.to.pd1 != isa_pkg::PT;

  // Where every lane of a beat is off, or an instruction writes nothing, only the end leaves.
  assign row        = to_rows && mask_q != '0;
  assign more_words = row && info.to.rd_n != 2'd0 && !high_q;
  assign last       = last_q && !more_words;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      filled_q <= 1'b0;
    end else if (take) begin
      busy_q   <= out.close && (out.last || ((to_rows || to_preds) && mask != '0));
      filled_q <= !out.close;
    end else if (busy_q && lr_ready_i && !more_words) begin
      busy_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      mask_q <= mask;
      beat_q <= out.beat;
      last_q <= out.last;
      high_q <= 1'b0;
      for (int unsigned g = 0; g < GROUPS; g++) begin
        if (GROUPS == 1 || out.group == GROUP_W'(g)) begin
          for (int unsigned w = 0; w < WORKING; w++) begin
            lo_q[g*WORKING+w] <= result[w][31:0];
            hi_q[g*WORKING+w] <= result[w][63:32];
          end
          d0_q[g*WORKING +: WORKING] <= pd0;
          d1_q[g*WORKING +: WORKING] <= pd1;
        end
      end
    end else if (busy_q && lr_ready_i) begin
      high_q <= 1'b1;
      lo_q   <= hi_q;
    end
  end

  assign lr_valid_o = busy_q;
  assign info_pop   = busy_q && lr_ready_i && last;

  always_comb begin
    lr_o.tag  = '{id: info.id, to: info.to, rbase: info.rbase, row: row, pred: to_preds && mask_q != '0 && !high_q, last: last,
                  word: {1'b0, high_q}, beat: beat_q};
    lr_o.mask = mask_q;
    lr_o.d0   = d0_q;
    lr_o.d1   = d1_q;
    lr_o.data = lo_q;
  end

  // A group in the ranks belongs to an instruction that is known.
  `ASSERT_IF(a_info, valid_q != '0 || busy_q, info_valid)
  // Two products never meet: first passes lie PASSES cycles apart.
  if (PASSES > 1) begin : gen_apart
    `ASSERT_IF(a_apart, valid_q[1], valid_q[PASSES:2] == '0)
  end

  logic unused;
  assign unused = ^{info_count, op_i, out.ctl};

endmodule
