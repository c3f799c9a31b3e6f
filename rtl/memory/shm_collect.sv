// SPDX-License-Identifier: Apache-2.0
// From a shared memory of one word a cycle (shared_serial) back to the lanes: each word goes into the ring as it comes, at the
// place of its lane and its register; the ring's oldest beat leaves row by row as results: whole words, with the bytes that are
// wanted of them beside. The ring's places, the instructions of its beats and the row in front are shm_results'.
// Cheap, since a lane's memory is written with the one word that is there: no lane chooses among banks. LDSM: a row of a matrix
// is a row of results, word by word; of a transposed matrix each word is two halves in neighbouring rows. A matrix is two
// beats, which leave together.
// Latency: a word read in the step of cycle t is in the ring from t+2 on, and at res_ if it was its beat's last.
// Handshake: events in; results valid/ready out; hold_o stops new passes so that the ring can't overflow.
// It does not order anything: beats leave as they came.
module shm_collect #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES      // four
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from shm_walk: a beat of so many words (minus one) is on its way
  output logic                         hold_o,
  input  logic                         sent_i,
  input  logic [1:0]                   sent_words_i,
  // from shm_walk and the queue: a step, the instruction's last; the instruction, and the lane's address within a word
  input  logic                         ps_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */                    // a part of it each
  input  mem_pkg::step_t               ps_step_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic                         ps_pop_i,
  input  logic [LANES-1:0]             ps_grant_i,
  input  logic [mem_pkg::BEAT_W-1:0]   ps_beat_i,
  input  core_pkg::memop_t             ps_op_i,
  input  logic [1:0]                   ps_sub_i,
  // from the memory, one cycle after ps_valid_i
  input  logic [31:0]                  sm_rdata_i,
  // to the end of the unit
  output logic                         res_valid_o,
  input  logic                         res_ready_i,
  output mem_pkg::result_t             res_o,
  output logic                         res_pair_o,     // the instruction has a part in another pipe
  output logic [LANES-1:0][31:0]       res_data_o,
  output mem_pkg::bytes_t              res_bytes_o
);

  localparam int unsigned UNITS   = 16;                   // places of the ring: a beat takes one for each word, a store one
  localparam int unsigned PLACES  = 8;                    // that the rows of a matrix take
  localparam int unsigned PTR_W   = $clog2(UNITS);
  localparam int unsigned COUNT_W = $clog2(UNITS + 1);

  // The step here, and the word that is here: whether its beat is whole with it, where it goes, of a transposed matrix which half.
  logic                  matrix, turned, bk_last_q, bk_down_q, bk_up_q;
  logic [1:0]            lane, words, bk_sub_q;
  logic [LANES-1:0][1:0] en, bk_en_q;           // halves of lanes that are written
  logic [PTR_W-1:0]      bk_places_q;           // of its beat
  logic [2:0]            bk_place_q;
  logic [31:0]           word;
  // The ring, and the row in front.
  logic [COUNT_W-1:0]    owed;
  logic [PTR_W-1:0]      wr, rd, wr_place, rd_place;
  logic [2:0]            row_step;

  // ---- into the ring ----------------------------------------------------------------------------
  assign lane    = {ps_grant_i[3] | ps_grant_i[2], ps_grant_i[3] | ps_grant_i[1]};
  assign matrix  = core_pkg::is_matrix(ps_op_i.mem, ps_op_i.atom);
  assign turned  = matrix && ps_op_i.atom == core_pkg::MATRIX_TURNED;
  assign words   = mem_pkg::is_store(ps_op_i.mem) ? 2'd0
                   : (ps_op_i.size == isa_pkg::SIZE_128) ? 2'd3 : (ps_op_i.size == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;

  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) begin
      if (turned)      en[l] = {2{2'(l) == {ps_beat_i[0], lane[1]}}} & {lane[0], !lane[0]};
      else if (matrix) en[l] = {2{2'(l) == ps_step_i.number[1:0]}};
      else             en[l] = {2{ps_grant_i[l]}};
    end
  end

  always_ff @(posedge clk_i) begin
    bk_down_q   <= turned && ps_step_i.number[0];
    bk_up_q     <= turned && !ps_step_i.number[0];
    bk_place_q  <= (matrix && !turned) ? {ps_beat_i[0], lane} : ps_step_i.number;
    bk_places_q <= matrix ? PTR_W'(PLACES) : PTR_W'(words) + PTR_W'(1);
    bk_sub_q    <= ps_sub_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bk_last_q <= 1'b0;
      bk_en_q   <= '0;
    end else begin
      // The first beat of a matrix waits for the second one.
      bk_last_q <= ps_valid_i && ps_step_i.last && !(matrix && !ps_beat_i[0]);
      bk_en_q   <= (ps_valid_i && ps_step_i.gives) ? en : '0;
    end
  end

  assign word     = {bk_up_q ? sm_rdata_i[15:0] : sm_rdata_i[31:16], bk_down_q ? sm_rdata_i[31:16] : sm_rdata_i[15:0]};
  assign wr_place = wr + PTR_W'(bk_place_q);
  assign rd_place = rd + PTR_W'(row_step);

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    ram_live #(.WIDTH(32), .DEPTH(UNITS), .PARTS(2)) u_data (
      .clk_i     (clk_i),
      .wr_en_i   (bk_en_q[l]),
      .wr_addr_i (wr_place),
      .wr_data_i (word),
      .rd_live_i (res_valid_o),
      .rd_addr_i (rd_place),
      .rd_data_o (res_data_o[l])
    );
    // Which bytes of its word a lane wants lies beside it; what size it has is the instruction's.
    ram_live #(.WIDTH(2), .DEPTH(UNITS)) u_sub (
      .clk_i     (clk_i),
      .wr_en_i   (bk_en_q[l] != '0),
      .wr_addr_i (wr_place),
      .wr_data_i (bk_sub_q),
      .rd_live_i (res_valid_o),
      .rd_addr_i (rd_place),
      .rd_data_o (res_bytes_o.sub[l])
    );
  end

  // A pass begins where a matrix has room, whatever it is.
  assign hold_o = owed > COUNT_W'(UNITS - PLACES);

  shm_results u_results (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .ps_valid_i    (ps_valid_i),
    .ps_pop_i      (ps_pop_i),
    .ps_beat_i     (ps_beat_i),
    .ps_op_i       (ps_op_i),
    .sent_i        (sent_i),
    .sent_places_i (COUNT_W'(sent_words_i) + COUNT_W'(1)),
    .owed_o        (owed),
    .wr_o          (wr),
    .push_i        (bk_last_q),
    .push_places_i (bk_places_q),
    .rd_o          (rd),
    .step_o        (row_step),
    .matrix_o      (),
    .turned_o      (),
    .res_valid_o   (res_valid_o),
    .res_ready_i   (res_ready_i),
    .res_o         (res_o),
    .res_pair_o    (res_pair_o),
    .res_size_o    (res_bytes_o.size)
  );

endmodule
