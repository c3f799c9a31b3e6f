// SPDX-License-Identifier: Apache-2.0
// MMU of all SMs: a channel from each micro-TLB, the shared TLB, page walks, the list of faults, REPLAY, FAIL, INVALIDATE, EXCHANGE.
// Latency: a hit of the shared TLB is answered two cycles after its request. A walk of n reads takes n (L + 3) + 6, where memory
// answers L cycles after a request.
// Throughput: a request a cycle; WALKS walks in parallel.
// Handshake: ask_ valid/ready; answers, replays, invalidations are events, one at a time; the request channel's rules; host: fields.
// root_i is the space of all requests: it changes only while idle_o is 1. Reset invalidates all.
// Accesses that wait for a fault are not held here: they wait in their SM until the replay.
`include "heddle_assert.svh"

module mmu #(
  parameter  int unsigned CHANNELS = line_pkg::SMS,
  parameter  int unsigned WALKS    = 2,
  parameter  int unsigned ENTRIES  = 256,                    // shared translations: pages of 4 KiB,
  parameter  int unsigned LARGE    = 64,                     // of 2 MiB
  parameter  int unsigned WAYS     = 4
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // from and to the SMs
  input  logic [CHANNELS-1:0]            ask_valid_i,
  output logic [CHANNELS-1:0]            ask_ready_o,
  input  mmu_pkg::ask_t [CHANNELS-1:0]   ask_i,
  output logic [CHANNELS-1:0]            answer_valid_o,
  output mmu_pkg::answer_t               answer_o,
  output mmu_pkg::news_t                 news_o,
  input  logic [CHANNELS-1:0]            forgotten_i,
  // from and to the host
  input  logic [mmu_pkg::ROOT_W-1:0]     root_i,
  output logic                           idle_o,             // nothing was asked that is not answered
  /* verilator lint_off UNUSEDSIGNAL */                      // for records: launches that have ended
  input  mmu_pkg::do_t                   do_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic                           taken_o,            // a replay is
  output mmu_pkg::did_t                  did_o,
  // the request channel
  output line_pkg::sent_t                ch_o,
  output line_pkg::note_t                note_o,
  input  line_pkg::got_t                 ch_i,
  // records: a walk begins; an access of a walk, or an exchange, has ended
  output logic                           walk_valid_o,
  output mmu_pkg::walk_t                 walk_o,
  output logic                           rec_valid_o,
  output mmu_pkg::record_t               rec_o
);

  localparam int unsigned CH_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1;

  logic                          hold, quiet, empty, waits_idle, telling;
  logic                          again_valid, again_ready, again_gone, tell_valid, tell_ready, tell_first;
  logic [CH_W-1:0]               again_channel, tell_channel, miss_channel;
  mmu_pkg::ask_t                 again, tell, miss;
  /* verilator lint_off UNUSEDSIGNAL */  // the requester's number is not looked up
  mmu_pkg::ask_t                 op;
  /* verilator lint_on UNUSEDSIGNAL */
  mmu_pkg::found_t               tell_found;
  logic                          op_valid, op_ready, op_look, op_fill, hit, miss_valid, miss_again;
  mmu_pkg::leaf_t                leaf;
  logic                          clear_valid, clear_ready, put_valid, put_ready, start_write;
  mmu_pkg::fault_t               put;
  logic [WALKS-1:0]              start, done, take;
  logic [mmu_pkg::SPACE_W-1:0]   start_space;
  logic [mmu_pkg::PAGE_W-1:0]    start_page;
  logic [31:0]                   number;
  mmu_pkg::found_t [WALKS-1:0]   found;

  assign walk_valid_o = start != '0;
  assign walk_o       = '{number: number, space: start_space, page: start_page, write: start_write};

  assign quiet  = empty && waits_idle;
  assign idle_o = quiet && ask_valid_i == '0;

  mmu_pipe #(.CHANNELS(CHANNELS)) u_pipe (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .ask_valid_i     (ask_valid_i),
    .ask_ready_o     (ask_ready_o),
    .ask_i           (ask_i),
    .hold_i          (hold),
    .again_valid_i   (again_valid),
    .again_ready_o   (again_ready),
    .again_channel_i (again_channel),
    .again_i         (again),
    .tell_valid_i    (tell_valid),
    .tell_ready_o    (tell_ready),
    .tell_first_i    (tell_first),
    .tell_channel_i  (tell_channel),
    .tell_i          (tell),
    .tell_found_i    (tell_found),
    .telling_i       (telling),
    .replay_valid_i  (do_i.replay),
    .replay_ready_o  (taken_o),
    .replay_fail_i   (do_i.fail),
    .op_valid_o      (op_valid),
    .op_ready_i      (op_ready),
    .op_look_o       (op_look),
    .op_fill_o       (op_fill),
    .op_o            (op),
    .hit_i           (hit),
    .leaf_i          (leaf),
    .miss_valid_o    (miss_valid),
    .miss_again_o    (miss_again),
    .miss_channel_o  (miss_channel),
    .miss_o          (miss),
    .again_gone_o    (again_gone),
    .answer_valid_o  (answer_valid_o),
    .answer_o        (answer_o),
    .replay_o        (news_o.replay),
    .fail_o          (news_o.fail),
    .empty_o         (empty)
  );

  shared_tlb #(.ENTRIES(ENTRIES), .LARGE(LARGE), .WAYS(WAYS)) u_shared (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .op_valid_i     (op_valid),
    .op_ready_o     (op_ready),
    .op_look_i      (op_look),
    .op_fill_i      (op_fill),
    .op_space_i     (op.space),
    .op_page_i      (op.page),
    .op_write_i     (op.write),
    .op_leaf_i      (tell_found.leaf),
    .hit_o          (hit),
    .leaf_o         (leaf),
    .forget_valid_i (clear_valid),
    .forget_ready_o (clear_ready),
    .forget_i       (news_o.forget)
  );

  mmu_waits #(.CHANNELS(CHANNELS), .WALKS(WALKS)) u_waits (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .miss_valid_i    (miss_valid),
    .miss_again_i    (miss_again),
    .miss_channel_i  (miss_channel),
    .miss_i          (miss),
    .again_valid_o   (again_valid),
    .again_ready_i   (again_ready),
    .again_channel_o (again_channel),
    .again_o         (again),
    .again_gone_i    (again_gone),
    .tell_valid_o    (tell_valid),
    .tell_ready_i    (tell_ready),
    .tell_first_o    (tell_first),
    .tell_channel_o  (tell_channel),
    .tell_o          (tell),
    .tell_found_o    (tell_found),
    .start_o         (start),
    .start_space_o   (start_space),
    .start_page_o    (start_page),
    .start_write_o   (start_write),
    .done_i          (done),
    .take_o          (take),
    .found_i         (found),
    .put_valid_o     (put_valid),
    .put_ready_i     (put_ready),
    .put_o           (put),
    .telling_o       (telling),
    .idle_o          (waits_idle)
  );

  page_walk #(.WALKS(WALKS)) u_walk (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .start_i     (start),
    .page_i      (start_page),
    .write_i     (start_write),
    .done_o      (done),
    .take_i      (take),
    .found_o     (found),
    .root_i      (root_i),
    .ex_go_i     (do_i.exchange),
    .ex_word_i   (do_i.word),
    .ex_value_i  (do_i.value),
    .ex_busy_o   (did_o.exchanging),
    .ex_old_o    (did_o.old),
    .ex_err_o    (did_o.exchange_err),
    .ch_o        (ch_o),
    .note_o      (note_o),
    .ch_i        (ch_i),
    .number_o    (number),
    .rec_valid_o (rec_valid_o),
    .rec_o       (rec_o)
  );

  fault_list #(.PLACES(mmu_pkg::LISTED)) u_faults (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .put_valid_i (put_valid),
    .put_ready_o (put_ready),
    .put_i       (put),
    .empty_i     (do_i.replay && taken_o),
    .added_o     (did_o.fault_added),
    .count_o     (did_o.faults),
    .read_at_i   (do_i.at),
    .read_o      (did_o.fault)
  );

  mmu_forget #(.CHANNELS(CHANNELS)) u_forget (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .go_i          (do_i.invalidate),
    .what_i        (do_i.what),
    .busy_o        (did_o.invalidating),
    .hold_o        (hold),
    .quiet_i       (quiet),
    .clear_valid_o (clear_valid),
    .clear_ready_i (clear_ready),
    .what_o        (news_o.forget),
    .forget_o      (news_o.forgets),
    .forgotten_i   (forgotten_i)
  );

  // The root changes only while nothing is under way.
  logic                       kept_q;
  logic [mmu_pkg::ROOT_W-1:0] root_q;
  always_ff @(posedge clk_i) begin
    kept_q <= rst_ni && !idle_o;
    root_q <= root_i;
  end
  `ASSUME_IF(a_root, kept_q, root_i == root_q)

endmodule
