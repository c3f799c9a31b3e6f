// SPDX-License-Identifier: Apache-2.0
// LDC: constant loads with an address for each lane. Lanes of a beat that want the same word are served together; wide loads
// ask word by word.
// Latency: six cycles from the queue's head to the first row when one word serves the beat and hits; a word a cycle, one beat
// at a time.
// Handshake: the queue's head is popped; requests to the constant cache and result rows valid/ready, answers events.
// It does not check addresses.
`default_nettype none

module ldc #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned TAG_W = mem_pkg::LDC_TAG_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the queue
  input  logic                          head_valid_i,
  input  core_pkg::memop_t              head_op_i,
  output logic [mem_pkg::BEAT_W-1:0]    rd_beat_o,
  input  logic [LANES-1:0][15:0]        rd_off_i,
  output logic                          pop_o,
  // to the constant cache
  output logic                          ld_valid_o,
  input  logic                          ld_ready_i,
  output logic [1:0]                    ld_bank_o,
  output logic [15:0]                   ld_off_o,
  output logic [TAG_W-1:0]              ld_tag_o,     // last of the beat, word, lanes
  // from the constant cache
  input  logic                          cc_ld_valid_i,
  input  logic [31:0]                   cc_ld_data_i,
  input  logic                          cc_ld_err_i,
  input  logic [TAG_W-1:0]              cc_ld_tag_i,
  input  logic [34:0]                   cc_ld_sector_i,
  // to the end of the unit
  output logic                          res_valid_o,
  input  logic                          res_ready_i,
  output mem_pkg::result_t              res_o,
  output logic [LANES-1:0][31:0]        res_data_o,
  output logic                          idle_o
);

  typedef enum logic [1:0] {IDLE, ASK, WAIT, OUT} state_e;

  state_e                       state_q;
  logic [mem_pkg::BEAT_W-1:0]   beat_q;
  core_pkg::memop_t             op_q;
  logic [4:0]                   op_beat_q;
  logic [LANES-1:0][15:0]       off_q;
  logic [LANES-1:0]             pend_q, lead, group, active, give;
  logic [LANES-1:0][13:0]       off_word;
  logic [13:0]                  lead_word;
  logic [1:0]                   word_q, give_word;
  logic                         load, final_word, last, rows_ready, err_q, give_last;
  logic [34:0]                  err_sector_q;
  logic [3:0][LANES-1:0][31:0]  data_q;
  mem_pkg::rows_t               rows;

  assign load      = state_q == IDLE && head_valid_i;
  assign rd_beat_o = beat_q;
  assign pop_o     = load && 32'(beat_q) == mem_pkg::BEATS - 1;
  assign active    = LANES'(head_op_i.exec >> (32'(beat_q) * LANES));

  assign lead = pend_q & (~pend_q + LANES'(1));

  onehot_mux #(.WIDTH(14), .N(LANES)) u_off (
    .sel_i  (lead),
    .data_i (off_word),
    .data_o (lead_word)
  );


  assign final_word = word_q == op_q.rd_n;
  assign last       = final_word && (pend_q & ~group) == '0;
  assign ld_valid_o = state_q == ASK;
  assign ld_bank_o  = op_q.cbank[1:0];
  assign ld_off_o   = {lead_word + 14'(word_q), 2'd0};
  assign ld_tag_o   = {last, word_q, group};

  assign {give_last, give_word, give} = cc_ld_tag_i;

  always_ff @(posedge clk_i) begin
    if (load) begin
      op_q      <= head_op_i;
      op_beat_q <= 5'(beat_q);
      off_q     <= rd_off_i;
      pend_q    <= active;
      word_q    <= '0;
      if (beat_q == '0) err_q <= 1'b0;
    end else if (ld_valid_o && ld_ready_i) begin
      word_q <= final_word ? '0 : word_q + 1'b1;
      if (final_word) pend_q <= pend_q & ~group;
    end
    if (cc_ld_valid_i && cc_ld_err_i) begin
      err_q        <= 1'b1;
      err_sector_q <= cc_ld_sector_i;
    end
  end

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    assign off_word[l] = off_q[l][15:2];
    assign group[l]    = pend_q[l] && off_word[l] == lead_word;
    for (genvar w = 0; w < 4; w++) begin : gen_word
      always_ff @(posedge clk_i) begin
        if (cc_ld_valid_i && give[l] && give_word == 2'(w)) begin
          data_q[w][l] <= (w == 0) ? mem_pkg::extend(op_q.size, off_q[l][1:0], cc_ld_data_i) : cc_ld_data_i;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      beat_q  <= '0;
    end else begin
      if (load) beat_q <= pop_o ? '0 : beat_q + 1'b1;
      case (state_q)
        IDLE:    if (load) state_q <= (active == '0) ? OUT : ASK;
        ASK:     if (ld_ready_i && last) state_q <= WAIT;
        WAIT:    if (cc_ld_valid_i && give_last) state_q <= OUT;
        default: if (rows_ready) state_q <= IDLE;
      endcase
    end
  end

  assign rows.op    = op_q;
  assign rows.beat  = op_beat_q;
  assign rows.rows  = !err_q;
  assign rows.last  = op_beat_q == 5'(mem_pkg::BEATS - 1);
  assign rows.trap  = err_q;
  assign rows.lanes = op_q.exec;
  assign rows.addr  = {24'd0, err_sector_q, 5'd0};
  assign idle_o     = state_q == IDLE;

  row_writer u_rows (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .in_valid_i   (state_q == OUT),
    .in_ready_o   (rows_ready),
    .in_rows_i    (rows),
    .in_data_i    (data_q),
    .out_valid_o  (res_valid_o),
    .out_ready_i  (res_ready_i),
    .out_result_o (res_o),
    .out_data_o   (res_data_o)
  );

endmodule

`default_nettype wire
