// SPDX-License-Identifier: Apache-2.0
// Eight-byte accesses on a request channel (../line_pkg.sv): reads are loads, strong at GPU scope; compare-and-swap and exchange are
// atomics of 64 bits. Counts credits; returns results by client, which is the tag.
// Latency: a request, or its first beat, leaves a cycle after its access was taken; results pass through combinationally.
// Handshake: ac_ valid/ready, in turns, one a client at a time; parts and ends are events; the channel's rules.
// A request's identity for records: walk number (seq), level (slot), exchange (gen); lane 0.
// It does not interpret the data.
`include "heddle_assert.svh"

module walk_channel #(
  parameter  int unsigned CLIENTS = 2
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from and to the clients: an access is held until its end
  input  logic [CLIENTS-1:0]          ac_valid_i,
  output logic [CLIENTS-1:0]          ac_ready_o,
  input  mmu_pkg::access_t [CLIENTS-1:0] ac_i,
  output logic [CLIENTS-1:0][1:0]     part_valid_o,
  output logic [CLIENTS-1:0][63:0]    part_o,
  output logic [CLIENTS-1:0]          end_valid_o,
  output logic                        end_err_o,
  // the request channel
  output line_pkg::sent_t             ch_o,
  output line_pkg::note_t             note_o,
  input  line_pkg::got_t              ch_i,
  // records: an access has ended
  output logic                        rec_valid_o,
  output mmu_pkg::record_t            rec_o
);

  localparam int unsigned BITS    = line_pkg::BITS;
  localparam int unsigned PIECE   = (BITS < 128) ? BITS : 128;   // bits of operands a beat
  localparam int unsigned TAGS    = line_pkg::TAGS;
  localparam int unsigned COUNT_W = $clog2(TAGS + 1);
  localparam int unsigned ATOM_W  = $clog2(line_pkg::ATOMS + 1);
  localparam int unsigned TAG_W   = line_pkg::TAG_W;
  localparam int unsigned CLIENT_W = $clog2(CLIENTS);

  // ---- credits, and the next client -----------------------------------------------------------------
  logic [COUNT_W-1:0] credits_q;
  logic [ATOM_W-1:0]  atoms_q;
  logic [CLIENTS-1:0] able, grant;
  logic               free, take;
  mmu_pkg::access_t   next;

  for (genvar c = 0; c < CLIENTS; c++) begin : gen_able
    assign able[c] = ac_valid_i[c] && credits_q != '0 && (ac_i[c].what == mmu_pkg::READ || atoms_q != '0);
  end
  arb_rr #(.N(CLIENTS)) u_turns (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (able),
    .grant_o (grant),
    .take_i  (free)
  );
  onehot_mux #(.WIDTH($bits(mmu_pkg::access_t)), .N(CLIENTS)) u_next (
    .sel_i  (grant),
    .data_i (ac_i),
    .data_o (next)
  );
  assign take       = free && able != '0;
  assign ac_ready_o = grant & {CLIENTS{free}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      credits_q <= '0;
      atoms_q   <= '0;
    end else begin
      credits_q <= credits_q + COUNT_W'(ch_i.lc_valid && !ch_i.lc_atom) - COUNT_W'(take);
      atoms_q   <= atoms_q + ATOM_W'(ch_i.lc_valid && ch_i.lc_atom) - ATOM_W'(take && next.what != mmu_pkg::READ);
    end
  end

  // ---- sends: the beats of an atomic's operands, the last with its request --------------------------
  logic               now_valid_q, atom, final_piece;
  logic [1:0]         piece_q;
  mmu_pkg::access_t   now_q;
  logic [CLIENTS-1:0] whose_q;
  logic [CLIENT_W-1:0] client;
  logic [TAG_W-1:0]   tag;
  logic [127:0]       operands;

  onehot_index #(.N(CLIENTS)) u_tag (
    .onehot_i (whose_q),
    .index_o  (client)
  );
  assign tag = TAG_W'(client);

  assign atom        = now_q.what != mmu_pkg::READ;
  assign final_piece = !atom || 32'(piece_q) == ((now_q.what == mmu_pkg::SWAP) ? 128 / PIECE : (64 + PIECE - 1) / PIECE) - 1;
  assign free        = !now_valid_q || final_piece;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) now_valid_q <= 1'b0;
    else         now_valid_q <= take || (now_valid_q && !final_piece);
  end
  always_ff @(posedge clk_i) begin
    piece_q <= take ? '0 : piece_q + 2'd1;
    if (take) begin
      now_q   <= next;
      whose_q <= grant;
    end
  end

  assign operands   = {now_q.c, now_q.b};
  line_pkg::write_t   lw;
  line_pkg::request_t lq;
  assign ch_o = '{lw_valid: now_valid_q && atom, lw: lw, lq_valid: now_valid_q && final_piece, lq: lq, la_ready: 1'b1};
  always_comb begin
    lw       = '0;
    lw.atom  = 1'b1;
    lw.place = {now_q.word[3:0], 1'b0};
    lw.piece = piece_q;
    lw.data  = BITS'(operands[32'(piece_q) * PIECE % 128 +: PIECE]);

    lq         = '0;
    lq.sm      = 8'(line_pkg::SMS);     // one more than there are
    lq.tag     = tag;
    lq.kind    = atom ? line_pkg::ATOM : line_pkg::LOAD;
    lq.scope   = line_pkg::GPU;
    lq.line    = now_q.word[mmu_pkg::WORD_W-1:4];
    lq.sectors = line_pkg::SECTORS'(1) << now_q.word[3:2];
    lq.op      = (now_q.what == mmu_pkg::SWAP) ? atom_pkg::COMPARE_SWAP : isa_pkg::AOP_EXCH_64;
    lq.wide    = 1'b1;
    lq.gives   = 1'b1;
    lq.slot    = cfg_pkg::SM_WARP_W'(now_q.level);
    lq.lanes   = 32'd1;

    note_o       = '0;
    note_o.valid = ch_o.lq_valid;
    note_o.tag   = tag;
    note_o.gen   = 8'(now_q.what == mmu_pkg::EXCHANGE);
    note_o.seq   = now_q.number;
    note_o.at[0] = now_q.word[3:2];
  end

  // ---- what comes ---------------------------------------------------------------------------------
  assign end_err_o = ch_i.la.err;

  for (genvar c = 0; c < CLIENTS; c++) begin : gen_client
    logic        beat, old;
    logic [1:0]  halves;
    logic [63:0] read;

    assign beat = ch_i.ld_valid && 32'(ch_i.ld.tag) == c;
    assign old  = ch_i.la_valid && 32'(ch_i.la.tag) == c && !ch_i.la.done;
    if (BITS == 32) begin : gen_half
      assign halves = (ch_i.ld.beat[4:1] == ac_i[c].word[3:0]) ? (ch_i.ld.beat[0] ? 2'b10 : 2'b01) : 2'b00;
      assign read   = {2{ch_i.ld.data}};
    end else if (BITS == 1024) begin : gen_line
      assign halves = 2'b11;
      assign read   = ch_i.ld.data[64 * 32'(ac_i[c].word[3:0]) +: 64];
    end else begin : gen_beat
      localparam int unsigned LOW = $clog2(BITS / 64);            // words of a beat
      assign halves = {2{ch_i.ld.beat == ac_i[c].word[3:LOW]}};
      assign read   = ch_i.ld.data[64 * (32'(ac_i[c].word[3:0]) % (BITS / 64)) +: 64];
    end
    assign part_valid_o[c] = old ? 2'b11 : halves & {2{beat}};
    assign part_o[c]       = old ? ch_i.la.old : read;
    assign end_valid_o[c]  = ch_i.la_valid && 32'(ch_i.la.tag) == c && ch_i.la.done;
  end

  // ---- records ------------------------------------------------------------------------------------
  /* verilator lint_off UNUSEDSIGNAL */    // its client
  mmu_pkg::access_t ended;
  /* verilator lint_on UNUSEDSIGNAL */
  onehot_mux #(.WIDTH($bits(mmu_pkg::access_t)), .N(CLIENTS)) u_over (
    .sel_i  (end_valid_o),
    .data_i (ac_i),
    .data_o (ended)
  );
  assign rec_valid_o = end_valid_o != '0;
  assign rec_o       = '{number: ended.number, level: ended.level, swap: ended.what == mmu_pkg::SWAP,
    exchange: ended.what == mmu_pkg::EXCHANGE, err: ch_i.la.err};

  if (CLIENTS > line_pkg::TAGS || CLIENTS < 2) begin : gen_check
    $error("walk_channel: a client has a tag of its own");
  end

  // Memory gives no credits above its limit.
  `ASSERT(a_credit, 32'(credits_q) <= TAGS && 32'(atoms_q) <= line_pkg::ATOMS)
  // An access that has gone stands until its end.
  `ASSERT_IF(a_known, ch_i.la_valid, 32'(ch_i.la.tag) < CLIENTS)

endmodule
