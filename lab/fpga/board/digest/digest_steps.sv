// SPDX-License-Identifier: Apache-2.0
// The records of the core, cycle by cycle, in the order of records in a cycle. First a block that starts; then items to the engine,
// accesses one by one to the order of memory, both side by side. Last clocks; a block that ends; a trap.
// Latency: two cycles from a tag to its first item. Throughput: PIPES items and an access a cycle, none between tags.
// Handshake: it_, ac_, do_: valid with payload until ready. take_o of the sources with a head that is used up.
// It follows none of them further. A block's end and a trap wait until all before is through.
module digest_steps #(
  parameter bit           UNI   = cfg_pkg::HAS_UNI,
  parameter int unsigned  PIPES = digest_pkg::PIPES
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
  output logic [PIPES-1:0]        it_valid_o,
  input  logic                    it_ready_i,
  output digest_pkg::item_t [PIPES-1:0] it_o,
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

  // ---- items. Pipe 0: an instruction, predicates, uniform results, of those that are several the lowest that is left,
  // or the lowest write port; pipe 1: the highest write port, but not beside what begins a window
  logic [PARTS-1:0]       parts, left, parts_q;
  logic                   others, begins, nothing, gone;
  logic [WRITERS-1:0]     low, high;
  digest_pkg::sources_t   taken;
  logic [PIPES-1:0]       it_source;
  digest_pkg::predicate_t p;
  digest_pkg::uniform_t   u;
  assign p      = heads_i.predicate;
  assign u      = heads_i.uniform;
  assign others = pend_q.issue || pend_q.predicate || (UNI && pend_q.uniform);
  assign begins = pend_q.issue && heads_i.issue.seq[digest_pkg::WINDOW_W-1:0] == '0;

  always_comb begin
    high = '0;
    for (int unsigned k = 0; k < WRITERS; k++) if (pend_q.write[k]) high = WRITERS'(1) << k;
    if (begins) high = '0;
    low = pend_q.write & ~high;
    low = others ? '0 : low & (~low + 1'b1);
  end

  // A mask of nothing adds nothing.
  always_comb begin
    parts = PARTS'(1);
    if (!pend_q.issue && pend_q.predicate) begin
      for (int unsigned i = 0; i < PREDICATES; i++) parts[i] = p.mask[i] != '0;
    end else if (!pend_q.issue && UNI && pend_q.uniform) begin
      parts = PARTS'({u.pred != '0, u.used});
    end
  end
  assign left = parts & ~parts_q;

  // d0 + x^8 d1 of words of LANES bits.
  function automatic logic [31:0] predicate_r(input logic [digest_pkg::LANES-1:0] data,
                                              input logic [digest_pkg::LANES-1:0] mask);
    automatic logic [31:0] a = 32'(mask);
    for (int k = 0; k < 8; k++) a = digest_pkg::times_x(a);
    predicate_r = 32'(data) ^ a;
  endfunction

  function automatic digest_pkg::item_t row(input digest_pkg::write_t w);
    row = '{slot: w.slot, seq: 32'(w.seq), kind: digest_pkg::WRITE, place: w.rd, beat: 5'(w.beat), r: w.r};
  endfunction

  always_comb begin
    it_o         = '0;
    it_source    = '0;
    it_source[0] = others || low != '0;
    if (pend_q.issue) begin
      it_o[0] = '{slot: heads_i.issue.slot, seq: heads_i.issue.seq, kind: digest_pkg::ISSUE, place: '0, beat: '0,
                  r: heads_i.issue.r};
    end else if (pend_q.predicate) begin
      it_o[0] = '{slot: p.slot, seq: 32'(p.seq), kind: digest_pkg::PREDICATE, place: '0, beat: 5'(p.beat), r: '0};
      for (int i = int'(PREDICATES) - 1; i >= 0; i--) begin
        if (left[i]) begin
          it_o[0].place = 8'(i);
          it_o[0].r     = predicate_r(p.data[i], p.mask[i]);
        end
      end
    end else if (UNI && pend_q.uniform) begin
      it_o[0] = '{slot: u.slot, seq: 32'(u.seq), kind: digest_pkg::UNIFORM, place: 8'd255, beat: 5'd1,
                  r: 32'(u.value & u.pred) ^ (32'(u.pred) << 8)};
      for (int i = int'(retire_pkg::RESULT) - 1; i >= 0; i--) begin
        if (left[i]) begin
          it_o[0].place = u.rd + 8'(i);
          it_o[0].beat  = '0;
          it_o[0].r     = u.data[i] ^ 32'h100;
        end
      end
    end else begin
      for (int unsigned k = 0; k < WRITERS; k++) if (low[k]) it_o[0] |= row(heads_i.write[k]);
    end
    it_source[PIPES-1] = high != '0;
    for (int unsigned k = 0; k < WRITERS; k++) if (high[k]) it_o[PIPES-1] |= row(heads_i.write[k]);
    if (pend_q.block_start) it_source = '0;
  end

  // Pipe 1 takes its item with the first one of pipe 0, or alone. An item that adds nothing goes by itself: an offer stays.
  assign nothing = others && left == '0;
  assign gone    = nothing || ((left & (left - 1'b1)) == '0 && it_ready_i);
  always_comb begin
    it_valid_o  = nothing ? '0 : it_source;
    taken       = '0;
    taken.write = (low | high) & {WRITERS{it_ready_i && !nothing}};
    if (gone) begin
      if (pend_q.issue)          taken.issue = 1'b1;
      else if (pend_q.predicate) taken.predicate = 1'b1;
      else                       taken.uniform = UNI && pend_q.uniform;
    end
    if (pend_q.block_start) taken = '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || taken.predicate || taken.uniform)    parts_q <= '0;
    else if (it_valid_o[0] && it_ready_i && !pend_q.issue && (pend_q.predicate || pend_q.uniform))
      parts_q <= parts_q | (left & (~left + 1'b1));
  end

  // ---- accesses: a request, or a pass row by row -----------------------------------------------------------
  digest_pkg::shared_t  pass;
  logic [BANKS-1:0]     banks, banks_q, same;
  logic                 ac_last, ac_gone;
  digest_pkg::sources_t ac_take;
  digest_pkg::index_t   index;

  assign pass  = heads_i.shared;
  assign banks = pass.bank_en & ~banks_q;
  always_comb begin
    index = pass.index[0];
    for (int b = int'(BANKS) - 1; b >= 0; b--) if (banks[b]) index = pass.index[b];
    for (int unsigned b = 0; b < BANKS; b++) same[b] = pass.index[b] == index;
  end

  always_comb begin
    ac_take = '0;
    ac_o    = '{space: 1'b1, slot: pass.slot, writes: pass.writes, first: pass.first && banks_q == '0, index: index};
    ac_last = (banks & ~same) == '0;
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
    else if (ac_valid_o && ac_ready_i)  banks_q <= banks_q | same;
  end

  // ---- what comes before both, and after ------------------------------------------------------------------
  logic                 through, do_gone;
  digest_pkg::sources_t do_take;
  assign through = it_source == '0 && !ac_valid_o && or_idle_i && en_idle_i;

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
  assign take_o = taken | (ac_gone ? ac_take : '0) | (do_gone ? do_take : '0);
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
