// SPDX-License-Identifier: Apache-2.0
// Constant banks: bank and offset become an address; one cache for two clients, the constant operands of issue and LDC.
// Latency of a hit: four cycles; one word a cycle, the clients in turns.
// Handshake: requests valid/ready; answers are events, in any order, each with its request's tag.
// An operand outside its bank (or not a multiple of 4) is answered with _range; one with a line
// that memory answered with an error, with _err.
// Where there is an MMU a request says whether a fault of its page comes to the host's list: an operand's in the highest bit of
// its tag.
// It does not check LDC, whose addresses lsu_check has judged.
`include "heddle_idle.svh"

module const_cache (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            invalidate_i,
  input  logic [3:0][39:0]                cbank_base_i,
  input  logic [3:0][16:0]                cbank_bytes_i,
  // from issue
  input  logic                            if_cst_valid_i,
  output logic                            if_cst_ready_o,
  input  logic [4:0]                      if_cst_bank_i,
  input  logic [15:0]                     if_cst_off_i,
  input  logic [core_pkg::SM_CST_TAG_W-1:0] if_cst_tag_i,
  // to issue
  output logic                            cc_cst_valid_o,
  output logic [31:0]                     cc_cst_data_o,
  output logic                            cc_cst_range_o,
  output core_pkg::err_t                  cc_cst_err_o,
  output logic [core_pkg::SM_CST_TAG_W-1:0] cc_cst_tag_o,
  // from ldc
  input  logic                            ld_valid_i,
  output logic                            ld_ready_o,
  input  mem_pkg::const_ask_t             ld_i,
  // to ldc
  output logic                            cc_ld_valid_o,
  output mem_pkg::const_got_t             cc_ld_o,
  output logic                            idle_o,          // no request is here, nor a line to be asked for ahead
  // to and from line_join: refills, each with a number
  output logic                            rf_valid_o,
  input  logic                            rf_ready_i,
  output mem_pkg::refill_t                rf_o,
  input  mem_pkg::fill_t                  fill_i,
  input  logic [mem_pkg::REFILL_W-1:0]    beat_i,
  input  logic [mem_pkg::REFILL_BITS-1:0] data_i
);

  // A tag: of which client, and that of the client; of an operand with whether it lies outside.
  localparam int unsigned CST_W    = core_pkg::SM_CST_TAG_W + 1;
  localparam int unsigned TAG_W    = (mem_pkg::LDC_TAG_W > CST_W) ? mem_pkg::LDC_TAG_W : CST_W;
  localparam int unsigned TAG_BITS = TAG_W + 1;

  logic [1:0]             grant, bank;
  logic [15:0]            off;
  logic                   valid_q, ready, take, outside, skip_q, lists_q, idle, rs_valid;
  core_pkg::err_t         rs_err;
  logic [39:2]            addr_q;
  logic [TAG_BITS-1:0]    tag_q, rs_tag;
  logic [31:0]            rs_data;
  logic [mem_pkg::CC_NUMBER_W-1:0] number;      // of a refill
  logic [34:0]            sector;

  arb_rr #(.N(2)) u_arb (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   ({ld_valid_i, if_cst_valid_i}),
    .grant_o (grant),
    .take_i  (take)
  );

  assign idle_o         = idle && !valid_q;
  assign take           = !valid_q || ready;
  assign if_cst_ready_o = grant[0] && take;
  assign ld_ready_o     = grant[1] && take;
  assign bank           = grant[1] ? ld_i.bank : if_cst_bank_i[1:0];
  assign off            = grant[1] ? ld_i.off : if_cst_off_i;
  always_comb begin   // counts with a request
    outside = 1'b0;
    `HEDDLE_ONLY(if_cst_valid_i) begin
      outside = if_cst_bank_i[4:2] != '0 || if_cst_off_i[1:0] != '0
        || {1'b0, if_cst_off_i[15:2], 2'b11} >= cbank_bytes_i[if_cst_bank_i[1:0]];
    end
  end

  always_ff @(posedge clk_i) begin
    if (take && `HEDDLE_LIVE(grant != '0)) begin
      addr_q <= 38'((cbank_base_i[bank] + {24'd0, off}) >> 2);
      skip_q <= grant[0] && outside;
      lists_q <= grant[1] ? ld_i.lists : if_cst_tag_i[core_pkg::SM_CST_TAG_W-1];   // counts where there is an MMU
      tag_q  <= {grant[1], grant[1] ? TAG_W'(ld_i.tag) : TAG_W'({if_cst_tag_i, outside})};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   valid_q <= 1'b0;
    else if (take) valid_q <= grant != '0;
  end

  assign rf_o.number = line_pkg::TAG_W'(number);

  ro_cache #(
    .BYTES    (cfg_pkg::CCACHE_BYTES),
    .OUT_BITS (32),
    .TAG_BITS (TAG_BITS),
    .ORDERS   (0),
    .MISSES   (cfg_pkg::CCACHE_MISSES),
    .AHEAD    (0)
  ) u_cache (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .invalidate_i (invalidate_i),
    .ahead_last_i ('0),
    .pages_i      (1'b0),
    .rq_valid_i   (valid_q),
    .rq_ready_o   (ready),
    .rq_addr_i    (addr_q),
    .rq_skip_i    (skip_q),
    .rq_lists_i   (cfg_pkg::MMU != 0 && lists_q),
    .rq_tag_i     (tag_q),
    .rs_valid_o   (rs_valid),
    .rs_data_o    (rs_data),
    .rs_err_o     (rs_err),
    .rs_tag_o     (rs_tag),
    .rs_sector_o  (sector),
    .idle_o        (idle),
    .rf_valid_o    (rf_valid_o),
    .rf_ready_i    (rf_ready_i),
    .rf_half_o     (rf_o.half),
    .rf_number_o   (number),
    .rf_lists_o    (rf_o.lists),
    .beat_valid_i  (fill_i.beat_valid),
    .beat_number_i (mem_pkg::CC_NUMBER_W'(fill_i.beat_number)),
    .beat_i        (beat_i),
    .data_i        (data_i),
    .done_valid_i  (fill_i.done_valid),
    .done_number_i (mem_pkg::CC_NUMBER_W'(fill_i.done_number)),
    .err_i         (fill_i.err)
  );

  assign cc_cst_valid_o = rs_valid && !rs_tag[TAG_BITS-1];
  assign cc_cst_data_o  = rs_data;
  assign cc_cst_range_o = rs_tag[0];
  assign cc_cst_err_o   = rs_err;
  assign cc_cst_tag_o   = rs_tag[1 +: core_pkg::SM_CST_TAG_W];
  assign cc_ld_valid_o  = rs_valid && rs_tag[TAG_BITS-1];
  assign cc_ld_o        = '{data: rs_data, err: rs_err, tag: rs_tag[mem_pkg::LDC_TAG_W-1:0], sector: sector};

endmodule
