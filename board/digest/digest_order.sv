// SPDX-License-Identifier: Apache-2.0
// The order of memory, as marks (docs/digest-format.md): who must be named when an access comes, because one of
// another warp meets it that has not been named. A table of places, of which each stands for many lines or rows: for
// each its last writer, its readers since, the time of its last access; of a warp slot the time of its last mark. What
// a place says of a warp counts if it is younger than the warp's mark.
// Latency: two cycles. Throughput: an access a cycle; a mark of a warp takes two, in which nothing else goes on.
// Handshake: ac_, mk_, ch_: valid with payload until ready; each chunk is an entry. mk_: name these warps, of whom all
// accesses have been performed that were shown. After clear_i the table is cleared, for as many cycles as it has places.
// Marks of a warp are told of both spaces at once, and other warps' before those of one whose instruction may still be
// accessing shared memory: README.md says why.
// It does not know addresses but by the place in the table.
`default_nettype none
`include "heddle_assert.svh"

module digest_order (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          clear_i,
  // accesses, as they are performed
  input  logic                          ac_valid_i,
  output logic                          ac_ready_o,
  input  digest_pkg::access_t           ac_i,
  // warps to name
  input  logic                          mk_valid_i,
  output logic                          mk_ready_o,
  input  logic [digest_pkg::WARPS-1:0]  mk_warps_i,
  output logic                          idle_o,
  // to the link
  output logic                          ch_valid_o,
  input  logic                          ch_ready_i,
  output digest_pkg::chunk_t            ch_o
);

  localparam int unsigned WARPS   = digest_pkg::WARPS;
  localparam int unsigned TIME_W  = digest_pkg::TIME_W;
  localparam int unsigned COUNT_W = digest_pkg::COUNT_W;
  localparam int unsigned PLACE_W = digest_pkg::INDEX_W + 1;
  localparam int unsigned NEAR    = 12;   // accesses before the end of time at which all are named: more than an
                                          // instruction has, 2^NEAR

  typedef struct packed {
    logic [TIME_W-1:0] at;
    logic              written;
    digest_pkg::slot_t             writer;
    logic [WARPS-1:0]  readers;
  } place_t;

  typedef logic [WARPS-1:0] warps_t;

  // ---- the access that is looked at --------------------------------------------------------------------
  logic                 valid_q, step, commit, same_q;
  digest_pkg::access_t  ac_q;
  place_t               place, place_d, place_q, place_read;
  logic [PLACE_W-1:0]   at, at_q, clear_q;
  logic                 clearing_q;

  assign at         = {ac_i.space, ac_i.index};
  assign at_q       = {ac_q.space, ac_q.index};
  assign step       = ac_ready_o && ac_valid_i;
  assign ac_ready_o = ((!valid_q && !marking_q) || commit) && !clearing_q && !mk_valid_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q    <= 1'b0;
      clearing_q <= 1'b0;
    end else begin
      if (step)        valid_q <= 1'b1;
      else if (commit) valid_q <= 1'b0;
      if (clear_i)             clearing_q <= 1'b1;
      else if (clear_q == '1)  clearing_q <= 1'b0;
    end
    clear_q <= clearing_q ? clear_q + 1'b1 : '0;
    if (step) begin
      ac_q    <= ac_i;
      same_q  <= commit && at == at_q;     // what is written now is not read now
      place_q <= place_d;
    end
  end

  ram_1r1w #(.WIDTH($bits(place_t)), .DEPTH(1 << PLACE_W), .RACE(1'b1)) u_places (
    .clk_i     (clk_i),
    .wr_en_i   (clearing_q || commit),
    .wr_addr_i (clearing_q ? clear_q : at_q),
    .wr_data_i (clearing_q ? '0 : place_d),
    .rd_en_i   (step),
    .rd_addr_i (at),
    .rd_data_o (place_read)
  );
  assign place = same_q ? place_q : place_read;

  // ---- who has accessed this place and has not been named since; whom the access meets ---------------------
  logic [TIME_W-1:0]              now_q;            // of the last access
  logic [WARPS-1:0][TIME_W-1:0]   named_q;          // the time of each warp's last mark
  warps_t                         own, young, live_reads, live_writes, meets;

  assign own = warps_t'(1) << ac_q.slot;
  always_comb begin
    for (int unsigned v = 0; v < WARPS; v++) young[v] = place.at > named_q[v];
  end
  assign live_reads  = place.readers & young;
  assign live_writes = (warps_t'(place.written) << place.writer) & young;
  assign meets       = (live_writes | (ac_q.writes ? live_reads : '0)) & ~own;

  // Those that it meets have been named by then.
  always_comb begin
    place_d.at      = now_q + 1'b1;
    place_d.written = ac_q.writes || (live_writes & own) != '0;
    place_d.writer  = ac_q.slot;
    place_d.readers = ac_q.writes ? '0 : live_reads | own;
  end

  // ---- how many accesses a warp has that have not been named ------------------------------------------------
  logic [1:0][WARPS-1:0] some_q;                    // it has any
  logic [COUNT_W-1:0]    count;
  logic                  full, late, counted;
  assign counted = some_q[ac_q.space][ac_q.slot];
  assign full    = ac_q.first && counted && count == '1;
  assign late    = ac_q.first && now_q[TIME_W-1:NEAR] == '1;

  // ---- marks: a warp after the other, both spaces; last the one whose instruction may not be over ------------
  logic        marking_q, space_q, more, told, asked, ends, wrap_q, done_q, open_q, opened, begins;
  digest_pkg::slot_t       open_slot_q, v;
  warps_t      marks_q, wanted, open_warp, others;

  assign opened    = open_q && !begins;
  assign begins    = valid_q && ac_q.space && ac_q.first;   // the instruction before it is over
  assign open_warp = warps_t'(opened) << open_slot_q;

  // Once those are named whom it meets it goes on; full and late come before that.
  assign asked  = valid_q ? (meets != '0 && !done_q) || full || late : mk_valid_i;
  assign wanted = !valid_q ? mk_warps_i : late ? '1 : (meets | (full ? own : '0));
  assign commit = valid_q && !asked && !marking_q;
  assign mk_ready_o = !valid_q && !marking_q && !clearing_q;
  assign idle_o     = !valid_q && !marking_q && !clearing_q;

  assign others = marks_q & ~open_warp;
  always_comb begin
    v = open_slot_q;
    for (int k = int'(WARPS) - 1; k >= 0; k--) if (others[k]) v = digest_pkg::slot_t'(k);
  end
  assign more       = (others & (others - 1'b1)) != '0 || (others != '0 && (marks_q & open_warp) != '0);
  assign ch_valid_o = marking_q && some_q[space_q][v];
  assign told       = marking_q && (!some_q[space_q][v] || ch_ready_i);
  assign ends       = told && space_q && !more;

  always_comb begin
    ch_o.ends = 1'b1;
    ch_o.last  = (count[COUNT_W-1:7] != '0) ? 3'd5 : 3'd3;
    ch_o.data  = {8'd0, 1'b0, 7'(count >> 7), count[COUNT_W-1:7] != '0, count[6:0], 4'(v), 3'd0, space_q};
  end

  ram_async #(.WIDTH(COUNT_W), .DEPTH(2 * WARPS)) u_counts (
    .clk_i     (clk_i),
    .wr_en_i   (commit && ac_q.first),
    .wr_addr_i ({ac_q.space, ac_q.slot}),
    .wr_data_i (counted ? count + 1'b1 : COUNT_W'(1)),
    .rd_addr_i (marking_q ? {space_q, v} : {ac_q.space, ac_q.slot}),
    .rd_data_o (count)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      marking_q <= 1'b0;
      open_q    <= 1'b0;
      done_q    <= 1'b0;
      some_q    <= '0;
      now_q     <= '0;
      named_q   <= '0;
      wrap_q    <= 1'b0;
    end else begin
      if (!marking_q) begin
        marking_q <= asked && !clearing_q;
        wrap_q    <= valid_q && late;
        done_q    <= valid_q && asked && meets != '0;
      end else if (ends) begin
        marking_q <= 1'b0;
        if (wrap_q) now_q <= '0;
      end
      if (told && space_q) named_q[v] <= now_q;
      if (ends && wrap_q)  named_q <= '0;
      if (told)            some_q[space_q][v] <= 1'b0;
      if (commit) begin
        done_q <= 1'b0;
        now_q  <= now_q + 1'b1;
        if (ac_q.first) some_q[ac_q.space][ac_q.slot] <= 1'b1;
      end
      // The instruction that accesses shared memory, until another one does, or it is known to be over.
      if (commit && begins)                                                  open_q <= 1'b1;
      else if (!valid_q && mk_valid_i && mk_ready_o && mk_warps_i[open_slot_q]) open_q <= 1'b0;
      if (clear_i) begin
        open_q  <= 1'b0;
        some_q  <= '0;
        now_q   <= '0;
        named_q <= '0;
      end
    end
    if (commit && begins) open_slot_q <= ac_q.slot;
    if (!marking_q) begin
      space_q <= 1'b0;
      // Whoever has not begun to access shared memory after it is named before it.
      marks_q <= ((wanted & open_warp) != '0 && valid_q) ? '1 : wanted;
    end else if (told) begin
      space_q <= !space_q;
      if (space_q) marks_q <= marks_q & ~(warps_t'(1) << v);
    end
  end

  // There is somebody to name.
  `ASSERT(a_some, !(mk_valid_i && mk_ready_o) || mk_warps_i != '0)
  // An access that is not its instruction's first follows one of the same.
  `ASSERT(a_follows, !(valid_q && !ac_q.first) || (ac_q.space && open_q && open_slot_q == ac_q.slot))

endmodule

`default_nettype wire
