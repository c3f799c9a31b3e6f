// SPDX-License-Identifier: Apache-2.0
// Frames out of payloads: header, payload, CRC-32, escapes, of two sources; answers (0) go before trace (1), frame by frame.
// Latency: a cycle from a request to its first byte. A byte a cycle at most, two cycles for one that is escaped.
// Handshake: req_valid_i, with its head and source, is taken while no frame is under way. It must hold until done_o of
// that source (trace: until begun_o); payload bytes are valid/ready, as many as head_i.length says.
// It never ends a frame early: a source that has begun one brings all its bytes.
module frame_tx (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // from the sources: 0 answers, 1 trace
  input  logic [1:0]            req_valid_i,
  input  link_pkg::head_t [1:0] head_i,
  output logic                  begun_o,       // trace
  output logic [1:0]            done_o,
  input  logic [1:0]            pay_valid_i,
  output logic [1:0]            pay_ready_o,
  input  logic [1:0][7:0]       pay_i,
  // to the sender
  output logic                  byte_valid_o,
  input  logic                  byte_ready_i,
  output logic [7:0]            byte_o
);

  typedef enum logic [2:0] {IDLE, OPEN, HEAD, BODY, CHECK, CLOSE} state_e;

  state_e      state_q;
  logic        source_q, escape_q;
  logic [55:0] head_q;
  logic [15:0] left_q;        // bytes of this part
  logic [15:0] length_q;
  logic [31:0] crc_q;
  logic        plain, special, have, step;
  logic [7:0]  data;

  // The next byte, before escapes.
  assign plain   = state_q == OPEN || state_q == CLOSE;
  assign special = !plain && (data == link_pkg::END || data == link_pkg::ESC);
  assign have    = (state_q == BODY) ? pay_valid_i[source_q] : state_q != IDLE;
  always_comb begin
    unique case (state_q)
      HEAD:    data = head_q[7:0];
      BODY:    data = pay_i[source_q];
      CHECK:   data = ~crc_q[7:0];
      default: data = link_pkg::END;
    endcase
  end

  assign byte_valid_o = have;
  always_comb begin
    byte_o = data;
    if (special && !escape_q) byte_o = link_pkg::ESC;
    else if (special)         byte_o = (data == link_pkg::END) ? link_pkg::ESC_END : link_pkg::ESC_ESC;
  end
  assign step = have && byte_ready_i && (!special || escape_q);

  assign begun_o = state_q == IDLE && req_valid_i == 2'b10;
  for (genvar s = 0; s < 2; s++) begin : gen_source
    assign pay_ready_o[s] = step && state_q == BODY && source_q == 1'(s);
    assign done_o[s]      = step && state_q == CLOSE && source_q == 1'(s);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= IDLE;
      escape_q <= 1'b0;
    end else begin
      if (have && byte_ready_i) escape_q <= special && !escape_q;
      unique case (state_q)
        IDLE:  if (req_valid_i != '0) state_q <= OPEN;
        OPEN:  if (step) state_q <= HEAD;
        HEAD:  if (step && left_q == 16'd0) state_q <= (length_q == 16'd0) ? CHECK : BODY;
        BODY:  if (step && left_q == 16'd0) state_q <= CHECK;
        CHECK: if (step && left_q == 16'd0) state_q <= CLOSE;
        CLOSE: if (step) state_q <= IDLE;
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == IDLE) begin
      source_q <= !req_valid_i[0];
      length_q <= req_valid_i[0] ? head_i[0].length : head_i[1].length;
      head_q   <= req_valid_i[0] ? {head_i[0].length, head_i[0].seq, head_i[0].channel}
                                 : {head_i[1].length, head_i[1].seq, head_i[1].channel};
      left_q   <= 16'(link_pkg::HEAD - 1);
      crc_q    <= link_pkg::CRC_START;
    end else if (step && state_q != OPEN) begin
      left_q <= left_q - 1'b1;
      if (state_q == HEAD) head_q <= head_q >> 8;
      if (state_q == CHECK) crc_q <= crc_q >> 8;
      else                  crc_q <= link_pkg::crc_byte(crc_q, data);
      if (left_q == 16'd0) begin
        left_q <= 16'(link_pkg::TAIL - 1);
        if (state_q == HEAD && length_q != 16'd0) left_q <= length_q - 1'b1;
      end
    end
  end

endmodule
