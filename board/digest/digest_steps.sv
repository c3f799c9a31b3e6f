// SPDX-License-Identifier: Apache-2.0
// Cycle by cycle of the core what it showed, in the order of records in a cycle: a block that starts; items one by one to
// the engine, accesses one by one to the order of memory, both side by side; clocks; a block that ends; a trap.
// Latency: two cycles from a tag to its first item. Throughput: an item and an access a cycle, no cycle between tags.
// Handshake: it_, ac_, do_: valid with payload until ready. take_o of the sources whose heads have been used up.
// It does not know what becomes of any. A block's end and a trap wait until all before is through.
`default_nettype none

module digest_steps #(
  parameter bit UNI = cfg_pkg::HAS_UNI
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // what was shown
  input  logic                    tag_valid_i,
  input  digest_pkg::sources_t    tag_i,
  output logic                    tag_take_o,
  input  digest_pkg::heads_t      heads_i,
  output digest_pkg::sources_t    take_o,
  output logic                    idle_o,
  // to the engine
  output logic                    it_valid_o,
  input  logic                    it_ready_i,
  output digest_pkg::item_t       it_o,
  input  logic                    en_idle_i,
  // to the order of memory
  output logic                    ac_valid_o,
  input  logic                    ac_ready_i,
  output digest_pkg::access_t     ac_o,
  input  logic                    or_idle_i,
  // to the control
  output logic                    do_valid_o,
  input  logic                    do_ready_i,     // it is done
  output digest_pkg::do_e         do_o,
  output digest_pkg::slot_t       do_slot_o,      // of CLOCK
  output logic [digest_pkg::CLOCK_W-1:0] do_now_o // of CLOCK
);

  localparam int unsigned WRITERS    = digest_pkg::WRITERS;
  localparam int unsigned PREDICATES = retire_pkg::PREDICATES;
  localparam int unsigned PARTS      = PREDICATES;        // of a record that is several items, at most
  localparam int unsigned BANKS      = digest_pkg::BANKS;

  digest_pkg::sources_t pend_q, rest;
  logic                 clock_q, over;

  // ---- items: the lowest source; of it, where it has several, the lowest that is left -------------------
  logic [PARTS-1:0]     parts, left, parts_q;
  logic                 it_source, it_last, it_gone;
  digest_pkg::sources_t it_take;

  // d0 + x^8 d1 of words of LANES bits.
  function automatic logic [31:0] predicate_r(input logic [digest_pkg::LANES-1:0] data,
                                              input logic [digest_pkg::LANES-1:0] mask);
    automatic logic [31:0] a = 32'(mask);
    for (int k = 0; k < 8; k++) a = digest_pkg::times_x(a);
    predicate_r = 32'(data) ^ a;
  endfunction

  digest_pkg::predicate_t p;
  digest_pkg::uniform_t   u;
  assign p = heads_i.predicate;
  assign u = heads_i.uniform;

  // A mask of nothing adds nothing.
  always_comb begin
    parts = PARTS'(1);
    if (!pend_q.issue && pend_q.write == '0) begin
      parts = '0;
      if (pend_q.predicate) begin
        for (int unsigned i = 0; i < PREDICATES; i++) parts[i] = p.mask[i] != '0;
      end else begin
        parts[retire_pkg::RESULT:0] = {u.pred != '0, u.used};
      end
    end
  end
  assign left = parts & ~parts_q;

  always_comb begin
    it_o      = '0;
    it_take   = '0;
    it_source = 1'b1;
    if (pend_q.block_start) begin
      it_source = 1'b0;
    end else if (pend_q.issue) begin
      it_o          = '{slot: heads_i.issue.slot, seq: heads_i.issue.seq, kind: digest_pkg::ISSUE, place: '0, beat: '0,
                        r: heads_i.issue.r};
      it_take.issue = 1'b1;
    end else if (pend_q.write != '0) begin
      for (int k = int'(WRITERS) - 1; k >= 0; k--) begin
        if (pend_q.write[k]) begin
          it_o          = '{slot: heads_i.write[k].slot, seq: 32'(heads_i.write[k].seq), kind: digest_pkg::WRITE,
                            place: heads_i.write[k].rd, beat: 5'(heads_i.write[k].beat), r: heads_i.write[k].r};
          it_take.write = WRITERS'(1) << k;
        end
      end
    end else if (pend_q.predicate) begin
      it_o = '{slot: p.slot, seq: 32'(p.seq), kind: digest_pkg::PREDICATE, place: '0, beat: 5'(p.beat), r: '0};
      for (int i = int'(PREDICATES) - 1; i >= 0; i--) begin
        if (left[i]) begin
          it_o.place = 8'(i);
          it_o.r     = predicate_r(p.data[i], p.mask[i]);
        end
      end
      it_take.predicate = 1'b1;
    end else if (UNI && pend_q.uniform) begin
      it_o = '{slot: u.slot, seq: 32'(u.seq), kind: digest_pkg::UNIFORM, place: 8'd255, beat: 5'd1,
               r: 32'(u.value & u.pred) ^ (32'(u.pred) << 8)};
      for (int i = int'(retire_pkg::RESULT) - 1; i >= 0; i--) begin
        if (left[i]) begin
          it_o.place = u.rd + 8'(i);
          it_o.beat  = '0;
          it_o.r     = u.data[i] ^ 32'h100;
        end
      end
      it_take.uniform = 1'b1;
    end else begin
      it_source = 1'b0;
    end
  end

  assign it_valid_o = it_source && left != '0;
  assign it_last    = (left & (left - 1'b1)) == '0;
  assign it_gone    = it_source && it_last && (left == '0 || it_ready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || it_gone)             parts_q <= '0;
    else if (it_valid_o && it_ready_i)  parts_q <= parts_q | (left & (~left + 1'b1));
  end

  // ---- accesses: a request, or a pass row by row -----------------------------------------------------------
  digest_pkg::shared_t  pass;
  logic [BANKS-1:0]     banks, banks_q, row;
  logic                 ac_last, ac_gone;
  digest_pkg::sources_t ac_take;
  digest_pkg::index_t   index;

  assign pass  = heads_i.shared;
  assign banks = pass.bank_en & ~banks_q;
  always_comb begin
    index = pass.index[0];
    for (int b = int'(BANKS) - 1; b >= 0; b--) if (banks[b]) index = pass.index[b];
    for (int unsigned b = 0; b < BANKS; b++) row[b] = pass.index[b] == index;
  end

  always_comb begin
    ac_take = '0;
    ac_o    = '{space: 1'b1, slot: pass.slot, writes: pass.writes, first: pass.first && banks_q == '0, index: index};
    ac_last = (banks & ~row) == '0;
    ac_valid_o = 1'b0;
    if (pend_q.block_start) begin
      ac_valid_o = 1'b0;
    end else if (pend_q.request) begin
      ac_o            = '{space: 1'b0, slot: heads_i.request.slot, writes: heads_i.request.writes, first: 1'b1,
                          index: heads_i.request.index};
      ac_last         = 1'b1;
      ac_take.request = 1'b1;
      ac_valid_o      = 1'b1;
    end else if (pend_q.shared) begin
      ac_take.shared  = 1'b1;
      ac_valid_o      = 1'b1;
    end
  end
  assign ac_gone = ac_valid_o && ac_last && ac_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || ac_gone)             banks_q <= '0;
    else if (ac_valid_o && ac_ready_i)  banks_q <= banks_q | row;
  end

  // ---- what comes before both, and after -------------------------------------------------------------------------------
  logic                 others, through, do_gone;
  digest_pkg::sources_t do_take;
  assign others  = it_source || ac_valid_o;
  assign through = !others && or_idle_i && en_idle_i;

  always_comb begin
    do_take    = '0;
    do_valid_o = 1'b0;
    do_o       = digest_pkg::DO_CLOCK;
    if (pend_q.block_start) begin
      do_valid_o          = 1'b1;
      do_o                = digest_pkg::DO_START;
      do_take.block_start = 1'b1;
    end else if (clock_q) begin
      do_valid_o = 1'b1;
    end else if (pend_q.block_end) begin
      do_valid_o        = through;
      do_o              = digest_pkg::DO_END;
      do_take.block_end = 1'b1;
    end else if (pend_q.trap) begin
      do_valid_o   = through;
      do_o         = digest_pkg::DO_TRAP;
      do_take.trap = 1'b1;
    end
  end
  assign do_gone = do_valid_o && do_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                                   clock_q <= 1'b0;
    else if (take_o.issue && heads_i.issue.clock)  clock_q <= 1'b1;
    else if (do_gone)                              clock_q <= 1'b0;   // nothing else is done meanwhile
    if (take_o.issue) begin
      do_slot_o <= heads_i.issue.slot;
      do_now_o  <= heads_i.issue.now;
    end
  end

  // Fields that the control looks at.
  logic unused;
  assign unused = ^heads_i;

  // ---- the next cycle of the core ----------------------------------------------------------------------------
  assign take_o = (it_gone ? it_take : '0) | (ac_gone ? ac_take : '0) | (do_gone ? do_take : '0);
  assign rest   = pend_q & ~take_o;
  assign over   = rest == '0 && !(take_o.issue && heads_i.issue.clock) && !(clock_q && !do_gone);
  assign tag_take_o = over && tag_valid_i;
  assign idle_o     = pend_q == '0 && !clock_q && !tag_valid_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   pend_q <= '0;
    else if (over) pend_q <= tag_valid_i ? tag_i : '0;
    else           pend_q <= rest;
  end

endmodule

`default_nettype wire
