// SPDX-License-Identifier: Apache-2.0
// A row from its last reads to the operand bus: its words as they come out of the memories, and what the row takes along. An early word
// goes to its place of the bus at once, and stays there until the rest of its row comes: a bus without a row means nothing.
// The bus ends in a port for each pipe: that of the bit in row.dest.pipe takes the row, divergence that of a register branch,
// a queue (row.into) that of a unit. Rows of PIPES make their passes on the bus (collector).
// Latency: two cycles from a row's last reads to the bus.
// Handshake: none: what is named takes the row.
// It does not choose the beat, and applies no negation or absolute value.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module dispatch #(
  parameter  logic [cfg_pkg::PIPES-1:0] PIPES = '0,   // their rows make passes on the bus
  localparam int unsigned LANES  = cfg_pkg::LANES,
  localparam int unsigned BANKS  = cfg_pkg::BANKS,
  localparam int unsigned WORDS  = back_pkg::WORDS
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // the row that is read, which words the reuse cache keeps of it
  input  logic                                valid_i,
  input  back_pkg::beat_t                     beat_i,
  input  logic [2:0]                          fill_i,
  // from the reader: early words are read; the last ones, beside those that were read early; of each word that is read its bank
  input  logic [1:0]                          early_i,
  input  logic                                complete_i,
  input  logic [1:0]                          got_i,
  input  logic [WORDS-1:0][BANKS-1:0]         read_i,
  // a cycle later, from the memories: words of banks and of the reuse cache, zero where they were not read; all others
  input  logic [BANKS-1:0][LANES-1:0][31:0]   bank_data_i,
  input  logic [2:0][LANES-1:0][31:0]         reuse_data_i,
  input  logic [WORDS-1:0][LANES-1:0][31:0]   side_data_i,
  // ... to side_values: words of this row arrive, the last ones
  output logic                                ds_live_o,
  output logic                                ds_final_o,
  output back_pkg::beat_t                     ds_beat_o,
  // to the reuse cache: words a, b, c on their way to the bus (back_pkg::FILL_LATE: on it)
  output back_pkg::kept_t                     ds_kept_o,
  // to the queues of rows and of units: words on their way to the bus
  output bus_pkg::coming_t                    ds_coming_o,
  // to the pipes, the queues of units and writeback
  output bus_pkg::line_t                      op_bus_o
);

  // ---- what is on its way -----------------------------------------------------------------------------------
  logic                         final_q;    // the last words of a row arrive
  logic [1:0][BANKS-1:0]        early_q;    // words a, b arrive, each from its bank
  back_pkg::beat_t              beat_q;
  logic [kind_pkg::QUEUES-1:0]  into_q;     // of words that arrive, early ones too
  logic                         fma_q;
  logic [WORDS-1:0][BANKS-1:0]  bank_q;     // of each word, one-hot or none
  logic [1:0]                   got_q;
  logic [2:0]                   fill_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      final_q <= 1'b0;
      early_q <= '0;
    end else begin
      final_q <= complete_i;
      early_q <= {early_i[1] ? read_i[1] : '0, early_i[0] ? read_i[0] : '0};
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      into_q <= beat_i.row.into;
      fma_q  <= beat_i.row.dest.pipe[cfg_pkg::PIPE_FMA] || beat_i.row.dest.pipe == '0;
    end
    if (complete_i) begin
      beat_q <= beat_i;
      bank_q <= read_i;
      got_q  <= got_i;
      fill_q <= fill_i;
    end
  end

  // ---- its words --------------------------------------------------------------------------------------------
  logic [WORDS-1:0][BANKS-1:0] from;         // a bank, of a row or of early words
  logic                        take_a, take_b, live;

  assign from       = {bank_q[3:2], final_q ? bank_q[1:0] : early_q};
  assign take_a     = final_q ? !got_q[0] : early_q[0] != '0;
  assign take_b     = final_q ? !got_q[1] : early_q[1] != '0;
  assign live       = final_q || early_q != '0;   // a word arrives: else nothing is read
  assign ds_live_o  = live;
  assign ds_final_o = final_q;
  assign ds_beat_o  = beat_q;

  logic [WORDS-1:0][LANES-1:0][31:0] other, word;   // from elsewhere than a bank; all

  always_comb begin
    for (int unsigned w = 0; w < WORDS; w++) `HEDDLE_IDLE(other[w], 'x);
    if (`HEDDLE_LIVE(live)) begin
      other = side_data_i;
      for (int unsigned w = 0; w < 3; w++) other[w] |= reuse_data_i[w];
    end
  end

  // A bank that was not read shows zero. With more banks than other words, and no other reader, there is one of these for a word
  // that comes from none, so that a word's bank is chosen by number.
  if (BANKS >= WORDS && core_pkg::READERS == 1) begin : gen_number
    localparam int unsigned BANK_W = cfg_pkg::BANK_W;
    logic [BANK_W-1:0]             idle;
    logic [WORDS-1:0][BANK_W-1:0]  bank;
    always_comb begin
      idle = '0;
      for (int unsigned k = BANKS; k > 0; k--) begin
        if (!(from[0][k-1] || from[1][k-1] || from[2][k-1] || from[3][k-1])) idle = BANK_W'(k - 1);
      end
      for (int unsigned w = 0; w < WORDS; w++) begin
        bank[w] = (from[w] == '0) ? idle : '0;
        for (int unsigned k = 0; k < BANKS; k++) begin
          if (from[w][k]) bank[w] |= BANK_W'(k);
        end
      end
    end
    for (genvar w = 0; w < WORDS; w++) begin : gen_word
      choice #(.WIDTH(LANES * 32), .N(BANKS)) u_word (
        .live_i (live),
        .sel_i  (bank[w]),
        .data_i (bank_data_i),
        .also_i (other[w]),
        .data_o (word[w])
      );
    end
  end else begin : gen_gather
    always_comb begin
      for (int unsigned w = 0; w < WORDS; w++) `HEDDLE_IDLE(word[w], 'x);
      if (`HEDDLE_LIVE(live)) begin
        for (int unsigned w = 0; w < WORDS; w++) begin
          word[w] = other[w];
          for (int unsigned k = 0; k < BANKS; k++) begin
            if (from[w][k]) word[w] |= bank_data_i[k];
          end
        end
      end
    end
  end

  // ---- to the bus and the queues, which keep an early word as the bus does -------------------------------------
  always_comb begin
    ds_coming_o.take  = {final_q, final_q, take_b, take_a};
    ds_coming_o.words = word;
    ds_coming_o.last  = final_q;
    ds_coming_o.into  = into_q;
    ds_coming_o.fma   = fma_q;
    ds_coming_o.row   = beat_q.row;
  end

  collector #(.PIPES(PIPES)) u_bus (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .ds_coming_i (ds_coming_o),
    .ds_here_i   (1'b1),
    .op_valid_o  (),
    .op_ready_i  (1'b1),
    .keep_i      (1'b0),
    .op_row_o    (),
    .op_line_o   (op_bus_o)
  );

  // What the reuse cache keeps: from the bus, where the next instruction's same beat is read late enough for that, else as it comes.
  if (back_pkg::FILL_LATE) begin : gen_late
    logic [2:0] late_q;
    always_ff @(posedge clk_i) if (final_q) late_q <= fill_q;
    assign ds_kept_o = '{valid: op_bus_o.row.valid, slot: core_pkg::local_slot(op_bus_o.row.dest.id.slot),
                         beat: op_bus_o.row.dest.beat[cfg_pkg::BEAT_W-1:0], fill: late_q,
                         word: {op_bus_o.words.c, op_bus_o.words.b, op_bus_o.words.a}};
  end else begin : gen_now
    assign ds_kept_o = '{valid: final_q && beat_q.row.valid, slot: core_pkg::local_slot(beat_q.row.dest.id.slot),
                         beat: beat_q.row.dest.beat[cfg_pkg::BEAT_W-1:0], fill: fill_q,
                         word: {word[back_pkg::WORD_C], got_q[1] ? op_bus_o.words.b : word[back_pkg::WORD_B],
                                got_q[0] ? op_bus_o.words.a : word[back_pkg::WORD_A]}};
  end

  `ASSERT_IF(a_into, final_q, into_q == beat_q.row.into)

endmodule
