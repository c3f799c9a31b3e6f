// SPDX-License-Identifier: Apache-2.0
// Who reads the register file in this cycle: at most one collector reads the last words of a beat (which then goes to
// dispatch), at most one reads an early word, and the memory collector takes what banks are left. Oldest first.
// Latency: grants combinational; the order of age changes at the clock edge after load_i.
// No handshake: an asker that is not granted asks again. Entries that load together count as loaded by ascending index.
// It does not know which askers are in use (those that are not must not ask), and reads nothing itself.
`default_nettype none
`include "heddle_assert.svh"

module read_arbiter #(
  parameter  int unsigned COLL  = 2,        // collectors; the memory collector is asker number COLL
  parameter  int unsigned BANKS = 2,
  localparam int unsigned ASKERS = COLL + 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from the askers
  input  logic [ASKERS-1:0]            load_i,
  input  logic [COLL-1:0]              final_i,      // a beat's last words, and its write ports are free
  input  logic [COLL-1:0]              early_i,
  input  logic [ASKERS-1:0][BANKS-1:0] bank_i,       // banks wanted: all of them for a collector, any for memory
  // to the askers
  output logic [COLL-1:0]              final_o,
  output logic [COLL-1:0]              early_o,
  output logic [BANKS-1:0]             mem_o
);

  // older_q[i][j]: asker j is older than asker i.
  logic [ASKERS-1:0][ASKERS-1:0] older_q, older_d;
  // The early words at `dispatch` belong to one instruction at a time, until its beat's last words are read.
  logic [COLL-1:0]               owner_q, owner_d;
  logic                          vacant, vacated;
  logic [ASKERS-1:0][BANKS-1:0]  ask;
  logic [BANKS-1:0]              asked;
  logic [COLL-1:0]               free, can_final, can_early;

  always_comb begin
    older_d = older_q;
    for (int unsigned i = 0; i < ASKERS; i++) begin
      for (int unsigned j = 0; j < ASKERS; j++) begin
        if (i == j) older_d[i][j] = 1'b0;
        else if (load_i[i] && load_i[j]) older_d[i][j] = j < i;
        else if (load_i[i]) older_d[i][j] = 1'b1;
        else if (load_i[j]) older_d[i][j] = 1'b0;
      end
    end
  end

  assign vacant = owner_q == '0;

  // Whoever asks for a bank keeps younger ones away from it, also when it has to wait for another bank: nobody starves. An
  // early word that must wait for its place does not ask: the place may depend on those that it would keep away.
  always_comb begin
    ask[COLL] = bank_i[COLL];
    for (int unsigned i = 0; i < COLL; i++) begin
      ask[i] = (final_i[i] || (early_i[i] && (vacant || owner_q[i]))) ? bank_i[i] : '0;
    end
    asked = '0;
    for (int unsigned i = 0; i < ASKERS; i++) asked |= ask[i];
    for (int unsigned i = 0; i < COLL; i++) begin
      free[i] = 1'b1;
      for (int unsigned j = 0; j < ASKERS; j++) begin
        if (older_q[i][j] && (ask[i] & ask[j]) != '0) free[i] = 1'b0;
      end
    end
    mem_o = bank_i[COLL];
    for (int unsigned j = 0; j < COLL; j++) begin
      if (older_q[COLL][j]) mem_o &= ~ask[j];
    end
  end

  assign can_final = final_i & free;
  always_comb begin
    for (int unsigned i = 0; i < COLL; i++) final_o[i] = can_final[i] && (can_final & older_q[i][COLL-1:0]) == '0;
  end

  // The place of early words is vacated in this cycle: then one may follow at once, if nobody asks for its bank.
  assign vacated = (owner_q & final_o) != '0;
  always_comb begin
    for (int unsigned i = 0; i < COLL; i++) begin
      can_early[i] = early_i[i] && ((vacant || owner_q[i]) ? free[i] : vacated && (bank_i[i] & asked) == '0);
    end
    for (int unsigned i = 0; i < COLL; i++) early_o[i] = can_early[i] && (can_early & older_q[i][COLL-1:0]) == '0;
    owner_d = (owner_q & ~final_o) | early_o;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owner_q <= '0;
      for (int unsigned i = 0; i < ASKERS; i++) begin
        for (int unsigned j = 0; j < ASKERS; j++) older_q[i][j] <= j < i;
      end
    end else begin
      owner_q <= owner_d;
      older_q <= older_d;
    end
  end

  // At most one of each kind is granted, no bank is granted twice, and early words have one owner.
  logic fair;
  always_comb begin
    logic [BANKS-1:0] taken;
    taken = mem_o;
    fair  = (final_o & (final_o - COLL'(1))) == '0 && (early_o & (early_o - COLL'(1))) == '0
            && (owner_d & (owner_d - COLL'(1))) == '0;
    for (int unsigned i = 0; i < COLL; i++) begin
      if (final_o[i] || early_o[i]) begin
        if ((taken & bank_i[i]) != '0) fair = 1'b0;
        taken |= bank_i[i];
      end
    end
  end
  `ASSERT(a_fair, fair)

endmodule

`default_nettype wire
