// SPDX-License-Identifier: Apache-2.0
// The operand bus: puts the words of a row together as they come out of the memories, with immediates, constants, RZ and special
// registers, and registers them with where results go. An early word goes to its place of the bus at once and stays there until
// the rest of its row comes: nobody looks at a bus without a row. The bus ends in a port for each
// pipe: the one whose bit is set in op_row_o.dest.pipe takes the row, a register branch goes to divergence, what has no fixed pipe to
// their queue. A row for a pipe (or of a branch) with fewer lanes than the machine stands there for as many cycles as the pipe
// makes passes: in each of them after the first the lanes of the next pass come down to the lowest ones.
// Latency: one cycle from the words' arrival to the bus.
// No handshake: whoever is named takes the row.
// It does not choose the beat, and applies no negation or absolute value.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module dispatch #(
  localparam int unsigned LANES  = cfg_pkg::LANES,
  localparam int unsigned BANKS  = cfg_pkg::BANKS,
  localparam int unsigned WORDS  = back_pkg::WORDS,
  localparam int unsigned QUEUES = kind_pkg::QUEUES
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // one cycle after the reads: early words, or the last ones of a row, arrive
  input  bus_pkg::coming_t                    coming_i,
  // from the memories
  input  logic [BANKS-1:0][LANES-1:0][31:0]   bank_data_i,
  input  logic [2:0][LANES-1:0][31:0]         reuse_data_i,
  input  logic [LANES-1:0][10:0]              tid_data_i,
  input  logic [6:0][LANES-1:0]               preds_i,       // of the row's lanes, P0 first; zero if it has none (not P2R)
  // to the reuse cache: words a, b, c on their way to the bus (back_pkg::FILL_LATE: on it)
  output back_pkg::kept_t                     ds_kept_o,
  // to the queues of rows and of units: words x, c, b, a on their way to the bus, zeros among them; which of them arrive now
  output logic [WORDS-1:0][LANES-1:0][31:0]   ds_row_o,
  output logic [WORDS-1:0]                    ds_take_o,
  // to the pipes, the queues of units and writeback
  output bus_pkg::line_t                      op_bus_o,
  // to issue: with an instruction's last row on the bus all its operands have been read
  output logic                                op_disp_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]          op_disp_slot_o,
  output logic [2:0]                          op_disp_rbar_o
);

  logic            final_read;   // the last words of a row arrive
  back_pkg::beat_t row;
  assign final_read = coming_i.last_read;
  assign row        = coming_i.beat;

  // ---- what is not read -------------------------------------------------------------------------------------
  logic [LANES-1:0][31:0] lane_data;
  logic [31:0]            sval_a, sval_b, sval_c, sval_x;

  lane_values u_lane_values (
    .en_i   (final_read && row.lane_b),
    .beat_i (row.dest.beat[cfg_pkg::BEAT_W-1:0]),
    .kind_i (row.lane),
    .data_o (lane_data)
  );

  // Of an early word nothing but its bank counts. While a row makes passes words c and x are its own.
  logic shown;
  assign shown  = back_pkg::PASSES == 1 || final_read;
  assign sval_a = (cfg_pkg::HAS_UNI && final_read && row.sval_a) ? row.sval : '0;
  assign sval_b = !(final_read && row.sval_b) ? '0 : (row.into != '0) ? row.sval_hi : row.sval;
  assign sval_c = (shown && row.sval_c) ? row.sval : '0;
  assign sval_x = (shown && row.sval_x) ? row.sval_hi : '0;

  // ---- the bus ------------------------------------------------------------------------------------------------
  back_pkg::dest_t            dest_q;
  logic                       valid_q;
  logic [QUEUES-1:0]          into_q;
  logic [exec_pkg::CTL_W-1:0] ctl_q;
  logic [2:0]                 rbar_q;
  logic [core_pkg::SLOTS-1:0] used_q;
  logic [LANES-1:0][31:0]     a_q, b_q, c_q, x_q, a_d, b_d, c_d, x_d;
  logic [LANES-1:0]           ps0_q, ps1_q, ps2_q;
  logic                       side_tid, take_a, take_b;
  logic [1:0][BANKS-1:0]      near;      // the bank of word a, b, of a row or early

  assign side_tid = final_read && coming_i.from_tid;
  assign near     = final_read ? coming_i.from_bank[1:0] : coming_i.early;
  assign take_a   = final_read ? !coming_i.from_early[0] : coming_i.early[0] != '0;
  assign take_b   = final_read ? !coming_i.from_early[1] : coming_i.early[1] != '0;

  // Of a row that makes passes: which pass of which pipe stands in the lowest lanes next, and for each word of the bus which lane
  // comes down to which one. (Predicates go with word a of alu.)
  logic [cfg_pkg::PIPES-1:0][back_pkg::PASSES-1:0]  next_q;
  logic [WORDS-1:0][LANES-1:0][LANES-1:0]           down;
  logic [LANES-1:0][LANES-1:0]                      down_ps;

  if (back_pkg::PASSES > 1) begin : gen_passes
    logic branch;   // its lanes come down as those of a multiply-add
    assign branch = row.dest.pipe == '0 && row.into == '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        next_q <= '0;
      end else begin
        for (int unsigned p = 0; p < cfg_pkg::PIPES; p++) begin
          if (cfg_pkg::PIPE_PASSES[p] > 1) begin
            next_q[p][1] <= final_read && (row.dest.pipe[p] || (p == cfg_pkg::PIPE_FMA && branch));
          end
          for (int unsigned k = 2; k < cfg_pkg::PIPE_PASSES[p]; k++) next_q[p][k] <= next_q[p][k-1];
        end
      end
    end

    always_comb begin
      down    = '0;
      down_ps = '0;
      for (int unsigned p = 0; p < cfg_pkg::PIPES; p++) begin
        for (int unsigned f = LANES / cfg_pkg::PIPE_PASSES[p]; f < LANES; f++) begin
          automatic int unsigned l    = f % (LANES / cfg_pkg::PIPE_PASSES[p]);
          automatic logic        here = next_q[p][f / (LANES / cfg_pkg::PIPE_PASSES[p])];
          down[back_pkg::WORD_A][l][f] |= here;
          down[back_pkg::WORD_B][l][f] |= here;
          if (p != cfg_pkg::PIPE_CVT) down[back_pkg::WORD_C][l][f] |= here;
          if (p == cfg_pkg::PIPE_FMA) down[back_pkg::WORD_X][l][f] |= here;
          if (p == cfg_pkg::PIPE_ALU) down_ps[l][f] |= here;
        end
      end
    end
  end else begin : gen_whole
    assign next_q  = '0;
    assign down    = '0;
    assign down_ps = '0;
  end

  // What comes from elsewhere than a bank. Words that come from nowhere are zero: RZ, and what the instruction does not have.
  // The reuse cache's words are zero where they were not read.
  logic [LANES-1:0][31:0] other [WORDS], word [WORDS];
  logic                   live;     // a word arrives, or moves on to another pass: else nobody looks

  assign live = final_read || coming_i.early != '0 || next_q != '0;

  always_comb begin
    for (int unsigned w = 0; w < WORDS; w++) `HEDDLE_IDLE(other[w], 'x);
    if (`HEDDLE_LIVE(live)) begin
      other[0] = reuse_data_i[0] | {LANES{sval_a}};
      other[1] = reuse_data_i[1] | ({LANES{sval_b}} | lane_data);   // what lanes have in common first
      other[2] = reuse_data_i[2] | {LANES{sval_c}};
      other[3] = {LANES{sval_x}};
      if (side_tid) begin
        for (int unsigned l = 0; l < LANES; l++) other[1][l][10:0] |= tid_data_i[l];
      end
      if (`HEDDLE_LIVE(final_read && row.preds_c)) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          for (int unsigned p = 0; p < 7; p++) other[2][l][p] |= preds_i[p][l];
        end
      end
      // Lanes that come down: nothing arrives then, and every word is zero.
      if (back_pkg::PASSES > 1 && `HEDDLE_LIVE(next_q != '0)) begin
        for (int unsigned l = 0; l < LANES / 2; l++) begin
          for (int unsigned f = l + 1; f < LANES; f++) begin
            other[0][l] |= {32{down[back_pkg::WORD_A][l][f]}} & a_q[f];
            other[1][l] |= {32{down[back_pkg::WORD_B][l][f]}} & b_q[f];
            other[2][l] |= {32{down[back_pkg::WORD_C][l][f]}} & c_q[f];
            other[3][l] |= {32{down[back_pkg::WORD_X][l][f]}} & x_q[f];
          end
        end
      end
    end
  end

  // A bank that was not read shows zero. With more banks than other words, and no other reader, there is one of these for a word
  // that comes from none, so that a word's bank is chosen by number.
  logic [WORDS-1:0][BANKS-1:0] from;
  assign from = {coming_i.from_bank[3:2], near};

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

  always_comb begin
    a_d = word[back_pkg::WORD_A];
    b_d = word[back_pkg::WORD_B];
    c_d = word[back_pkg::WORD_C];
    x_d = word[back_pkg::WORD_X];
  end

  // The queues' memories keep an early word as the bus does.
  assign ds_take_o = {final_read, final_read, take_b, take_a};
  assign ds_row_o  = {x_d, c_d, b_d, a_d};

  // What the reuse cache keeps: from the bus, where the next instruction's same beat is read late enough for that, else as it comes.
  if (back_pkg::FILL_LATE) begin : gen_late
    logic [2:0] fill_q;
    always_ff @(posedge clk_i) if (final_read) fill_q <= coming_i.fill;
    assign ds_kept_o = '{valid: valid_q, slot: core_pkg::local_slot(dest_q.id.slot), beat: dest_q.beat[cfg_pkg::BEAT_W-1:0],
                         fill: fill_q, word: {c_q, b_q, a_q}};
  end else begin : gen_now
    assign ds_kept_o = '{valid: final_read && row.into == '0, slot: core_pkg::local_slot(row.dest.id.slot),
                         beat: row.dest.beat[cfg_pkg::BEAT_W-1:0], fill: coming_i.fill,
                         word: {c_d, coming_i.from_early[1] ? b_q : b_d, coming_i.from_early[0] ? a_q : a_d}};
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < LANES; l++) if (take_a || down[back_pkg::WORD_A][l] != '0)  a_q[l] <= a_d[l];
    for (int unsigned l = 0; l < LANES; l++) if (take_b || down[back_pkg::WORD_B][l] != '0)  b_q[l] <= b_d[l];
    for (int unsigned l = 0; l < LANES; l++) if (final_read || down[back_pkg::WORD_C][l] != '0) c_q[l] <= c_d[l];
    for (int unsigned l = 0; l < LANES; l++) if (final_read || down[back_pkg::WORD_X][l] != '0) x_q[l] <= x_d[l];
    if (final_read) begin
      ctl_q  <= row.ctl;
      rbar_q <= row.rbar;
      used_q <= row.used;
      dest_q <= row.dest;
      ps0_q  <= row.ps0;
      ps1_q  <= row.ps1;
      ps2_q  <= row.ps2;
    end
    for (int unsigned l = 0; l < LANES / 2; l++) begin
      if (down_ps[l] != '0) begin
        ps0_q[l] <= (ps0_q & down_ps[l]) != '0;
        ps1_q[l] <= (ps1_q & down_ps[l]) != '0;
        ps2_q[l] <= (ps2_q & down_ps[l]) != '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      into_q  <= '0;
    end else begin
      valid_q <= final_read && row.into == '0;
      into_q  <= final_read ? row.into : '0;
    end
  end

  assign op_bus_o.row = '{
    valid: valid_q,
    into:  into_q,
    dest:  dest_q,
    used:  used_q,
    ctl:   ctl_q,
    ps0:   ps0_q,
    ps1:   ps1_q,
    ps2:   ps2_q
  };
  assign op_disp_valid_o = (valid_q || into_q != '0) && dest_q.last;
  assign op_disp_slot_o  = core_pkg::local_slot(dest_q.id.slot);
  assign op_disp_rbar_o  = rbar_q;
  assign op_bus_o.words.a = a_q;
  assign op_bus_o.words.b = b_q;
  assign op_bus_o.words.c = c_q;
  assign op_bus_o.words.x = x_q;

  `ASSERT_IF(a_into, final_read, coming_i.into == row.into)
  `ASSERT_IF(a_passes, next_q != '0, !final_read && coming_i.early == '0)

  // Which thread id was chosen where it is read.
  logic unused;
  assign unused = ^{row.tid_b, row.tid_y, row.tid_z, row.sval_a, coming_i.line};

endmodule
