// SPDX-License-Identifier: Apache-2.0
// The cache of an SM: it stands on the request channel, between the load/store unit and memory, and looks like the one
// to the other (rtl/README.md, "The request channel").
// Latency: a request that goes to memory does so two cycles later than without a cache; a load that hits has its first
// beat four cycles after its request, its end a cycle after its last beat. All that memory sends passes in a cycle.
// Throughput: a request a cycle, a beat a cycle each way; of what it has itself a line a cycle, where line_pkg::WHOLE.
// Handshake: the channel's on both sides. A request spends a credit of memory's in any case; one that needs
// none gives it back. So nothing here is ever full, and no request waits.
// It keeps no order but that of requests: README.md says why that is enough.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module l1 #(
  localparam int unsigned LOADS  = l1_pkg::LOADS,
  localparam int unsigned LOAD_W = l1_pkg::LOAD_W,
  localparam int unsigned TAGS   = line_pkg::TAGS,
  localparam int unsigned PARTS  = cfg_pkg::PARTITIONS,
  localparam int unsigned WARPS  = cfg_pkg::SM_WARPS
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        go_i,   // event: a launch begins, with none of the last one's lines; nothing is under way
  input  logic                        forget_i,   // event: translations have been forgotten, and all that had one of them is over
  // from and to issue: fences, and emptyings, which have issued
  input  logic [WARPS-1:0]            fence_want_i,
  output logic [WARPS-1:0]            fence_ok_o,
  input  front_pkg::fence_t [PARTS-1:0] fence_i,      // events
  // the load/store unit's side of the channel
  input  line_pkg::sent_t             up_i,
  output line_pkg::lsu_got_t          up_o,
  input  line_pkg::note_t             up_note_i,
  // memory's
  output line_pkg::sent_t             ch_o,
  output line_pkg::note_t             note_o,
  input  line_pkg::got_t              ch_i,
  // from and to the host's registers: its event counters
  input  logic [3:0]                  cnt_index_i,
  output logic [31:0]                 cnt_o,
  // retire port
  output retire_pkg::cache_valid_t    ret_valid_o,
  output retire_pkg::cache_ret_t      ret_o
);

  // ---- what passes: held for a cycle, then looked up -------------------------------------------------
  logic                  w_valid_q, q_valid_q, lw_valid_q, lq_valid_q, ask, load, write, empty;
  line_pkg::write_t      lw_q;
  line_pkg::request_t    lq_q;
  line_pkg::write_t      w_q;
  line_pkg::request_t    q;
  l1_pkg::passed_t       passed;
  l1_pkg::filled_t       filled;
  logic [LOAD_W-1:0]     tag;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_valid_q  <= 1'b0;
      q_valid_q  <= 1'b0;
      lw_valid_q <= 1'b0;
      lq_valid_q <= 1'b0;
    end else begin
      w_valid_q  <= up_i.lw_valid;
      q_valid_q  <= up_i.lq_valid;
      lw_valid_q <= w_valid_q;
      lq_valid_q <= q_valid_q && !(ask && passed.keeps && !passed.asks);
    end
  end
  always_ff @(posedge clk_i) begin
    if (up_i.lw_valid) w_q  <= up_i.lw;
    if (up_i.lq_valid) q    <= up_i.lq;
    if (w_valid_q)     lw_q <= w_q;
    if (q_valid_q) begin
      lq_q <= q;
      if (ask && passed.keeps) begin
        lq_q.kind    <= line_pkg::FILL;
        lq_q.sectors <= passed.asked;
      end
    end
  end

  assign ask   = q_valid_q && q.kind != line_pkg::FETCH;
  assign load  = q.kind == line_pkg::LOAD && (q.scope == line_pkg::WEAK || q.scope == line_pkg::CTA);
  assign write = ask && (q.kind == line_pkg::STORE || q.kind == line_pkg::ATOM);
  assign tag   = LOAD_W'(q.tag);

  logic [l1_pkg::SET_W-1:0]    set;
  logic [l1_pkg::WAYS-1:0]     pins, store_pins;
  logic                        store_free, store_busy, row_valid;
  logic [l1_pkg::SECTORS-1:0]  whole;
  logic [l1_pkg::PLACE_W-1:0]  store_place;
  logic [line_pkg::BEAT_W-1:0] row;
  logic [line_pkg::BYTES-1:0]  row_strb;
  logic [line_pkg::BITS-1:0]   row_data;

  l1_lines u_lines (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .empty_i       (empty || go_i || forget_i),
    .ask_valid_i   (ask),
    .ask_load_i    (load),
    .ask_key_i     ({q.is_local, q.line}),
    .ask_sectors_i (q.sectors),
    .ask_store_i   (q.kind == line_pkg::STORE && q.is_local && store_free),
    .ask_whole_i   (whole),
    .passed_o      (passed),
    .set_o         (set),
    .pins_i        (pins | store_pins),
    .fill_i        (filled)
  );

  // ---- refills: which tags are one's -------------------------------------------------------------------
  logic [LOADS-1:0]             refill_q, write_q;
  logic                         of_load, of_refill, refill_beat, take_fill, take_mem, ack;
  logic [l1_pkg::PLACE_W-1:0]   of_place, beat_place;
  logic [l1_pkg::SECTORS-1:0]   of_asked;

  for (genvar t = 0; t < LOADS; t++) begin : gen_tag
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        refill_q[t] <= 1'b0;
        write_q[t]  <= 1'b0;
      end else if (ask && 32'(tag) == t) begin
        refill_q[t] <= passed.keeps && passed.asks;
        write_q[t]  <= write;
      end else if (take_fill && 32'(LOAD_W'(ch_i.la.tag)) == t) begin
        refill_q[t] <= 1'b0;
      end
    end
  end

  // Where a refill's beats go.
  ram_async #(.WIDTH(l1_pkg::PLACE_W), .DEPTH(LOADS)) u_place (
    .clk_i     (clk_i),
    .wr_en_i   (ask && passed.keeps),
    .wr_addr_i (tag),
    .wr_data_i (passed.place),
    .rd_addr_i (LOAD_W'(ch_i.ld.tag)),
    .rd_data_o (beat_place)
  );

  assign of_load     = 32'(ch_i.la.tag) < LOADS;
  assign of_refill   = of_load && refill_q[LOAD_W'(ch_i.la.tag)];
  assign refill_beat = ch_i.ld_valid && 32'(ch_i.ld.tag) < LOADS && refill_q[LOAD_W'(ch_i.ld.tag)];
  // Its end is entered in a cycle in which nothing passes.
  assign take_fill   = ch_i.la_valid && of_refill && !ask;
  assign filled      = '{valid: take_fill, err: ch_i.la.err, place: of_place, sectors: of_asked};

  // ---- stores to local memory: it takes their bytes --------------------------------------------------------
  l1_store u_store (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .beat_valid_i   (w_valid_q),
    .beat_i         (w_q),
    .close_i        (write),
    .whole_o        (whole),
    .free_o         (store_free),
    .take_i         (write && passed.takes),
    .take_place_i   (passed.place),
    .take_sectors_i (passed.taken),
    .busy_o         (store_busy),
    .place_o        (store_place),
    .row_valid_o    (row_valid),
    .row_ready_i    (!refill_beat),
    .row_o          (row),
    .strb_o         (row_strb),
    .data_o         (row_data)
  );

  always_comb begin
    store_pins = '0;
    if (store_busy && l1_pkg::set_of(store_place) == set) store_pins[l1_pkg::way_of(store_place)] = 1'b1;
  end

  // ---- loads that it answers ------------------------------------------------------------------------------
  logic                        read_valid, read_take, read_err, read_done;
  logic [LOAD_W-1:0]           read_tag, done_tag;
  logic [l1_pkg::PLACE_W-1:0]  read_place;
  logic [l1_pkg::SECTORS-1:0]  read_sectors;

  l1_waits u_waits (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .pass_valid_i   (ask && passed.keeps),
    .pass_tag_i     (tag),
    .pass_place_i   (passed.place),
    .pass_sectors_i (q.sectors),
    .pass_waits_i   (passed.coming | passed.asked),
    .pass_asked_i   (passed.asked),
    .of_i           (LOAD_W'(ch_i.la.tag)),
    .of_place_o     (of_place),
    .of_sectors_o   (of_asked),
    .fill_i         (filled),
    .set_i          (set),
    .pins_o         (pins),
    .read_valid_o   (read_valid),
    .take_i         (read_take),
    .read_tag_o     (read_tag),
    .read_place_o   (read_place),
    .read_sectors_o (read_sectors),
    .read_err_o     (read_err),
    .done_i         (read_done),
    .done_tag_i     (done_tag)
  );

  logic               ld_valid, end_valid, end_ready, pass_beat, pass_beat_q, up_lc_valid_q, up_lc_atom_q, up_la_valid_q;
  line_pkg::back_t    ld;
  line_pkg::read_t    ld_q;
  line_pkg::answer_t  ended, up_la_q;

  assign pass_beat = ch_i.ld_valid && !refill_beat;

  l1_read u_read (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .beat_en_i      (refill_beat ? '1 : row_strb & {line_pkg::BYTES{row_valid}}),
    .beat_place_i   (refill_beat ? beat_place : store_place),
    .beat_i         (refill_beat ? ch_i.ld.beat : row),
    .data_i         (refill_beat ? ch_i.ld.data : row_data),
    .read_valid_i   (read_valid && !(store_busy && store_place == read_place)),
    .read_take_o    (read_take),
    .read_tag_i     (read_tag),
    .read_place_i   (read_place),
    .read_sectors_i (read_sectors),
    .read_err_i     (read_err),
    .done_o         (read_done),
    .done_tag_o     (done_tag),
    .hold_i         (pass_beat),
    .ld_valid_o     (ld_valid),
    .ld_o           (ld),
    .end_valid_o    (end_valid),
    .end_ready_i    (end_ready),
    .end_o          (ended)
  );

  // ---- back to the load/store unit: beats of memory's first, ends in turns ----------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) pass_beat_q <= 1'b0;
    else         pass_beat_q <= pass_beat;
  end
  always_ff @(posedge clk_i) begin
    if (pass_beat) ld_q <= ch_i.ld;
  end

  assign up_o = '{lc_valid: up_lc_valid_q, lc_atom: up_lc_atom_q, ld_valid: pass_beat_q || ld_valid,
                  ld: pass_beat_q ? line_pkg::back_of(ld_q) : ld, la_valid: up_la_valid_q, la: up_la_q};

  logic               turn_q, room, own, la_ready;
  assign room       = !up_la_valid_q || up_i.la_ready;
  assign own        = end_valid && !(ch_i.la_valid && !of_refill && turn_q);
  assign end_ready  = room && own;
  assign take_mem   = room && ch_i.la_valid && !of_refill && !own;
  assign la_ready  = of_refill ? !ask : room && !own;
  assign ack        = take_mem && ch_i.la.done && of_load && write_q[LOAD_W'(ch_i.la.tag)];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      up_la_valid_q <= 1'b0;
      turn_q        <= 1'b0;
    end else begin
      if (room)                 up_la_valid_q <= end_ready || take_mem;
      if (end_ready || take_mem) turn_q        <= own;
    end
  end
  always_ff @(posedge clk_i) begin
    if (end_ready || take_mem) up_la_q <= own ? ended : ch_i.la;
  end

  assign ch_o = '{lw_valid: lw_valid_q, lw: lw_q, lq_valid: lq_valid_q, lq: lq_q, la_ready: la_ready};

  // ---- credits: memory's, and those that were not needed ---------------------------------------------------
  localparam int unsigned SPARE_W = $clog2(TAGS + 1);
  logic [SPARE_W-1:0] spare_q;
  logic               spared, gives;

  assign spared = ask && passed.keeps && !passed.asks;
  assign gives  = !ch_i.lc_valid && spare_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      up_lc_valid_q <= 1'b0;
      up_lc_atom_q  <= 1'b0;
      spare_q       <= '0;
    end else begin
      up_lc_valid_q <= ch_i.lc_valid || gives;
      up_lc_atom_q  <= ch_i.lc_valid && ch_i.lc_atom;
      if (spared != gives) spare_q <= spared ? spare_q + 1'b1 : spare_q - 1'b1;
    end
  end

  // ---- fences ------------------------------------------------------------------------------------------------
  logic [WARPS-1:0] left;
  logic [PARTS-1:0] empties;
  always_comb begin
    left    = '0;
    empties = '0;
    for (int unsigned p = 0; p < PARTS; p++) begin
      if (fence_i[p].valid) left[fence_i[p].id.slot] = 1'b1;
      empties[p] = fence_i[p].valid && fence_i[p].kind != l1_pkg::FENCE_CTA;
    end
  end
  assign empty = empties != '0;

  l1_fence u_fence (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .want_i       (fence_want_i),
    .ok_o         (fence_ok_o),
    .left_i       (left),
    .pass_valid_i (write),
    .pass_tag_i   (tag),
    .ack_valid_i  (ack),
    .ack_tag_i    (LOAD_W'(ch_i.la.tag))
  );

  l1_counters u_counters (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .go_i      (go_i),
    .ask_i     (q),
    .passed_i  (passed),
    .fill_i    (filled),
    .emptied_i (empties),
    .index_i   (cnt_index_i),
    .count_o   (cnt_o)
  );

  // ---- records -----------------------------------------------------------------------------------------------
  line_pkg::note_t note;
  logic [31:0]     number;

  l1_notes u_notes (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .go_i      (go_i),
    .up_note_i (up_note_i),
    .keeps_i   (passed.keeps),
    .asks_i    (passed.valid && passed.asks),
    .passed_o  (note),
    .number_o  (number),
    .note_o    (note_o)
  );
  retire_l1 u_retire (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .ask_i         (q),
    .passed_i      (passed),
    .fill_i        (filled),
    .note_i        (note),
    .number_i      (number),
    .read_valid_i  (read_take && !read_err),
    .read_tag_i    (read_tag),
    .ack_valid_i   (ack && !ch_i.la.err),
    .ack_tag_i     (LOAD_W'(ch_i.la.tag)),
    .fence_i       (fence_i),
    .ret_valid_o   (ret_valid_o),
    .ret_o         (ret_o)
  );

  // Between launches nothing passes, and nothing waits for a refill.
  `ASSERT(a_go, !go_i || (!ask && refill_q == '0))
  // A refill has a load that waits.
  `ASSERT(a_refill, !(ask && of_load && ch_i.la_valid && of_refill && 32'(tag) == 32'(ch_i.la.tag)))

endmodule
