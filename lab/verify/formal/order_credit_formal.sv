// SPDX-License-Identifier: Apache-2.0
// rtl/order/order_credit.sv, as `tiny` has it: six entries, two slots of atomics.
// config: tiny
`include "properties.svh"

module order_credit_formal (
  input logic               clk_i,
  input logic               lq_valid,
  input line_pkg::request_t lq,
  input order_pkg::leave_t  leave
);
  `RESET
  localparam int unsigned ENTRIES = order_pkg::ENTRIES;
  localparam int unsigned SLOTS   = order_pkg::SLOTS;

  logic              lc_valid, lc_atom, atom;
  order_pkg::asked_t asked;

  order_credit u_dut (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .lq_valid_i (lq_valid),
    .lq_i       (lq),
    .lc_valid_o (lc_valid),
    .lc_atom_o  (lc_atom),
    .asked_o    (asked),
    .leave_i    (leave)
  );

  assign atom = lq.kind == line_pkg::ATOM;

  // Credits that the SM holds; requests that have not ended, with their slots.
  logic [3:0]         held_q, atoms_q, quiet_q;
  logic [ENTRIES-1:0] flight_q, atom_q;
  logic [SLOTS-1:0]   busy_q;
  logic [ENTRIES-1:0][order_pkg::SLOT_W-1:0] slot_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {held_q, atoms_q, flight_q, atom_q, busy_q, quiet_q} <= '0;
    end else begin
      held_q  <= held_q + 4'(lc_valid && !lc_atom) - 4'(lq_valid);
      atoms_q <= atoms_q + 4'(lc_valid && lc_atom) - 4'(lq_valid && atom);
      if (leave.valid) begin
        flight_q[leave.entry] <= 1'b0;
        atom_q[leave.entry]   <= 1'b0;
        if (leave.atom) busy_q[leave.slot] <= 1'b0;
      end
      if (lq_valid) begin
        flight_q[asked.entry] <= 1'b1;
        atom_q[asked.entry]   <= atom;
        slot_q[asked.entry]   <= asked.slot;
        if (atom) busy_q[asked.slot] <= 1'b1;
      end
      if (leave.valid)          quiet_q <= '0;
      else if (quiet_q != 4'd8) quiet_q <= quiet_q + 4'd1;
    end
  end

  // The SM sends what it holds the credits for.
  `GIVEN(g_credit, !lq_valid || (held_q != '0 && (!atom || atoms_q != '0)))
  // A request that ends is in flight, with the slot that it was given.
  `GIVEN(g_leave, !leave.valid || (32'(leave.entry) < ENTRIES && flight_q[leave.entry] && leave.atom == atom_q[leave.entry]
    && (!leave.atom || leave.slot == slot_q[leave.entry])))

  // ---- of the rows inside: each number that is free is in its row once --------------------------
  logic entries_right, slots_right;
  always_comb begin
    automatic logic [3:0] rd   = 4'(u_dut.u_entries.rd_q);
    automatic logic [3:0] wr   = 4'(u_dut.u_entries.wr_q);
    automatic logic [3:0] free = 4'(u_dut.u_entries.free_q);
    entries_right = rd < 4'(ENTRIES) && free == 4'(ENTRIES) - 4'($countones(flight_q))
      && wr == ((rd + free >= 4'(ENTRIES)) ? rd + free - 4'(ENTRIES) : rd + free);
    for (int e = 0; e < int'(ENTRIES); e++) begin
      automatic logic [3:0] times = '0;
      for (int i = 0; i < int'(ENTRIES); i++) begin
        automatic logic [3:0] from   = (4'(i) >= rd) ? 4'(i) - rd : 4'(i) + 4'(ENTRIES) - rd;
        automatic logic [3:0] number = (u_dut.u_entries.fresh_q && 4'(i) >= rd) ? 4'(i) : 4'(u_dut.u_entries.u_row.mem_q[i]);
        times += 4'(from < free && number == 4'(e));
      end
      if (times != 4'(!flight_q[e])) entries_right = 1'b0;
    end
  end
  always_comb begin
    automatic logic [3:0] rd   = 4'(u_dut.u_slots.rd_q);
    automatic logic [3:0] wr   = 4'(u_dut.u_slots.wr_q);
    automatic logic [3:0] free = 4'(u_dut.u_slots.free_q);
    slots_right = rd < 4'(SLOTS) && free == 4'(SLOTS) - 4'($countones(busy_q))
      && wr == ((rd + free >= 4'(SLOTS)) ? rd + free - 4'(SLOTS) : rd + free);
    for (int e = 0; e < int'(SLOTS); e++) begin
      automatic logic [3:0] times = '0;
      for (int i = 0; i < int'(SLOTS); i++) begin
        automatic logic [3:0] from   = (4'(i) >= rd) ? 4'(i) - rd : 4'(i) + 4'(SLOTS) - rd;
        automatic logic [3:0] number = (u_dut.u_slots.fresh_q && 4'(i) >= rd) ? 4'(i) : 4'(u_dut.u_slots.u_row.mem_q[i]);
        times += 4'(from < free && number == 4'(e));
      end
      if (times != 4'(!busy_q[e])) slots_right = 1'b0;
    end
  end
  // Slots that are taken are those of atomics in flight, one each.
  logic owners;
  always_comb begin
    owners = (atom_q & ~flight_q) == '0;
    for (int s = 0; s < int'(SLOTS); s++) begin
      automatic logic [3:0] times = '0;
      for (int e = 0; e < int'(ENTRIES); e++) times += 4'(atom_q[e] && 32'(slot_q[e]) == s);
      if (times != 4'(busy_q[s])) owners = 1'b0;
    end
    for (int e = 0; e < int'(ENTRIES); e++) if (atom_q[e] && 32'(slot_q[e]) >= SLOTS) owners = 1'b0;
  end

  logic right;
  assign right = entries_right && slots_right && owners
    && held_q + 4'($countones(flight_q)) + 4'(u_dut.u_entries.owed_q) == 4'(ENTRIES)
    && atoms_q + 4'($countones(busy_q)) + 4'(u_dut.u_slots.owed_q) == 4'(SLOTS);

  // No credit is lost and none is made: held by the SM, in use, or owed, there are as many as places.
  `PROVE(p_kept, right)
  // A request is given an entry that is not in use, and an atomic a slot.
  `PROVE(p_entry, right && (!lq_valid || (!flight_q[asked.entry] && (!atom || !busy_q[asked.slot]))))
  // Without ends all credits that are owed are given, one a cycle.
  `PROVE(p_given, right && u_dut.u_entries.owed_q + u_dut.u_slots.owed_q <= 4'(ENTRIES + SLOTS) - quiet_q)
  // All places are in use, in another order than at first.
  `REACH(r_full, flight_q == '1 && busy_q == '1 && !u_dut.u_entries.fresh_q)
endmodule
