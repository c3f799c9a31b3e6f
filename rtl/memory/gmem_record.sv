// SPDX-License-Identifier: Apache-2.0
// Shows a finished sector transaction on the retire port; also the place of two injected faults (a store performed twice,
// a record shown twice).
// Latency: one cycle. Handshake: event when end_valid_i and end_ready_i; again_o asks gmem to write the store once more.
// Loads show no write data, stores no read data. The stamp counts cycles since reset; there is one bank.
// It does not show transactions that ended with a bus error.
`default_nettype none

module gmem_record (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [7:0]           fault_i,
  // from gmem
  input  logic                 end_valid_i,
  input  logic                 end_ready_i,
  input  logic                 end_err_i,
  input  core_pkg::id_t        end_id_i,
  input  logic [1:0]           end_kind_i,
  input  logic [31:0]          end_lanes_i,
  input  logic [mem_pkg::KEY_W-1:0] end_sector_i,
  input  logic [31:0]          end_strb_i,
  input  logic [255:0]         end_wdata_i,
  input  logic [255:0]         end_rdata_i,
  // to gmem
  output logic                 again_o,
  // retire port
  output logic                 ret_global_valid_o,
  output retire_pkg::global_t  ret_global_o
);

  logic       fire, show, store, load, twice, twice_q;
  logic [3:0] stores_q;    // counters for the faults
  logic [5:0] shown_q;
  logic [63:0] stamp_q;    // cycles

  assign store   = end_kind_i == core_pkg::SECT_STORE;
  assign load    = end_kind_i == core_pkg::SECT_LOAD;
  assign again_o = fault_i == core_pkg::FAULT_STORE_TWICE && end_valid_i && store && stores_q == '1;
  assign fire    = end_valid_i && end_ready_i;
  assign show    = fire && !end_err_i;
  assign twice   = fault_i == core_pkg::FAULT_TAP_DOUBLE && show && shown_q == '1;

  always_ff @(posedge clk_i) begin
    if (show) begin
      ret_global_o        <= '0;
      ret_global_o.id     <= core_pkg::who(end_id_i, core_pkg::part_of(end_id_i.slot));
      ret_global_o.sector <= 64'(end_sector_i[mem_pkg::SECTOR_W-1:0]);
      ret_global_o.stamp  <= stamp_q;
      ret_global_o.lanes  <= end_lanes_i;
      ret_global_o.wstrb  <= load ? '0 : end_strb_i;
      ret_global_o.wdata  <= load ? '0 : end_wdata_i;
      ret_global_o.rdata  <= store ? '0 : end_rdata_i;
      ret_global_o.access <= 8'(end_kind_i) + (end_sector_i[mem_pkg::KEY_W-1] ? 8'd3 : 8'd0);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ret_global_valid_o <= 1'b0;
      twice_q            <= 1'b0;
      stores_q           <= '0;
      shown_q            <= '0;
      stamp_q            <= '0;
    end else begin
      ret_global_valid_o <= show || twice_q;
      twice_q            <= twice || (twice_q && show);
      stamp_q            <= stamp_q + 1'b1;
      if (fire && store) stores_q <= stores_q + 1'b1;
      if (show)          shown_q  <= shown_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
