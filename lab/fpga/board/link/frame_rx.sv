// SPDX-License-Identifier: Apache-2.0
// Commands out of bytes: takes frames apart, keeps the one that is whole and right until it has been executed.
// Latency: a cycle from the last byte to valid_o. A byte every two cycles at most.
// Handshake: valid_o with seq_o, length_o, crc_o holds until done_i; the payload is read by rd_addr_i, a cycle later.
// A wrong frame (CRC, length, channel, escapes, a byte without a stop bit) is dropped whole and
// bad_o says so once. One that comes while another is held is dropped as well (busy_o). After noise the next END is the
// start of a frame again.
// It answers nothing and executes nothing.
module frame_rx (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from the receiver
  input  logic                         byte_valid_i,
  input  logic                         byte_error_i,
  input  logic [7:0]                   byte_i,
  // to the executor
  output logic                         valid_o,
  input  logic                         done_i,
  output logic [31:0]                  seq_o,
  output logic [15:0]                  length_o,      // of the payload
  output logic [31:0]                  crc_o,
  input  logic [link_pkg::INDEX_W-1:0] rd_addr_i,     // of the payload
  output logic [7:0]                   rd_data_o,
  // to the counters
  output logic                         bad_o,
  output logic                         busy_o
);

  localparam int unsigned INDEX_W = link_pkg::INDEX_W;
  localparam int unsigned HEAD    = link_pkg::HEAD;

  logic               valid_q, wrong_q, missed_q, escape_q;
  logic [INDEX_W-1:0] index_q;       // bytes of this frame so far
  logic [31:0]        crc_q, last_q; // running; the last four bytes
  logic [55:0]        head_q;        // shifted in: the channel is the lowest byte

  logic               is_end, is_escape, push, good, full;
  logic [7:0]         data;

  assign is_end    = byte_valid_i && byte_i == link_pkg::END;
  assign is_escape = byte_valid_i && byte_i == link_pkg::ESC && !escape_q;
  assign full      = index_q == INDEX_W'(link_pkg::FRAME);
  assign push      = byte_valid_i && !is_end && !is_escape && !full && !valid_q;

  always_comb begin
    data = byte_i;
    if (escape_q) data = (byte_i == link_pkg::ESC_END) ? link_pkg::END : link_pkg::ESC;
  end

  // A frame is right if its CRC is, its length is what came, and it is a command.
  assign good = !wrong_q && !missed_q && !escape_q && crc_q == link_pkg::CRC_GOOD && head_q[7:0] == link_pkg::COMMANDS &&
                17'(index_q) == 17'(head_q[55:40]) + 17'(HEAD + link_pkg::TAIL);

  always_ff @(posedge clk_i) begin
    bad_o  <= 1'b0;
    busy_o <= 1'b0;
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      wrong_q  <= 1'b0;
      missed_q <= 1'b0;
      escape_q <= 1'b0;
      index_q  <= '0;
      crc_q    <= link_pkg::CRC_START;
    end else begin
      if (done_i) valid_q <= 1'b0;
      if (byte_error_i) wrong_q <= 1'b1;
      if (is_end) begin
        if (good) valid_q <= 1'b1;
        busy_o   <= missed_q;
        bad_o    <= !missed_q && !good && (index_q != '0 || wrong_q || escape_q);
        wrong_q  <= 1'b0;
        missed_q <= 1'b0;
        escape_q <= 1'b0;
        index_q  <= '0;
        crc_q    <= link_pkg::CRC_START;
      end else if (byte_valid_i) begin
        escape_q <= is_escape;
        if (escape_q && byte_i != link_pkg::ESC_END && byte_i != link_pkg::ESC_ESC) wrong_q <= 1'b1;
        if (valid_q) missed_q <= 1'b1;
        else if (full && !is_escape) wrong_q <= 1'b1;
        if (push) begin
          index_q <= index_q + 1'b1;
          crc_q   <= link_pkg::crc_byte(crc_q, data);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) begin
      last_q <= {data, last_q[31:8]};
      if (index_q < INDEX_W'(HEAD)) head_q <= {data, head_q[55:8]};
    end
  end

  // The payload is at its own index.
  ram_1r1w #(.WIDTH(8), .DEPTH(2048), .RACE(1'b1)) u_payload (
    .clk_i     (clk_i),
    .wr_en_i   (push && index_q >= INDEX_W'(HEAD)),
    .wr_addr_i (index_q - INDEX_W'(HEAD)),
    .wr_data_i (data),
    .rd_en_i   (valid_q),
    .rd_addr_i (rd_addr_i),
    .rd_data_o (rd_data_o)
  );

  assign seq_o    = head_q[39:8];
  assign length_o = head_q[55:40];
  assign valid_o  = valid_q;
  assign crc_o    = last_q;

endmodule
