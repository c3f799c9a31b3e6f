// SPDX-License-Identifier: Apache-2.0
// Instruction cache: a ro_cache behind the code segment's base address, that answers with FETCH_WORDS instructions: those of
// the aligned group of as many words in which the wanted one lies.
// It requests as many lines ahead as may be on their way, up to the code's last. How many are needed: a warp uses a line of four
// words up in 4 x BEATS cycles at the fastest, and a line comes L cycles after it was wanted: memory's latency, 512/AXI_BITS
// beats, about 20 on the way there and back. For a share f of a warp's issue rate f x L / (4 x BEATS) lines must be on their way:
// of fpga, with L = 128 of a memory 100 cycles away, two for half of it; several warps in the same code share a line.
// Latency of a hit: two cycles from if_req to ic_rsp. Throughput: a group a cycle.
// Handshake: if_req valid/ready; ic_rsp events, those of one warp in the order of its requests. The lowest bits of the tag name
// the warp.
// Where there is an MMU the highest bit of the tag says that a fault of the word's page comes to the host's list.
// It does not check the PC against code_bytes: fetch does. Words of a group outside the code are what memory holds.
module icache (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            invalidate_i,
  input  logic [39:0]                     code_base_i,
  input  logic [31:0]                     code_bytes_i,
  input  logic                            pages_i,         // code_base_i is virtual
  // from fetch
  input  logic                            if_req_valid_i,
  output logic                            if_req_ready_o,
  input  logic [31:0]                     if_req_pc_i,
  input  logic [core_pkg::SM_FETCH_TAG_W-1:0] if_req_tag_i,
  // to fetch
  output logic                            ic_rsp_valid_o,
  output logic [cfg_pkg::FETCH_WORDS-1:0][127:0] ic_rsp_word_o,
  output core_pkg::err_t                  ic_rsp_err_o,
  output logic [core_pkg::SM_FETCH_TAG_W-1:0] ic_rsp_tag_o,
  output logic                            idle_o,          // no request is here, nor a line to be asked for ahead
  // to and from line_join: refills, each with a number
  output logic                            rf_valid_o,
  input  logic                            rf_ready_i,
  output mem_pkg::refill_t                rf_o,
  input  mem_pkg::fill_t                  fill_i,
  input  logic [mem_pkg::REFILL_W-1:0]    beat_i,
  input  logic [mem_pkg::REFILL_BITS-1:0] data_i
);

  localparam int unsigned OUT_BITS = 128 * cfg_pkg::FETCH_WORDS;
  localparam int unsigned LOW      = $clog2(OUT_BITS / 8);

  logic [mem_pkg::IC_NUMBER_W-1:0] number;      // of a refill
  logic                            unused_low;
  logic [39:0]                     addr;
  logic [15:0]                     last;        // of the code

  assign addr        = code_base_i + {8'd0, if_req_pc_i};
  assign last        = code_base_i[15:0] + code_bytes_i[15:0] - 16'd1;
  assign unused_low  = ^{addr[LOW-1:0], last[5:0], code_bytes_i[31:16]};
  assign rf_o.number = line_pkg::TAG_W'(number);

  ro_cache #(
    .BYTES    (cfg_pkg::ICACHE_BYTES),
    .OUT_BITS (OUT_BITS),
    .TAG_BITS (core_pkg::SM_FETCH_TAG_W),
    .ORDERS   (1 << (cfg_pkg::WARP_W + core_pkg::WHO_W)),
    .MISSES   (cfg_pkg::ICACHE_MISSES),
    .AHEAD    (cfg_pkg::ICACHE_MISSES)
  ) u_cache (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .invalidate_i (invalidate_i),
    .ahead_last_i (last[15:6]),
    .pages_i      (pages_i),
    .rq_valid_i   (if_req_valid_i),
    .rq_ready_o   (if_req_ready_o),
    .rq_addr_i    (addr[39:LOW]),
    .rq_skip_i    (1'b0),
    .rq_lists_i   (core_pkg::WANT_W != 0 && if_req_tag_i[core_pkg::SM_FETCH_TAG_W-1]),
    .rq_tag_i     (if_req_tag_i),
    .rs_valid_o   (ic_rsp_valid_o),
    .rs_data_o    (ic_rsp_word_o),
    .rs_err_o     (ic_rsp_err_o),
    .rs_tag_o     (ic_rsp_tag_o),
    .rs_sector_o  (),
    .idle_o        (idle_o),
    .rf_valid_o    (rf_valid_o),
    .rf_ready_i    (rf_ready_i),
    .rf_half_o     (rf_o.half),
    .rf_number_o   (number),
    .rf_lists_o    (rf_o.lists),
    .beat_valid_i  (fill_i.beat_valid),
    .beat_number_i (mem_pkg::IC_NUMBER_W'(fill_i.beat_number)),
    .beat_i        (beat_i),
    .data_i        (data_i),
    .done_valid_i  (fill_i.done_valid),
    .done_number_i (mem_pkg::IC_NUMBER_W'(fill_i.done_number)),
    .err_i         (fill_i.err)
  );

endmodule
