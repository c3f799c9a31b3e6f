// SPDX-License-Identifier: Apache-2.0
// Memory side of the request channel (rtl/line_pkg.sv): one point of order behind an AXI4 master. A request waits until its line is
// free, is read or written in one burst, performed, recorded and answered.
// Latency: 2 cycles from lq_ to AR, 3 to AW; 1 from R to ld_. The end on la_ comes 3 cycles and one a sector after a load's last beat,
// 2 and one a sector after a store's B. A request and a beat a cycle.
// Handshake: the channel's rules; AXI4.
// It does not cache or merge requests.
module order #(
  parameter  int unsigned BANK = 0,       // bank number in records
  localparam int unsigned ID_W = order_pkg::ID_W,
  localparam int unsigned BITS = order_pkg::BITS
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // the channel
  input  logic                    lw_valid_i,
  input  line_pkg::write_t        lw_i,
  input  logic                    lq_valid_i,
  input  line_pkg::request_t      lq_i,
  output logic                    lc_valid_o,
  output logic                    lc_atom_o,
  output logic                    ld_valid_o,
  output line_pkg::bank_read_t    ld_o,
  output logic                    la_valid_o,
  input  logic                    la_ready_i,
  output line_pkg::bank_answer_t  la_o,
  // to and from the adder of floats, where there is one
  output atom_pkg::add_req_t      add_req_o,
  input  logic                    add_done_i,
  input  logic [63:0]             add_sum_i,
  // retire port
  output logic                    ret_global_valid_o,
  output retire_pkg::global_t     ret_global_o,
  output logic [retire_pkg::LINE-1:0]                 ret_fill_valid_o,
  output retire_pkg::fill_t [retire_pkg::LINE-1:0]    ret_fill_o,
  // AXI4
  output logic                    m_axi_awvalid_o,
  input  logic                    m_axi_awready_i,
  output logic [ID_W-1:0]         m_axi_awid_o,
  output logic [39:0]             m_axi_awaddr_o,
  output logic [7:0]              m_axi_awlen_o,
  output logic [2:0]              m_axi_awsize_o,
  output logic [1:0]              m_axi_awburst_o,
  output logic                    m_axi_wvalid_o,
  input  logic                    m_axi_wready_i,
  output logic [BITS-1:0]         m_axi_wdata_o,
  output logic [BITS/8-1:0]       m_axi_wstrb_o,
  output logic                    m_axi_wlast_o,
  input  logic                    m_axi_bvalid_i,
  output logic                    m_axi_bready_o,
  input  logic [ID_W-1:0]         m_axi_bid_i,
  input  logic [1:0]              m_axi_bresp_i,
  output logic                    m_axi_arvalid_o,
  input  logic                    m_axi_arready_i,
  output logic [ID_W-1:0]         m_axi_arid_o,
  output logic [39:0]             m_axi_araddr_o,
  output logic [7:0]              m_axi_arlen_o,
  output logic [2:0]              m_axi_arsize_o,
  output logic [1:0]              m_axi_arburst_o,
  input  logic                    m_axi_rvalid_i,
  output logic                    m_axi_rready_o,
  input  logic [ID_W-1:0]         m_axi_rid_i,
  input  logic [BITS-1:0]         m_axi_rdata_i,
  input  logic [1:0]              m_axi_rresp_i,
  input  logic                    m_axi_rlast_i
);

  // Requests with their places, those that go on, and their ends.
  order_pkg::asked_t             asked;
  order_pkg::going_t             going;
  order_pkg::leave_t             leave;
  order_pkg::shown_t             shown;
  // Data read, data to be written.
  logic                          going_behind, next_valid;
  logic [order_pkg::ENTRY_W-1:0] next_entry;
  logic                          read_valid, start_valid, start_ready, ended_valid, ended_ready;
  logic                          store_valid, store_ready, back_valid, written_valid, written_ready;
  order_pkg::found_t             found;
  logic [order_pkg::SLOT_W-1:0]  start_slot;
  order_pkg::ended_t             ended, written;
  order_pkg::towrite_t           back;
  order_pkg::row_t               row;
  order_pkg::bytes_t             store_bytes, atom_bytes;
  order_pkg::stored_t            stored;
  order_pkg::changed_t           changed;
  logic [order_pkg::BEATS-1:0]   stored_rows;
  // Old value of an atomic's lane.
  logic                          at_valid, at_ready;
  line_pkg::bank_answer_t        at;

  order_credit u_credit (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .lq_valid_i (lq_valid_i),
    .lq_i       (lq_i),
    .lc_valid_o (lc_valid_o),
    .lc_atom_o  (lc_atom_o),
    .asked_o    (asked),
    .leave_i    (leave)
  );

  order_table u_table (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .asked_i        (asked),
    .going_o        (going),
    .going_behind_o (going_behind),
    .read_valid_o   (read_valid),
    .write_valid_o  (store_valid),
    .write_ready_i  (store_ready),
    .next_valid_o   (next_valid),
    .next_entry_o   (next_entry),
    .leave_i        (leave)
  );

  order_read u_read (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .asked_i         (asked),
    .read_valid_i    (read_valid),
    .going_i         (going),
    .going_behind_i  (going_behind),
    .next_valid_i    (next_valid),
    .next_entry_i    (next_entry),
    .ld_valid_o      (ld_valid_o),
    .ld_o            (ld_o),
    .found_o         (found),
    .start_valid_o   (start_valid),
    .start_ready_i   (start_ready),
    .start_slot_o    (start_slot),
    .ended_valid_o   (ended_valid),
    .ended_ready_i   (ended_ready),
    .ended_o         (ended),
    .m_axi_arvalid_o (m_axi_arvalid_o),
    .m_axi_arready_i (m_axi_arready_i),
    .m_axi_arid_o    (m_axi_arid_o),
    .m_axi_araddr_o  (m_axi_araddr_o),
    .m_axi_arlen_o   (m_axi_arlen_o),
    .m_axi_arsize_o  (m_axi_arsize_o),
    .m_axi_arburst_o (m_axi_arburst_o),
    .m_axi_rvalid_i  (m_axi_rvalid_i),
    .m_axi_rready_o  (m_axi_rready_o),
    .m_axi_rid_i     (m_axi_rid_i),
    .m_axi_rdata_i   (m_axi_rdata_i),
    .m_axi_rresp_i   (m_axi_rresp_i),
    .m_axi_rlast_i   (m_axi_rlast_i)
  );

  order_data u_data (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .lw_valid_i    (lw_valid_i),
    .lw_i          (lw_i),
    .asked_i       (asked),
    .row_i         (row),
    .bytes_o       (store_bytes),
    .stored_o      (stored),
    .stored_rows_o (stored_rows)
  );

  order_atom u_atom (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .lw_valid_i    (lw_valid_i),
    .lw_i          (lw_i),
    .asked_i       (asked),
    .found_i       (found),
    .start_valid_i (start_valid),
    .start_ready_o (start_ready),
    .start_slot_i  (start_slot),
    .add_req_o     (add_req_o),
    .add_done_i    (add_done_i),
    .add_sum_i     (add_sum_i),
    .at_valid_o    (at_valid),
    .at_ready_i    (at_ready),
    .at_o          (at),
    .back_valid_o  (back_valid),
    .back_o        (back),
    .row_i         (row),
    .bytes_o       (atom_bytes),
    .changed_o     (changed)
  );

  order_write u_write (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .asked_i         (asked),
    .store_valid_i   (store_valid),
    .store_ready_o   (store_ready),
    .going_i         (going),
    .atom_valid_i    (back_valid),
    .atom_i          (back),
    .row_o           (row),
    .store_bytes_i   (store_bytes),
    .atom_bytes_i    (atom_bytes),
    .written_valid_o (written_valid),
    .written_ready_i (written_ready),
    .written_o       (written),
    .m_axi_awvalid_o (m_axi_awvalid_o),
    .m_axi_awready_i (m_axi_awready_i),
    .m_axi_awid_o    (m_axi_awid_o),
    .m_axi_awaddr_o  (m_axi_awaddr_o),
    .m_axi_awlen_o   (m_axi_awlen_o),
    .m_axi_awsize_o  (m_axi_awsize_o),
    .m_axi_awburst_o (m_axi_awburst_o),
    .m_axi_wvalid_o  (m_axi_wvalid_o),
    .m_axi_wready_i  (m_axi_wready_i),
    .m_axi_wdata_o   (m_axi_wdata_o),
    .m_axi_wstrb_o   (m_axi_wstrb_o),
    .m_axi_wlast_o   (m_axi_wlast_o),
    .m_axi_bvalid_i  (m_axi_bvalid_i),
    .m_axi_bready_o  (m_axi_bready_o),
    .m_axi_bid_i     (m_axi_bid_i),
    .m_axi_bresp_i   (m_axi_bresp_i)
  );

  order_finish u_finish (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .asked_i         (asked),
    .read_valid_i    (ended_valid),
    .read_ready_o    (ended_ready),
    .read_i          (ended),
    .written_valid_i (written_valid),
    .written_ready_o (written_ready),
    .written_i       (written),
    .at_valid_i      (at_valid),
    .at_ready_o      (at_ready),
    .at_i            (at),
    .la_valid_o      (la_valid_o),
    .la_ready_i      (la_ready_i),
    .la_o            (la_o),
    .shown_o         (shown),
    .leave_o         (leave)
  );

  retire_order #(.BANK(BANK)) u_retire (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .asked_i            (asked),
    .stored_rows_i      (stored_rows),
    .stored_i           (stored),
    .changed_i          (changed),
    .found_i            (found),
    .shown_i            (shown),
    .ret_global_valid_o (ret_global_valid_o),
    .ret_global_o       (ret_global_o),
    .ret_fill_valid_o   (ret_fill_valid_o),
    .ret_fill_o         (ret_fill_o)
  );

endmodule
