// SPDX-License-Identifier: Apache-2.0
// Pipe of lookups into the shared TLB, one a cycle: requests of the channels in turns, waiting lookups, results of walks. Answers and
// the host's REPLAY leave through it, so all SMs receive them in one order.
// Latency: an answer leaves two cycles after its lookup or result was taken, a replay three.
// Handshake: in_, again_, tell_, replay_ valid/ready; answers, misses and the replay are events.
// REPLAY waits until no result is being sent: a fault of the list is answered before the replay that empties the list.
// Waiting lookups are not stored here.
module mmu_pipe #(
  parameter  int unsigned CHANNELS = 1,
  localparam int unsigned CH_W     = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // from the SMs
  input  logic [CHANNELS-1:0]            ask_valid_i,
  output logic [CHANNELS-1:0]            ask_ready_o,
  input  mmu_pkg::ask_t [CHANNELS-1:0]   ask_i,
  input  logic                           hold_i,           // holds these back
  // from mmu_waits
  input  logic                           again_valid_i,
  output logic                           again_ready_o,
  input  logic [CH_W-1:0]                again_channel_i,
  input  mmu_pkg::ask_t                  again_i,
  input  logic                           tell_valid_i,
  output logic                           tell_ready_o,
  input  logic                           tell_first_i,
  input  logic [CH_W-1:0]                tell_channel_i,
  input  mmu_pkg::ask_t                  tell_i,
  input  mmu_pkg::found_t                tell_found_i,
  input  logic                           telling_i,
  // from the host
  input  logic                           replay_valid_i,
  output logic                           replay_ready_o,
  input  logic                           replay_fail_i,
  // to and from shared_tlb
  output logic                           op_valid_o,
  input  logic                           op_ready_i,
  output logic                           op_look_o,
  output logic                           op_fill_o,
  output mmu_pkg::ask_t                  op_o,
  input  logic                           hit_i,
  input  mmu_pkg::leaf_t                 leaf_i,
  // to mmu_waits: of a lookup
  output logic                           miss_valid_o,
  output logic                           miss_again_o,
  output logic [CH_W-1:0]                miss_channel_o,
  output mmu_pkg::ask_t                  miss_o,
  output logic                           again_gone_o,
  // to the SMs
  output logic [CHANNELS-1:0]            answer_valid_o,
  output mmu_pkg::answer_t               answer_o,
  output logic                           replay_o,
  output logic                           fail_o,
  output logic                           empty_o           // nothing is in the pipe
);

  typedef struct packed {
    logic            valid;
    logic            replay;
    logic            fail;
    logic            tell;
    logic            again;
    logic [CH_W-1:0] channel;
    mmu_pkg::ask_t   ask;
    mmu_pkg::found_t found;
  } step_t;

  logic [CHANNELS-1:0] grant;
  logic [CH_W-1:0]     granted;
  logic                asks;
  step_t               step, step1_q, step2_q;

  arb_rr #(.N(CHANNELS)) u_turns (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (ask_valid_i),
    .grant_o (grant),
    .take_i  (asks)
  );
  onehot_index #(.N(CHANNELS)) u_granted (
    .onehot_i (grant),
    .index_o  (granted)
  );

  // Results go first, then the host, then waiting lookups: both are few.
  assign tell_ready_o   = op_ready_i;
  assign replay_ready_o = op_ready_i && !telling_i;
  assign again_ready_o  = op_ready_i && !tell_valid_i && !(replay_valid_i && replay_ready_o);
  assign asks           = op_ready_i && !tell_valid_i && !(replay_valid_i && replay_ready_o) && !again_valid_i && !hold_i
                        && ask_valid_i != '0;
  assign ask_ready_o    = grant & {CHANNELS{asks}};

  always_comb begin
    step         = '0;
    step.valid   = op_ready_i && (tell_valid_i || (replay_valid_i && replay_ready_o) || again_valid_i || asks);
    step.found   = tell_found_i;
    step.fail    = replay_fail_i;
    step.channel = granted;
    step.ask     = ask_i[granted];
    if (tell_valid_i) begin
      step.tell    = 1'b1;
      step.channel = tell_channel_i;
      step.ask     = tell_i;
    end else if (replay_valid_i && replay_ready_o) begin
      step.replay  = 1'b1;
    end else if (again_valid_i) begin
      step.again   = 1'b1;
      step.channel = again_channel_i;
      step.ask     = again_i;
    end
  end

  assign op_valid_o = step.valid;
  assign op_look_o  = !step.tell && !step.replay;
  assign op_fill_o  = step.tell && tell_first_i;
  assign op_o       = step.ask;

  always_ff @(posedge clk_i) begin
    step1_q <= step;
    step2_q <= step1_q;
    if (!rst_ni) begin
      step1_q.valid <= 1'b0;
      step2_q.valid <= 1'b0;
    end
  end

  // ---- two cycles later ---------------------------------------------------------------------------
  logic look, known;

  assign look           = step2_q.valid && !step2_q.tell && !step2_q.replay;
  assign known          = step2_q.valid && !step2_q.replay && (step2_q.tell || hit_i);
  assign miss_valid_o   = look && !hit_i;
  assign miss_again_o   = step2_q.again;
  assign miss_channel_o = step2_q.channel;
  assign miss_o         = step2_q.ask;
  assign again_gone_o   = look && hit_i && step2_q.again;
  assign answer_valid_o = CHANNELS'(known) << step2_q.channel;
  assign answer_o       = '{space: step2_q.ask.space, page: step2_q.ask.page, who: step2_q.ask.who,
    fault: step2_q.tell && step2_q.found.fault, kind: step2_q.found.kind, lists: step2_q.ask.lists,
    leaf: step2_q.tell ? step2_q.found.leaf : leaf_i};
  assign empty_o        = !step1_q.valid && !step2_q.valid;

  // A micro-TLB forwards an answer a cycle later, and the replay behind it.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) replay_o <= 1'b0;
    else         replay_o <= step2_q.valid && step2_q.replay;
    fail_o <= step2_q.fail;
  end

endmodule
