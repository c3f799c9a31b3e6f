// SPDX-License-Identifier: Apache-2.0
// Cuts a beat of shared-memory accesses into passes without bank conflicts. In a pass the lowest waiting lane of each bank
// leads, and all that want the same row of that bank go with it (broadcast, merged stores); of an atomic only leaders go.
// Accesses of 2 or 4 words take 2 or 4 neighbouring banks at once. It keeps, in step with the queue of the instructions,
// what it needs of each beat: which lanes execute, and how their addresses compare, each pair once, as they go into the queue. So it
// works a cycle ahead of that queue's reader. For an aligned access the address bits within it are 0, for any width.
// A pass of a compare-and-swap goes twice, first with what is compared, two cycles later with the new value.
// Latency: from the end of the check to the first pass two cycles; a pass a cycle, after one of an atomic an empty cycle, or two with a rank
// between (SHARED_RANKS; it is written back; compare-and-swap: three cycles a pass; floats: as long as the memory is busy), and behind
// what returns words as many as the return path takes for them (pass_wait_i).
// Handshake: passes are events; pop_o comes with the last of an instruction; hold_i stops them. Beats ascend, an empty one
// is a pass without lanes. It does not touch data.
`include "heddle_assert.svh"
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module shm_conflict #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS  = mem_pkg::BEATS,
  localparam int unsigned BEAT_W = mem_pkg::BEAT_W,
  localparam int unsigned SHM_W  = mem_pkg::SHM_W
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the check, as into the queue
  input  mem_pkg::judged_t            ck_i,
  input  isa_pkg::mem_e               ck_mem_i,
  input  logic [2:0]                  ck_size_i,
  input  logic                        ck_swap_i,       // a compare-and-swap
  input  logic                        ck_float_i,      // an atomic that adds floats
  input  logic                        ck_turned_i,     // LDSM of a transposed matrix
  input  logic [LANES-1:0]            ck_lanes_i,      // lanes of the row that execute here
  input  logic [LANES-1:0][SHM_W-1:0] ck_addr_i,
  // from the memory: it adds floats
  input  logic                        busy_i,
  // to and from the return path
  input  logic                        hold_i,
  input  logic                        hold_turned_i, // beats of transposed matrices
  output logic                        sent_o,         // event: the last pass of a beat goes, a cycle before ps_valid_o
  output logic [1:0]                  pass_words_o,   // words that the pass returns, minus one
  output logic                        pass_turned_o,  // it reads a transposed matrix
  input  logic [3:0]                  pass_wait_i,    // cycles behind such a pass in which the return path takes none
  output logic [BEAT_W-1:0]           gone_o,         // beats of the instruction in work with the last pass gone
  // to the queue, a cycle before ps_valid_o: the row of the pass
  output logic                        next_valid_o,   // event
  output logic [mem_pkg::QROW_W-1:0]  next_row_o,
  // to the router
  output logic                        ps_valid_o,     // event
  output logic                        ps_second_o,    // once more, with the new value of a compare-and-swap
  output logic                        ps_last_o,      // last pass of the beat
  output logic                        pop_o,          // and of the instruction
  output logic [BEAT_W-1:0]           ps_beat_o,
  output logic [LANES-1:0]            ps_grant_o,
  output logic [LANES-1:0]            ps_send_o       // those of them that are stored: another wins the others' bytes
);

  localparam int unsigned DEPTH   = mem_pkg::QUEUE_DEPTH;     // a power of two, as BEATS is
  localparam int unsigned PTR_W   = $clog2(DEPTH);
  localparam int unsigned ADDR_W  = mem_pkg::QROW_W;
  localparam int unsigned COUNT_W = $clog2(DEPTH + 1);
  localparam int unsigned ROW_W   = LANES + 6;

  logic [PTR_W-1:0]             wr_q, rd_q;
  logic [COUNT_W-1:0]           count_q;
  logic [BEAT_W-1:0]            beat_q;
  logic [LANES-1:0]             done_q;     // lanes of this beat that have gone
  logic [1:0]                   in_words, words;
  logic [3:0]                   wait_q, pause;
  logic [DEPTH-1:0]             dead_q;     // ended by the check
  logic                         valid, skip, atomic, swap, float, turned, second_q, half, last, final_beat;
  logic                         hold, issue, finish, leave;
  logic [ADDR_W-1:0]            in_row;
  logic [LANES-1:0]             active, pend, leader, grant, lose;
  // For lanes k < l the bits hi, lo: 00 other banks; 01 the same bank (group of banks), another row; 10 the same row; 11 the same
  // bytes. Bit k of row l; without a pair 0.
  logic [LANES-1:0][LANES-1:0]      hi, lo;
  logic [1:0][LANES-1:0][LANES-1:0] pairs;

  localparam logic [31:0] BANK = 32'(4 * mem_pkg::SHM_BANKS - 4);   // address bits that name the bank
  localparam logic [31:0] ROW  = ~(BANK | 32'd3);

  assign in_words  = (ck_size_i == isa_pkg::SIZE_128) ? 2'd3 : (ck_size_i == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;

  assign in_row    = ADDR_W'(32'(wr_q) * BEATS + 32'(ck_i.beat));

  // All pairs of a row, in kept loops: a simulator makes vector code of them, and there is none without a row; synthesis drops
  // what is never set.
  always_comb begin
    `HEDDLE_IDLE(pairs, 'x);
    if (`HEDDLE_LIVE(ck_i.valid)) begin
      automatic logic [31:0] addr [LANES], same_row [LANES], same_bank [LANES];
      for (int l = 0; l < int'(LANES); l++) addr[l] = 32'(ck_addr_i[l]);
      `LANE_LOOP (int l = 0; l < int'(LANES); l++) begin
        automatic logic [31:0] own = addr[l], row_hi = '0, row_lo = '0, below = (32'd1 << l) - 32'd1;
        `LANE_LOOP (int k = 0; k < int'(LANES); k++) begin
          automatic logic [31:0] differ = own ^ addr[k];
          automatic logic        group  = (differ & BANK) == '0;
          automatic logic        same   = group && (differ & ROW) == '0;
          row_hi = row_hi | (32'(same) << k);
          row_lo = row_lo | (32'(group && (!same || differ[1:0] == 2'd0)) << k);
        end
        same_row[l]  = row_hi & below;
        same_bank[l] = row_lo & below;
      end
      for (int l = 0; l < int'(LANES); l++) begin
        pairs[1][l] = LANES'(same_row[l]);
        pairs[0][l] = LANES'(same_bank[l]);
      end
    end
  end

  ram_live #(.WIDTH(2 * LANES * LANES), .DEPTH(DEPTH * BEATS)) u_pairs (
    .clk_i     (clk_i),
    .wr_en_i   (ck_i.valid),
    .wr_addr_i (in_row),
    .wr_data_i (pairs),
    .rd_live_i (valid),
    .rd_addr_i (next_row_o),
    .rd_data_o ({hi, lo})
  );

  ram_async #(
    .WIDTH (ROW_W),
    .DEPTH (DEPTH * BEATS)
  ) u_rows (
    .clk_i     (clk_i),
    .wr_en_i   (ck_i.valid),
    .wr_addr_i (in_row),
    .wr_data_i ({ck_turned_i, ck_swap_i, ck_float_i, mem_pkg::is_atom(ck_mem_i), mem_pkg::is_store(ck_mem_i) ? 2'd0 : in_words,
                 ck_lanes_i}),
    .rd_addr_i (next_row_o),
    .rd_data_o ({turned, swap, float, atomic, words, active})
  );

  // All that the check has ended gives its place back at once, as in the queue, where that takes a cycle too.
  assign valid = count_q != '0 && !dead_q[rd_q];
  assign skip  = count_q != '0 && dead_q[rd_q];

  // Lanes with the same bytes go together, so that the loser of them follows from the waits.
  always_comb begin
    pend   = '0;
    leader = '0;
    grant  = '0;
    lose   = '0;
    if (valid) begin
      pend = active & ~done_q;
      for (int unsigned l = 0; l < LANES; l++) leader[l] = pend[l] && (pend & (hi[l] | lo[l])) == '0;
      for (int unsigned l = 0; l < LANES; l++) begin
        grant[l] = leader[l] || (pend[l] && !atomic && (leader & hi[l]) != '0);
        lose |= hi[l] & lo[l] & {LANES{pend[l]}};
      end
    end
  end

  // Empty cycles behind a pass: until the memory has read and written, or the return path has taken the words.
  assign pause      = half ? 4'd1 : float ? 4'd3 : (atomic && !swap) ? 4'd1 + 4'(cfg_pkg::SHARED_RANKS) : pass_wait_i;
  assign last       = (pend & ~grant) == '0;
  assign final_beat = 32'(beat_q) == BEATS - 1;
  assign issue      = valid && wait_q == '0 && (second_q || (!hold && !busy_i));
  assign hold       = (turned && !beat_q[0]) ? hold_turned_i : hold_i;   // the second beat of a matrix has its places

  assign half       = swap && !second_q;
  assign sent_o     = issue && last && !second_q;
  assign finish     = issue && last && !half && final_beat;
  assign leave      = finish || skip;

  assign next_valid_o = issue;
  assign next_row_o   = ADDR_W'(32'(rd_q) * BEATS + 32'(beat_q));
  assign pass_words_o  = words;
  assign pass_turned_o = turned;
  assign gone_o       = beat_q;

  always_ff @(posedge clk_i) begin
    if (ck_i.ends) dead_q[wr_q] <= !ck_i.commit;
  end

  always_ff @(posedge clk_i) begin
    if (issue) begin
      ps_second_o <= second_q;
      ps_last_o  <= last;
      ps_beat_o  <= beat_q;
      ps_grant_o <= grant;
      ps_send_o  <= atomic ? grant : grant & ~lose;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q       <= '0;
      rd_q       <= '0;
      count_q    <= '0;
      beat_q     <= '0;
      done_q     <= '0;
      wait_q     <= '0;
      second_q   <= 1'b0;
      ps_valid_o <= 1'b0;
      pop_o      <= 1'b0;
    end else begin
      ps_valid_o <= issue;
      pop_o      <= finish;
      if (issue) begin
        wait_q   <= pause;
        second_q <= half;
        if (!half) begin
          done_q <= last ? '0 : done_q | grant;
          if (last) beat_q <= final_beat ? '0 : beat_q + 1'b1;
        end
      end else if (wait_q != '0) begin
        wait_q <= wait_q - 1'b1;
      end
      if (ck_i.ends) wr_q <= wr_q + 1'b1;
      if (leave)    rd_q <= rd_q + 1'b1;
      if (ck_i.ends && !leave)      count_q <= count_q + 1'b1;
      else if (leave && !ck_i.ends) count_q <= count_q - 1'b1;
    end
  end

  // The queue of the instructions has room, so this one has.
  `ASSERT(a_room, !ck_i.ends || count_q != COUNT_W'(DEPTH))

endmodule
