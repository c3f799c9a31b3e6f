// SPDX-License-Identifier: Apache-2.0
// Tries memory: March C- over words of 64 bits from BASE on, by itself, written and read by registers (README.md).
// Up: write a. Up: read a, write b. Up: read b, write a. Down: read a, write b. Down: read b, write a. Up: read a;
// b is the complement of a, and a depends on the pattern and, in the last one, on the address.
// Latency: ten accesses a word, each as long as memory takes. Handshake: AXI4-Lite; AXI4, one burst of a beat at a time.
// It stops at nothing: it counts what differs and keeps the first. An error of the bus counts as a difference.
module march_test #(
  parameter  logic [39:0] BASE   = 40'd0,
  parameter  int unsigned WORD_W = 22            // address bits of all words
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from the host
  input  axi_pkg::axil_req_t axil_i,
  output axi_pkg::axil_rsp_t axil_o,
  // to memory
  output axi_pkg::axi_req_t  axi_o,
  input  axi_pkg::axi_rsp_t  axi_i
);

  localparam logic [31:0] ID = 32'h4d52_4348;    // MRCH

  // ---- the six elements ---------------------------------------------------------------------------
  logic [2:0] element_q;
  logic       down, reads, writes, first_is_b, last;
  assign down       = element_q == 3'd3 || element_q == 3'd4;
  assign reads      = element_q != 3'd0;
  assign writes     = element_q != 3'd5;
  assign first_is_b = element_q == 3'd2 || element_q == 3'd4;      // what is read; what is written is the other one

  // ---- registers ----------------------------------------------------------------------------------
  logic              busy_q, done_q, b_q, r_q;
  logic [2:0]        pattern_q;
  logic [WORD_W:0]   words_q;
  logic [31:0]       errors_q, shown, shown_q;
  logic [31:0]       first_addr_q;
  logic [63:0]       first_want_q, first_got_q;
  logic              write, start;
  logic              unused;

  assign write            = axil_i.awvalid && axil_i.wvalid && !b_q;
  assign start            = write && axil_i.awaddr[11:2] == 10'd1 && !busy_q;
  assign axil_o.awready = write;
  assign axil_o.wready  = write;
  assign axil_o.bvalid  = b_q;
  assign axil_o.bresp   = 2'd0;
  assign axil_o.arready = !r_q;
  assign axil_o.rvalid  = r_q;
  assign axil_o.rdata   = shown_q;
  assign axil_o.rresp   = 2'd0;
  assign unused           = ^{axil_i.awaddr[1:0], axil_i.araddr[1:0], axil_i.wdata[31:WORD_W+1], axil_i.wstrb, axi_i.bid, axi_i.rid,
                           axi_i.rlast};

  always_comb begin
    case (axil_i.araddr[11:2])
      10'd0:   shown = ID;
      10'd1:   shown = {30'd0, done_q, busy_q};
      10'd2:   shown = 32'(words_q);
      10'd3:   shown = errors_q;
      10'd4:   shown = first_addr_q;
      10'd5:   shown = first_want_q[31:0];
      10'd6:   shown = first_want_q[63:32];
      10'd7:   shown = first_got_q[31:0];
      10'd8:   shown = first_got_q[63:32];
      default: shown = '0;
    endcase
  end

  // ---- the walk -----------------------------------------------------------------------------------
  typedef enum logic [2:0] {IDLE, READ, READ_WAIT, WRITE, WRITE_WAIT, NEXT} step_e;

  step_e             step_q;
  logic [WORD_W-1:0] word_q;
  logic              aw_q, w_q;                   // still to be taken
  logic [63:0]       plain, a, want, give;
  logic              wrong;

  always_comb begin
    case (pattern_q)
      3'd0:    plain = 64'h0000_0000_0000_0000;
      3'd1:    plain = 64'h5555_5555_5555_5555;
      3'd2:    plain = 64'h3333_3333_3333_3333;
      3'd3:    plain = 64'h0f0f_0f0f_0f0f_0f0f;
      3'd4:    plain = 64'h00ff_00ff_00ff_00ff;
      3'd5:    plain = 64'h0000_ffff_0000_ffff;
      default: plain = {32'(word_q) * 32'h9e37_79b1, ~32'(word_q)};
    endcase
  end
  assign a     = plain;
  assign want  = first_is_b ? ~a : a;
  assign give  = (element_q == 3'd0) ? a : ~want;
  assign last  = down ? word_q == '0 : (WORD_W+1)'(word_q) + 1'b1 == words_q;
  assign wrong = axi_i.rdata != want || axi_i.rresp != '0;

  assign axi_o.arvalid = step_q == READ;
  assign axi_o.arid    = '0;
  assign axi_o.arlen   = '0;
  assign axi_o.arsize  = 3'd3;
  assign axi_o.arburst = 2'd1;
  assign axi_o.araddr  = BASE + 40'({word_q, 3'd0});
  assign axi_o.rready  = step_q == READ_WAIT;
  assign axi_o.awvalid = step_q == WRITE && aw_q;
  assign axi_o.awid    = '0;
  assign axi_o.awlen   = '0;
  assign axi_o.awsize  = 3'd3;
  assign axi_o.awburst = 2'd1;
  assign axi_o.awaddr  = BASE + 40'({word_q, 3'd0});
  assign axi_o.wvalid  = step_q == WRITE && w_q;
  assign axi_o.wdata   = give;
  assign axi_o.wstrb   = '1;
  assign axi_o.wlast   = 1'b1;
  assign axi_o.bready  = step_q == WRITE_WAIT;

  logic found;
  assign found = (step_q == READ_WAIT && axi_i.rvalid && wrong) || (step_q == WRITE_WAIT && axi_i.bvalid && axi_i.bresp != '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q    <= IDLE;
      busy_q    <= 1'b0;
      done_q    <= 1'b0;
      b_q       <= 1'b0;
      r_q       <= 1'b0;
      words_q   <= (WORD_W+1)'(1 << WORD_W);
      errors_q  <= '0;
    end else begin
      b_q <= write || (b_q && !axil_i.bready);
      r_q <= (axil_i.arvalid && !r_q) || (r_q && !axil_i.rready);
      if (write && axil_i.awaddr[11:2] == 10'd2 && !busy_q) words_q <= axil_i.wdata[WORD_W:0];
      if (found) errors_q <= errors_q + 32'(errors_q != '1);
      unique case (step_q)
        IDLE:
          if (start) begin
            step_q    <= (words_q == '0) ? IDLE : WRITE;
            busy_q    <= words_q != '0;
            done_q    <= words_q == '0;
            errors_q  <= '0;
          end
        READ:
          if (axi_i.arready) step_q <= READ_WAIT;
        READ_WAIT:
          if (axi_i.rvalid) step_q <= writes ? WRITE : NEXT;
        WRITE:
          if ((!aw_q || axi_i.awready) && (!w_q || axi_i.wready)) step_q <= WRITE_WAIT;
        WRITE_WAIT:
          if (axi_i.bvalid) step_q <= NEXT;
        NEXT:
          if (last && element_q == 3'd5) begin
            step_q <= IDLE;
            busy_q <= 1'b0;
            done_q <= 1'b1;
          end else step_q <= (last || reads) ? READ : WRITE;
        default: step_q <= IDLE;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (step_q == IDLE) begin
      element_q <= '0;
      word_q    <= '0;
      if (start) pattern_q <= axil_i.wdata[2:0];
    end else if (step_q == NEXT) begin
      word_q <= down ? word_q - 1'b1 : word_q + 1'b1;
      if (last) begin
        element_q <= element_q + 1'b1;
        // The third element is followed by the first that goes down, from the last word.
        word_q    <= (element_q == 3'd2 || element_q == 3'd3) ? WORD_W'(words_q - 1'b1) : '0;
      end
    end
    aw_q <= (step_q != WRITE) || (aw_q && !axi_i.awready);
    w_q  <= (step_q != WRITE) || (w_q && !axi_i.wready);
    if (found && errors_q == '0) begin
      first_addr_q <= axi_o.araddr[31:0];
      first_want_q <= want;
      first_got_q  <= axi_i.rdata;
    end
    if (!r_q) shown_q <= shown;
  end

endmodule
