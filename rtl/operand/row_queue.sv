// SPDX-License-Identifier: Apache-2.0
// Rows of operands that wait in front of pipes with fewer lanes than the machine, in the order in which they were read, and the
// words of the row whose passes are made: in each of them after the first the lanes of the next one come down to the lowest.
// LINE 0 is that of alu and cvt, LINE 1 that of fma and of register branches, whose rows make passes as those of fma do.
// Words are written on their way to the bus, an early one as it comes; a row that is complete is the tail no longer.
// Latency: a row whose last words arrive in cycle t can leave in t+1, and its first lanes stand at the pipe in the cycle after
// that. Throughput: a row in as many cycles as its pipe makes passes.
// Handshake: issue has counted the rows, so one always finds room; one leaves when the row before it has made its passes but one
// and its write ports will be free (rs_ok_i); then it owns them. pipe_o is valid with a row's first lanes.
// It does not reorder rows, look at other queues, or tell anyone but issue of what leaves.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module row_queue #(
  parameter int unsigned LINE   = 0,
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned WORDS = back_pkg::WORDS
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // from dispatch: words on their way to the bus, each written at once; with its last ones a row is complete
  input  logic [WORDS-1:0]                    ds_take_i,     // of a row for this queue
  input  logic [WORDS-1:0][LANES-1:0][31:0]   ds_row_i,
  input  logic                                ds_last_i,
  input  back_pkg::beat_t                     ds_beat_i,
  // to and from the reservation table: the write ports of the oldest row, if it may leave
  output bus_pkg::claim_t                     op_claim_o,
  input  logic                                rs_ok_i,
  output logic                                op_take_o,
  // to the pipes: the row whose passes are made
  output bus_pkg::line_t                      op_line_o,
  // to issue: an instruction's last row leaves
  output logic                                op_gone_o,
  output logic [cfg_pkg::WARP_W-1:0]          op_gone_slot_o
);

  // A machine without queues has none of these; each module elaborates by itself everywhere.
  localparam int unsigned DEPTH   = (core_pkg::QUEUED ? cfg_pkg::ROW_QUEUES : 1) * cfg_pkg::BEATS;
  localparam int unsigned PLACE_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam int unsigned LEFT_W  = (cfg_pkg::PASSES_MAX > 1) ? $clog2(cfg_pkg::PASSES_MAX) : 1;

  // What a line has: word x is fma's second word of c, or of a branch's pair; predicates are alu's.
  localparam int unsigned HERE   = (LINE == 1) ? WORDS : WORDS - 1;
  localparam int unsigned CTL_AT = (LINE == 1) ? exec_pkg::FMA_AT : 0;
  localparam int unsigned CTL_W  = (LINE == 1) ? exec_pkg::FMA_CTL_W : exec_pkg::ALU_CTL_W;

  typedef struct packed {
    back_pkg::dest_t                    dest;
    logic [CTL_W-1:0]                   ctl;
    logic [exec_pkg::CVT_CTL_W-1:0]     cvt;
    logic [2:0][LANES-1:0]              ps;
  } about_t;

  // ---- the queue ------------------------------------------------------------------------------------------------
  logic [PLACE_W-1:0]                 head_q, tail_q;
  logic [PLACE_W:0]                   rows_q;
  logic [HERE-1:0][LANES-1:0][31:0]   head_word;
  about_t                             about, head;

  for (genvar w = 0; w < HERE; w++) begin : gen_word
    ram_async #(.WIDTH(LANES * 32), .DEPTH(DEPTH)) u_words (
      .clk_i     (clk_i),
      .wr_en_i   (ds_take_i[w]),
      .wr_addr_i (tail_q),
      .wr_data_i (ds_row_i[w]),
      .rd_addr_i (head_q),
      .rd_data_o (head_word[w])
    );
  end

  assign about = '{
    dest: ds_beat_i.dest,
    ctl:  ds_beat_i.ctl[CTL_AT +: CTL_W],
    cvt:  (LINE == 0) ? ds_beat_i.ctl[exec_pkg::CVT_AT +: exec_pkg::CVT_CTL_W] : '0,
    ps:   (LINE == 0) ? {ds_beat_i.ps2, ds_beat_i.ps1, ds_beat_i.ps0} : '0
  };

  ram_async #(.WIDTH($bits(about_t)), .DEPTH(DEPTH)) u_about (
    .clk_i     (clk_i),
    .wr_en_i   (ds_last_i),
    .wr_addr_i (tail_q),
    .wr_data_i (about),
    .rd_addr_i (head_q),
    .rd_data_o (head)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      rows_q <= '0;
    end else begin
      if (ds_last_i) tail_q <= tail_q + 1'b1;   // a power of two
      if (op_take_o) head_q <= head_q + 1'b1;
      rows_q <= rows_q + (PLACE_W+1)'(ds_last_i) - (PLACE_W+1)'(op_take_o);
    end
  end

  // ---- the oldest row leaves ------------------------------------------------------------------------------------
  logic [LEFT_W-1:0] left_q, stay;   // passes of the row before it that are still to come
  logic              there;

  assign there = rows_q != '0;
  assign stay  = (LINE == 1)                       ? LEFT_W'(cfg_pkg::FMA_PASSES - 1) :
                 head.dest.pipe[cfg_pkg::PIPE_CVT] ? LEFT_W'(cfg_pkg::CVT_PASSES - 1) : LEFT_W'(cfg_pkg::ALU_PASSES - 1);

  always_comb begin
    op_claim_o.pipe  = (there && left_q == '0) ? head.dest.pipe : '0;
    op_claim_o.preds = LINE == 0 && (head.dest.preds || head.dest.pd0 != isa_pkg::PT || head.dest.pd1 != isa_pkg::PT);
    op_claim_o.ports = '0;
    if (head.dest.rd_en) begin
      op_claim_o.ports[back_pkg::bank_of(head.dest.wreg)] = 1'b1;
      if (LINE == 1 && head.dest.rd_n != 2'd0) op_claim_o.ports[back_pkg::bank_of(head.dest.wreg + back_pkg::WREG_W'(1))] = 1'b1;
    end
  end

  assign op_take_o      = there && left_q == '0 && rs_ok_i;
  assign op_gone_o      = op_take_o && head.dest.last;
  assign op_gone_slot_o = core_pkg::local_slot(head.dest.id.slot);

  always_ff @(posedge clk_i) begin
    if (!rst_ni)            left_q <= '0;
    else if (op_take_o)     left_q <= stay;
    else if (left_q != '0)  left_q <= left_q - 1'b1;
  end

  // ---- the row whose passes are made ----------------------------------------------------------------------------
  logic                               valid_q;
  about_t                             about_q;
  logic [HERE-1:0][LANES-1:0][31:0]   word_q, word_d;
  logic [2:0][LANES-1:0]              ps_d;

  // Lanes that come down: as many as the pipe takes.
  function automatic logic [LANES-1:0][31:0] down(logic [LANES-1:0][31:0] word, logic cvt);
    if (LINE == 1)  down = word >> (32 * cfg_pkg::FMA_LANES);
    else if (cvt)   down = word >> (32 * cfg_pkg::CVT_LANES);
    else            down = word >> (32 * cfg_pkg::ALU_LANES);
  endfunction

  always_comb begin
    `HEDDLE_IDLE(word_d, 'x);
    `HEDDLE_IDLE(ps_d, 'x);
    if (`HEDDLE_LIVE(left_q != '0)) begin
      for (int unsigned w = 0; w < HERE; w++) word_d[w] = down(word_q[w], about_q.dest.pipe[cfg_pkg::PIPE_CVT]);
      for (int unsigned p = 0; p < 3; p++) ps_d[p] = about_q.ps[p] >> cfg_pkg::ALU_LANES;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= op_take_o;
  end

  always_ff @(posedge clk_i) begin
    if (op_take_o) begin
      about_q <= head;
      word_q  <= head_word;
    end else if (left_q != '0) begin
      about_q.ps <= ps_d;
      word_q     <= word_d;
    end
  end

  localparam int unsigned ALL_W = exec_pkg::CTL_W;
  assign op_line_o = '{
    row: '{
      valid:   valid_q,
      dest:    about_q.dest,
      ctl:     (ALL_W'(about_q.ctl) << CTL_AT) | ((LINE == 0) ? ALL_W'(about_q.cvt) << exec_pkg::CVT_AT : '0),
      ps0:     about_q.ps[0],
      ps1:     about_q.ps[1],
      ps2:     about_q.ps[2],
      default: '0
    },
    words: '{
      a: word_q[back_pkg::WORD_A],
      b: word_q[back_pkg::WORD_B],
      c: word_q[back_pkg::WORD_C],
      x: (LINE == 1) ? word_q[HERE-1] : '0
    }
  };

  // A row finds room, and is of this line.
  `ASSERT(a_room, !(ds_take_i != '0 || ds_last_i) || rows_q < (PLACE_W+1)'(DEPTH))
  `ASSERT_IF(a_line, ds_last_i, (LINE == 1) == (ds_beat_i.dest.pipe[cfg_pkg::PIPE_FMA] || ds_beat_i.dest.pipe == '0))

  // Fields that concern others.
  logic unused;
  assign unused = ^{ds_beat_i, ds_row_i, ds_take_i};

endmodule
