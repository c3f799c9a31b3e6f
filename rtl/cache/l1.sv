// SPDX-License-Identifier: Apache-2.0
// The cache of an SM: it stands on the request channel, between the load/store unit and memory, and looks like the one
// to the other (rtl/README.md, "The request channel").
// Latency: a request that goes to memory does so two cycles later than without a cache; a load that hits has its first
// beat four cycles after its request, its end a cycle after its last beat. What memory sends passes in a cycle.
// Throughput: a request a cycle, a beat a cycle each way; of what it has itself a line a cycle, where line_pkg::WHOLE.
// Handshake: the channel's on both sides. A request spends a credit of memory's whatever becomes of it; one that needs
// none gives it back. So nothing here is ever full, and a request waits for nobody.
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
  input  logic                        up_lw_valid_i,
  input  line_pkg::write_t            up_lw_i,
  input  logic                        up_lq_valid_i,
  input  line_pkg::request_t          up_lq_i,
  output logic                        up_lc_valid_o,
  output logic                        up_lc_atom_o,
  output logic                        up_ld_valid_o,
  output line_pkg::back_t             up_ld_o,
  output logic                        up_la_valid_o,
  input  logic                        up_la_ready_i,
  output line_pkg::answer_t           up_la_o,
  // memory's
  output logic                        lw_valid_o,
  output line_pkg::write_t            lw_o,
  output logic                        lq_valid_o,
  output line_pkg::request_t          lq_o,
  input  logic                        lc_valid_i,
  input  logic                        lc_atom_i,
  input  logic                        ld_valid_i,
  input  line_pkg::read_t             ld_i,
  input  logic                        la_valid_i,
  output logic                        la_ready_o,
  input  line_pkg::answer_t           la_i,
  // from and to the host's registers: its event counters
  input  logic [3:0]                  cnt_index_i,
  output logic [31:0]                 cnt_o,
  // retire port
  output retire_pkg::cache_valid_t    ret_valid_o,
  output retire_pkg::cache_ret_t      ret_o
);

  // ---- what passes: held for a cycle, then looked up -------------------------------------------------
  logic                  w_valid_q, q_valid_q, ask, load, write, empty;
  line_pkg::write_t      w_q;
  line_pkg::request_t    q;
  l1_pkg::passed_t       passed;
  l1_pkg::filled_t       filled;
  logic [31:0]           number_q;       // of the next refill, for records: it goes along in a field that a refill has no other use for
  logic [LOAD_W-1:0]     tag;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_valid_q  <= 1'b0;
      q_valid_q  <= 1'b0;
      lw_valid_o <= 1'b0;
      lq_valid_o <= 1'b0;
      number_q   <= 32'd1;
    end else begin
      w_valid_q  <= up_lw_valid_i;
      q_valid_q  <= up_lq_valid_i;
      lw_valid_o <= w_valid_q;
      lq_valid_o <= q_valid_q && !(ask && passed.keeps && !passed.asks);
      if (go_i)                             number_q <= 32'd1;
      else if (passed.valid && passed.asks) number_q <= number_q + 32'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (up_lw_valid_i) w_q  <= up_lw_i;
    if (up_lq_valid_i) q    <= up_lq_i;
    if (w_valid_q)     lw_o <= w_q;
    if (q_valid_q) begin
      lq_o <= q;
      if (ask && passed.keeps) begin
        lq_o.kind    <= line_pkg::FILL;
        lq_o.sectors <= passed.asked;
        lq_o.lanes   <= number_q;
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
      end else if (take_fill && 32'(LOAD_W'(la_i.tag)) == t) begin
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
    .rd_addr_i (LOAD_W'(ld_i.tag)),
    .rd_data_o (beat_place)
  );

  assign of_load     = 32'(la_i.tag) < LOADS;
  assign of_refill   = of_load && refill_q[LOAD_W'(la_i.tag)];
  assign refill_beat = ld_valid_i && 32'(ld_i.tag) < LOADS && refill_q[LOAD_W'(ld_i.tag)];
  // Its end is entered in a cycle in which nothing passes.
  assign take_fill   = la_valid_i && of_refill && !ask;
  assign filled      = '{valid: take_fill, err: la_i.err, place: of_place, sectors: of_asked};

  // ---- stores to local memory, whose bytes it takes --------------------------------------------------------
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
    .of_i           (LOAD_W'(la_i.tag)),
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

  logic               ld_valid, end_valid, end_ready, pass_beat, pass_beat_q;
  line_pkg::back_t    ld;
  line_pkg::read_t    ld_q;
  line_pkg::answer_t  ended;

  assign pass_beat = ld_valid_i && !refill_beat;

  l1_read u_read (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .beat_en_i      (refill_beat ? '1 : row_strb & {line_pkg::BYTES{row_valid}}),
    .beat_place_i   (refill_beat ? beat_place : store_place),
    .beat_i         (refill_beat ? ld_i.beat : row),
    .data_i         (refill_beat ? ld_i.data : row_data),
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
    if (pass_beat) ld_q <= ld_i;
  end
  assign up_ld_valid_o = pass_beat_q || ld_valid;
  assign up_ld_o       = pass_beat_q ? line_pkg::back_of(ld_q) : ld;

  logic              turn_q, room, own;
  assign room       = !up_la_valid_o || up_la_ready_i;
  assign own        = end_valid && !(la_valid_i && !of_refill && turn_q);
  assign end_ready  = room && own;
  assign take_mem   = room && la_valid_i && !of_refill && !own;
  assign la_ready_o = of_refill ? !ask : room && !own;
  assign ack        = take_mem && la_i.done && of_load && write_q[LOAD_W'(la_i.tag)];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      up_la_valid_o <= 1'b0;
      turn_q        <= 1'b0;
    end else begin
      if (room)                 up_la_valid_o <= end_ready || take_mem;
      if (end_ready || take_mem) turn_q        <= own;
    end
  end
  always_ff @(posedge clk_i) begin
    if (end_ready || take_mem) up_la_o <= own ? ended : la_i;
  end

  // ---- credits: memory's, and those that were not needed ---------------------------------------------------
  localparam int unsigned SPARE_W = $clog2(TAGS + 1);
  logic [SPARE_W-1:0] spare_q;
  logic               spared, gives;

  assign spared = ask && passed.keeps && !passed.asks;
  assign gives  = !lc_valid_i && spare_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      up_lc_valid_o <= 1'b0;
      up_lc_atom_o  <= 1'b0;
      spare_q       <= '0;
    end else begin
      up_lc_valid_o <= lc_valid_i || gives;
      up_lc_atom_o  <= lc_valid_i && lc_atom_i;
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
    .ack_tag_i    (LOAD_W'(la_i.tag))
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

  retire_l1 u_retire (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .ask_i         (q),
    .passed_i      (passed),
    .fill_i        (filled),
    .number_i      (number_q),
    .read_valid_i  (read_take && !read_err),
    .read_tag_i    (read_tag),
    .ack_valid_i   (ack && !la_i.err),
    .ack_tag_i     (LOAD_W'(la_i.tag)),
    .fence_i       (fence_i),
    .ret_valid_o   (ret_valid_o),
    .ret_o         (ret_o)
  );

  // Between launches nothing passes, and nobody waits for a refill.
  `ASSERT(a_go, !go_i || (!ask && refill_q == '0))
  // A refill has somebody who waits.
  `ASSERT(a_refill, !(ask && of_load && la_valid_i && of_refill && 32'(tag) == 32'(la_i.tag)))

endmodule
