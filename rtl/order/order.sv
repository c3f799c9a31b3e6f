// SPDX-License-Identifier: Apache-2.0
// Memory side of the request channel (rtl/line_pkg.sv): one point of order behind an AXI4 master. A request waits until its line is
// free, is read or written in one burst, performed, recorded and answered.
// Latency: 2 cycles from lq_ to AR, 3 to AW; 1 from R to ld_. The end on la_ comes 3 cycles and one a sector after a load's last beat,
// 2 and one a sector after a store's B. A request and a beat a cycle.
// Handshake: the channel's rules; AXI4.
// It does not cache or merge requests.
module order #(
  parameter int unsigned BANK = 0       // as records show it
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // the channel
  input  line_pkg::sent_t         ch_i,
  output line_pkg::bank_got_t     ch_o,
  // from the senders: for records
  input  line_pkg::note_t [line_pkg::SENDERS-1:0] note_i,
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
  output axi_pkg::axi_req_t       axi_o,
  input  axi_pkg::axi_rsp_t       axi_i
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
    .lq_valid_i (ch_i.lq_valid),
    .lq_i       (ch_i.lq),
    .lc_valid_o (ch_o.lc_valid),
    .lc_atom_o  (ch_o.lc_atom),
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
    .ld_valid_o      (ch_o.ld_valid),
    .ld_o            (ch_o.ld),
    .found_o         (found),
    .start_valid_o   (start_valid),
    .start_ready_i   (start_ready),
    .start_slot_o    (start_slot),
    .ended_valid_o   (ended_valid),
    .ended_ready_i   (ended_ready),
    .ended_o         (ended),
    .ar_valid_o      (axi_o.arvalid),
    .ar_ready_i      (axi_i.arready),
    .ar_o            ({axi_o.arid, axi_o.araddr, axi_o.arlen, axi_o.arsize, axi_o.arburst}),
    .r_valid_i       (axi_i.rvalid),
    .r_ready_o       (axi_o.rready),
    .r_i             ({axi_i.rid, axi_i.rdata, axi_i.rresp, axi_i.rlast})
  );

  order_data u_data (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .lw_valid_i    (ch_i.lw_valid),
    .lw_i          (ch_i.lw),
    .asked_i       (asked),
    .row_i         (row),
    .bytes_o       (store_bytes),
    .stored_o      (stored),
    .stored_rows_o (stored_rows)
  );

  order_atom u_atom (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .lw_valid_i    (ch_i.lw_valid),
    .lw_i          (ch_i.lw),
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
    .aw_valid_o      (axi_o.awvalid),
    .aw_ready_i      (axi_i.awready),
    .aw_o            ({axi_o.awid, axi_o.awaddr, axi_o.awlen, axi_o.awsize, axi_o.awburst}),
    .w_valid_o       (axi_o.wvalid),
    .w_ready_i       (axi_i.wready),
    .w_o             ({axi_o.wdata, axi_o.wstrb, axi_o.wlast}),
    .b_valid_i       (axi_i.bvalid),
    .b_ready_o       (axi_o.bready),
    .b_i             ({axi_i.bid, axi_i.bresp})
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
    .la_valid_o      (ch_o.la_valid),
    .la_ready_i      (ch_i.la_ready),
    .la_o            (ch_o.la),
    .shown_o         (shown),
    .leave_o         (leave)
  );

  retire_order #(.BANK(BANK)) u_retire (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .note_i             (note_i),
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
