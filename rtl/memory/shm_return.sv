// SPDX-License-Identifier: Apache-2.0
// From the banks back to the lanes: passes of a beat are collected in a ring; its oldest beat leaves row by row as results:
// whole words, with the bytes that are wanted of them beside. Which words a lane picks, and when, is a matter of area:
//   16 or 32 lanes: all words of a pass in one cycle, at a crossbar for each of a lane's four words; a beat takes one place of the
//     ring. LDSM is a load of 128 bits until the words of a beat leave the ring: then rows of results are picked from them.
//   4 or 8 lanes: a word of each lane a cycle, while the data of the pass stand at the banks: one choice a lane. Each word of a beat
//     has a place of its own, and LDSM writes rows of results: a lane takes its word from where another lane's address points.
// The ring's places, the instructions of its beats and the row in front are shm_results'.
// Latency: bank data of cycle t is at res_ in cycle t+1, if it was its beat's last. Few lanes: a load of n words takes n cycles, LDSM
// 4, of a transposed matrix 8 (4 lanes: 16).
// Handshake: events in; results valid/ready out; hold_o stops new passes so that the ring can't overflow, pass_wait_o says for how
// many cycles behind a pass the banks stay with it.
// It does not order anything: beats leave as they came.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module shm_return #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned BANKS  = mem_pkg::SHM_BANKS,
  localparam int unsigned BANK_W = mem_pkg::SHM_BANK_W
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from and to shm_conflict: the pass that goes next, and whether with it a beat is on its way
  input  logic                         sent_i,         // event
  input  logic [1:0]                   pass_words_i,   // that it returns, minus one
  input  logic                         pass_turned_i,  // it reads a transposed matrix
  output logic [3:0]                   pass_wait_o,
  output logic                         hold_o,
  output logic                         hold_turned_o,  // stops beats of transposed matrices
  // from shm_conflict and the queue: a pass, its instruction's last; and the instruction
  input  logic                         ps_valid_i,
  input  logic                         ps_pop_i,
  input  logic [mem_pkg::BEAT_W-1:0]   ps_beat_i,
  input  core_pkg::memop_t             ps_op_i,
  // from shm_route, and the memory: a pass that returns something, in the cycle before its bank data
  input  logic                         rt_valid_i,
  input  logic                         rt_last_i,
  input  isa_pkg::mem_e                rt_mem_i,
  input  logic [2:0]                   rt_size_i,
  input  logic                         rt_matrix_i,
  input  logic                         rt_turned_i,
  input  logic                         rt_odd_i,       // the lowest bit of its beat
  input  logic [LANES-1:0]             rt_grant_i,
  input  logic [LANES-1:0][BANK_W-1:0] rt_bank_i,
  input  logic [LANES-1:0][1:0]        rt_sub_i,
  // from the banks, one cycle after rt_valid_i
  input  logic [BANKS-1:0][31:0]       bk_rdata_i,
  // to the end of the unit
  output logic                         res_valid_o,
  input  logic                         res_ready_i,
  output mem_pkg::result_t             res_o,
  output logic                         res_pair_o,     // the instruction has a part in another pipe
  output logic [LANES-1:0][31:0]       res_data_o,
  output mem_pkg::bytes_t              res_bytes_o
);

  localparam bit          WORDS   = LANES >= 16;           // all words of a lane at once
  localparam bit          HALVES  = LANES == 4;            // LDSM: a matrix is two beats, which leave together
  // Places of the ring: a beat takes one with room for all its words, or one for each word; MOST at once.
  localparam int unsigned UNITS   = WORDS ? 8 : 16;
  localparam int unsigned MOST    = WORDS ? 1 : 4;
  localparam int unsigned TURNED  = HALVES ? 8 : MOST;     // that the first beat of a transposed matrix writes into
  localparam logic [3:0]  TURNED_LAST = HALVES ? 4'd15 : 4'd7;
  localparam int unsigned PTR_W   = $clog2(UNITS);
  localparam int unsigned COUNT_W = $clog2(UNITS + 1);

  // The pass of the bank data here.
  logic                         bk_valid_q, bk_last_q, bk_store_q, bk_matrix_q, bk_turned_q, bk_first_half_q, bk_final;
  logic                         gives, quad, wide;
  logic [3:0]                   step_q;
  logic [2:0]                   bk_size_q;
  logic [LANES-1:0]             bk_grant_q;
  logic [LANES-1:0][BANK_W-1:0] bk_bank_q;
  logic [LANES-1:0][1:0]        bk_sub_q;
  // The ring, and the row in front.
  logic [COUNT_W-1:0]           owed, sent_places;
  logic [PTR_W-1:0]             wr, rd, wr_place, rd_place, push_places;
  logic [LANES-1:0]             wr_en;
  logic                         row_matrix, row_turned;
  logic [HALVES ? 2 : 1:0]      row_step;

  always_ff @(posedge clk_i) begin
    if (rt_valid_i) begin
      bk_last_q       <= rt_last_i;
      bk_store_q      <= mem_pkg::is_store(rt_mem_i);
      bk_size_q       <= rt_size_i;
      bk_matrix_q     <= rt_matrix_i;
      bk_turned_q     <= rt_turned_i;
      bk_first_half_q <= HALVES && rt_matrix_i && !rt_odd_i;
      bk_grant_q      <= rt_grant_i;
      bk_bank_q       <= rt_bank_i;
      bk_sub_q        <= rt_sub_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) bk_valid_q <= 1'b0;
    else         bk_valid_q <= rt_valid_i || (bk_valid_q && !bk_final);
  end

  assign gives = bk_valid_q && !bk_store_q;
  assign quad  = bk_size_q == isa_pkg::SIZE_128;
  assign wide  = quad || bk_size_q == isa_pkg::SIZE_64;

  // Steps in which the words of a pass are taken.
  assign bk_final    = WORDS || bk_store_q || step_q == (!bk_matrix_q ? 4'({quad, wide}) : bk_turned_q ? TURNED_LAST : 4'd3);
  assign pass_wait_o = WORDS ? 4'd0 : pass_turned_i ? TURNED_LAST : 4'(pass_words_i);
  assign sent_places = WORDS ? COUNT_W'(1) : COUNT_W'(pass_words_i) + COUNT_W'(1);
  assign push_places = WORDS ? PTR_W'(1) : bk_matrix_q ? PTR_W'(HALVES ? 8 : 4) : PTR_W'(step_q) + PTR_W'(1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) step_q <= '0;
    else         step_q <= (bk_valid_q && !bk_final) ? step_q + 1'b1 : '0;
  end

  if (WORDS) begin : gen_words
    logic [31:0]                 from [BANKS];     // an index into an array costs a simulator less than one into a vector
    logic [LANES-1:0][3:0][31:0] word, read;       // into the ring, out of it

    assign wr_place = wr;
    assign rd_place = rd;
    // A lane has words of a matrix whether or not it has read some.
    assign wr_en    = !gives ? '0 : bk_matrix_q ? '1 : bk_grant_q;

    // Words of a lane lie in neighbouring banks, from a multiple of their number on.
    always_comb begin
      `HEDDLE_IDLE(word, 'x);
      for (int unsigned b = 0; b < BANKS; b++) from[b] = 'x;
      `HEDDLE_ONLY(gives) begin
        for (int unsigned b = 0; b < BANKS; b++) from[b] = bk_rdata_i[b];
        for (int unsigned l = 0; l < LANES; l++) word[l][0] = from[bk_bank_q[l]];
        if (`HEDDLE_LIVE(wide)) begin
          for (int unsigned l = 0; l < LANES; l++) word[l][1] = from[bk_bank_q[l] | BANK_W'(1)];
        end
        if (`HEDDLE_LIVE(quad)) begin
          for (int unsigned l = 0; l < LANES; l++) begin
            word[l][2] = from[(bk_bank_q[l] & ~BANK_W'(3)) | BANK_W'(2)];
            word[l][3] = from[bk_bank_q[l] | BANK_W'(3)];
          end
        end
      end
    end

    ram_live #(.WIDTH(LANES * 128), .DEPTH(UNITS), .PARTS(LANES)) u_data (
      .clk_i     (clk_i),
      .wr_en_i   (gives ? bk_grant_q : '0),
      .wr_addr_i (wr),
      .wr_data_i (word),
      .rd_live_i (res_valid_o),
      .rd_addr_i (rd),
      .rd_data_o (read)
    );

    // LDSM: each lane of the beat has read four words, a row of a matrix; a matrix is what eight neighbours have read. Lane L of the
    // warp has columns 2 (L mod 4) and one more of row L / 4: a word; of the transposed matrix they are rows, and the column is
    // L / 4: a half of each.
    logic [LANES-1:0][31:0] matrix;

    always_comb begin
      matrix = '0;
      if (res_valid_o && row_matrix) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          for (int unsigned m = 0; m < LANES / 8; m++) begin
            for (int unsigned b = 0; b < 32 / LANES; b++) begin
              if (32'(row_step) == m * (32 / LANES) + b) begin
                if (row_turned) begin
                  matrix[l] = {read[8*m+2*(l%4)+1][b*(LANES/8)+l/8][16*(l/4%2) +: 16],
                               read[8*m+2*(l%4)][b*(LANES/8)+l/8][16*(l/4%2) +: 16]};
                end else begin
                  matrix[l] = read[8*m+b*(LANES/4)+l/4][l%4];
                end
              end
            end
          end
        end
      end
    end

    always_comb begin
      `HEDDLE_IDLE(res_data_o, 'x);
      if (`HEDDLE_LIVE(res_valid_o)) begin
        for (int unsigned l = 0; l < LANES; l++) res_data_o[l] = row_matrix ? matrix[l] : read[l][row_step];
      end
    end
  end else begin : gen_steps
    logic [2:0] matrix_row;                        // LDSM: the row of results that this step writes to
    logic       unused;

    assign matrix_row = bk_turned_q ? step_q[3:1] : {HALVES && !bk_first_half_q, step_q[1:0]};
    assign wr_place   = wr + PTR_W'(bk_matrix_q ? 4'(matrix_row) : step_q);
    assign rd_place   = rd + PTR_W'(row_step);
    assign unused     = row_turned ^ row_matrix;   // they counted on the way into the ring

    // LDSM, a step: which lane's address this lane takes its word from, which word from there, and which halves of it are written:
    // those of rows that the pass has read; of a transposed matrix half a word, first the low one.
    for (genvar l = 0; l < LANES; l++) begin : gen_lane
      logic [$clog2(LANES)-1:0] from;
      logic [BANK_W-1:0]        bank;
      logic [31:0]              word, asked;
      logic [1:0]               from_word, half_en, en;
      logic                     upper;             // the upper half of it

      always_comb begin
        {from, from_word, upper, half_en, bank, asked, word} = 'x;
        en = '0;
        `HEDDLE_ONLY(gives) begin
          if (bk_turned_q) begin
            // Matrix rows 2l and 2l + 1, mod 8; the row of results and the lane say the column.
            from      = $clog2(LANES)'({2'(l), step_q[0]});
            from_word = HALVES ? step_q[3:2] : step_q[2:1];
            upper     = HALVES ? step_q[1] : 1'(l / 4);
            half_en   = (bk_grant_q[from] && (!HALVES || 1'(l / 2) != bk_first_half_q)) ? {step_q[0], !step_q[0]} : 2'b00;
          end else begin
            from      = HALVES ? $clog2(LANES)'(step_q) : $clog2(LANES)'({step_q[1:0], 1'(l / 4)});
            from_word = 2'(l);
            upper     = 1'b0;
            half_en   = {2{bk_grant_q[from]}};
          end
          bank  = bk_matrix_q ? bk_bank_q[from] | BANK_W'(from_word) : bk_bank_q[l] | BANK_W'(step_q[1:0]);
          asked = bk_rdata_i[bank];
          // For a transposed matrix half a word, for either half.
          word[15:0]  = (bk_matrix_q && bk_turned_q && upper) ? asked[31:16] : asked[15:0];
          word[31:16] = (bk_matrix_q && bk_turned_q && !upper) ? asked[15:0] : asked[31:16];
          en          = !gives ? '0 : bk_matrix_q ? half_en : {2{bk_grant_q[l]}};
        end
      end

      ram_live #(.WIDTH(32), .DEPTH(UNITS), .PARTS(2)) u_data (
        .clk_i     (clk_i),
        .wr_en_i   (en),
        .wr_addr_i (wr_place),
        .wr_data_i (word),
        .rd_live_i (res_valid_o),
        .rd_addr_i (rd_place),
        .rd_data_o (res_data_o[l])
      );
      assign wr_en[l] = en != '0;
    end

  end

  assign hold_o        = owed > COUNT_W'(UNITS - MOST);
  assign hold_turned_o = owed > COUNT_W'(UNITS - TURNED);

  // Which bytes of its word a lane wants lies beside the words; what size it has is the instruction's.
  ram_live #(.WIDTH(LANES * 2), .DEPTH(UNITS), .PARTS(LANES)) u_sub (
    .clk_i     (clk_i),
    .wr_en_i   (wr_en),
    .wr_addr_i (wr_place),
    .wr_data_i (bk_matrix_q ? '0 : bk_sub_q),
    .rd_live_i (res_valid_o),
    .rd_addr_i (rd_place),
    .rd_data_o (res_bytes_o.sub)
  );

  // With the last pass of a beat, and of a matrix in two beats with the second one, what it takes of the ring is whole.
  shm_results u_results (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .ps_valid_i    (ps_valid_i),
    .ps_pop_i      (ps_pop_i),
    .ps_beat_i     (ps_beat_i),
    .ps_op_i       (ps_op_i),
    .sent_i        (sent_i),
    .sent_places_i (sent_places),
    .owed_o        (owed),
    .wr_o          (wr),
    .push_i        (bk_valid_q && bk_last_q && bk_final && !bk_first_half_q),
    .push_places_i (push_places),
    .rd_o          (rd),
    .step_o        (row_step),
    .matrix_o      (row_matrix),
    .turned_o      (row_turned),
    .res_valid_o   (res_valid_o),
    .res_ready_i   (res_ready_i),
    .res_o         (res_o),
    .res_pair_o    (res_pair_o),
    .res_size_o    (res_bytes_o.size)
  );

  // A pass comes when the words of the one before have been taken.
  `ASSERT(a_step, !rt_valid_i || !bk_valid_q || bk_final)

endmodule
