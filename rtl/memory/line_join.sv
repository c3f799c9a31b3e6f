// SPDX-License-Identifier: Apache-2.0
// Puts the requests of the load/store unit and the refills of the two read-only caches onto one
// request channel, counts its credits, and gives what comes back to the requester, by tag.
// Where there is an MMU refills of virtual addresses are translated first, by a micro-TLB of their own (refill_translate), and the
// caches are emptied when pages are forgotten.
// Latency: a refill leaves a cycle after it is granted; what comes back passes through.
// Handshake: the load/store unit may send in a cycle in which it sees a credit, refills are
// valid/ready. A refill never comes between beats of data and their request; one that waits is
// served next, the load/store unit after it. A cache numbers its refills itself, and uses a number for
// one at a time.
// It does not reorder answers.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module line_join #(
  localparam int unsigned CACHES   = 2,               // 0 of instructions, 1 of constants
  localparam int unsigned LINES    = line_pkg::LINES,
  localparam int unsigned TAGS     = line_pkg::TAGS,
  localparam int unsigned ATOMS    = line_pkg::ATOMS,
  localparam int unsigned TAG_W    = line_pkg::TAG_W,
  localparam int unsigned HALF_W   = line_pkg::LINE_W + 1,
  localparam int unsigned RF_BITS  = mem_pkg::REFILL_BITS,
  localparam int unsigned RF_W     = mem_pkg::REFILL_W
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [7:0]                      sm_i,            // number of the SM
  // from the host: a launch begins; its pages
  input  logic                            go_i,            // event
  input  logic                            pages_i,
  input  logic [mmu_pkg::SPACE_W-1:0]     space_i,
  // from and to the mmu
  output logic                            ask_valid_o,
  input  logic                            ask_ready_i,
  output mmu_pkg::ask_t                   ask_o,
  input  logic                            answer_valid_i,
  input  mmu_pkg::answer_t                answer_i,
  input  logic                            forget_valid_i,
  input  mmu_pkg::forget_t                forget_i,
  output logic                            forgotten_o,
  output logic                            quiet_o,         // nothing is translated, nor will be before a request of a warp
  // from and to the load/store unit: what it sends in the next cycle, and what it sends
  output logic [1:0]                      credit_o,        // a credit is there: for any request, for an atomic
  input  logic [1:0]                      lsu_next_i,      // event: it sends a request, an atomic
  input  logic                            lsu_open_i,      // beats have gone, and their request has not
  input  line_pkg::sent_t                 lsu_i,
  output line_pkg::lsu_back_t             lsu_o,
  // from and to the caches: half a line to read, and which refill of the cache it is; its beats, and
  // its end, which comes after them
  output logic                            empty_o,         // event: what they have is dropped
  input  logic [CACHES-1:0]               idle_i,          // they want nothing
  input  logic [CACHES-1:0]               rf_valid_i,
  output logic [CACHES-1:0]               rf_ready_o,
  input  mem_pkg::refill_t [CACHES-1:0]   rf_i,
  output mem_pkg::fill_t [CACHES-1:0]     fill_o,
  output logic [RF_W-1:0]                 rf_beat_o,       // which of the half
  output logic [RF_BITS-1:0]              rf_data_o,
  // to and from the request channel
  output line_pkg::sent_t                 ch_o,
  input  line_pkg::lsu_got_t              ch_i
);

  localparam int unsigned COUNT_W = $clog2(TAGS + 1);
  localparam int unsigned ATOM_W  = $clog2(ATOMS + 1);

  logic [COUNT_W-1:0]  credits_q;
  logic [ATOM_W-1:0]   atoms_q;
  logic [CACHES-1:0]   grant;
  logic                turn, turn_q, take;
  logic [1:0]          more;
  logic [HALF_W-1:0]   half_q;
  logic [TAG_W-1:0]    tag_q;

  // The first tag of a cache's refills.
  function automatic int unsigned first_tag(int unsigned cache);
    first_tag = (cache == 0) ? line_pkg::ICACHE_TAG : line_pkg::CCACHE_TAG;
  endfunction

  // ---- refills at physical addresses ----------------------------------------------------------------
  logic [CACHES-1:0]              tr_valid, tr_ready, done_valid;
  logic [CACHES-1:0][HALF_W-1:0]  tr_half;
  logic [CACHES-1:0][TAG_W-1:0]   tr_number, done_number;
  // ... and their ends, or the fault of one that has no such address.
  logic [CACHES-1:0]              end_valid;
  logic [CACHES-1:0][TAG_W-1:0]   end_number;
  logic [CACHES-1:0][core_pkg::ERR_W-1:0] end_err;   // core_pkg::err_t each

  assign empty_o = go_i || forget_valid_i;

  if (cfg_pkg::MMU != 0) begin : gen_translate
    logic quiet;
    assign quiet_o = quiet && idle_i == '1;
    refill_translate u_refills (
      .clk_i            (clk_i),
      .rst_ni           (rst_ni),
      .go_i             (go_i),
      .pages_i          (pages_i),
      .space_i          (space_i),
      .rf_valid_i       (rf_valid_i),
      .rf_ready_o       (rf_ready_o),
      .rf_i             (rf_i),
      .rf_done_valid_o  (end_valid),
      .rf_done_number_o (end_number),
      .rf_err_o         (end_err),
      .tr_valid_o       (tr_valid),
      .tr_ready_i       (tr_ready),
      .tr_half_o        (tr_half),
      .tr_number_o      (tr_number),
      .lj_done_valid_i  (done_valid),
      .lj_done_number_i (done_number),
      .lj_err_i         (ch_i.la.err),
      .ask_valid_o      (ask_valid_o),
      .ask_ready_i      (ask_ready_i),
      .ask_o            (ask_o),
      .answer_valid_i   (answer_valid_i),
      .answer_i         (answer_i),
      .forget_valid_i   (forget_valid_i),
      .forget_i         (forget_i),
      .forgotten_o      (forgotten_o),
      .quiet_o          (quiet)
    );
  end else begin : gen_physical
    logic unused;
    assign tr_valid   = rf_valid_i;
    assign rf_ready_o = tr_ready;
    assign end_valid  = done_valid;
    assign end_number = done_number;
    assign end_err    = {CACHES{ch_i.la.err}};
    for (genvar c = 0; c < CACHES; c++) begin : gen_refill
      assign tr_half[c]   = rf_i[c].half;
      assign tr_number[c] = rf_i[c].number;
    end
    assign {ask_valid_o, ask_o}                = '0;
    assign {forgotten_o, quiet_o}              = {forget_valid_i, 1'b1};
    assign unused = ^{pages_i, space_i, rf_i[0].lists, rf_i[1].lists, idle_i, ask_ready_i, answer_valid_i, answer_i, forget_i};
  end

  // ---- credits ------------------------------------------------------------------------------------
  assign take = lsu_next_i[0] || turn;
  assign more = {ch_i.lc_valid && ch_i.lc_atom, ch_i.lc_valid && !ch_i.lc_atom};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      credits_q <= '0;
      atoms_q   <= '0;
    end else begin
      if (take != more[0])          credits_q <= more[0] ? credits_q + 1'b1 : credits_q - 1'b1;
      if (lsu_next_i[1] != more[1]) atoms_q <= more[1] ? atoms_q + 1'b1 : atoms_q - 1'b1;
    end
  end

  // ---- refills ------------------------------------------------------------------------------------
  assign turn = tr_valid != '0 && credits_q != '0 && !lsu_open_i && !turn_q;

  arb_rr #(.N(CACHES)) u_turns (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (tr_valid),
    .grant_o (grant),
    .take_i  (turn)
  );

  assign tr_ready = grant & {CACHES{turn}};
  assign credit_o   = {atoms_q != '0, credits_q != '0 && !turn};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= 1'b0;
    else         turn_q <= turn;
  end
  always_ff @(posedge clk_i) begin
    if (turn) begin
      half_q <= grant[0] ? tr_half[0] : tr_half[1];
      tag_q  <= grant[0] ? tr_number[0] + TAG_W'(first_tag(0)) : tr_number[1] + TAG_W'(first_tag(1));
    end
  end

  line_pkg::request_t lq;
  always_comb begin
    lq = lsu_i.lq;
    if (turn_q) begin
      lq         = '0;
      lq.kind    = line_pkg::FETCH;
      lq.scope   = line_pkg::WEAK;
      lq.tag     = tag_q;
      lq.line    = half_q[HALF_W-1:1];
      lq.sectors = half_q[0] ? 4'b1100 : 4'b0011;
    end
    lq.sm = sm_i;
  end

  // ---- what comes back ----------------------------------------------------------------------------
  for (genvar c = 0; c < CACHES; c++) begin : gen_cache
    localparam int unsigned FIRST = first_tag(c);
    localparam int unsigned END   = (c == 0) ? first_tag(1) : TAGS;
    assign fill_o[c] = '{beat_valid: ch_i.ld_valid && 32'(ch_i.ld.tag) >= FIRST && 32'(ch_i.ld.tag) < END, beat_number: ch_i.ld.tag - TAG_W'(FIRST),
                         done_valid: end_valid[c], done_number: end_number[c], err: end_err[c]};
    assign done_valid[c]  = ch_i.la_valid && 32'(ch_i.la.tag) >= FIRST && 32'(ch_i.la.tag) < END;
    assign done_number[c] = ch_i.la.tag - TAG_W'(FIRST);
  end
  assign rf_beat_o = RF_W'(ch_i.ld.beat);

  // A beat of a whole line: which half of it the refill is for.
  if (line_pkg::BITS > RF_BITS) begin : gen_half
    logic [TAGS-1:0] upper_q;
    always_ff @(posedge clk_i) begin
      if (turn_q) upper_q[tag_q] <= half_q[0];
    end
    assign rf_data_o = upper_q[ch_i.ld.tag] ? ch_i.ld.data[0][RF_BITS +: RF_BITS] : ch_i.ld.data[0][RF_BITS-1:0];
  end else begin : gen_beats
    assign rf_data_o = ch_i.ld.data[0];
  end

  logic la_lsu;
  assign la_lsu = ch_i.la_valid && 32'(ch_i.la.tag) < LINES;
  assign lsu_o  = '{ld_valid: ch_i.ld_valid, ld: ch_i.ld, la_valid: la_lsu, la: ch_i.la};
  assign ch_o   = '{lw_valid: lsu_i.lw_valid, lw: lsu_i.lw, lq_valid: lsu_i.lq_valid || turn_q, lq: lq,
                    la_ready: lsu_i.la_ready || !la_lsu};

  // A refill and a request of the load/store unit never meet.
  `ASSERT(a_turn, !(turn_q && lsu_i.lq_valid))
  // Memory gives no more credits than were taken.
  `ASSERT(a_credit, 32'(credits_q) <= TAGS && 32'(atoms_q) <= ATOMS)

endmodule
