// SPDX-License-Identifier: Apache-2.0
// rtl/order/order_table.sv, as `tiny` has it: six requests, waiting or in flight.
// config: tiny
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

  order_pkg::going_t going;
  logic              read_valid, write_valid, go;

  order_table u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .asked_i       (asked),
    .going_o       (going),
    .read_valid_o  (read_valid),
    .write_valid_o (write_valid),
    .write_ready_i (write_ready),
    .leave_i       (leave)
  );

  assign go = read_valid || write_valid;

  // Any line; which entries wait, which are in flight, which of these have the line, and who they are.
  logic [line_pkg::LINE_W-1:0]                watch_q;
  logic [ENTRIES-1:0]                         wait_q, flight_q, here_q, load_q, fetch_q;
  logic [ENTRIES-1:0][order_pkg::WARP_W-1:0]  warp_q;
  logic [3:0]                                 waiting_q;     // how many
  always_ff @(posedge clk_i) begin
    watch_q <= watch_q;
    if (!rst_ni) begin
      {wait_q, flight_q, waiting_q} <= '0;
    end else begin
      waiting_q <= waiting_q + 4'(asked.valid) - 4'(go);
      if (asked.valid) wait_q[asked.entry] <= 1'b1;
      if (leave.valid) flight_q[leave.entry] <= 1'b0;
      if (go) begin
        wait_q[going.entry]   <= 1'b0;
        flight_q[going.entry] <= 1'b1;
        here_q[going.entry]   <= going.line == watch_q && going.kind != line_pkg::FETCH;
        fetch_q[going.entry]  <= going.kind == line_pkg::FETCH;
        load_q[going.entry]   <= going.kind == line_pkg::LOAD;
        warp_q[going.entry]   <= going.warp;
      end
    end
  end

  // A request takes an entry that is free; only what is in flight ends.
  `GIVEN(g_asked, !asked.valid || (32'(asked.entry) < ENTRIES && !wait_q[asked.entry] && !flight_q[asked.entry]))
  `GIVEN(g_leave, !leave.valid || (32'(leave.entry) < ENTRIES && flight_q[leave.entry]))

  // One request, any, from its arrival on: how many are ahead of it.
  logic              pick_q, followed_q;
  order_pkg::going_t what_q, what;
  logic [3:0]        ahead_q;
  assign what = '{entry: asked.entry, kind: asked.rq.kind, warp: asked.rq.slot, line: asked.rq.line, sectors: asked.rq.sectors};
  always_ff @(posedge clk_i) begin
    pick_q <= !pick_q;                            // with any value first: in any cycle, of two
    if (!rst_ni) followed_q <= 1'b0;
    else if (!followed_q && pick_q && asked.valid) begin
      followed_q <= 1'b1;
      what_q     <= what;
      ahead_q    <= waiting_q - 4'(go);
    end else if (followed_q && go) begin
      if (ahead_q == '0) followed_q <= 1'b0;
      ahead_q <= ahead_q - 4'd1;
    end
  end

  // ---- of the row inside: where its places are ------------------------------------------------------
  logic [ENTRIES-1:0]               used;
  logic [ENTRIES-1:0][ENTRY_W-1:0]  entry;
  logic [ENTRIES-1:0]               once;
  logic [3:0]                       rd, wr, count, behind;
  assign rd    = 4'(u_dut.u_waiting.rd_q);
  assign wr    = 4'(u_dut.u_waiting.wr_q);
  assign count = 4'(u_dut.u_waiting.count_q);
  assign behind = rd + ahead_q;                   // the place of the one that is followed, perhaps a lap further
  always_comb begin
    for (int i = 0; i < int'(ENTRIES); i++) begin
      automatic logic [3:0] from = (4'(i) >= rd) ? 4'(i) - rd : 4'(i) + 4'(ENTRIES) - rd;
      automatic order_pkg::going_t held = u_dut.u_waiting.mem_q[i];
      used[i]  = from < count;
      entry[i] = held.entry;
    end
    for (int e = 0; e < int'(ENTRIES); e++) begin
      automatic logic [3:0] times = '0;
      for (int i = 0; i < int'(ENTRIES); i++) times += 4'(used[i] && 32'(entry[i]) == e);
      once[e] = times == 4'(wait_q[e]);
    end
  end

  // Each request that waits stands there once, and nothing else does; what is in flight is known.
  logic right;
  assign right = once == '1 && rd < 4'(ENTRIES) && count == waiting_q && 4'($countones(wait_q)) == waiting_q
    && wr == ((rd + count >= 4'(ENTRIES)) ? rd + count - 4'(ENTRIES) : rd + count) && (wait_q & flight_q) == '0
    && u_dut.flight_q == (flight_q & ~fetch_q);

  // Two of those in flight for the line, which may not be together.
  logic [ENTRIES-1:0] at;
  logic               clash;
  assign at = flight_q & here_q;
  always_comb begin
    clash = 1'b0;
    for (int i = 0; i < int'(ENTRIES); i++) begin
      for (int j = 0; j < i; j++) clash = clash | (at[i] && at[j] && !(load_q[i] && load_q[j] && warp_q[i] != warp_q[j]));
    end
  end

  // Requests of one line in flight together are loads of different warps: anything else is one at a time.
  `PROVE(p_one, !clash)
  // A store goes to be written, and only where it can be taken; anything else goes to be read.
  `PROVE(p_kind, !(read_valid && write_valid) && (!go || write_valid == (going.kind == line_pkg::STORE)) && (!write_valid || write_ready))
  // Requests go in the order in which they came, each as it came.
  `PROVE(p_order, right && (!followed_q || (ahead_q < waiting_q
    && u_dut.u_waiting.mem_q[(behind >= 4'(ENTRIES)) ? behind - 4'(ENTRIES) : behind] == what_q && !(go && ahead_q == '0 && going != what_q))))
  // With nothing in flight the first one goes at once, and a refill always does.
  `PROVE(p_goes, right && (waiting_q == '0 || go || (!write_ready && going.kind == line_pkg::STORE)
    || (going.kind != line_pkg::FETCH && flight_q != '0)))
  // All entries are in flight, three of them for one line, and one is a refill.
  `REACH(r_full, flight_q == '1 && $countones(at) == 3 && (fetch_q & flight_q) != '0)
endmodule
