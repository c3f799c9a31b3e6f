// SPDX-License-Identifier: Apache-2.0
// Queue of faulting pages for the host: PLACES pages, each once, the oldest first.
// Latency: a put ends after at most PLACES + 1 cycles: one place is compared a cycle. A host's read is combinational.
// Handshake: put_ valid/ready, ready in the cycle of the result. empty_i is an event, not beside a put.
// It does not hold waiting accesses: a page without room is put again after the list is emptied.
`include "heddle_assert.svh"

module fault_list #(
  parameter  int unsigned PLACES  = 16,
  localparam int unsigned AT_W    = $clog2(PLACES),
  localparam int unsigned COUNT_W = $clog2(PLACES + 1),
  localparam int unsigned WIDTH   = $bits(mmu_pkg::fault_t)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from the walks
  input  logic               put_valid_i,
  output logic               put_ready_o,
  input  mmu_pkg::fault_t    put_i,
  // from and to the host
  input  logic               empty_i,
  output logic               added_o,     // event: a page was added
  output logic [COUNT_W-1:0] count_o,
  input  logic [AT_W-1:0]    read_at_i,
  output mmu_pkg::fault_t    read_o       // of a place below the count
);

  logic [COUNT_W-1:0] count_q, at_q;
  logic               end_of_list, same, add;
  /* verilator lint_off UNUSEDSIGNAL */   // the kind of access is not compared
  mmu_pkg::fault_t    there;
  /* verilator lint_on UNUSEDSIGNAL */

  assign end_of_list = at_q == count_q;
  assign same        = there.space == put_i.space && there.page == put_i.page;
  assign put_ready_o = put_valid_i && (end_of_list || same);
  assign add         = put_valid_i && end_of_list && count_q != COUNT_W'(PLACES);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      at_q    <= '0;
      added_o <= 1'b0;
    end else begin
      added_o <= add;
      at_q    <= (put_valid_i && !put_ready_o) ? at_q + 1'b1 : '0;
      if (empty_i)  count_q <= '0;
      else if (add) count_q <= count_q + 1'b1;
    end
  end
  assign count_o = count_q;

  // Two readers, a copy each.
  ram_async #(.WIDTH(WIDTH), .DEPTH(PLACES)) u_search (
    .clk_i     (clk_i),
    .wr_en_i   (add),
    .wr_addr_i (AT_W'(count_q)),
    .wr_data_i (put_i),
    .rd_addr_i (AT_W'(at_q)),
    .rd_data_o (there)
  );
  ram_async #(.WIDTH(WIDTH), .DEPTH(PLACES)) u_host (
    .clk_i     (clk_i),
    .wr_en_i   (add),
    .wr_addr_i (AT_W'(count_q)),
    .wr_data_i (put_i),
    .rd_addr_i (read_at_i),
    .rd_data_o (read_o)
  );

  // No put is under way when the list is emptied.
  `ASSERT(a_apart, !(empty_i && put_valid_i))

endmodule
