// SPDX-License-Identifier: Apache-2.0
// rtl/order/order_table.sv, as `tiny` has it: six requests, waiting, parked or in flight, of any lines.
// config: tiny
// without u_dut.a_room: proved: p_inside
// without u_dut.a_enter: proved: p_inside
// without u_dut.a_tail: proved: p_inside
// without u_dut.a_ends: proved: p_inside
// without u_dut.a_follow: proved: p_inside
// without u_dut.u_waiting.a_in_stable: never full: p_inside
// without u_dut.u_woken.a_in_stable: never full: p_inside
`include "properties.svh"

module order_table_formal (
  input logic              clk_i,
  input order_pkg::asked_t asked,
  input logic              write_ready,
  input order_pkg::leave_t leave
);
  `RESET
  localparam int unsigned ENTRIES = order_pkg::ENTRIES;
  localparam int unsigned ENTRY_W = order_pkg::ENTRY_W;
  typedef logic [ENTRIES-1:0] set_t;

  order_pkg::going_t  going;
  logic               behind, read_valid, write_valid, go, next_valid;
  logic [ENTRY_W-1:0] next_entry;

  order_table u_dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .asked_i        (asked),
    .going_o        (going),
    .going_behind_o (behind),
    .read_valid_o   (read_valid),
    .write_valid_o  (write_valid),
    .write_ready_i  (write_ready),
    .next_valid_o   (next_valid),
    .next_entry_o   (next_entry),
    .leave_i        (leave)
  );

  assign go = read_valid || write_valid;

  // ---- the requests: which have come and not gone, which are in flight, since when, whose end has to wait ---------------------------
  set_t              come_q, flight_q, young_q, held_q;
  order_pkg::going_t what_q [ENTRIES];
  order_pkg::going_t what;
  set_t              older_q [ENTRIES];    // of each: those of its line that came before and are there
  assign what = '{entry: asked.entry, kind: asked.rq.kind, line: asked.rq.line, sectors: asked.rq.sectors};

  function automatic logic reads(order_pkg::going_t it);
    reads = it.kind == line_pkg::LOAD || it.kind == line_pkg::FILL;
  endfunction

  set_t fetch, read, older_new;
  always_comb begin
    for (int e = 0; e < int'(ENTRIES); e++) begin
      fetch[e]     = what_q[e].kind == line_pkg::FETCH;
      read[e]      = reads(what_q[e]);
      older_new[e] = (come_q[e] || flight_q[e]) && !fetch[e] && what_q[e].line == what.line && what.kind != line_pkg::FETCH
        && !(leave.valid && 32'(leave.entry) == e);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {come_q, flight_q, young_q, held_q} <= '0;
      for (int e = 0; e < int'(ENTRIES); e++) older_q[e] <= '0;
    end else begin
      young_q <= '0;
      if (next_valid) held_q[next_entry] <= 1'b0;
      if (go) begin
        come_q[going.entry]   <= 1'b0;
        flight_q[going.entry] <= 1'b1;
        young_q[going.entry]  <= 1'b1;
        held_q[going.entry]   <= behind;
      end
      for (int e = 0; e < int'(ENTRIES); e++) if (leave.valid) older_q[e][leave.entry] <= 1'b0;
      if (leave.valid) flight_q[leave.entry] <= 1'b0;
      if (asked.valid) begin
        come_q[asked.entry]  <= 1'b1;
        what_q[asked.entry]  <= what;
        older_q[asked.entry] <= older_new;
      end
    end
  end

  // A request takes an entry that is free. What has gone ends, some cycles later, unless its end has to wait.
  `GIVEN(g_asked, !asked.valid || (32'(asked.entry) < ENTRIES && !come_q[asked.entry] && !flight_q[asked.entry]))
  `GIVEN(g_leave, !leave.valid || (32'(leave.entry) < ENTRIES && flight_q[leave.entry] && !young_q[leave.entry] && !held_q[leave.entry]))

  // ---- of the queues inside: where their places are ---------------------------------------------------------------------------------
  set_t               waiting, woken, once;
  logic               queues;
  always_comb begin
    automatic logic [3:0] rd = 4'(u_dut.u_waiting.rd_q), count = 4'(u_dut.u_waiting.count_q);
    automatic logic [3:0] rd2 = 4'(u_dut.u_woken.rd_q), count2 = 4'(u_dut.u_woken.count_q);
    queues  = rd < 4'(ENTRIES) && count <= 4'(ENTRIES) && rd2 < 4'(ENTRIES) && count2 <= 4'(ENTRIES)
      && 4'(u_dut.u_waiting.wr_q) == ((rd + count >= 4'(ENTRIES)) ? rd + count - 4'(ENTRIES) : rd + count)
      && 4'(u_dut.u_woken.wr_q) == ((rd2 + count2 >= 4'(ENTRIES)) ? rd2 + count2 - 4'(ENTRIES) : rd2 + count2);
    waiting = '0;
    woken   = '0;
    once    = '1;
    for (int i = 0; i < int'(ENTRIES); i++) begin
      automatic logic [3:0]         from  = (4'(i) >= rd) ? 4'(i) - rd : 4'(i) + 4'(ENTRIES) - rd;
      automatic logic [3:0]         from2 = (4'(i) >= rd2) ? 4'(i) - rd2 : 4'(i) + 4'(ENTRIES) - rd2;
      automatic order_pkg::going_t  held  = u_dut.u_waiting.mem_q[i];
      automatic logic [ENTRY_W-1:0] entry = u_dut.u_woken.mem_q[i];
      if (from < count) begin
        queues = queues && 32'(held.entry) < ENTRIES && what_q[held.entry] == held;
        if (waiting[held.entry]) once[held.entry] = 1'b0;
        waiting[held.entry] = 1'b1;
        // What waits behind it is not older.
        for (int j = 0; j < int'(ENTRIES); j++) begin
          automatic logic [3:0]        behind_it = (4'(j) >= rd) ? 4'(j) - rd : 4'(j) + 4'(ENTRIES) - rd;
          automatic order_pkg::going_t other = u_dut.u_waiting.mem_q[j];
          if (behind_it < count && behind_it > from) queues = queues && !older_q[held.entry][other.entry];
        end
      end
      if (from2 < count2) begin
        queues = queues && 32'(entry) < ENTRIES;
        if (woken[entry]) once[entry] = 1'b0;
        woken[entry] = 1'b1;
      end
    end
  end

  // ---- of the chains inside: each line's entries in the order in which they came -----------------------------------------------------
  set_t parked, chained, tail;
  logic chains;
  assign parked  = u_dut.parked_q;
  assign chained = u_dut.chained_q;
  assign tail    = u_dut.tail_q;

  always_comb begin
    chains = once == '1 && come_q == (waiting | parked) && (waiting & parked) == '0 && (come_q & flight_q) == '0
      && chained == ((flight_q & ~fetch) | parked) && (young_q & ~flight_q) == '0;
    for (int e = 0; e < int'(ENTRIES); e++) begin
      automatic set_t               there = older_q[e] & chained;
      automatic logic [ENTRY_W-1:0] f = u_dut.u_behind_leaving.mem_q[e], f2 = u_dut.u_behind_going.mem_q[e];
      automatic logic               follows = u_dut.follow_q && 32'(u_dut.follow_entry_q) == e;
      // What is older is there, of the same line; two of a line are one behind the other.
      if (come_q[e] || flight_q[e]) begin
        chains = chains && 32'(what_q[e].entry) == e && (older_q[e] & ~(come_q | flight_q)) == '0 && (older_q[e] & fetch) == '0 && !older_q[e][e]
          && !(fetch[e] && older_q[e] != '0);
        for (int g = 0; g < int'(ENTRIES); g++) begin
          if (older_q[e][g]) chains = chains && what_q[g].line == what_q[e].line && !older_q[g][e] && (older_q[g] & ~older_q[e]) == '0;
          if (g != e && (come_q[g] || flight_q[g]) && !fetch[e] && !fetch[g] && what_q[g].line == what_q[e].line)
            chains = chains && (older_q[e][g] || older_q[g][e]);
          if (chained[e] && waiting[g]) chains = chains && !older_q[e][g];
        end
      end
      if (chained[e]) begin
        chains = chains && u_dut.line_q[e] == what_q[e].line && u_dut.read_q[e] == read[e] && !fetch[e];
        // The tail is older than none, and of the others the next one is known.
        for (int g = 0; g < int'(ENTRIES); g++) if (chained[g] && older_q[g][e]) chains = chains && !tail[e];
        if (!tail[e]) chains = chains && f == f2 && 32'(f) < ENTRIES && chained[f] && older_q[f][e] && (older_q[f] & ~older_q[e]) == (set_t'(1) << e);
        // Behind what is parked all is; what is in flight beside another are reads, and their ends wait.
        if (flight_q[e]) chains = chains && (there & parked) == '0 && (there == '0 || read[e]) && (there & ~read) == '0
          && held_q[e] == (there != '0) && !woken[e] && !follows;
        // A parked one waits for an older one, or goes on: woken, or behind a read.
        if (parked[e]) chains = chains && u_dut.u_parked.mem_q[e] == what_q[e] && woken[e] == (there == '0)
          && !(follows && (!read[e] || there == '0 || (there & parked) != '0 || (there & ~read) != '0 || (there & young_q) == '0));
      end else chains = chains && !woken[e] && !follows;
    end
  end

  // Requests of one line are in flight together if all of them are reads.
  logic alone;
  always_comb begin
    alone = 1'b1;
    for (int e = 0; e < int'(ENTRIES); e++) begin
      for (int f = 0; f < e; f++) begin
        if (flight_q[e] && flight_q[f] && !fetch[e] && !fetch[f] && what_q[e].line == what_q[f].line) alone = alone && read[e] && read[f];
      end
    end
  end
  logic right;
  assign right = queues && chains;

  // Requests of one line in flight together are reads: anything else is one at a time.
  `PROVE(p_one, right && alone)
  // A store goes to be written, and only where it can be taken; anything else goes to be read; each goes as it came, once.
  `PROVE(p_kind, right && !(read_valid && write_valid) && (!go || (write_valid == (going.kind == line_pkg::STORE) && come_q[going.entry]
    && going == what_q[going.entry])) && (!write_valid || write_ready))
  // Nothing goes before what is older in its line; a read knows whether such a one is in flight.
  `PROVE(p_order, right && (!go || fetch[going.entry] || ((older_q[going.entry] & come_q) == '0
    && behind == ((older_q[going.entry] & flight_q) != '0))))
  // The end that a read waits for is the last one of those.
  `PROVE(p_next, right && (!next_valid || (flight_q[next_entry] && held_q[next_entry] && leave.valid
    && (older_q[next_entry] & ~(set_t'(1) << leave.entry)) == '0)))
  // With nothing in flight something goes.
  `PROVE(p_goes, right && (come_q == '0 || flight_q != '0 || go || (!write_ready && going.kind == line_pkg::STORE)))
  // A request that waits goes or is parked, unless an older one of its line ends in this cycle: it holds up no other.
  `PROVE(p_passes, right && (waiting == '0 || go || u_dut.park || (!write_ready && going.kind == line_pkg::STORE)
    || (leave.valid && older_q[u_dut.head.entry][leave.entry])))
  // Neither queue is full when a request comes to it; chains are as the module's own assertions say.
  `PROVE(p_inside, right && (!asked.valid || u_dut.room) && (!u_dut.next_parked || u_dut.u_woken.in_ready_o)
    && (u_dut.enter & chained) == '0 && (u_dut.at & (u_dut.at - set_t'(1))) == '0 && (u_dut.leaves & chained & parked) == '0
    && !(u_dut.follow_q && u_dut.next_parked && u_dut.behind_leaving == u_dut.follow_entry_q))
  // All entries are there: reads of one line in flight, a store parked behind them, and a read parked behind it.
  `REACH(r_full, (come_q | flight_q) == '1 && $countones(parked & read) == 2 && $countones(parked) == 3 && $countones(held_q) == 2)
endmodule
