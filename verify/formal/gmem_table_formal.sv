// SPDX-License-Identifier: Apache-2.0
// rtl/memory/gmem_table.sv, as `tiny` has it: four transactions in flight at the most.
// config: tiny
// quick
`default_nettype none
`include "properties.svh"

module gmem_table_formal (
  input logic                          clk_i,
  input logic                          valid,
  input logic [mem_pkg::KEY_W-1:0]     sector,
  input logic                          is_load,
  input logic [cfg_pkg::SM_WARP_W-1:0] slot,
  input logic                          enter,
  input logic                          leave,
  input logic [mem_pkg::ENTRY_W-1:0]   leave_entry
);
  `RESET
  localparam int unsigned ENTRIES = mem_pkg::ENTRIES;

  logic                        free, room, idle;
  logic [mem_pkg::ENTRY_W-1:0] entry;

  gmem_table u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .free_o        (free),
    .entry_o       (entry),
    .valid_i       (valid),
    .sector_i      (sector),
    .is_load_i     (is_load),
    .slot_i        (slot),
    .room_o        (room),
    .enter_i       (enter),
    .leave_i       (leave),
    .leave_entry_i (leave_entry),
    .idle_o        (idle)
  );

  // Any sector, and of each entry whether it has a transaction, of that sector, and which.
  logic [mem_pkg::KEY_W-1:0]                  watch_q;
  logic [ENTRIES-1:0]                         flight_q, here_q, load_q;
  logic [ENTRIES-1:0][cfg_pkg::SM_WARP_W-1:0] slot_q;
  logic [2:0]                                 stuck_q;
  always_ff @(posedge clk_i) begin
    watch_q <= watch_q;
    if (!rst_ni) flight_q <= '0;
    else begin
      if (leave) flight_q[leave_entry] <= 1'b0;
      if (enter) begin
        flight_q[entry] <= 1'b1;
        here_q[entry]   <= sector == watch_q;
        load_q[entry]   <= is_load;
        slot_q[entry]   <= slot;
      end
    end
    if (!rst_ni || !valid || flight_q != '0 || room) stuck_q <= 3'd0;
    else if (stuck_q != 3'd7)                        stuck_q <= stuck_q + 3'd1;
  end

  // A request enters only with room; only what is in flight ends.
  `GIVEN(g_enter, !enter || (valid && room))
  `GIVEN(g_leave, !leave || flight_q[leave_entry])

  // Two of those in flight for the sector, which may not be together.
  logic [ENTRIES-1:0] at;
  logic               clash;
  assign at = flight_q & here_q;
  always_comb begin
    clash = 1'b0;
    for (int i = 0; i < int'(ENTRIES); i++) begin
      for (int j = 0; j < i; j++) clash = clash | (at[i] && at[j] && !(load_q[i] && load_q[j] && slot_q[i] != slot_q[j]));
    end
  end

  // Transactions of one sector in flight together are loads of different warps: anything else is one at a time, in order.
  `PROVE(p_one, !clash)
  // An entry is given to nobody while its transaction is in flight.
  `PROVE(p_entry, !free || !flight_q[entry])
  // It is idle exactly when nothing is in flight.
  `PROVE(p_idle, idle == (flight_q == '0))
  // With nothing in flight a request finds room after a cycle at the latest.
  `PROVE(p_room, stuck_q < 3'd2)
  // All entries are in use, three of them for one sector.
  `REACH(r_full, flight_q == '1 && $countones(at) == 3)
endmodule

`default_nettype wire
