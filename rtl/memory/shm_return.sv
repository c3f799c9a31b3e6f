// SPDX-License-Identifier: Apache-2.0
// From the banks back to the lanes: passes of a beat are collected in a ring, whose oldest beat leaves row by row as results:
// whole words, with the bytes that are wanted of them beside. Which words a lane picks, and when, is one of two modules:
//   16 or 32 lanes: shm_return_words, all words of a pass in a cycle      4 or 8: shm_return_steps, a word of each lane a cycle
// The choice is area: a lane has four choices among the banks there, and one here. The ring's places are shm_ring, the
// instructions of its beats and the rows of the one in front shm_pending.
// Latency: bank data of cycle t is at res_ in cycle t+1, if it was its beat's last.
// Handshake: events in; results valid/ready out; hold_o stops new passes so that the ring can't overflow, pass_wait_o says for how
// many cycles behind a pass the banks stay with it.
// It does not order anything: beats leave as they came.
`include "heddle_assert.svh"

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
  localparam int unsigned PTR_W   = $clog2(UNITS);
  localparam int unsigned COUNT_W = $clog2(UNITS + 1);

  // The pass whose bank data is here.
  logic                         bk_valid_q, bk_last_q, bk_store_q, bk_matrix_q, bk_turned_q, bk_first_half_q, bk_final;
  logic [2:0]                   bk_size_q;
  logic [LANES-1:0]             bk_grant_q;
  logic [LANES-1:0][BANK_W-1:0] bk_bank_q;
  logic [LANES-1:0][1:0]        bk_sub_q;
  // The ring, and the row in front.
  logic [COUNT_W-1:0]           owed, sent_places, pop_places;
  logic [PTR_W-1:0]             wr, rd, wr_place, rd_place, push_places;
  logic [LANES-1:0]             wr_en;
  logic                         whole, pop, row_matrix, row_turned;
  logic [3:0]                   row_places;
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

  if (WORDS) begin : gen_words
    logic gives, unused;

    assign gives       = bk_valid_q && !bk_store_q;
    assign bk_final    = 1'b1;
    assign pass_wait_o = 4'd0;
    assign sent_places = COUNT_W'(1);
    assign push_places = PTR_W'(1);
    assign pop_places  = COUNT_W'(1);
    assign wr_place    = wr;
    assign rd_place    = rd;
    // A lane has words of a matrix whether or not it has read some.
    assign wr_en       = !gives ? '0 : bk_matrix_q ? '1 : bk_grant_q;
    assign unused      = ^{bk_turned_q, pass_words_i, pass_turned_i, row_places};

    shm_return_words #(.UNITS(UNITS)) u_words (
      .clk_i        (clk_i),
      .bk_gives_i   (gives),
      .bk_size_i    (bk_size_q),
      .bk_grant_i   (bk_grant_q),
      .bk_bank_i    (bk_bank_q),
      .bk_rdata_i   (bk_rdata_i),
      .wr_i         (wr),
      .rd_i         (rd),
      .row_valid_i  (res_valid_o),
      .row_matrix_i (row_matrix),
      .row_turned_i (row_turned),
      .row_step_i   (row_step),
      .res_data_o   (res_data_o)
    );
  end else begin : gen_steps
    logic unused;

    assign pass_wait_o = pass_turned_i ? (HALVES ? 4'd15 : 4'd7) : 4'(pass_words_i);
    assign sent_places = COUNT_W'(pass_words_i) + COUNT_W'(1);
    assign pop_places  = COUNT_W'(row_places);
    assign unused      = row_turned ^ row_matrix;   // have told on the way into the ring

    shm_return_steps #(.UNITS(UNITS)) u_steps (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .bk_valid_i  (bk_valid_q),
      .bk_store_i  (bk_store_q),
      .bk_size_i   (bk_size_q),
      .bk_matrix_i (bk_matrix_q),
      .bk_turned_i (bk_turned_q),
      .bk_second_i (!bk_first_half_q),
      .bk_grant_i  (bk_grant_q),
      .bk_bank_i   (bk_bank_q),
      .bk_rdata_i  (bk_rdata_i),
      .final_o     (bk_final),
      .places_o    (push_places),
      .wr_i        (wr),
      .wr_place_o  (wr_place),
      .wr_en_o     (wr_en),
      .rd_i        (rd),
      .row_valid_i (res_valid_o),
      .row_step_i  (row_step),
      .rd_place_o  (rd_place),
      .res_data_o  (res_data_o)
    );
  end

  // With the last pass of a beat, and of a matrix in two beats with the second one, what it takes of the ring is whole.
  shm_ring #(.UNITS(UNITS)) u_ring (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .sent_i        (sent_i),
    .sent_places_i (sent_places),
    .owed_o        (owed),
    .wr_o          (wr),
    .push_i        (bk_valid_q && bk_last_q && bk_final && !bk_first_half_q),
    .push_places_i (push_places),
    .rd_o          (rd),
    .whole_o       (whole),
    .pop_i         (pop),
    .pop_places_i  (pop_places)
  );

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

  shm_pending u_pending (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .ps_valid_i  (ps_valid_i),
    .ps_pop_i    (ps_pop_i),
    .ps_beat_i   (ps_beat_i),
    .ps_op_i     (ps_op_i),
    .live_i      (owed != '0),
    .whole_i     (whole),
    .pop_o       (pop),
    .places_o    (row_places),
    .step_o      (row_step),
    .matrix_o    (row_matrix),
    .turned_o    (row_turned),
    .res_valid_o (res_valid_o),
    .res_ready_i (res_ready_i),
    .res_o       (res_o),
    .res_pair_o  (res_pair_o),
    .res_size_o  (res_bytes_o.size)
  );

  // A pass comes when the words of the one before have been taken.
  `ASSERT(a_step, !rt_valid_i || !bk_valid_q || bk_final)

endmodule
