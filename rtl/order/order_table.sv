// SPDX-License-Identifier: Apache-2.0
// Order within each line. Requests go on, to be read or written, in the order of their arrival. A request that must wait for an older
// one of its line is parked, and younger requests of other lines pass it. Reads of one line (loads of any warp, refills of the SMs'
// caches) are in flight together; a store or an atomic is the only request of its line in flight.
// The requests of a line are a chain: each entry has a link to the next younger one. Ends keep the order of the chain, so records of a
// line are in the order of requests: a read with older reads of its line in flight is marked (going_behind_o), and order_read holds its
// end until the older one has ended (next_). Refills of read-only data (FETCH) are in no chain.
// Latency: a request leaves a cycle after it came, a parked one a cycle after the end that it waited for. One a cycle. An end comes two
// cycles after its request has left, at the earliest.
// Handshake: events; write_ready_i may hold a store.
// It does not merge requests.
`include "heddle_assert.svh"
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module order_table #(
  localparam int unsigned ENTRIES = order_pkg::ENTRIES,
  localparam int unsigned ENTRY_W = order_pkg::ENTRY_W
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the channel
  /* verilator lint_off UNUSEDSIGNAL */   // of the request, where and which kind
  input  order_pkg::asked_t           asked_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // a request goes
  output order_pkg::going_t           going_o,
  output logic                        going_behind_o,  // a read, with older reads of its line in flight
  output logic                        read_valid_o,
  output logic                        write_valid_o,
  input  logic                        write_ready_i,
  // to order_read: all that is older in the line of this entry, which is in flight, has ended (event)
  output logic                        next_valid_o,
  output logic [ENTRY_W-1:0]          next_entry_o,
  // from order_finish: a request has been performed
  /* verilator lint_off UNUSEDSIGNAL */   // of its places, the entry
  input  order_pkg::leave_t           leave_i
  /* verilator lint_on UNUSEDSIGNAL */
);

  function automatic logic reads(line_pkg::kind_e kind);
    reads = kind == line_pkg::LOAD || kind == line_pkg::FILL;
  endfunction

  // ---- requests that have come -------------------------------------------------------------------
  logic              room, waits, take;
  order_pkg::going_t asked, head;

  assign asked = '{entry: asked_i.entry, kind: asked_i.rq.kind, line: asked_i.rq.line, sectors: asked_i.rq.sectors};

  fifo #(.WIDTH($bits(order_pkg::going_t)), .DEPTH(ENTRIES)) u_waiting (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (asked_i.valid),
    .in_ready_o  (room),
    .in_data_i   (asked),
    .out_valid_o (waits),
    .out_ready_i (take),
    .out_data_o  (head),
    .count_o     ()
  );

  // ---- chains: entries that have a line, in flight or parked; the last one of each line is its tail -----
  logic [ENTRIES-1:0]          chained_q, parked_q, read_q, tail_q;
  logic [line_pkg::LINE_W-1:0] line_q [ENTRIES];
  logic [ENTRIES-1:0]          leaves, at;         // of entries: which ends; the tail of the head's line

  assign leaves = leave_i.valid ? ENTRIES'(1) << leave_i.entry : '0;

  // Compared only for a request that waits, a word of entries at a time.
  localparam int unsigned WORDS = (ENTRIES + 31) / 32;
  /* verilator lint_off UNUSEDSIGNAL */   // of the last word, entries
  logic [32*WORDS-1:0] same;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0]         part;

  always_comb begin
    same = '0;
    part = 'x;
    if (`HEDDLE_LIVE(waits)) begin
      for (int w = 0; w < int'(WORDS); w++) begin
        part = '0;
        `LANE_LOOP (int e = 32 * w; e < ((32 * w + 32 < int'(ENTRIES)) ? 32 * w + 32 : int'(ENTRIES)); e++) begin
          part = part | (32'(line_q[e] == head.line) << (e - 32 * w));
        end
        same[32*w +: 32] = part;
      end
    end
  end
  assign at = (head.kind == line_pkg::FETCH) ? '0 : ENTRIES'(same) & chained_q & tail_q;

  // ---- of the head: it goes, is parked, or waits a cycle while the tail of its line ends ---------
  logic               meets, beside, ends, free, park, link;
  logic [ENTRY_W-1:0] tail;

  assign meets  = at != '0;
  assign ends   = (at & leaves) != '0;
  assign beside = reads(head.kind) && (at & read_q & ~parked_q) != '0;
  assign park   = waits && meets && !ends && !beside;
  assign link   = take && meets;

  onehot_index #(.N(ENTRIES)) u_tail (
    .onehot_i (at),
    .index_o  (tail)
  );

  // ---- parked requests that go: behind an end, or a read behind a read that was parked too -------
  logic               woken, woken_take, follow_q, next_parked, follows;
  logic [ENTRY_W-1:0] woken_entry, follow_entry_q, parked_entry, behind_leaving, behind_going;
  order_pkg::going_t  parked;

  fifo #(.WIDTH(ENTRY_W), .DEPTH(ENTRIES)) u_woken (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (next_parked),
    .in_ready_o  (),
    .in_data_i   (behind_leaving),
    .out_valid_o (woken),
    .out_ready_i (woken_take),
    .out_data_o  (woken_entry),
    .count_o     ()
  );

  assign parked_entry = follow_q ? follow_entry_q : woken_entry;
  ram_async #(.WIDTH($bits(order_pkg::going_t)), .DEPTH(ENTRIES)) u_parked (
    .clk_i     (clk_i),
    .wr_en_i   (park),
    .wr_addr_i (head.entry),
    .wr_data_i (head),
    .rd_addr_i (parked_entry),
    .rd_data_o (parked)
  );

  // The entry behind one that ends, and behind a parked one that goes.
  ram_async #(.WIDTH(ENTRY_W), .DEPTH(ENTRIES)) u_behind_leaving (
    .clk_i     (clk_i),
    .wr_en_i   (link),
    .wr_addr_i (tail),
    .wr_data_i (head.entry),
    .rd_addr_i (leave_i.entry),
    .rd_data_o (behind_leaving)
  );
  ram_async #(.WIDTH(ENTRY_W), .DEPTH(ENTRIES)) u_behind_going (
    .clk_i     (clk_i),
    .wr_en_i   (link),
    .wr_addr_i (tail),
    .wr_data_i (head.entry),
    .rd_addr_i (parked_entry),
    .rd_data_o (behind_going)
  );

  logic has_next;
  assign has_next     = (leaves & chained_q & ~tail_q) != '0;
  assign next_parked  = has_next && parked_q[behind_leaving];
  assign next_valid_o = has_next && !next_parked;
  assign next_entry_o = behind_leaving;

  // ---- a request goes: a parked one before the head ----------------------------------------------
  logic go, store;

  assign free           = !follow_q && !woken;
  assign going_o        = free ? head : parked;
  assign going_behind_o = free ? meets : follow_q;
  assign store          = going_o.kind == line_pkg::STORE;
  assign go             = (free ? waits && (!meets || (beside && !ends)) : 1'b1) && (!store || write_ready_i);
  assign read_valid_o   = go && !store;
  assign write_valid_o  = go && store;
  assign take           = (go && free) || park;
  assign woken_take     = go && !follow_q;
  assign follows        = go && !free && reads(parked.kind) && !tail_q[parked_entry] && read_q[behind_going];

  always_ff @(posedge clk_i) begin
    if (take && head.kind != line_pkg::FETCH) begin
      line_q[head.entry] <= head.line;
      read_q[head.entry] <= reads(head.kind);
    end
    follow_entry_q <= behind_going;
  end

  logic [ENTRIES-1:0] enter;
  assign enter = (take && head.kind != line_pkg::FETCH) ? ENTRIES'(1) << head.entry : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      chained_q <= '0;
      parked_q  <= '0;
      tail_q    <= '0;
      follow_q  <= 1'b0;
    end else begin
      chained_q <= (chained_q & ~leaves) | enter;
      tail_q    <= (tail_q & ~(link ? at : '0)) | enter;
      parked_q  <= (parked_q & ~((go && !free) ? ENTRIES'(1) << parked_entry : '0)) | (park ? enter : '0);
      follow_q  <= follows;
    end
  end

  // There is a place for each request.
  `ASSERT(a_room, !asked_i.valid || room)
  // An entry takes its place in a chain once; a line has one tail.
  `ASSERT(a_enter, (enter & chained_q) == '0)
  `ASSERT(a_tail, (at & (at - ENTRIES'(1))) == '0)
  // Only what has gone ends, and nothing of a line ends before what is older.
  `ASSERT(a_ends, (leaves & chained_q & parked_q) == '0)
  // A read that follows another one has not been woken by its end.
  `ASSERT(a_follow, !(follow_q && next_parked && behind_leaving == follow_entry_q))

endmodule
