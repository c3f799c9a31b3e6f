// SPDX-License-Identifier: Apache-2.0
// Instruction buffer: IBUF decoded entries a warp in LUT memory, with the scheduler's flags of each entry in registers.
// Latency: a word pushed in cycle t is a head in t+1; the entry of a warp selected in cycle t stands in t+1.
// Handshake: events; fetch has reserved the room before it asked. A flush wins over a push to the same warp.
// It does not hold PCs: fetch has the oldest entry's. Flags are vectors of warps, pointers one such vector a place.
`include "heddle_assert.svh"
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module ibuf (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  // from the host
  input  logic [8:0]                                    regs_i,
  input  logic                                          its_i,
  // from fetch
  input  issue_pkg::push_t                              if_push_i,
  input  logic                                          if_followed_i,    // fetch goes on at its target
  input  logic [cfg_pkg::WARPS-1:0]                     if_flush_i,
  // to fetch
  output issue_pkg::jump_t                              ib_jump_o,        // of the pushed word
  // to the constant prefetch: an entry is pushed; of each place the warps whose head lies there
  output issue_pkg::want_t                              ib_cst_o,
  output logic [cfg_pkg::IBUF-1:0][cfg_pkg::WARPS-1:0]  ib_at_o,
  // to issue
  output issue_pkg::heads_t                             ib_heads_o,
  output issue_pkg::entry_t                             ib_entry_o,
  output issue_pkg::look_t                              ib_look_o,        // of the head that the scoreboard looks at
  // from issue
  input  front_pkg::take_t                              is_take_i,
  input  logic [cfg_pkg::WARP_W-1:0]                    is_s1_slot_i,     // the warp that was selected
  input  logic [cfg_pkg::WARP_W-1:0]                    is_look_slot_i,   // the warp at which the scoreboard looks
  output logic [issue_pkg::IDX_W-1:0]                   ib_s1_index_o
);

  localparam int unsigned WARPS   = cfg_pkg::WARPS;
  localparam int unsigned IBUF    = cfg_pkg::IBUF;
  localparam int unsigned IDX_W   = issue_pkg::IDX_W;
  localparam int unsigned HEAD_W  = issue_pkg::HEAD_W;
  localparam int unsigned FLAGS   = 1 << $clog2(HEAD_W);   // of a power of two a simulator checks no index

  if (IBUF != (1 << $clog2(IBUF))) begin : gen_check
    $error("ibuf: IBUF must be a power of two");
  end

  issue_pkg::stored_t                       entry, stored, late;
  issue_pkg::kind_t                         kind;
  issue_pkg::head_t                         head;
  logic [FLAGS-1:0]                         head_bits;
  logic [WARPS-1:0]                         push, advance, valid, fresh;
  logic [HEAD_W-1:0][WARPS-1:0]             flag;
  logic                                     need;
  logic [IBUF-1:0][WARPS-1:0]               full, wr, rd;         // entries; where the next one goes; the oldest one
  logic [WARPS-1:0]                         put [IBUF], flags [IBUF][FLAGS];
  logic [WARPS-1:0]                         rd_at [IBUF];
  logic [IDX_W-1:0]                         push_index, sel_index, look_index, s1_index_q;
  logic                                     late_valid_q, late_beyond, late_gen_q, late_followed_q;   // of what was pushed a cycle ago
  logic                                     late_middle, is_short, gen, followed;
  logic [cfg_pkg::WARP_W-1:0]               late_slot_q;
  logic [IDX_W-1:0]                         late_index_q;
  logic [WARPS-1:0][IBUF-1:0]               beyond_q;
  logic                                     moves;

  predecode u_predecode (
    .its_i   (its_i),
    .valid_i (if_push_i.valid),
    .word_i  (if_push_i.word),
    .err_i   (if_push_i.err),
    .entry_o (entry),
    .head_o  (head),
    .jump_o  (ib_jump_o)
  );

  assign push      = WARPS'(if_push_i.valid) << if_push_i.slot;
  assign advance   = is_take_i.sel & valid;   // a bad PC is selected without an entry
  assign moves     = if_push_i.valid || ((is_take_i.pop | advance | is_take_i.back | if_flush_i) != '0);
  assign head_bits = FLAGS'(head);

  // ---- pointers and flags: a register of all warps each, which costs a simulator less than parts of a long word -----------
  for (genvar i = 0; i < IBUF; i++) begin : gen_place
    logic [WARPS-1:0] full_q, wr_q, rd_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        full_q <= '0;
        wr_q   <= (i == 0) ? '1 : '0;
        rd_q   <= (i == 0) ? '1 : '0;
      end else if (`HEDDLE_LIVE(moves)) begin   // in every cycle: whether anything changes comes as late as what changes
        full_q <= ((full_q & ~((s1_index_q == IDX_W'(i)) ? is_take_i.pop : '0)) | (wr_q & push)) & ~if_flush_i;
        wr_q   <= (((wr_q & ~push) | (wr[(i + IBUF - 1) % IBUF] & push)) & ~if_flush_i) | ((i == 0) ? if_flush_i : '0);
        rd_q   <= (((rd_q & ~advance) | (rd[(i + IBUF - 1) % IBUF] & advance)) & ~is_take_i.back & ~if_flush_i)
          | ((i == 0) ? if_flush_i : '0) | ((s1_index_q == IDX_W'(i)) ? is_take_i.back & ~if_flush_i : '0);
      end
    end
    assign full[i]  = full_q;
    assign wr[i]    = wr_q;
    assign rd[i]    = rd_q;
    assign rd_at[i] = rd_q;
    assign put[i]   = wr_q & push;

    flag_planes #(.COLUMNS(WARPS), .FLAGS(FLAGS)) u_flags (
      .clk_i   (clk_i),
      .put_i   (put[i]),
      .flags_i (head_bits),
      .plane_o (flags[i])
    );
  end


  always_comb begin
    valid = '0;
    for (int unsigned i = 0; i < IBUF; i++) valid = valid | (full[i] & rd[i]);
  end
  // A loop for each place, of one operation: vector code.
  for (genvar i = 0; i < IBUF; i++) begin : gen_upto
    logic [WARPS-1:0] at [FLAGS];   // of this place and those below
    if (i == 0) begin : gen_first
      always_comb begin
        `LANE_LOOP (int f = 0; f < FLAGS; f++) at[f] = flags[0][f] & rd_at[0];
      end
    end else begin : gen_next
      always_comb begin
        `LANE_LOOP (int f = 0; f < FLAGS; f++) at[f] = gen_upto[i-1].at[f] | (flags[i][f] & rd_at[i]);
      end
    end
  end
  for (genvar f = 0; f < HEAD_W; f++) begin : gen_head
    assign flag[f] = gen_upto[IBUF-1].at[f];
  end
  assign ib_at_o    = rd;
  assign ib_heads_o = '{valid: valid, fresh: fresh, flag: flag};

  // ---- storage: the place is latched with the selection -------------------------------------------------------------------
  always_comb begin
    push_index = '0;
    sel_index  = '0;
    look_index = '0;
    fresh = '0;
    for (int unsigned i = 0; i < IBUF; i++) begin
      if (put[i] != '0)             push_index |= IDX_W'(i);
      if ((rd[i] & is_take_i.sel) != '0) sel_index  |= IDX_W'(i);
      if (rd[i][is_look_slot_i])    look_index |= IDX_W'(i);
      if (late_valid_q && late_index_q == IDX_W'(i)) fresh = rd[i] & (WARPS'(1) << late_slot_q);
    end
  end
  always_ff @(posedge clk_i) begin
    if (is_take_i.sel != '0) s1_index_q <= sel_index;
  end
  assign ib_s1_index_o = s1_index_q;

  ram_async #(.WIDTH($bits(entry)), .DEPTH(WARPS << IDX_W)) u_entries (
    .clk_i     (clk_i),
    .wr_en_i   (late_valid_q),
    .wr_addr_i ({late_slot_q, late_index_q}),
    .wr_data_i (late),
    .rd_addr_i ({is_s1_slot_i, s1_index_q}),
    .rd_data_o (stored)
  );

  // ---- what was pushed, a cycle after: written then, in time for the warp that is selected in it, with registers beyond the kernel's
  // count, and what check stage and scoreboard ask -------------------------------------------------------------------------------
  late_decode u_late (
    .clk_i   (clk_i),
    .take_i  (if_push_i.valid),
    .word_i  (if_push_i.word),
    .err_i   (if_push_i.err),
    .entry_i (entry),
    .entry_o (late)
  );

  // Does a tuple that starts at a multiple of its size (others are illegal anyway) end beyond the count? Uniform registers are the
  // same for every kernel.
  function automatic logic beyond(input logic uni, input logic [7:0] first, input logic [1:0] n, input logic [8:0] count);
    beyond = first != isa_pkg::RZ && !uni && {1'b0, first | {6'd0, n}} >= count;
  endfunction

  always_comb begin
    late_beyond = 1'b0;
    if (`HEDDLE_LIVE(late_valid_q)) begin
      late_beyond = beyond(late.dec.a_kind == isa_pkg::SRC_UREG, late.dec.a_reg, late.dec.a_n, regs_i)
        || beyond(late.dec.b_kind == isa_pkg::SRC_UREG, late.dec.b_reg, late.dec.b_n, regs_i)
        || beyond(late.dec.c_kind == isa_pkg::SRC_UREG, late.dec.c_reg, late.dec.c_n, regs_i)
        || beyond(late.dec.rd_uni, late.dec.rd, late.dec.rd_n, regs_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) late_valid_q <= 1'b0;
    else         late_valid_q <= if_push_i.valid;
  end
  always_ff @(posedge clk_i) begin
    if (if_push_i.valid) begin
      late_gen_q      <= head.gen;
      late_followed_q <= if_followed_i;
      late_slot_q     <= if_push_i.slot;
      late_index_q    <= push_index;
    end
    if (late_valid_q) beyond_q[late_slot_q][late_index_q] <= late_beyond || late_middle;
  end

  issue_pkg::kind_t late_kind;
  issue_pkg::look_t late_look;
  always_comb begin
    late_kind = 'x;   // are written with late_valid_q
    late_look = 'x;
    if (`HEDDLE_LIVE(late_valid_q)) begin
      late_kind = issue_pkg::kind_of(late.dec, late.word);
      late_look = issue_pkg::look_of(late.dec);
    end
  end

  ram_async #(.WIDTH(2 + $bits(kind)), .DEPTH(WARPS << IDX_W)) u_asked (
    .clk_i     (clk_i),
    .wr_en_i   (late_valid_q),
    .wr_addr_i ({late_slot_q, late_index_q}),
    .wr_data_i ({late_followed_q, late_gen_q, late_kind}),
    .rd_addr_i ({is_s1_slot_i, s1_index_q}),
    .rd_data_o ({followed, gen, kind})
  );

  ram_async #(.WIDTH($bits(ib_look_o)), .DEPTH(WARPS << IDX_W)) u_look (
    .clk_i     (clk_i),
    .wr_en_i   (late_valid_q),
    .wr_addr_i ({late_slot_q, late_index_q}),
    .wr_data_i (late_look),
    .rd_addr_i ({is_look_slot_i, look_index}),
    .rd_data_o (ib_look_o)
  );

  // The size of an entry, and what is none.
  if (isa_pkg::HAS_SHORT) begin : gen_short
    logic late_short_q, late_middle_q;
    always_ff @(posedge clk_i) begin
      if (if_push_i.valid) begin
        late_short_q  <= if_push_i.is_short;
        late_middle_q <= if_push_i.middle;
      end
    end
    assign late_middle = late_middle_q;
    ram_async #(.WIDTH(1), .DEPTH(WARPS << IDX_W)) u_short (
      .clk_i     (clk_i),
      .wr_en_i   (late_valid_q),
      .wr_addr_i ({late_slot_q, late_index_q}),
      .wr_data_i (late_short_q),
      .rd_addr_i ({is_s1_slot_i, s1_index_q}),
      .rd_data_o (is_short)
    );
  end else begin : gen_long
    assign late_middle = 1'b0;
    assign is_short    = 1'b0;
    logic unused_size;
    assign unused_size = ^{if_push_i.is_short, if_push_i.middle};
  end

  always_comb begin
    ib_entry_o.bus_err = stored.bus_err;
    ib_entry_o.illegal = stored.illegal || beyond_q[is_s1_slot_i][s1_index_q];
    ib_entry_o.is_short = is_short;
    ib_entry_o.followed = followed;
    ib_entry_o.gen     = gen;
    ib_entry_o.kind    = kind;
    ib_entry_o.word    = stored.word;
    ib_entry_o.dec     = stored.dec;
    // What the word has as it is, is not kept twice.
    ib_entry_o.dec.imm   = issue_pkg::imm_of(stored.dec, stored.word);
    ib_entry_o.dec.coff  = isa_pkg::f_coff(stored.word);
    ib_entry_o.dec.cbank = isa_pkg::f_cbank(stored.word);
  end

  // What is made of the word is what it was decoded to.
  `ASSERT_IF(a_same, if_push_i.valid && entry.dec.legal, issue_pkg::imm_of(entry.dec, if_push_i.word) == entry.dec.imm
    && (!need || (isa_pkg::f_coff(if_push_i.word) == entry.dec.coff && isa_pkg::f_cbank(if_push_i.word) == entry.dec.cbank)))

  // Of the instruction that has arrived, most.
  logic unused;
  assign unused = ^{late, entry};

  // Legality is not waited for: an illegal word may ask for a constant that is not used. Its place counts for an entry that needs
  // one. A word without a page asks for none: the host may be asked for that.
  assign need     = kind_pkg::has_const(entry.dec) && !core_pkg::is_page(if_push_i.err);
  assign ib_cst_o = '{valid: if_push_i.valid, slot: if_push_i.slot, index: push_index, need: need,
    wide: kind_pkg::wide_const(entry.dec), bank: isa_pkg::f_cbank(if_push_i.word), off: isa_pkg::f_coff(if_push_i.word) & 16'hfffc};

  // Fetch never pushes into a full buffer, and issue never pops an empty one.
  logic overflow;
  always_comb begin
    overflow = 1'b0;
    for (int unsigned i = 0; i < IBUF; i++) begin
      if ((full[i] & wr[i] & push) != '0) overflow = 1'b1;
    end
  end
  `ASSERT(a_room, !overflow)
  logic [WARPS-1:0] in_s1;
  always_comb begin
    in_s1 = '0;
    for (int unsigned i = 0; i < IBUF; i++) begin
      if (s1_index_q == IDX_W'(i)) in_s1 = full[i];
    end
  end
  `ASSERT(a_pop, (is_take_i.pop & ~in_s1) == '0)

endmodule
