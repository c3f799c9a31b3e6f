// SPDX-License-Identifier: Apache-2.0
// Requests of an SM on their way to the banks, with their beats: a queue for each bank, so no request waits for another bank. A request
// leaves when it is whole. The SM's link carries one at a time, a piece a cycle: beats, the last of them with the request, or a request
// without beats.
// Latency: a request may go in the cycle after it came; its first piece is there in the cycle after it goes. A piece a cycle.
// Handshake: towards the SM the request channel's rules (rtl/README.md). The place of a request is its tag. A credit is given where there
// is room for all beats of a request. Towards the banks: ask_o is held until the request goes; one of the offering banks is chosen,
// in turns.
// It does not track answers: the SM's tags bound its requests in flight.
`include "heddle_assert.svh"

module cross_queue #(
  parameter  int unsigned BANKS  = line_pkg::MEM_BANKS,
  parameter  int unsigned PLACES = line_pkg::TAGS,
  parameter  int unsigned MOST   = line_pkg::MOST_BEATS,       // beats of a request
  parameter  int unsigned CHUNK  = 8,                          // beats of an allocation; a power of two
  parameter  int unsigned CHUNKS = 4 * MOST / CHUNK,
  localparam int unsigned ATOMS  = line_pkg::ATOMS
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from and to the SM
  input  logic                    lw_valid_i,
  input  line_pkg::write_t        lw_i,
  input  logic                    lq_valid_i,
  input  line_pkg::request_t      lq_i,
  output logic                    lc_valid_o,
  output logic                    lc_atom_o,
  // from and to the banks
  output logic [BANKS-1:0]        ask_o,         // it has a request
  output logic [BANKS-1:0]        atom_o,        // ... and that is an atomic
  input  logic [BANKS-1:0]        offer_i,       // it would take it now
  output logic [BANKS-1:0]        go_o,          // event: it goes
  output logic [BANKS-1:0]        more_o,        // in this cycle the link carries more of it
  // to which bank, in the cycle before
  output logic [BANKS-1:0]        to_o,
  output logic                    lw_valid_o,
  output line_pkg::write_t        lw_o,
  output logic                    lq_valid_o,
  output line_pkg::request_t      lq_o
);

  localparam int unsigned BANK_W  = (BANKS > 1) ? $clog2(BANKS) : 1;
  localparam int unsigned COUNT_W = $clog2(MOST + 1);
  localparam int unsigned CHUNK_W = $clog2(CHUNKS);
  localparam int unsigned USED_W  = $clog2(CHUNKS + 1);
  localparam int unsigned EACH    = (MOST + CHUNK - 1) / CHUNK;   // chunks that a request may need
  localparam int unsigned HELD_W  = $clog2(CHUNKS / EACH + 1);
  localparam int unsigned ATOM_W  = $clog2(ATOMS + 1);

  // A queued request.
  typedef struct packed {
    logic [line_pkg::TAG_W-1:0] tag;
    logic                       atom;
    logic [COUNT_W-1:0]         beats;
    logic [CHUNK_W-1:0]         first;    // chunk, where there are beats
  } item_t;
  localparam int unsigned ITEM_W = $bits(item_t);

  // ---- in: a request has the beats that came since the one before -----------------------------------
  logic [COUNT_W-1:0] open_q, came;
  logic [USED_W-1:0]  used;
  logic [BANKS-1:0]   bank;
  item_t              item;

  assign came = open_q + COUNT_W'(lw_valid_i);
  assign bank = BANKS'(1) << ((BANKS > 1) ? BANK_W'(lq_i.line) : '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || lq_valid_i) open_q <= '0;
    else                       open_q <= came;
  end

  // ---- the queues: their first requests here, all others linked by tag ----------------------------
  logic [BANKS-1:0]                       valid_q, single, put, ends;
  logic [BANKS-1:0][ITEM_W-1:0]           head_q;
  logic [BANKS-1:0][line_pkg::TAG_W-1:0]  tail_q;
  logic [line_pkg::TAG_W-1:0]             tail;
  item_t                                  leaves, next;

  assign put  = lq_valid_i ? bank : '0;
  assign ends = go_o & single;              // no request behind the one that goes

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    /* verilator lint_off UNUSEDSIGNAL */   // its beats
    item_t head;
    /* verilator lint_on UNUSEDSIGNAL */
    assign head      = head_q[b];
    assign single[b] = head.tag == tail_q[b];
    assign atom_o[b] = head.atom;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q[b] <= 1'b0;
      else         valid_q[b] <= put[b] || (valid_q[b] && !ends[b]);
    end
    always_ff @(posedge clk_i) begin
      if (put[b]) tail_q[b] <= lq_i.tag;
      if (put[b] && (!valid_q[b] || ends[b])) head_q[b] <= item;
      else if (go_o[b])                       head_q[b] <= next;
    end
  end
  assign ask_o = valid_q;

  onehot_mux #(.N(BANKS), .WIDTH(line_pkg::TAG_W)) u_tail (
    .sel_i  (bank),
    .data_i (tail_q),
    .data_o (tail)
  );
  onehot_mux #(.N(BANKS), .WIDTH(ITEM_W)) u_leaves (
    .sel_i  (go_o),
    .data_i (head_q),
    .data_o (leaves)
  );
  ram_async #(.WIDTH(ITEM_W), .DEPTH(PLACES)) u_next (
    .clk_i     (clk_i),
    .wr_en_i   ((put & valid_q & ~ends) != '0),
    .wr_addr_i (tail),
    .wr_data_i (item),
    .rd_addr_i (leaves.tag),
    .rd_data_o (next)
  );
  ram_apart #(.WIDTH($bits(line_pkg::request_t)), .DEPTH(PLACES)) u_requests (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (lq_valid_i),
    .wr_addr_i (lq_i.tag),
    .wr_data_i (lq_i),
    .rd_en_i   (go_o != '0),
    .rd_addr_i (leaves.tag),
    .rd_data_o (lq_o)
  );

  // ---- the link: the next request, and its pieces ------------------------------------------------------
  logic [COUNT_W-1:0] left_q, left;         // beats not read yet, before and in this cycle
  logic [BANKS-1:0]   link_q;               // the bank of the link's next piece
  logic               carries, goes, reads, last;

  assign carries = left_q != '0;
  assign goes    = go_o != '0;
  assign more_o  = carries ? link_q : '0;

  arb_rr #(.N(BANKS)) u_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (carries ? '0 : offer_i),
    .grant_o (go_o),
    .take_i  (1'b1)
  );

  assign left  = carries ? left_q : leaves.beats;
  assign reads = carries || (goes && leaves.beats != '0);
  assign last  = left <= COUNT_W'(1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q     <= '0;
      to_o       <= '0;
      lw_valid_o <= 1'b0;
      lq_valid_o <= 1'b0;
    end else begin
      left_q     <= reads ? left - COUNT_W'(1) : '0;
      to_o       <= carries ? link_q : go_o;
      lw_valid_o <= reads;
      lq_valid_o <= (carries || goes) && last;
    end
  end
  always_ff @(posedge clk_i) begin
    if (goes) link_q <= go_o;
  end

  // ---- beats -----------------------------------------------------------------------------------------
  logic [CHUNK_W-1:0] first;
  assign item = '{tag: lq_i.tag, atom: lq_i.kind == line_pkg::ATOM, beats: came, first: first};

  cross_beats #(.CHUNKS(CHUNKS), .BEATS(CHUNK)) u_beats (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .lw_valid_i (lw_valid_i),
    .lw_i       (lw_i),
    .end_i      (lq_valid_i),
    .first_o    (first),
    .used_o     (used),
    .read_i     (reads),
    .begin_i    (!carries),
    .chunk_i    (leaves.first),
    .last_i     (last),
    .lw_o       (lw_o)
  );

  // ---- credits: each is room for all beats of a request --------------------------------------------------
  logic [HELD_W-1:0] held_q;                // credits that the SM has
  logic [ATOM_W-1:0] atoms_q;               // ... of atomics that it does not have yet
  logic              room;

  assign room       = 32'(used) + EACH * (32'(held_q) + 1) <= CHUNKS;
  assign lc_atom_o  = atoms_q != '0;
  assign lc_valid_o = lc_atom_o || room;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q  <= '0;
      atoms_q <= ATOM_W'(ATOMS);
    end else begin
      held_q  <= held_q + HELD_W'(room && !lc_atom_o) - HELD_W'(lq_valid_i);
      atoms_q <= atoms_q + ATOM_W'(goes && leaves.atom) - ATOM_W'(lc_atom_o);
    end
  end

  // The SM spends only its credits.
  `ASSERT(a_credit, !(lq_valid_i || lw_valid_i) || held_q != '0)
  // No request has more beats than its credit.
  `ASSERT(a_beats, !lw_valid_i || 32'(open_q) < MOST)
  // A bank offers to take only a request that is there.
  `ASSERT(a_offer, (offer_i & ~valid_q) == '0)

endmodule
