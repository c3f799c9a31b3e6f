// SPDX-License-Identifier: Apache-2.0
// Where each warp asks next: a PC a warp, and whether it is a place of code. It goes on as the warp is served, with words one by one in
// the cycle after; and where a direct jump leads (its target is in the word): fetch goes on there while the jump waits for its issue.
// Latency: a start and a jump of divergence in cycle t count from t+1 on; the PC of the warp that is served in t is that of the request
// in t+1. A direct jump pushed in cycle t is followed in t+1, or in the first cycle after it in which divergence sends no warp elsewhere.
// Handshake: events. A start goes before a jump, and that before the next word. From t+1 until a direct jump is followed the warp asks
// for nothing, and its words are of the old path (old_o).
// It does not choose the warp that asks. Whether lanes take a jump follows from divergence, which gets with the entry that this was followed. A jump that comes while another one waits, or behind a word that stopped its warp, is not followed.
`include "heddle_idle.svh"

module fetch_pc #(
  parameter int unsigned WORDS  = 1,      // of an answer
  parameter int unsigned PLACES = WORDS,  // asked for at once, at the most
  localparam int unsigned PLACE_W = (WORDS > 1) ? $clog2(WORDS) : 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the host
  input  logic [31:0]                entry_pc_i,
  input  logic [31:0]                code_bytes_i,
  input  logic [39:0]                code_base_i,
  // from fetch: warps that start; that are flushed, and sent elsewhere, one at the most
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
  output logic [cfg_pkg::WARPS-1:0]  old_o,          // the warp that is about to go on at a jump's target
  output logic [cfg_pkg::WARPS-1:0]  go_o,           // ... and does in this cycle
  // the warp that is served
  input  logic                       take_i,
  input  logic [cfg_pkg::WARPS-1:0]  grant_i,
  input  logic [cfg_pkg::WARP_W-1:0] sel_slot_i,
  // to fetch
  output logic [cfg_pkg::WARPS-1:0]  inside_o,    // the PC is a place of code
  output logic [PLACE_W-1:0]         first_o,     // of the warp that is served: the wanted word's place in the group,
  output logic [PLACE_W-1:0]         extra_o,     // words after it that are asked for
  output logic [31:0]                req_pc_o,    // of the request
  output logic                       req_half_o   // short words: the second of a pair is wanted
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;
  localparam int unsigned LOW    = core_pkg::PC_LOW;   // bits of a PC that are 0

  logic [WARPS-1:0]  inside_q, took_q;         // WORDS 1: the warp that was served in the cycle before; its PC goes on now
  logic [27:0]       next_word;                // to this
  logic              entry_ok_q, jump_ok, next_ok;
  logic [27:0]       sel_word, req_word_q;     // number of a place: a warp that asks is inside the code
  logic [27:0]       words, last_q;            // words of the code segment; the last one's number
  // ---- direct jumps as they arrive -----------------------------------------------------------------------------------------------
  logic              direct_q, go;   // one waits to be followed; is
  logic [WARP_W-1:0] direct_slot_q;
  logic [31:0]       direct_pc_q, pc, next, target;
  logic [WARPS-1:0]  push;

  assign push       = WARPS'(push_valid_i) << push_slot_i;
  // Behind a word that is no short one comes the next place, also where the PC was the middle of this one.
  assign next       = (isa_pkg::HAS_SHORT && push_short_i) ? pc + 32'd8 : {pc[31:4] + 28'd1, 4'd0};
  assign target     = push_jump_i.absolute ? isa_pkg::f_abs32(push_word_i) : next + isa_pkg::f_rel(push_word_i);
  assign followed_o = push_valid_i && push_jump_i.direct && !push_middle_i && (push & stop_i) == '0 && (!direct_q || go);

  warp_pc u_arrives (
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

  assign old_o     = WARPS'(direct_q) << direct_slot_q;
  assign go        = direct_q && jump_i == '0 && (old_o & flush_i) == '0;
  assign go_o      = WARPS'(go) << direct_slot_q;

  // A warp that is flushed follows nothing.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) direct_q <= 1'b0;
    else         direct_q <= (followed_o && (push & flush_i) == '0) || (direct_q && !go && (old_o & flush_i) == '0);
  end
  always_ff @(posedge clk_i) begin
    if (followed_o) begin
      direct_slot_q <= push_slot_i;
      direct_pc_q   <= target;
    end
  end

  // Divergence goes before a direct jump.
  logic [WARPS-1:0]  leap;
  logic [WARP_W-1:0] leap_slot;
  logic [31:0]       leap_pc;
  assign leap      = jump_i | go_o;
  assign leap_slot = (jump_i != '0) ? jump_slot_i : direct_slot_q;
  assign leap_pc   = (jump_i != '0) ? jump_pc_i : direct_pc_q;

  // ---- PCs: three may be written in a cycle, so each writer has a memory of its own (a start needs none, all warps begin at the
  // same place), and flags say which was the last ------------------------------------------------------------------------------
  logic [WARPS-1:0]  began_q, jumped_q, moved;   // the PC is the entry's; a jump's; goes on now
  logic              move;                       // ... to move_word
  logic [WARP_W-1:0] move_slot;
  logic [27:0]       move_word;
  logic [27:0]       kept_jump, kept_word;
  logic [1:0]        kept_from;

  always_ff @(posedge clk_i) begin
    if (`HEDDLE_LIVE(moved != '0 || leap != '0 || start_i != '0)) begin
      began_q  <= (began_q & ~moved & ~leap) | start_i;
      jumped_q <= ((jumped_q & ~moved) | leap) & ~start_i;
    end
  end

  ram_async #(.WIDTH(28), .DEPTH(WARPS)) u_kept_jump (
    .clk_i     (clk_i),
    .wr_en_i   (leap != '0),
    .wr_addr_i (leap_slot),
    .wr_data_i (leap_pc[31:4]),
    .rd_addr_i (sel_slot_i),
    .rd_data_o (kept_jump)
  );
  ram_async #(.WIDTH(28), .DEPTH(WARPS)) u_kept_word (
    .clk_i     (clk_i),
    .wr_en_i   (move),
    .wr_addr_i (move_slot),
    .wr_data_i (move_word),
    .rd_addr_i (sel_slot_i),
    .rd_data_o (kept_word)
  );
  // A warp the PC of which goes on in this cycle asks for what comes then.
  assign kept_from = ((grant_i & took_q) != '0) ? 2'd3 : {(grant_i & began_q) != '0, (grant_i & jumped_q) != '0};
  choice #(.WIDTH(28), .N(4)) u_kept (
    .live_i (1'b1),
    .sel_i  (kept_from),
    .data_i ({next_word, entry_pc_i[31:4], kept_jump, kept_word}),
    .also_i ('0),
    .data_o (sel_word)
  );

  // ---- is a PC a place of code: judged when the PC is made, for the one after the granted one, a jump's and the entry -------
  assign words   = code_bytes_i[31:4];
  assign jump_ok = leap_pc[LOW-1:0] == '0 && leap_pc[31:4] < words;

  // A group's words up to its end, or to the end of the code. With words one by one a PC goes on in the cycle after its warp was
  // served, from the register of the request; whether the next is a place of code is kept with it. So neither sum nor comparison
  // comes after the arbiter.
  if (WORDS == 1) begin : gen_word
    logic [WARPS-1:0] more_q, more;   // pc_q is not the last word, nor is what a warp asks for now; a warp that asks is inside the code
    logic             entry_more_q, next_more;
    logic [WARP_W-1:0] took_slot_q;
    assign first_o   = '0;
    assign extra_o   = '0;
    assign next_word = req_word_q + 28'd1;
    assign next_more = next_word != last_q;
    assign more      = (more_q & ~took_q) | (next_more ? took_q : '0);
    assign next_ok   = (grant_i & more) != '0;
    assign moved     = took_q;
    assign move      = took_q != '0;
    assign move_slot = took_slot_q;
    assign move_word = next_word;

    always_ff @(posedge clk_i) begin
      entry_more_q <= entry_pc_i[31:4] != last_q;
      if (`HEDDLE_LIVE(took_q != '0 || leap != '0 || start_i != '0))
        more_q <= (((more & ~leap) | ((leap_pc[31:4] != last_q) ? leap : '0)) & ~start_i) | (entry_more_q ? start_i : '0);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) took_q <= '0;
      else         took_q <= take_i ? grant_i & ~leap & ~start_i : '0;
    end
    always_ff @(posedge clk_i) begin
      if (take_i) took_slot_q <= sel_slot_i;
    end
  end else begin : gen_group
    assign took_q    = '0;
    assign next_word = '0;
    assign moved     = take_i ? grant_i : '0;
    assign move      = take_i;
    assign move_slot = sel_slot_i;
    assign move_word = sel_word + 28'd1 + 28'(extra_o);
    logic [27:0]        left;     // words of code after the wanted one
    logic [PLACE_W-1:0] rest;     // of the group
    assign first_o   = sel_word[PLACE_W-1:0] + code_base_i[4 +: PLACE_W];
    assign rest      = ~first_o & PLACE_W'(PLACES - 1);
    assign left      = last_q - sel_word;
    assign next_ok   = left > 28'(rest);
    assign extra_o   = next_ok ? rest : left[PLACE_W-1:0];
  end

  // The launch stands long before its first warp starts.
  always_ff @(posedge clk_i) begin
    last_q     <= words - 28'd1;
    entry_ok_q <= entry_pc_i[LOW-1:0] == '0 && entry_pc_i[31:4] < words;
  end

  always_ff @(posedge clk_i) begin
    if (`HEDDLE_LIVE(take_i || leap != '0 || start_i != '0))
      inside_q <= (((inside_q & ~(take_i ? grant_i : '0) & ~leap) | ((take_i && next_ok) ? grant_i & ~leap : '0)
        | (jump_ok ? leap : '0)) & ~start_i) | (entry_ok_q ? start_i : '0);
  end
  assign inside_o = inside_q;

  // ---- the request ----------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (take_i) req_word_q <= sel_word;
  end
  assign req_pc_o = {req_word_q, 4'd0};

  // Does the PC lie 8 bytes after the start of its place?
  if (isa_pkg::HAS_SHORT) begin : gen_half
    logic [WARPS-1:0] half_q;
    always_ff @(posedge clk_i) begin
      half_q <= (((half_q & ~moved & ~leap) | (leap_pc[3] ? leap : '0)) & ~start_i) | (entry_pc_i[3] ? start_i : '0);
      if (take_i) req_half_o <= (grant_i & half_q & ~took_q) != '0;
    end
  end else begin : gen_whole
    assign req_half_o = 1'b0;
  end

  // A program is a multiple of 16 bytes long.
  logic unused;
  assign unused = ^{code_bytes_i[3:0], code_base_i, push_word_i, push_jump_i.likely};

endmodule
