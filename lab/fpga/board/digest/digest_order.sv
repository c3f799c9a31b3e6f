// SPDX-License-Identifier: Apache-2.0
// The order of memory, as cuts (docs/digest-format.md). When an access meets one of another warp slot since the last cut
// of its space, a cut is sent: the accesses of each slot since then. In a table of places each is for many lines or rows:
// its last writer and its readers since the cut of its number.
// Latency: two cycles. Throughput: an access a cycle; a cut takes one for each mark, and two.
// Handshake: ac_, ch_: valid with payload until ready; each chunk is an entry. start_i: of a launch.
// An access of several passes with a cut among them is in the next cut, which comes right after that one. Lines
// and rows of its first passes are not kept.
// Addresses count by their place in the table alone. The table is not cleared: numbers of cuts come again, and an entry so
// old, or random at first, may force a cut more, which is never wrong.
`include "heddle_assert.svh"

module digest_order (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          start_i,
  // accesses, as they are performed
  input  logic                          ac_valid_i,
  output logic                          ac_ready_o,
  input  digest_pkg::access_t           ac_i,
  output logic                          idle_o,
  // to the link
  output logic                          ch_valid_o,
  input  logic                          ch_ready_i,
  output digest_pkg::chunk_t            ch_o
);

  localparam int unsigned WARPS   = digest_pkg::WARPS;
  localparam int unsigned CUT_W   = digest_pkg::CUT_W;
  localparam int unsigned COUNT_W = digest_pkg::COUNT_W;
  localparam int unsigned PLACE_W = digest_pkg::INDEX_W + 1;

  typedef logic [WARPS-1:0] warps_t;

  typedef struct packed {
    logic [CUT_W-1:0]   cut;       // since when
    logic               written;
    digest_pkg::slot_t  writer;
    warps_t             readers;
  } place_t;

  // ---- the access that is looked at --------------------------------------------------------------------
  logic                 valid_q, step, commit, same_q;
  digest_pkg::access_t  ac_q;
  place_t               place, place_d, place_q, place_read;
  logic [PLACE_W-1:0]   at, at_q;

  assign at         = {ac_i.space, ac_i.index};
  assign at_q       = {ac_q.space, ac_q.index};
  assign step       = ac_ready_o && ac_valid_i;
  assign ac_ready_o = !valid_q || commit;
  assign idle_o     = !valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)     valid_q <= 1'b0;
    else if (step)   valid_q <= 1'b1;
    else if (commit) valid_q <= 1'b0;
    if (step) begin
      ac_q    <= ac_i;
      same_q  <= commit && at == at_q;     // what is written now is not read now
      place_q <= place_d;
    end
  end

  ram_1r1w #(.WIDTH($bits(place_t)), .DEPTH(1 << PLACE_W), .RACE(1'b1)) u_places (
    .clk_i     (clk_i),
    .wr_en_i   (commit),
    .wr_addr_i (at_q),
    .wr_data_i (place_d),
    .rd_en_i   (step),
    .rd_addr_i (at),
    .rd_data_o (place_read)
  );
  assign place = same_q ? place_q : place_read;

  // ---- accesses that it meets -------------------------------------------------------------------------------
  logic [1:0][CUT_W-1:0]  cut_q;             // the number of the last cut of each space
  logic                   young;
  warps_t                 own, readers, writers, met;

  assign own     = warps_t'(1) << ac_q.slot;
  assign young   = place.cut == cut_q[ac_q.space];
  assign readers = young ? place.readers : '0;
  assign writers = (young && place.written) ? warps_t'(1) << place.writer : '0;
  assign met     = (writers | (ac_q.writes ? readers : '0)) & ~own;

  // Behind a cut nothing is young.
  always_comb begin
    place_d.cut     = cut_q[ac_q.space];
    place_d.written = ac_q.writes || writers != '0;
    place_d.writer  = ac_q.writes ? ac_q.slot : place.writer;
    place_d.readers = (ac_q.writes ? '0 : readers) | own;
  end

  // ---- how many accesses a slot has had since then -------------------------------------------------------
  logic [1:0][WARPS-1:0]  some_q;            // it has had any
  logic [COUNT_W-1:0]     count, told;
  logic                   counted, one, midst, again_q, asked;
  logic                   cutting_q;
  digest_pkg::slot_t      v;
  warps_t                 left_q, here;

  // The access under way may have a part behind a cut and a part before it.
  assign counted = some_q[ac_q.space][ac_q.slot];
  assign one     = count == COUNT_W'(1);
  assign midst   = !ac_q.first;
  assign asked   = valid_q && !cutting_q
                   && (met != '0 || (ac_q.first && ((counted && count == '1) || (ac_q.space && again_q))));
  assign commit  = valid_q && !cutting_q && !asked;

  always_comb begin
    v = '0;
    for (int k = int'(WARPS) - 1; k >= 0; k--) if (left_q[k]) v = digest_pkg::slot_t'(k);
  end
  assign here       = warps_t'(1) << v;
  assign ch_valid_o = cutting_q && left_q != '0;

  // n, then whether another one follows; the access under way is not sent.
  logic [COUNT_W:0] number;
  assign told   = count - COUNT_W'(midst && v == ac_q.slot);
  assign number = {told, (left_q & ~here) != '0};
  always_comb begin
    ch_o.ends = 1'b1;
    ch_o.last = (number[COUNT_W:7] != '0) ? 3'd5 : 3'd3;
    ch_o.data = {8'd0, 8'(number >> 7), number[COUNT_W:7] != '0, number[6:0], 4'(v), 3'd0, ac_q.space};
  end

  ram_async #(.WIDTH(COUNT_W), .DEPTH(2 * WARPS)) u_counts (
    .clk_i     (clk_i),
    .wr_en_i   (commit && (ac_q.first || !counted)),
    .wr_addr_i ({ac_q.space, ac_q.slot}),
    .wr_data_i (counted ? count + 1'b1 : COUNT_W'(1)),
    .rd_addr_i ({ac_q.space, cutting_q ? v : ac_q.slot}),
    .rd_data_o (count)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cutting_q <= 1'b0;
      again_q   <= 1'b0;
      some_q    <= '0;
      cut_q     <= '0;
    end else if (start_i) begin               // nothing of the launch before is young
      again_q   <= 1'b0;
      some_q    <= '0;
      cut_q[0]  <= cut_q[0] + 1'b1;
      cut_q[1]  <= cut_q[1] + 1'b1;
    end else begin
      if (asked) begin
        cutting_q <= 1'b1;
      end else if (cutting_q && (left_q == '0 || (ch_ready_i && left_q == here))) begin
        cutting_q           <= 1'b0;
        cut_q[ac_q.space]   <= cut_q[ac_q.space] + 1'b1;
        some_q[ac_q.space]  <= '0;
        if (ac_q.space) again_q <= midst;
      end
      if (commit) some_q[ac_q.space][ac_q.slot] <= 1'b1;
    end
    if (asked)                          left_q <= some_q[ac_q.space] & ~((midst && one) ? own : '0);
    else if (ch_valid_o && ch_ready_i)  left_q <= left_q & ~here;
  end

  // An access that is not its instruction's first follows one of the same, which counts.
  `ASSERT(a_follows, !valid_q || ac_q.first || (ac_q.space && (counted || again_q)))

endmodule
