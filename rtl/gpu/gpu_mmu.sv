// SPDX-License-Identifier: Apache-2.0
// Translation for the machine: the mmu between SMs, host and its request channel, and what it shows on the retire port.
// Latency: none of its own.
// Handshake: that of mmu. idle_o: nothing is translated, and nothing has been for SETTLE cycles: what an SM was about to ask for when
// its last warp ended has been asked for by then.
// Where there is none nothing is asked and nothing heard.
module gpu_mmu #(
  localparam int unsigned SMS      = cfg_pkg::SMS,
  localparam int unsigned CHANNELS = 2 * SMS
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from and to the SMs, two channels of each
  input  logic [CHANNELS-1:0]             tl_ask_valid_i,
  output logic [CHANNELS-1:0]             mu_ask_ready_o,
  input  mmu_pkg::ask_t [CHANNELS-1:0]    tl_ask_i,
  output logic [CHANNELS-1:0]             mu_answer_valid_o,
  output mmu_pkg::answer_t                mu_answer_o,
  output mmu_pkg::news_t                  mu_news_o,
  input  logic [CHANNELS-1:0]             tl_forgotten_i,
  input  logic [SMS-1:0]                  tl_quiet_i,
  // from and to the host
  input  logic                            go_i,             // a launch begins
  input  logic [mmu_pkg::SPACE_W-1:0]     space_i,
  input  logic [mmu_pkg::ROOT_W-1:0]      root_i,
  input  mmu_pkg::do_t                    do_i,
  output logic                            taken_o,
  output mmu_pkg::did_t                   did_o,
  output logic                            idle_o,
  // the request channel
  output line_pkg::sent_t                 ch_o,
  output line_pkg::note_t                 note_o,
  input  line_pkg::got_t                  ch_i,
  // retire port
  output logic                            ret_pages_valid_o,
  output retire_pkg::pages_t              ret_pages_o
);

  localparam int unsigned SETTLE = 8;

  logic             idle, still, walk_valid, rec_valid;
  mmu_pkg::walk_t   walk;
  mmu_pkg::record_t rec;
  logic [3:0]       still_q;      // cycles

  mmu #(.CHANNELS(CHANNELS)) u_mmu (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .ask_valid_i       (tl_ask_valid_i),
    .ask_ready_o       (mu_ask_ready_o),
    .ask_i             (tl_ask_i),
    .answer_valid_o    (mu_answer_valid_o),
    .answer_o          (mu_answer_o),
    .news_o            (mu_news_o),
    .forgotten_i       (tl_forgotten_i),
    .root_i            (root_i),
    .idle_o            (idle),
    .do_i              (do_i),
    .taken_o           (taken_o),
    .did_o             (did_o),
    .ch_o              (ch_o),
    .note_o            (note_o),
    .ch_i              (ch_i),
    .walk_valid_o      (walk_valid),
    .walk_o            (walk),
    .rec_valid_o       (rec_valid),
    .rec_o             (rec)
  );

  assign still  = idle && tl_quiet_i == '1 && !did_o.exchanging && !did_o.invalidating && !do_i.replay;
  assign idle_o = still && still_q == 4'(SETTLE);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !still)             still_q <= '0;
    else if (still_q != 4'(SETTLE))    still_q <= still_q + 1'b1;
  end

  retire_pages u_retire (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .go_i              (go_i),
    .ended_i           (do_i.ended),
    .space_i           (space_i),
    .root_i            (root_i),
    .walk_valid_i      (walk_valid),
    .walk_i            (walk),
    .rec_valid_i       (rec_valid),
    .rec_i             (rec),
    .news_i            (mu_news_o),
    .invalidating_i    (did_o.invalidating),
    .ret_pages_valid_o (ret_pages_valid_o),
    .ret_pages_o       (ret_pages_o)
  );

endmodule
