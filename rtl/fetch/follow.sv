// SPDX-License-Identifier: Apache-2.0
// Follows direct jumps as they arrive: the target stands in the word, so fetch goes on there while the jump waits for its issue.
// Latency: a jump pushed in cycle t is followed in t+1, or in the first cycle after it in which divergence sends nobody elsewhere.
// Handshake: events. From t+1 until it is followed the warp asks for nothing, and its words are of the old path (old_o).
// It does not know whether lanes will take the jump: divergence does, and is told with the entry that this was followed.
// A jump that comes while another one waits, or behind a word that stopped its warp, is not followed.
module follow (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [31:0]                entry_pc_i,
  // from fetch: who starts; who is flushed, and sent elsewhere (one warp at the most)
  input  logic [cfg_pkg::WARPS-1:0]  start_i,
  input  logic [cfg_pkg::WARPS-1:0]  flush_i,
  input  logic [cfg_pkg::WARPS-1:0]  jump_i,
  input  logic [cfg_pkg::WARP_W-1:0] jump_slot_i,
  input  logic [31:0]                jump_pc_i,
  // the word that is pushed, and what predecode says of it
  input  logic                       push_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0] push_slot_i,
  input  logic                       push_short_i,
  input  logic                       push_middle_i,  // ... it is no instruction
  input  logic [127:0]               push_word_i,
  input  issue_pkg::jump_t           push_jump_i,
  input  logic [cfg_pkg::WARPS-1:0]  stop_i,         // warps that a word has stopped
  output logic                       followed_o,     // of the pushed word
  // to fetch
  output logic [cfg_pkg::WARPS-1:0]  old_o,          // the warp that is about to go on elsewhere
  output logic [cfg_pkg::WARPS-1:0]  go_o,           // ... and does in this cycle
  output logic [cfg_pkg::WARP_W-1:0] go_slot_o,
  output logic [31:0]                go_pc_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic                       valid_q;
  logic [cfg_pkg::WARP_W-1:0] slot_q;
  logic [31:0]                pc_q, pc, next, target;
  logic [WARPS-1:0]           push;
  logic                       go;

  assign push       = WARPS'(push_valid_i) << push_slot_i;
  // Behind a word that is no short one comes the next place, also where the PC was the middle of this one.
  assign next       = (isa_pkg::HAS_SHORT && push_short_i) ? pc + 32'd8 : {pc[31:4] + 28'd1, 4'd0};
  assign target     = push_jump_i.absolute ? isa_pkg::f_abs32(push_word_i) : next + isa_pkg::f_rel(push_word_i);
  assign followed_o = push_valid_i && push_jump_i.direct && !push_middle_i && (push & stop_i) == '0 && (!valid_q || go);

  warp_pc u_pc (
    .clk_i       (clk_i),
    .entry_pc_i  (entry_pc_i),
    .start_i     (start_i),
    .jump_i      (jump_i),
    .jump_slot_i (jump_slot_i),
    .jump_pc_i   (jump_pc_i),
    .go_i        (push_valid_i),
    .go_pc_i     (followed_o ? target : next),
    .q_slot_i    (push_slot_i),
    .q_pc_o      (pc)
  );

  assign old_o     = WARPS'(valid_q) << slot_q;
  assign go        = valid_q && jump_i == '0 && (old_o & flush_i) == '0;
  assign go_o      = WARPS'(go) << slot_q;
  assign go_slot_o = slot_q;
  assign go_pc_o   = pc_q;

  // Whoever is flushed follows nothing.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= (followed_o && (push & flush_i) == '0) || (valid_q && !go && (old_o & flush_i) == '0);
  end
  always_ff @(posedge clk_i) begin
    if (followed_o) begin
      slot_q <= push_slot_i;
      pc_q   <= target;
    end
  end

  logic unused;
  assign unused = ^{push_word_i, push_jump_i.likely};

endmodule
