// SPDX-License-Identifier: Apache-2.0
// Operand collector: walks through the beats of one instruction and says which words to read next. Words of a beat that
// lie in one bank are read in several cycles: "early" ones first, one a cycle, and all that are left, one a bank, at last.
// Latency: load in cycle t, words asked for from t+1, a beat in each cycle whose last words are granted.
// Handshake: early_o or final_o stand, with what to read, until early_i or final_i says that it was read; free again after
// the last beat. It does not arbitrate and keeps no data: early words wait in `dispatch`.
`default_nettype none
`include "heddle_assert.svh"

module collector #(
  localparam int unsigned WORDS   = back_pkg::WORDS,
  localparam int unsigned BANKS   = cfg_pkg::BANKS,
  localparam int unsigned GROUP_W = back_pkg::GROUP_W
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  // from the allocator: an instruction (only while not busy)
  input  logic                                 load_i,
  input  logic [WORDS-1:0]                     need_i,
  input  logic [WORDS-1:0][back_pkg::WREG_W-1:0] wreg_i,
  // to and from the arbiter
  output logic                                 early_o,   // one word, more follow
  output logic                                 final_o,   // all words that are left of the beat, perhaps none
  output logic [WORDS-1:0][BANKS-1:0]          read_o,    // ... and where they lie: bank, row group
  output logic [WORDS-1:0][GROUP_W-1:0]        group_o,
  output logic [1:0]                           got_o,     // words a0, b0 of the beat that were read early
  output logic [cfg_pkg::BEAT_W-1:0]           beat_o,
  output logic                                 last_o,
  output logic                                 busy_o,
  input  logic                                 early_i,
  input  logic                                 final_i
);

  logic                            busy_q;
  logic [WORDS-1:0][BANKS-1:0]     bank_q;    // one-hot; none for a word that is not read here
  logic [WORDS-1:0][GROUP_W-1:0]   group_q;
  logic [cfg_pkg::BEAT_W-1:0]      beat_q;
  logic [1:0]                      got_q, alone;
  logic [WORDS-1:0][BANKS-1:0]     todo;

  // A word is read early while a later one waits for the same bank. c0 never is: x1 lies in another bank.
  assign todo[0] = got_q[0] ? '0 : bank_q[0];
  assign todo[1] = got_q[1] ? '0 : bank_q[1];
  assign todo[2] = bank_q[2];
  assign todo[3] = bank_q[3];
  assign alone[0] = (todo[0] & (todo[1] | todo[2] | todo[3])) == '0;
  assign alone[1] = (todo[1] & (todo[2] | todo[3])) == '0;

  always_comb begin
    read_o = todo;
    if (!alone[0]) begin
      read_o    = '0;
      read_o[0] = todo[0];
    end else if (!alone[1]) begin
      read_o    = '0;
      read_o[1] = todo[1];
    end
  end

  assign early_o = busy_q && alone != '1;
  assign final_o = busy_q && alone == '1;
  assign group_o = group_q;
  assign got_o   = got_q;
  assign beat_o  = beat_q;
  assign last_o  = beat_q == cfg_pkg::BEAT_W'(cfg_pkg::BEATS - 1);
  assign busy_o  = busy_q;

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      for (int unsigned w = 0; w < WORDS; w++) begin
        bank_q[w]  <= need_i[w] ? BANKS'(1) << back_pkg::bank_of(wreg_i[w]) : '0;
        group_q[w] <= back_pkg::group_of(wreg_i[w]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      got_q  <= '0;
      beat_q <= '0;
    end else if (load_i) begin
      busy_q <= 1'b1;
      got_q  <= '0;
      beat_q <= '0;
    end else if (final_i) begin
      busy_q <= !last_o;
      got_q  <= '0;
      beat_q <= beat_q + cfg_pkg::BEAT_W'(1);
    end else if (early_i) begin
      got_q  <= got_q | {alone[0], !alone[0]};
    end
  end

  // A collector is loaded only when it is free.
  `ASSERT(a_load, !load_i || !busy_q)
  // Nothing is granted that was not asked for.
  `ASSERT(a_grant, (!early_i || early_o) && (!final_i || final_o))
  // c0 and x1 never lie in one bank.
  `ASSERT(a_pair, !busy_q || (bank_q[2] & bank_q[3]) == '0)

endmodule

`default_nettype wire
