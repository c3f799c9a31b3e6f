// SPDX-License-Identifier: Apache-2.0
// The unit of warp-wide instructions: SHFL, VOTE, VOTEU, ACTIVEMASK, MATCH, REDUX, R2UR.
// The operands of an instruction are gathered first (warp_words, which also makes SHFL's steps: LANES/4 lanes a cycle, through as
// many choices of a word out of 32), then it is answered; one at a time.
// Latency: the last beat is taken in cycle t; what is then shown without delay, with e beats that have executing lanes:
//   VOTE, ACTIVEMASK   one beat a cycle in t+2 ... t+1+e
//   SHFL               a beat in t+6, then one every 4 cycles
//   MATCH              for each group of equal lanes, ascending: a cycle, one for each beat with lanes that are not answered
//                      yet, then one for each beat of the group (.ALL: one group, answered in all beats); the first in t+3+e
//   VOTEU              one answer, for a uniform register and predicate, in t+2
//   R2UR               one answer, the word of the lowest lane, in t+3
//   REDUX              one answer in t+2+n, with n executing lanes: one lane a cycle
//   an end alone (no lane executes, or no result is wanted) in t+2.
// Ready again in the cycle after the last answer was taken: a SHFL of all lanes every 5 BEATS + 2 cycles, a VOTE every 2 BEATS + 1.
// Handshake: valid/ready on both sides; the answer is registered and held until taken. Beats of an instruction come ascending.
// It does not choose where results go: uniform ones (target_t.uni) are a word and a predicate in lane 0.
`include "heddle_assert.svh"
`include "heddle_lanes.svh"

module warp_unit #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned BEATS = cfg_pkg::BEATS,
  localparam int unsigned SLOTS = core_pkg::MEM_SLOTS
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

  localparam int unsigned LANE_W  = cfg_pkg::LANE_W;
  localparam int unsigned BEAT_W  = cfg_pkg::BEAT_W;
  localparam int unsigned STEPS   = warp_pkg::STEPS;
  localparam int unsigned ANSWERS = warp_pkg::ANSWERS;

  typedef enum logic [2:0] {
    GATHER,    // beats come
    SHUFFLE,   // SHFL: lanes find their sources, step by step
    LEAD,      // MATCH: the lowest lane that is left shows its word
    COMPARE,   // MATCH: beat by beat, lanes that have the same
    ANSWER,    // one value for all of todo_q
    ADD,       // REDUX, R2UR: lane by lane
    CLOSE      // an end alone
  } state_e;

  state_e           state_q;
  core_pkg::varop_t op_q;
  logic [31:0]      todo_q;    // lanes to be walked through, beat by beat
  logic [31:0]      left_q;    // MATCH: lanes without an answer after the one that is under way
  logic [31:0]      group_q;   // lanes that vote or are equal
  logic [63:0]      lead_q;

  warp_pkg::ctl_t   op_ctl, ctl;
  warp_pkg::job_e   op_job;
  logic             take, take_last, room, no_result;
  logic             step_last;   // of a beat of SHFL

  assign op_ctl    = warp_pkg::ctl_t'(op_i.ctl[$bits(warp_pkg::ctl_t)-1:0]);
  assign op_job    = op_ctl.job;
  assign ctl       = warp_pkg::ctl_t'(op_q.ctl[$bits(warp_pkg::ctl_t)-1:0]);
  assign take      = op_valid_i && op_ready_o;
  assign take_last = take && op_beat_i == 5'(BEATS - 1);
  assign no_result = op_i.exec == '0 || (!op_i.to.has_rd && op_i.to.pd0 == isa_pkg::PT);

  // ---- the walk: the lowest beat that has lanes to do --------------------------------------------------------------------
  logic [BEATS-1:0]  beat_any, beat_hot;
  logic [BEAT_W-1:0] beat;
  logic [LANES-1:0]  beat_lanes;
  logic [31:0]       rest;
  logic              final_beat;

  always_comb begin
    for (int unsigned b = 0; b < BEATS; b++) beat_any[b] = |todo_q[b*LANES +: LANES];
  end

  logic any_todo;
  lowest_one #(.N(BEATS)) u_beat (.in_i(beat_any), .onehot_o(beat_hot), .index_o(beat), .any_o(any_todo));

  always_comb begin
    rest       = todo_q;
    beat_lanes = '0;
    for (int unsigned b = 0; b < BEATS; b++) begin
      if (beat_hot[b]) begin
        beat_lanes |= todo_q[b*LANES +: LANES];
        rest[b*LANES +: LANES] = '0;
      end
    end
  end

  assign final_beat = rest == '0;

  // The beat of SHFL and of MATCH stands in a register: what is read begins there. Which one is next is known beforehand: after this
  // one, or of MATCH's next group the lowest of those that are left.
  logic [BEATS-1:0]  next_hot, left_any, left_hot;
  logic [BEAT_W-1:0] next_beat, left_beat, walk_beat_q;
  logic              any_next, any_left;
  lowest_one #(.N(BEATS)) u_next (.in_i(beat_any & ~beat_hot), .onehot_o(next_hot), .index_o(next_beat), .any_o(any_next));
  always_comb begin
    for (int unsigned b = 0; b < BEATS; b++) left_any[b] = |left_q[b*LANES +: LANES];
  end
  lowest_one #(.N(BEATS)) u_left (.in_i(left_any), .onehot_o(left_hot), .index_o(left_beat), .any_o(any_left));
  always_ff @(posedge clk_i) begin
    case (state_q)
      GATHER:  walk_beat_q <= beat;
      SHUFFLE: if (room && step_last) walk_beat_q <= next_beat;
      COMPARE: walk_beat_q <= next_beat;
      ANSWER:  walk_beat_q <= left_beat;
      default: ;
    endcase
  end

  // ---- the same, lane by lane: is a lane left after the lowest one? ---------------------------------------------------------
  logic [31:0] lanes_left;
  logic        fold_begins, fold_ends;
  assign lanes_left  = todo_q & (todo_q - 32'd1);
  assign fold_begins = todo_q == op_q.exec;
  assign fold_ends   = lanes_left == '0 || ctl.first;

  // ---- words, and SHFL ---------------------------------------------------------------------------------------------------------
  logic                           hear, hear_full_q, hear_end_q;   // SHFL's words are there, all of a beat, of the last one
  logic [1:0]                     hear_step;
  logic [BEAT_W-1:0]              hear_beat_q;
  logic [LANES-1:0]               hear_mask_q;
  logic [ANSWERS-1:0]             heard;

  logic                           match_on;
  logic [LANES-1:0]               lead_hot;
  logic [LANE_W-1:0]              lead_lane;
  logic                           any_lane;
  logic [ANSWERS-1:0][31:0]       low_word;
  logic [LANES-1:0][31:0]         low_data, high_data;
  logic [31:0]                    high_word;

  assign match_on = state_q == LEAD || state_q == COMPARE || (cfg_pkg::HAS_UNI && state_q == ADD);

  lowest_one #(.N(LANES)) u_lead (.in_i(beat_lanes), .onehot_o(lead_hot), .index_o(lead_lane), .any_o(any_lane));

  warp_words u_words (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .take_i        (take),
    .shuffle_i     (op_job == warp_pkg::SHUFFLE),
    .beat_i        (BEAT_W'(op_beat_i)),
    .data_i        (op_data_i),
    .read_i        (match_on),
    .row_i         ((cfg_pkg::HAS_UNI && state_q == ADD) ? beat : walk_beat_q),
    .lane_i        (lead_lane),
    .row_o         (low_data),
    .high_row_o    (high_data),
    .high_o        (high_word),
    .hear_i        (state_q == SHUFFLE),
    .room_i        (room),
    .mode_i        (ctl.mode),
    .exec_i        (op_q.exec),
    .step_last_o   (step_last),
    .heard_valid_o (hear),
    .heard_step_o  (hear_step),
    .heard_o       (heard),
    .word_o        (low_word)
  );

  // ---- MATCH: lanes of a beat that have the leader's word -------------------------------------------------------------------
  logic [LANES-1:0] same;
  logic [31:0]      group;

  always_comb begin
    same  = 'x;
    group = 'x;
    if (state_q == COMPARE) begin
      group = group_q;
      `LANE_LOOP (int l = 0; l < int'(LANES); l++) begin   // kept: written out, it would be worked out in every cycle
        same[l] = beat_lanes[l] && low_data[l] == lead_q[31:0] && (high_data[l] == lead_q[63:32] || !ctl.pairs);
      end
      for (int unsigned b = 0; b < BEATS; b++) group[b*LANES +: LANES] |= same & {LANES{beat_hot[b]}};
    end
  end

  // ---- one value for many lanes -----------------------------------------------------------------------------------------------
  logic [31:0] value;
  logic        all, verdict;

  assign all = group_q == op_q.exec;

  always_comb begin
    value = (cfg_pkg::HAS_UNI && ctl.job == warp_pkg::FOLD) ? lead_q[31:0] : group_q;
    case (ctl.job)
      warp_pkg::MATCH: begin
        verdict = ctl.mode[0] == isa_pkg::MATCH_ANY || all;
        if (!verdict) value = '0;
      end
      default: begin
        case (ctl.mode[1:0])
          isa_pkg::VOTE_ALL: verdict = all;
          isa_pkg::VOTE_ANY: verdict = group_q != '0;
          default:           verdict = all || group_q == '0;
        endcase
      end
    endcase
  end

  // ---- the answer -----------------------------------------------------------------------------------------------------------
  logic                   lr_valid_q, row_q, pred_q, last_q;
  logic [BEAT_W-1:0]      lr_beat_q;
  logic [LANES-1:0]       mask_q, d0_q;
  logic [LANES-1:0][31:0] data_q;

  assign room       = !lr_valid_q || lr_ready_i;
  assign op_ready_o = state_q == GATHER && !hear && !lr_valid_q;
  assign lr_valid_o = lr_valid_q;

  always_comb begin
    lr_o           = '0;
    lr_o.tag.id    = op_q.id;
    lr_o.tag.to    = op_q.to;
    lr_o.tag.rbase = op_q.rbase;
    lr_o.tag.row   = row_q;
    lr_o.tag.pred  = pred_q;
    lr_o.tag.last  = last_q;
    lr_o.tag.beat  = 5'(lr_beat_q);
    lr_o.mask      = mask_q;
    lr_o.d0        = d0_q;
    lr_o.data      = data_q;
  end

  // An answer of this cycle.
  logic show_one, show_all, show_end;
  assign show_one = hear && room;
  assign show_all = state_q == ANSWER && room;
  assign show_end = state_q == CLOSE && room;

  // One value goes into all places at once, words that were heard into those of their step.
  always_ff @(posedge clk_i) begin
    for (int unsigned s = 0; s < STEPS; s++) begin
      if (show_all || (show_one && hear_step == 2'(s))) begin
        for (int unsigned i = 0; i < ANSWERS; i++) begin
          data_q[s*ANSWERS+i] <= show_all ? value : low_word[i];
          d0_q[s*ANSWERS+i]   <= show_all ? verdict : heard[i];
        end
      end
    end
    if (show_one || show_all) begin
      mask_q    <= show_all ? beat_lanes : hear_mask_q;
      lr_beat_q <= show_all ? beat : hear_beat_q;
    end
    if (show_one || show_all || show_end) begin
      row_q  <= !show_end && op_q.to.has_rd;
      pred_q <= !show_end && op_q.to.pd0 != isa_pkg::PT;
      last_q <= show_end || (show_one && hear_end_q) || (show_all && (op_q.to.uni || (final_beat && left_q == '0)));
    end
  end

  // ---- control ----------------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= GATHER;
      lr_valid_q <= 1'b0;
    end else begin
      if (lr_ready_i) lr_valid_q <= 1'b0;
      if ((show_one && hear_full_q) || show_all || show_end) lr_valid_q <= 1'b1;
      case (state_q)
        GATHER:
          if (take_last) begin
            if (no_result)                               state_q <= CLOSE;
            else if (op_job == warp_pkg::SHUFFLE)    state_q <= SHUFFLE;
            else if (op_job == warp_pkg::MATCH)      state_q <= LEAD;
            else if (cfg_pkg::HAS_UNI && op_job == warp_pkg::FOLD) state_q <= ADD;
            else                                         state_q <= ANSWER;
          end
        SHUFFLE: if (room && step_last && final_beat) state_q <= GATHER;
        LEAD:    state_q <= COMPARE;
        COMPARE: if (final_beat) state_q <= ANSWER;
        ANSWER:  if (room && (final_beat || op_q.to.uni)) state_q <= (left_q == '0) ? GATHER : LEAD;
        ADD:     if (fold_ends) state_q <= ANSWER;
        default: if (room) state_q <= GATHER;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) op_q <= op_i;
    case (state_q)
      GATHER:
        if (take) begin
          todo_q  <= op_i.exec;
          left_q  <= (op_job == warp_pkg::MATCH) ? op_i.exec : '0;
          group_q <= (op_job == warp_pkg::VOTE) ? op_i.exec & op_i.ps0 : op_i.exec;
        end
      SHUFFLE:
        if (room) begin
          hear_full_q <= step_last;
          hear_end_q  <= final_beat;
          hear_beat_q <= walk_beat_q;
          hear_mask_q <= beat_lanes;
          if (step_last) todo_q <= rest;
        end
      LEAD: begin
        lead_q  <= {high_word, low_word[0]};
        group_q <= '0;
      end
      COMPARE: begin
        group_q <= group;
        todo_q  <= rest;
        if (final_beat) begin
          todo_q <= (ctl.mode[0] == isa_pkg::MATCH_ALL) ? op_q.exec : group;
          left_q <= (ctl.mode[0] == isa_pkg::MATCH_ALL) ? '0 : left_q & ~group;
        end
      end
      ANSWER: if (room) todo_q <= final_beat ? left_q : rest;
      ADD: if (cfg_pkg::HAS_UNI) begin
        lead_q[31:0] <= (fold_begins || ctl.first) ? low_word[0] : warp_pkg::folded(ctl.mode, ctl.uns, lead_q[31:0], low_word[0]);
        if (!fold_ends) todo_q <= lanes_left;
      end
      default: ;
    endcase
  end

  // Beats come ascending, all of one instruction.
  logic [4:0] next_beat_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)   next_beat_q <= '0;
    else if (take) next_beat_q <= take_last ? '0 : op_beat_i + 5'd1;
  end
  `ASSERT_IF(a_ascending, take, op_beat_i == next_beat_q && (op_beat_i == '0 || op_i.id == op_q.id))
  // While words are heard nothing else is read.
  `ASSERT(a_hear, !hear || !match_on)
  // The beat that was known beforehand is the one that is next.
  `ASSERT_IF(a_beat, state_q == SHUFFLE || state_q == LEAD || state_q == COMPARE, BEATS == 1 || walk_beat_q == beat)
  // Where there is something to walk through, some lane is to do.
  `ASSERT_IF(a_todo, state_q != GATHER && state_q != CLOSE, any_todo && any_lane)

  logic unused;
  assign unused = ^{lead_hot, next_hot, any_next, left_hot, any_left, op_q, op_ctl};

endmodule
