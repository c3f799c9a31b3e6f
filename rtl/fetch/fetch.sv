// SPDX-License-Identifier: Apache-2.0
// Fetch: one program counter a warp; each cycle the arbiter picks a warp with room in its instruction buffer and asks the cache
// for the next word and those after it in the same aligned group of WORDS. Those with the fewest words buffered come first; a
// warp one of whose words is likely to jump is asked for no more until that is known, unless the target stands in the word: then
// it goes on there (fetch_pc).
// Latency: a redirect in cycle t asks in t+2; the first word of an answer is pushed into the buffer in the cycle in which it
// arrives, the others one a cycle after it. Throughput: a request a cycle, a word a cycle.
// Handshake: if_req valid/ready, held until taken; responses and pushes are events (room was reserved before asking). Answers
// name their warp, and come in order for each. A flush raises the warp's epoch: what is in flight for the old epoch is dropped
// when it arrives. The entry stands while a warp needs it.
// Short words, if the encoding has them: a place of 16 bytes may hold two, so room is reserved for two, half of a group is asked
// for, and what is one gives the room back when it shows; a word is pushed a cycle later, made long by then.
// A warp whose oldest instruction has no page is sent back to it (refetch).
// It does not learn: a direct jump that no guard can stop, or that goes back, is followed whatever became of it before. It stops a
// warp whose next PC lies outside the code segment.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module fetch #(
  parameter int unsigned WORDS = cfg_pkg::FETCH_WORDS,   // of an answer
  localparam int unsigned TAG_W = cfg_pkg::WARP_W + 2 + 2 * $clog2(WORDS) + 32'(isa_pkg::HAS_SHORT) + core_pkg::WANT_W
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // from the host
  input  logic [31:0]                       entry_pc_i,
  input  logic [31:0]                       code_bytes_i,
  input  logic [39:0]                       code_base_i,    // groups are aligned in memory
  // from the dispatcher
  input  logic                              ct_start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]        ct_start_slot_i,
  // from divergence
  input  front_pkg::moved_t                 dv_i,
  // to and from the instruction cache
  output logic                              if_req_valid_o,
  input  logic                              if_req_ready_i,
  output logic [31:0]                       if_req_pc_o,    // of the wanted word, or of its pair
  output logic [TAG_W-1:0]                  if_req_tag_o,   // the request: for what would issue, which words of the group, epoch, warp
  input  logic                              ic_rsp_valid_i,
  input  logic [WORDS-1:0][127:0]           ic_rsp_word_i,
  input  core_pkg::err_t                    ic_rsp_err_i,
  input  logic [TAG_W-1:0]                  ic_rsp_tag_i,
  // to the instruction buffer
  output issue_pkg::push_t                  if_push_o,
  output logic                              if_followed_o,  // fetch goes on at its target
  output logic [cfg_pkg::WARPS-1:0]         if_flush_o,     // drop the warp's entries, and a push in this cycle (a start has none)
  input  issue_pkg::jump_t                  ib_jump_i,      // of the word pushed in this cycle
  // from and to issue
  input  logic                              is_halt_i,
  input  logic [cfg_pkg::WARPS-1:0]         is_pop_i,       // the warp's oldest entry is issued
  input  logic                              ib_short_i,     // ... and is a short word
  output front_pkg::place_t                 if_place_o,
  input  logic [cfg_pkg::WARP_W-1:0]        is_q_slot_i,
  output front_pkg::at_t                    if_at_o,        // of the warp's oldest entry
  // from and to issue and the mmu, where there is one: instructions without a page (refetch)
  input  logic                              mu_replay_i,
  input  logic                              mu_fail_i,
  input  logic [cfg_pkg::WARPS-1:0]         is_sel_i,       // selected
  input  front_pkg::absent_t                is_absent_i,    // the entry of is_q_slot_i would issue, but has no page
  output logic [cfg_pkg::WARPS-1:0]         if_wants_o      // the host is to be asked for its oldest entry's constant
);

  localparam int unsigned WARPS   = cfg_pkg::WARPS;
  localparam int unsigned WARP_W  = cfg_pkg::WARP_W;
  localparam int unsigned IBUF    = cfg_pkg::IBUF;
  localparam int unsigned PLACE_W = (WORDS > 1) ? $clog2(WORDS) : 1;
  localparam bit          SHORT   = isa_pkg::HAS_SHORT;
  localparam int unsigned PLACES  = (SHORT && WORDS > 1) ? WORDS / 2 : WORDS;   // asked for at once, at the most
  localparam int unsigned ROOM    = SHORT ? 2 * PLACES : PLACES;                // entries that these may bring
  localparam int unsigned ASKS    = (SHORT && WORDS == 1) ? 4 : 2;              // answers awaited, where they may have to wait

  logic [WARPS-1:0]             alive_q, in_code, stop_q, want, want_empty, want_few, req, grant, start, jump, flush, settled;
  logic [WARPS-1:0]             old, go;   // about to be sent to a jump's target; is sent there
  logic [WARPS-1:0]             used [IBUF];   // plane i: more than i entries buffered or asked for
  logic [1:0][WARPS-1:0]        epoch_q;   // bit planes
  logic                         can_send, ask_ready, take, req_valid_q, req_half;
  logic [WARP_W-1:0]            sel_slot;
  logic [PLACE_W-1:0]           first, extra;    // of the group that is asked for: the wanted word's place, words after it
  logic                         word_valid, word_done, fresh;
  logic [WARP_W-1:0]            ask_slot;
  logic [1:0]                   ask_epoch;
  core_pkg::err_t               word_err;
  logic                         rsp_half, pair, second, middle, single;   // short words: see fetch_group
  logic [127:0]                 word;   // or the pair that it is of

  // Divergence sends a warp elsewhere or ends it; in a cycle without one of these a warp without a page may be sent back.
  logic [WARPS-1:0]  moves, leaves, back, hold, lists;
  logic [WARP_W-1:0] jump_slot, back_slot;
  logic [31:0]       jump_pc, back_pc, pc;
  logic              lost, lost_cst, push_valid;
  logic [WARP_W-1:0] push_slot;

  assign start      = WARPS'(ct_start_valid_i) << ct_start_slot_i;
  assign moves      = WARPS'(dv_i.valid && (dv_i.redirect || dv_i.ended)) << dv_i.slot;
  assign jump       = (WARPS'(dv_i.valid && dv_i.redirect) << dv_i.slot) | back;
  assign jump_slot  = (back != '0) ? back_slot : dv_i.slot;
  assign jump_pc    = (back != '0) ? back_pc : dv_i.pc;
  assign if_flush_o = moves | back;
  assign flush      = if_flush_o | start;

  if (cfg_pkg::MMU != 0) begin : gen_refetch
    refetch u_refetch (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .replay_i     (mu_replay_i),
      .fail_i       (mu_fail_i),
      .absent_i     (is_absent_i.valid),
      .absent_cst_i (is_absent_i.cst),
      .slot_i       (is_q_slot_i),
      .pc_i         (pc),
      .lost_o       (lost),
      .lost_cst_o   (lost_cst),
      .sel_i        (is_sel_i),
      .clear_i      (is_pop_i | start | moves),
      .busy_i       (moves != '0),
      .ask_i        (take ? grant : '0),
      .leaves_o     (leaves),
      .go_o         (back),
      .go_slot_o    (back_slot),
      .go_pc_o      (back_pc),
      .hold_o       (hold),
      .lists_o      (lists),
      .wants_o      (if_wants_o)
    );
  end else begin : gen_no_pages
    logic unused;
    assign {leaves, back, hold, lists} = '0;
    assign {back_slot, back_pc}        = '0;
    assign {lost, lost_cst}            = '0;
    assign if_wants_o = '0;
    assign unused     = ^{mu_replay_i, mu_fail_i, is_sel_i, is_absent_i, hold, lists};
  end

  // ---- arbiter: warps with nothing buffered or under way come first, then those with less than half; a warp that is flushed
  // in this very cycle may still ask for its old PC, under its old epoch ------------------------------------------------------
  assign want        = alive_q & in_code & ~stop_q & ~old & ~hold & ~used[IBUF-ROOM];   // room for all that it may bring
  assign want_empty  = want & ~used[0];
  assign want_few    = want & ~used[IBUF/2-1];
  assign if_place_o  = '{bad_pc: alive_q & ~in_code & ~used[0], leaves: leaves};

  assign req      = (want_empty != '0) ? want_empty : (want_few != '0) ? want_few : want;
  assign can_send = !is_halt_i && ask_ready && (!req_valid_q || if_req_ready_i);
  assign take     = can_send && req != '0;

  arb_rr #(.N(WARPS)) u_arb (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (req),
    .grant_o (grant),
    .take_i  (can_send)
  );
  onehot_index #(.N(WARPS)) u_slot (
    .onehot_i (grant),
    .index_o  (sel_slot)
  );

  // ---- where each warp asks next ------------------------------------------------------------------------------------------------
  fetch_pc #(.WORDS(WORDS), .PLACES(PLACES)) u_pc (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .entry_pc_i    (entry_pc_i),
    .code_bytes_i  (code_bytes_i),
    .code_base_i   (code_base_i),
    .start_i       (start),
    .flush_i       (flush),
    .jump_i        (jump),
    .jump_slot_i   (jump_slot),
    .jump_pc_i     (jump_pc),
    .push_valid_i  (push_valid),
    .push_slot_i   (push_slot),
    .push_short_i  (if_push_o.is_short),
    .push_middle_i (if_push_o.middle),
    .push_word_i   (if_push_o.word),
    .push_jump_i   (ib_jump_i),
    .stop_i        (stop_q),
    .followed_o    (if_followed_o),
    .old_o         (old),
    .go_o          (go),
    .take_i        (take),
    .grant_i       (grant),
    .sel_slot_i    (sel_slot),
    .inside_o      (in_code),
    .first_o       (first),
    .extra_o       (extra),
    .req_pc_o      (if_req_pc_o),
    .req_half_o    (req_half)
  );

  // ---- per-warp state ---------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      alive_q <= '0;
      epoch_q <= '0;
    end else begin
      alive_q <= (alive_q & ~(dv_i.ended ? moves : '0)) | start;
      if ((flush | go) != '0) begin
        epoch_q[0] <= epoch_q[0] ^ (flush | go);
        epoch_q[1] <= epoch_q[1] ^ (epoch_q[0] & (flush | go));
      end
    end
  end

  // A word that is likely to jump and is not followed stops its warp until divergence has carried it out, or flushed it.
  assign settled = WARPS'(dv_i.valid) << dv_i.slot;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) stop_q <= '0;
    else if (`HEDDLE_LIVE(push_valid || dv_i.valid || ct_start_valid_i || back != '0))
      stop_q <= (stop_q | ((push_valid && ib_jump_i.likely && !if_followed_o) ? WARPS'(1) << push_slot : '0))
        & ~settled & ~flush;
  end

  fetch_room #(.WORDS(WORDS)) u_room (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .take_i   (take),
    .grant_i  (grant),
    .extra_i  (extra),
    .single_i ((word_valid && fresh && single) ? WARPS'(1) << ask_slot : '0),
    .push_i   (WARPS'(push_valid) << push_slot),
    .flush_i  (flush),
    .go_i     (go),
    .is_pop_i (is_pop_i),
    .used_o   (used)
  );

  // The oldest entry: it goes on as it issues, and to a jump's target once divergence has said so, followed or not.
  warp_pc u_head (
    .clk_i       (clk_i),
    .entry_pc_i  (entry_pc_i),
    .start_i     (start),
    .jump_i      (WARPS'(dv_i.valid && dv_i.moved) << dv_i.slot),
    .jump_slot_i (dv_i.slot),
    .jump_pc_i   (dv_i.pc),
    .go_i        (is_pop_i != '0),
    .go_pc_i     (pc + (ib_short_i ? 32'd8 : 32'd16)),
    .q_slot_i    (is_q_slot_i),
    .q_pc_o      (pc)
  );

  // ---- request ------------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) req_valid_q <= 1'b0;
    else if (!req_valid_q || if_req_ready_i) req_valid_q <= take;
  end
  assign if_req_valid_o = req_valid_q;

  // The tag goes with the request, and comes back with the answer: of several words which, then epoch and warp.
  logic [WARP_W+1:0]  req_who_q, rsp_who;
  logic [PLACE_W-1:0] rsp_first, rsp_more;
  always_ff @(posedge clk_i) begin
    if (take) req_who_q <= {epoch_q[1][sel_slot], epoch_q[0][sel_slot], sel_slot};
  end

  // Answers of several words are used up one after the other, so two of them are awaited or not used up at the most (four, where a
  // single place may bring two); single words go by.
  localparam int unsigned LONG_W = TAG_W - 32'(SHORT) - core_pkg::WANT_W;
  if (WORDS > 1 || SHORT) begin : gen_asks
    logic [$clog2(ASKS):0] asks_q;
    assign ask_ready = !asks_q[$clog2(ASKS)];
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                 asks_q <= '0;
      else if (take && !word_done) asks_q <= asks_q + 1'b1;
      else if (word_done && !take) asks_q <= asks_q - 1'b1;
    end
    // An answer belongs to a request.
    `ASSERT(a_asked, !word_done || asks_q != '0)
  end else begin : gen_no_asks
    assign ask_ready = 1'b1;
    logic unused;
    assign unused = word_done;
  end

  if (WORDS > 1) begin : gen_places
    logic [PLACE_W-1:0] req_first_q, req_extra_q;
    always_ff @(posedge clk_i) begin
      if (take) begin
        req_first_q <= first;
        req_extra_q <= extra;
      end
    end
    assign if_req_tag_o[LONG_W-1:0] = {req_first_q, req_extra_q, req_who_q};
    assign {rsp_first, rsp_more, rsp_who} = ic_rsp_tag_i[LONG_W-1:0];
  end else begin : gen_no_places
    logic unused;
    assign if_req_tag_o[LONG_W-1:0] = req_who_q;
    assign rsp_who                  = ic_rsp_tag_i[LONG_W-1:0];
    assign rsp_first                = '0;
    assign rsp_more                 = '0;
    assign unused                   = ^first;
  end

  // Of what would issue a fault comes to the host's list; what is only read ahead raises nothing.
  if (core_pkg::WANT_W != 0) begin : gen_wants
    logic lists_q, unused;
    always_ff @(posedge clk_i) begin
      if (take) lists_q <= (grant & lists) != '0;
    end
    assign if_req_tag_o[TAG_W-1] = lists_q;
    assign unused                = ic_rsp_tag_i[TAG_W-1];
  end

  // ---- response -----------------------------------------------------------------------------------------------------------
  // What follows a likely jump in its group is pushed too: it has been fetched, and may come next after all.
  fetch_group #(.WORDS(WORDS), .TAG_W(WARP_W + 2), .GROUPS(ASKS)) u_group (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .rsp_valid_i (ic_rsp_valid_i),
    .rsp_word_i  (ic_rsp_word_i),
    .rsp_err_i   (ic_rsp_err_i),
    .rsp_tag_i   (rsp_who),
    .rsp_first_i (rsp_first),
    .rsp_more_i  (rsp_more),
    .rsp_half_i  (rsp_half),
    .valid_o     (word_valid),
    .word_o      (word),
    .err_o       (word_err),
    .tag_o       ({ask_epoch, ask_slot}),
    .pair_o      (pair),
    .second_o    (second),
    .middle_o    (middle),
    .single_o    (single),
    .done_o      (word_done),
    .drop_i      (!fresh)
  );
  assign fresh = ask_epoch == {epoch_q[1][ask_slot], epoch_q[0][ask_slot]} && !old[ask_slot];

  assign if_at_o         = '{pc: pc, lost: lost, lost_cst: lost_cst};
  assign if_push_o.valid = push_valid;
  assign if_push_o.slot  = push_slot;

  // ---- to the buffer: long words go by ------------------------------------------------------------------------------------
  if (!SHORT) begin : gen_long
    assign push_valid     = word_valid && fresh;
    assign push_slot      = ask_slot;
    assign if_push_o.word = word;
    assign if_push_o.err  = word_err;
    assign {if_push_o.is_short, if_push_o.middle, rsp_half} = '0;
    logic unused;
    assign unused = ^{pair, second, middle, req_half};
  end else begin : gen_short
    logic             late;
    logic [1:0]       late_epoch;

    assign if_req_tag_o[LONG_W] = req_half;
    assign rsp_half             = ic_rsp_tag_i[LONG_W];

    lengthen #(.WHO_W(WARP_W + 4 + core_pkg::ERR_W)) u_lengthen (
      .clk_i    (clk_i),
      .rst_ni   (rst_ni),
      .take_i   (word_valid && fresh),
      .place_i  (word),
      .pair_i   (pair),
      .second_i (second),
      .who_i    ({word_err, middle, pair, ask_epoch, ask_slot}),
      .valid_o  (late),
      .word_o   (if_push_o.word),
      .who_o    ({if_push_o.err, if_push_o.middle, if_push_o.is_short, late_epoch, push_slot})
    );
    assign push_valid = late && late_epoch == {epoch_q[1][push_slot], epoch_q[0][push_slot]}
      && !old[push_slot];
  end

endmodule
