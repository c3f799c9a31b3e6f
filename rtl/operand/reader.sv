// SPDX-License-Identifier: Apache-2.0
// Walks through the beats of one instruction and says which of its words to read now: one word a bank and cycle. Words of a
// beat that are in one bank are read one after the other: "early" ones first, all that are left at last.
// Latency: none; the instruction is at the inputs while it is read. A beat is 1 to 3 cycles, each bank conflict one more.
// With two readers a word is read early, too, while the other one has the bank of another word of its row (bank_arb).
// Handshake: valid_i holds until ready_o, which is the last cycle of the instruction's last beat (or no instruction).
// final_i says that a beat may be completed in this cycle: its write ports are free. hold_o marks cycles in which none is.
// A row that is on the bus for several cycles is followed by as many, less one (stay_i), in which nothing is read and
// nothing issues: they are holds, too.
// It does not keep data (`dispatch` has the early words) and never skips a beat: instructions are read strictly in order.
`include "heddle_assert.svh"

module reader #(
  localparam int unsigned WORDS  = back_pkg::WORDS,
  localparam int unsigned BANKS  = cfg_pkg::BANKS,
  localparam int unsigned BEAT_W = cfg_pkg::BEAT_W
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  // from issue, and what operand_map says of it
  input  logic                                   valid_i,
  input  back_pkg::reads_t                       reads_i,
  input  logic [WORDS-1:0][back_pkg::WREG_W-1:0] wreg_i,
  input  logic [1:0]                             last_row_i, // each beat is so many rows and one
  input  logic [back_pkg::STAY_W-1:0]            stay_i,     // its rows are on the bus for so many cycles more than one
  // to operand_map
  output logic [BEAT_W-1:0]                      beat_o,
  output logic [1:0]                             row_o,
  output logic [1:0]                             next_row_o, // the one after it
  output logic [1:0]                             early_o,    // words a, b are read, others of the row are not yet
  // to and from the bank arbiter: banks of words that are still to be read; banks that may be read now
  output logic [BANKS-1:0]                       want_o,
  input  logic [BANKS-1:0]                       free_i,
  // to the register file: of each bank a row group
  output bus_pkg::bank_read_t                    rd_o,
  // to dispatch: of each word that is read the bank
  output logic [WORDS-1:0][BANKS-1:0]            read_o,
  // to and from dispatch
  output logic                                   ask_o,      // a row may be completed, if final_i
  input  logic                                   final_i,
  output logic                                   final_o,    // the last words of a row are read
  output logic                                   last_o,     // ... and it is the instruction's last
  output logic [1:0]                             got_o,      // words a, b of this row that were read early
  output logic                                   near_o,     // ... the rows of three beats are still to come
  // to issue
  output logic                                   ready_o,
  output logic                                   hold_o
);

  logic [WORDS-1:0][back_pkg::GROUP_W-1:0] group;
  logic [1:0]                  got_q, early;
  logic [BEAT_W-1:0]           beat_q;
  logic [1:0]                  row_q;
  logic                        complete, all, last, last_row, kept;   // kept: the bus is not free yet
  logic [1:0]                  may;

  always_comb begin
    for (int unsigned w = 0; w < WORDS; w++) group[w] = back_pkg::group_of(wreg_i[w]);
  end

  // Which banks are free follows from registers, as what is wanted does.
  assign want_o   = (valid_i && !kept) ? reads_i.bank[0] | reads_i.bank[1] | reads_i.bank[2] | reads_i.bank[3] : '0;
  assign all      = (want_o & ~free_i) == '0;
  assign may      = {(reads_i.bank[1] & free_i) != '0, (reads_i.bank[0] & free_i) != '0};
  assign complete = reads_i.apart && all;
  assign last_row = row_q == last_row_i;
  assign last     = beat_q == BEAT_W'(cfg_pkg::BEATS - 1) && last_row;
  // A word is read early while a later one waits for the same bank, or for one that is not free. c and x never share one.
  assign early    = all ? {reads_i.clash_b != '0 && !reads_i.clash_a[0], reads_i.clash_a != '0}
                        : may & {!reads_i.clash_a[0], 1'b1};

  always_comb begin
    read_o = '0;
    if (!complete) begin
      // Not while a row is kept: an early word goes to the bus at once.
      if (early_o[0]) read_o[0] = reads_i.bank[0];
      if (early_o[1]) read_o[1] = reads_i.bank[1];
    end else if (final_o) begin
      read_o = reads_i.bank;
    end
  end

  always_comb begin
    rd_o.en    = read_o[0] | read_o[1] | read_o[2] | read_o[3];
    rd_o.group = '0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      rd_o.beat[b] = beat_q;
      for (int unsigned w = 0; w < WORDS; w++) begin
        if (read_o[w][b]) rd_o.group[b] |= group[w];
      end
    end
  end

  assign ask_o    = valid_i && complete && !kept;
  assign final_o  = ask_o && final_i;
  assign last_o   = last;
  assign near_o   = beat_q == BEAT_W'(cfg_pkg::BEATS - 4) && last_row;
  assign got_o    = got_q;
  assign beat_o   = beat_q;
  assign row_o    = row_q;
  assign early_o  = (valid_i && !complete && !kept) ? early : '0;
  assign next_row_o = last_row ? '0 : row_q + 2'd1;
  assign ready_o  = !kept && (!valid_i || (complete && final_i && last));   // in as few steps as can be: much follows from it
  assign hold_o   = kept || (valid_i && !final_o);

  if (back_pkg::PASSES > 1) begin : gen_keep
    logic [back_pkg::STAY_W-1:0] left_q;
    assign kept = left_q != '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni)      left_q <= '0;
      else if (final_o) left_q <= stay_i;
      else if (kept)    left_q <= left_q - 1'b1;
    end
  end else begin : gen_free
    logic unused;
    assign kept   = 1'b0;
    assign unused = ^stay_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      got_q    <= '0;
      beat_q   <= '0;
      row_q    <= '0;
    end else if (final_o) begin
      got_q    <= '0;
      row_q    <= next_row_o;
      if (last_row) beat_q <= last ? '0 : beat_q + BEAT_W'(1);
    end else begin
      got_q    <= got_q | early_o;
    end
  end

  // What is said of two words is so, and of all.
  logic [WORDS-1:0][BANKS-1:0] bank;
  assign bank = reads_i.bank;
  `ASSERT_IF(a_clash, valid_i, reads_i.clash_a == {(bank[0] & bank[3]) != '0, (bank[0] & bank[2]) != '0, (bank[0] & bank[1]) != '0}
    && reads_i.clash_b == {(bank[1] & bank[3]) != '0, (bank[1] & bank[2]) != '0})
  `ASSERT_IF(a_apart, valid_i, reads_i.apart == ({reads_i.clash_a, reads_i.clash_b} == '0))
  // c and x are never in one bank, nor do the two words of an address.
  `ASSERT_IF(a_pair, valid_i, (bank[2] & bank[3]) == '0)
  // A row ends after three reads of a bank at the most: a longer wait is for a write port.
  `ASSERT_IF(a_rows, valid_i && !complete, (got_q & early) == '0 && (early != '0 || !all))

endmodule
