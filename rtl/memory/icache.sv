// SPDX-License-Identifier: Apache-2.0
// Instruction cache: a ro_cache behind the code segment's base address, that answers with FETCH_WORDS instructions: those of
// the aligned group of as many words in which the wanted one lies.
// Latency of a hit: two cycles from if_req to ic_rsp. Throughput: a group a cycle.
// Handshake: if_req valid/ready; ic_rsp events in the order of the requests.
// It does not check the PC against code_bytes: fetch does. Words of a group outside the code are whatever memory holds.
`default_nettype none

module icache (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            invalidate_i,
  input  logic [39:0]                     code_base_i,
  // from fetch
  input  logic                            if_req_valid_i,
  output logic                            if_req_ready_o,
  input  logic [31:0]                     if_req_pc_i,
  // to fetch
  output logic                            ic_rsp_valid_o,
  output logic [cfg_pkg::FETCH_WORDS-1:0][127:0] ic_rsp_word_o,
  output logic                            ic_rsp_err_o,
  // to and from the AXI master
  output logic                            rd_valid_o,
  input  logic                            rd_ready_i,
  output logic [mem_pkg::SECTOR_W-1:0]    rd_sector_o,
  input  logic                            ax_valid_i,
  input  logic [mem_pkg::AXI_BITS-1:0]    ax_data_i,
  input  logic                            ax_err_i,
  output logic                            idle_o
);

  localparam int unsigned OUT_BITS = 128 * cfg_pkg::FETCH_WORDS;
  localparam int unsigned LOW      = $clog2(OUT_BITS / 8);

  logic        unused_tag, unused_low;
  logic [39:0] addr;
  logic [mem_pkg::SECTOR_W-1:0] unused_sector;

  assign addr       = code_base_i + {8'd0, if_req_pc_i};
  assign unused_low = ^addr[LOW-1:0];

  ro_cache #(
    .BYTES    (cfg_pkg::ICACHE_BYTES),
    .OUT_BITS (OUT_BITS),
    .TAG_BITS (1)
  ) u_cache (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .invalidate_i (invalidate_i),
    .stale_i      (1'b0),
    .rq_valid_i   (if_req_valid_i),
    .rq_ready_o   (if_req_ready_o),
    .rq_addr_i    (addr[39:LOW]),
    .rq_skip_i    (1'b0),
    .rq_tag_i     (1'b0),
    .rs_valid_o   (ic_rsp_valid_o),
    .rs_data_o    (ic_rsp_word_o),
    .rs_err_o     (ic_rsp_err_o),
    .rs_tag_o     (unused_tag),
    .rs_sector_o  (unused_sector),
    .rd_valid_o   (rd_valid_o),
    .rd_ready_i   (rd_ready_i),
    .rd_sector_o  (rd_sector_o),
    .ax_valid_i   (ax_valid_i),
    .ax_data_i    (ax_data_i),
    .ax_err_i     (ax_err_i),
    .idle_o       (idle_o)
  );

endmodule

`default_nettype wire
