// SPDX-License-Identifier: Apache-2.0
// Which sectors have a transaction in flight. A request may enter when no transaction of its sector is in flight, or when
// it is a load and those in flight are loads of other warps (which read the same value in any order).
// Latency: room_o and entry_o answer the request of the same cycle; enter and leave take effect at the clock edge.
// Handshake: enter_i only with room_o; leave_i is an event.
// It does not hold data.
`default_nettype none
`include "heddle_assert.svh"

module gmem_table #(
  localparam int unsigned ENTRIES = mem_pkg::ENTRIES,
  localparam int unsigned ENTRY_W = mem_pkg::ENTRY_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // the request that waits
  input  logic [mem_pkg::SECTOR_W-1:0]  sector_i,
  input  logic                          is_load_i,
  input  logic [cfg_pkg::WARP_W-1:0]    slot_i,
  output logic                          room_o,
  output logic [ENTRY_W-1:0]            entry_o,
  input  logic                          enter_i,
  // the transaction that ends
  input  logic                          leave_i,
  input  logic [ENTRY_W-1:0]            leave_entry_i,
  output logic                          idle_o
);

  logic [ENTRIES-1:0]                         used_q, load_q, clash, enter, leave;
  logic [ENTRIES-1:0][mem_pkg::SECTOR_W-1:0]  sector_q;
  logic [ENTRIES-1:0][cfg_pkg::WARP_W-1:0]    slot_q;
  logic                                       any_free;

  lowest_one #(.N(ENTRIES)) u_free (
    .in_i     (~used_q),
    .onehot_o (enter),
    .index_o  (entry_o),
    .any_o    (any_free)
  );

  for (genvar e = 0; e < ENTRIES; e++) begin : gen_entry
    assign clash[e] = used_q[e] && sector_q[e] == sector_i && !(load_q[e] && is_load_i && slot_q[e] != slot_i);
    assign leave[e] = leave_i && leave_entry_i == ENTRY_W'(e);

    always_ff @(posedge clk_i) begin
      if (enter_i && enter[e]) begin
        sector_q[e] <= sector_i;
        slot_q[e]   <= slot_i;
        load_q[e]   <= is_load_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) used_q <= '0;
    else         used_q <= (used_q & ~leave) | (enter & {ENTRIES{enter_i}});
  end

  assign room_o = any_free && clash == '0;
  assign idle_o = used_q == '0;

  // Only what is in flight ends.
  `ASSERT(a_leave, (leave & ~used_q) == '0)

endmodule

`default_nettype wire
