// SPDX-License-Identifier: Apache-2.0
// LDC: queue of constant loads with an address for each lane, and their way to result rows: a register row (a beat and a word of
// it) at a time. Lanes that want the same word are served together.
// Latency: six cycles from the queue's head to the first row when one word serves the beat and
// hits; then a row in seven cycles.
// Handshake: events in, room_o for what address generation offers; the queue's head is popped at the end; requests to the
// constant cache and result rows valid/ready, answers events, in any order (of errors that of the requests).
// For a uniform register (ULDC) the first row that has lanes is all there is: every lane of it has the word.
// In a launch with pages a word of an absent page waits here, at the head of the queue, until the host has been asked and says
// REPLAY; then the lanes that want it ask again. Behind FAIL that is a trap, as it is at once where the launch says so. All that waits
// when the SM stops ends without a row and without a trap.
// It does not check addresses.
`include "heddle_idle.svh"

module ldc #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from address generation
  output logic                          room_o,       // for the beat that is offered
  input  logic                          ag_row_valid_i, // event
  input  logic                          ag_last_i,
  input  logic [mem_pkg::BEAT_W-1:0]    ag_beat_i,
  // from the check: rows of offsets, and the instruction with its last
  input  mem_pkg::judged_t              ck_i,
  input  core_pkg::memop_t              ck_op_i,
  input  logic [LANES-1:0][15:0]        ck_off_i,
  // to the constant cache
  output logic                          ld_valid_o,
  input  logic                          ld_ready_i,
  output mem_pkg::const_ask_t           ld_o,
  // from the constant cache
  input  logic                          cc_ld_valid_i,
  input  mem_pkg::const_got_t           cc_ld_i,
  // from the host and the mmu, where there is one
  input  logic                          fault_trap_i, // an absent page is a trap
  input  logic                          mu_replay_i,  // event: pages may have come,
  input  logic                          mu_fail_i,    // ... or, with it, will not
  input  logic                          stop_i,       // level: the SM stops
  // to the end of the unit
  output logic                          res_valid_o,
  input  logic                          res_ready_i,
  output mem_pkg::result_t              res_o,
  output logic [LANES-1:0][31:0]        res_data_o,
  output mem_pkg::bytes_t               res_bytes_o
);

  typedef enum logic [1:0] {IDLE, ASK, SEND} state_e;   // ASK: words that are asked for, and those that have not come

  state_e                       state_q;
  logic [mem_pkg::BEAT_W-1:0]   beat_q;
  logic [1:0]                   word_q;
  logic [LANES-1:0]             pend_q, left_q, lead, group, active, give, mask_q;   // left_q: without an answer
  logic [13:0]                  lead_word;
  logic                         row_en, some, gives_q, beat_end_q, last_q, send, err_q, uni, sent_q, bad, absent, dies;
  logic [34:0]                  err_sector_q;
  logic                         err_page_q, dead_q;
  logic [LANES-1:0]             again;                 // lanes that ask once more
  logic [LANES-1:0][31:0]       data_q;

  // ---- the queue --------------------------------------------------------------------------------
  logic                         head_valid, pop, lists;
  logic [$clog2(mem_pkg::QUEUE_DEPTH)-1:0] head_place;
  logic [mem_pkg::QROW_W-1:0]   ck_row;
  logic [LANES-1:0][15:0]       off;
  core_pkg::id_t                who;
  logic [31:0]                  pc;
  logic [1:0]                   cbank;
  logic [2:0]                   size;
  core_pkg::memop_t             head, head_op;

  lsu_queue u_queue (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .room_o         (room_o),
    .ag_row_valid_i (ag_row_valid_i),
    .ag_last_i      (ag_last_i),
    .ag_beat_i      (ag_beat_i),
    .ag_row_o       (),
    .free_o         (),
    .even_o         (),
    .ck_end_i       (ck_i.ends),
    .ck_commit_i    (ck_i.commit),
    .ck_op_i        (ck_op_i),
    .ck_beat_i      (ck_i.beat),
    .ck_row_o       (ck_row),
    .head_valid_o   (head_valid),
    .head_op_o      (head),
    .head_place_o   (head_place),
    .freed_i        (1'b0),
    .pop_i          (pop)
  );

  // Offsets of a beat; with them most of the operation, of bits that block RAM has beside them: its identity, size and bank.
  // Lanes and registers are there with the head.
  ram_apart #(
    .WIDTH (LANES * 16 + $bits(core_pkg::id_t) + 37),
    .DEPTH (mem_pkg::QUEUE_DEPTH * mem_pkg::BEATS)
  ) u_off (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ck_i.valid),
    .wr_addr_i (ck_row),
    .wr_data_i ({ck_off_i, ck_op_i.id, ck_op_i.pc, ck_op_i.cbank[1:0], ck_op_i.size}),
    .rd_en_i   (state_q == IDLE && head_valid),
    .rd_addr_i (mem_pkg::QROW_W'(32'(head_place) * mem_pkg::BEATS + 32'(beat_q))),
    .rd_data_o ({off, who, pc, cbank, size})
  );

  always_comb begin
    head_op       = head;
    head_op.id    = who;
    head_op.pc    = pc;
    head_op.cbank = 5'(cbank);
    head_op.size  = size;
  end

  assign uni       = mem_pkg::uniform(head_op);
  assign active    = ((uni && sent_q) || dead_q) ? '0 : LANES'(head_op.exec >> (32'(beat_q) * LANES));

  // ---- the word of the lowest lane that waits, and all lanes that want it -----------------------
  assign lead = pend_q & (~pend_q + LANES'(1));

  always_comb begin
    lead_word = 'x;
    group     = 'x;
    `HEDDLE_ONLY(ld_valid_o) begin
      lead_word = '0;
      for (int unsigned l = 0; l < LANES; l++) lead_word |= off[l][15:2] & {14{lead[l]}};
      for (int unsigned l = 0; l < LANES; l++) group[l] = pend_q[l] && off[l][15:2] == lead_word;
    end
  end

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    always_ff @(posedge clk_i) begin
      if (cc_ld_valid_i && (give[l] || uni)) data_q[l] <= cc_ld_i.data;
    end
  end

  assign ld_valid_o = state_q == ASK && pend_q != '0;
  assign ld_o       = '{bank: head_op.cbank[1:0], off: {lead_word + 14'(word_q), 2'd0}, tag: group, lists: lists};
  assign give       = cc_ld_i.tag;

  // ---- words without a page ---------------------------------------------------------------------
  // With an error before it, or where it is a trap, it is an error like any other.
  localparam bit    PAGES = cfg_pkg::MMU != 0;
  logic [LANES-1:0] lacks_q, lack;   // their word's page is absent
  logic             waits, woken_q, final_q, begins;

  assign lack       = absent ? give : '0;
  assign absent     = PAGES && cc_ld_valid_i && core_pkg::is_page(cc_ld_i.err) && !fault_trap_i && !final_q && !err_q && !dead_q;
  assign lists      = PAGES && !fault_trap_i && !final_q && !err_q && !dead_q;
  assign waits      = PAGES && state_q == ASK && lacks_q != '0 && (left_q & ~lacks_q) == '0;   // for nothing but the host
  assign dies       = waits && stop_i;
  assign begins     = waits && !stop_i && (mu_replay_i || woken_q);
  assign again      = begins ? lacks_q : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lacks_q <= '0;
      woken_q <= 1'b0;
      final_q <= 1'b0;
    end else begin
      lacks_q <= (begins || dies) ? '0 : lacks_q | lack;
      // A REPLAY before all has come back: whether that was asked before or behind it is not known.
      woken_q <= state_q == ASK && !begins && (woken_q || mu_replay_i);
      if (begins)              final_q <= mu_replay_i && mu_fail_i;
      else if (state_q != ASK) final_q <= 1'b0;
    end
  end

  assign bad = cc_ld_valid_i && cc_ld_i.err != '0 && !absent;

  // ---- the row ----------------------------------------------------------------------------------
  // All that is known as it begins stands in registers when it is sent.
  always_ff @(posedge clk_i) begin
    if (state_q == IDLE) begin
      mask_q     <= active;
      gives_q    <= active != '0 && head_op.rd != isa_pkg::RZ;
      beat_end_q <= active == '0 || word_q == head_op.rd_n;
      last_q     <= (active == '0 || word_q == head_op.rd_n) && 32'(beat_q) == mem_pkg::BEATS - 1;
    end
  end

  assign some     = mask_q != '0;
  assign row_en   = !err_q && !dead_q && gives_q;
  assign send     = state_q == SEND && (res_ready_i || !res_valid_o);
  assign pop    = send && last_q;

  assign res_valid_o  = state_q == SEND && (row_en || last_q);
  always_comb begin
    res_o       = 'x;
    res_bytes_o = 'x;
    if (`HEDDLE_LIVE(res_valid_o)) begin
      res_o.who    = '{id: head_op.id, rbase: head_op.rbase, rd: head_op.rd, rd_n: head_op.rd_n, wbar: head_op.wbar,
                       has_rd: head_op.rd != isa_pkg::RZ};
      res_o.uni    = uni;
      res_o.row_en = row_en;
      res_o.beat   = uni ? '0 : 5'(beat_q);
      res_o.mask   = uni ? LANES'(1) : mask_q;
      res_o.word   = word_q;
      res_o.last   = last_q;
      res_o.trap   = err_q && !dead_q;
      res_o.pc     = head_op.pc;
      res_o.cause  = err_page_q ? core_pkg::TRAP_PAGE : core_pkg::TRAP_BUS;
      res_o.lanes  = head_op.exec;
      res_o.addr   = {24'd0, err_sector_q, 5'd0};
      res_bytes_o.size = head_op.size;
      for (int unsigned l = 0; l < LANES; l++) res_bytes_o.sub[l] = uni ? 2'd0 : off[l][1:0];
    end
  end
  assign res_data_o   = data_q;

  always_ff @(posedge clk_i) begin
    if (state_q == IDLE && head_valid)  pend_q <= active;
    else if (ld_valid_o && ld_ready_i)    pend_q <= pend_q & ~group;
    else if (again != '0)                 pend_q <= again;
    if (state_q == IDLE && head_valid) left_q <= active;
    else if (cc_ld_valid_i && !absent) left_q <= left_q & ~give;
    if (bad && !(err_q && core_pkg::is_page(cc_ld_i.err))) begin   // behind an error a page that is absent is not asked for
      err_sector_q <= cc_ld_i.sector;
      err_page_q   <= core_pkg::is_page(cc_ld_i.err);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      beat_q  <= '0;
      word_q  <= '0;
      err_q   <= 1'b0;
      sent_q  <= 1'b0;
      dead_q  <= 1'b0;
    end else begin
      case (state_q)
        IDLE:    if (head_valid) state_q <= (active == '0) ? SEND : ASK;
        ASK:     if ((cc_ld_valid_i && !absent && (left_q & ~give) == '0) || dies) state_q <= SEND;
        default: if (send) state_q <= IDLE;
      endcase
      if (send) begin
        word_q <= beat_end_q ? '0 : word_q + 1'b1;
        if (beat_end_q) beat_q <= last_q ? '0 : beat_q + 1'b1;
      end
      if (send) sent_q <= !last_q && (sent_q || (beat_end_q && some));
      if (pop) err_q <= 1'b0;
      else if (bad) err_q <= 1'b1;
      if (pop)       dead_q <= 1'b0;
      else if (dies) dead_q <= 1'b1;
    end
  end

endmodule
