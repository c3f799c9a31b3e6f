// SPDX-License-Identifier: Apache-2.0
// A stream of bytes into frames of the trace channel: two places of BYTES bytes, one filled while the other is sent.
// Latency: a frame is closed when it is full, when bytes have been lost before the next one, or when none has come for
// IDLE cycles. A byte a cycle until both places are full; then st_ready_o falls.
// Handshake: valid/ready for bytes, st_lost_i with a byte: some were lost before it. A frame's payload is a byte of
// flags (bit 0: bytes were lost before the first one of this frame), then the bytes. Frames have numbers of their own.
// flush_i empties it, but for the frame that is being sent, and starts the numbers at 0; it is done when empty_o.
// It drops nothing by itself.
module trace_pack #(
  parameter int unsigned BYTES = 240,     // of a frame, 255 at most
  parameter int unsigned IDLE  = 4096
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            flush_i,
  output logic            empty_o,
  output logic [31:0]     seq_o,          // of the next frame
  // from the stream
  input  logic            st_valid_i,
  output logic            st_ready_o,
  input  logic [7:0]      st_data_i,
  input  logic            st_lost_i,
  // to the frames
  output logic            req_valid_o,
  output link_pkg::head_t head_o,
  input  logic            begun_i,
  input  logic            done_i,
  output logic            pay_valid_o,
  input  logic            pay_ready_i,
  output logic [7:0]      pay_o
);

  localparam int unsigned IDLE_W = $clog2(IDLE + 1);

  logic [1:0]        closed_q, lost_q;    // of each place
  logic [1:0][7:0]   count_q;
  logic              fill_q, send_q;      // the place that is filled, that is sent next
  logic              sending_q;
  logic [7:0]        sent_q;              // bytes that have been read of it, the flags among them
  logic [IDLE_W-1:0] idle_q;
  logic [31:0]       seq_q;
  logic              push, close, some, loaded_q;
  logic [7:0]        byte_q;

  assign some       = count_q[fill_q] != 8'd0;
  assign st_ready_o = !flush_i && !closed_q[fill_q] && !(st_lost_i && some);
  assign push       = st_valid_i && st_ready_o;
  assign close      = !closed_q[fill_q] && ((push && count_q[fill_q] == 8'(BYTES - 1)) || (st_valid_i && st_lost_i && some) ||
                                            (some && idle_q == IDLE_W'(IDLE)));
  assign empty_o    = !sending_q && closed_q == '0 && count_q == '0;
  assign seq_o      = seq_q;

  assign req_valid_o = closed_q[send_q] && !sending_q && !flush_i;
  assign head_o      = '{channel: link_pkg::TRACE, seq: seq_q, length: 16'(count_q[send_q]) + 16'd1};

  // The flags first, then bytes as the memory brings them.
  assign pay_valid_o = sending_q && loaded_q;
  assign pay_o       = (sent_q == 8'd0) ? {7'd0, lost_q[send_q]} : byte_q;

  ram_1r1w #(.WIDTH(8), .DEPTH(512), .RACE(1'b1)) u_bytes (
    .clk_i     (clk_i),
    .wr_en_i   (push),
    .wr_addr_i ({fill_q, count_q[fill_q]}),
    .wr_data_i (st_data_i),
    .rd_en_i   (sending_q && !loaded_q),
    .rd_addr_i ({send_q, sent_q - 8'd1}),
    .rd_data_o (byte_q)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || (flush_i && !sending_q)) begin
      closed_q  <= '0;
      lost_q    <= '0;
      count_q   <= '0;
      fill_q    <= 1'b0;
      send_q    <= 1'b0;
      sending_q <= 1'b0;
      seq_q     <= '0;
      idle_q    <= '0;
      loaded_q  <= 1'b0;
      sent_q    <= '0;
    end else begin
      if (push) begin
        count_q[fill_q] <= count_q[fill_q] + 1'b1;
        if (!some) lost_q[fill_q] <= st_lost_i;
      end
      idle_q <= (push || !some) ? '0 : idle_q + IDLE_W'(idle_q != IDLE_W'(IDLE));
      if (close) begin
        closed_q[fill_q] <= 1'b1;
        fill_q           <= !fill_q;
      end
      if (begun_i) begin
        sending_q <= 1'b1;
        sent_q    <= '0;
        loaded_q  <= 1'b0;
        seq_q     <= seq_q + 1'b1;
      end else if (sending_q) begin
        loaded_q <= !(pay_valid_o && pay_ready_i);
        if (pay_valid_o && pay_ready_i) sent_q <= sent_q + 1'b1;
      end
      if (done_i) begin
        sending_q        <= 1'b0;
        closed_q[send_q] <= 1'b0;
        count_q[send_q]  <= '0;
        send_q           <= !send_q;
      end
    end
  end

endmodule
