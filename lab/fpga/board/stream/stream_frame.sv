// SPDX-License-Identifier: Apache-2.0
// Nibbles in frames: a header, what is sent, a check word, a mark that is nowhere else (docs/stream-format.md).
// Latency: a byte for two nibbles; a header takes its bytes. Throughput: a nibble or a byte a cycle, two cycles for
// an escaped one. Handshake: cmd_, nib_, st_: valid with payload until ready. A frame is opened by a command, takes
// nibbles while it is one of data, and ends by CMD_CLOSE; frames of other kinds end by themselves.
// Nibbles have no meaning here, and it holds no more than a byte of them.
`include "heddle_assert.svh"

module stream_frame #(
  parameter logic [31:0] FORMAT  = retire_stream_pkg::FORMAT,
  parameter logic [7:0]  PROFILE = 8'(retire_stream_pkg::PROFILE)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // from the encoder
  input  logic                   cmd_valid_i,
  output logic                   cmd_ready_o,
  input  stream_pkg::command_t   cmd_i,
  input  logic                   nib_valid_i,
  output logic                   nib_ready_o,
  input  logic [3:0]             nib_i,
  output logic                   full_o,       // the frame that is open is long enough
  // to the link
  output logic                   st_valid_o,
  input  logic                   st_ready_i,
  output logic [7:0]             st_data_o,
  output logic                   st_lost_o
);

  localparam int unsigned HEAD = 15;   // bytes of the longest header

  // A byte of the reflected CRC-32 (0xedb88320).
  function automatic logic [31:0] crc_byte(input logic [31:0] crc, input logic [7:0] data);
    crc_byte = crc ^ {24'd0, data};
    for (int i = 0; i < 8; i++) crc_byte = (crc_byte >> 1) ^ (crc_byte[0] ? 32'hedb88320 : 32'd0);
  endfunction

  typedef enum logic [2:0] {ST_IDLE, ST_HEAD, ST_DATA, ST_PAD, ST_CRC, ST_FLAG} state_e;
  state_e              state_q;
  logic [8*HEAD-1:0]   head_q;
  logic [3:0]          left_q;         // bytes of the header, of the check word
  logic                data_q;         // the frame takes nibbles
  logic [31:0]         number_q, crc_q;
  logic [8:0]          bytes_q;
  logic                half_q;         // a nibble waits for its other half
  logic [3:0]          nibble_q;
  logic                lost_q, last_q; // last_q: the nibble that ends a frame has been taken

  // Bytes on their way out.
  logic       raw_valid, raw_ready, raw_flag;
  logic [7:0] raw;

  logic [8*HEAD-1:0] head;
  logic [3:0]        head_bytes;
  always_comb begin
    head       = '0;
    head[7:0]  = {stream_pkg::VERSION, 4'd1};
    head[39:8] = number_q;
    head_bytes = 4'd5;
    unique case (cmd_i.command)
      stream_pkg::CMD_START: begin
        head[3:0]     = 4'd2;
        head[71:40]   = FORMAT;
        head[79:72]   = 8'(retire_pkg::LANES);
        head[87:80]   = 8'(retire_pkg::WARPS);
        head[95:88]   = 8'(retire_pkg::BLOCKS);
        head[103:96]  = 8'(retire_pkg::BANKS);
        head[111:104] = PROFILE;
        head[119:112] = {7'd0, cmd_i.lost};
        head_bytes    = 4'd15;
      end
      stream_pkg::CMD_SYNC: begin
        head[3:0]     = 4'd3;
        head[103:40]  = cmd_i.cycle;
        head[111:104] = {7'd0, cmd_i.lost};
        head_bytes    = 4'd14;
      end
      stream_pkg::CMD_END: begin
        head[3:0]     = 4'd4;
        head[87:40]   = cmd_i.cycle[47:0];
        head[119:88]  = cmd_i.records;
        head_bytes    = 4'd15;
      end
      default: ;
    endcase
  end

  assign cmd_ready_o = (cmd_i.command == stream_pkg::CMD_CLOSE) ? state_q == ST_DATA : state_q == ST_IDLE;
  assign full_o      = bytes_q >= 9'(stream_pkg::FRAME_BYTES);

  // Two nibbles are a byte, the first one its lower half; the end of a frame is filled up with zero.
  logic nib_pass, nib_end;
  assign nib_end     = state_q == ST_PAD && !last_q;
  assign nib_ready_o = state_q == ST_DATA && (!half_q || raw_ready);
  assign nib_pass    = (nib_valid_i && nib_ready_o) || (nib_end && (!half_q || raw_ready));

  always_comb begin
    raw_valid = 1'b0;
    raw       = head_q[7:0];
    raw_flag  = 1'b0;
    unique case (state_q)
      ST_HEAD: raw_valid = 1'b1;
      ST_DATA: begin
        raw_valid = half_q && nib_valid_i;
        raw       = {nib_i, nibble_q};
      end
      ST_PAD: begin
        raw_valid = half_q;
        raw       = last_q ? {4'd0, nibble_q} : {stream_pkg::LAST, nibble_q};
      end
      ST_CRC: begin
        raw_valid = 1'b1;
        raw       = ~crc_q[7:0];
      end
      ST_FLAG: begin
        raw_valid = 1'b1;
        raw       = stream_pkg::FLAG;
        raw_flag  = 1'b1;
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= ST_IDLE;
      number_q <= '0;
      half_q   <= 1'b0;
      lost_q   <= 1'b0;
    end else begin
      unique case (state_q)
        ST_IDLE: if (cmd_valid_i && cmd_i.command != stream_pkg::CMD_CLOSE) begin
          state_q  <= ST_HEAD;
          data_q   <= cmd_i.command == stream_pkg::CMD_DATA;
          lost_q   <= cmd_i.lost;
          number_q <= number_q + 32'd1;
          last_q   <= 1'b0;
        end
        ST_HEAD: if (raw_ready && left_q == 4'd1) state_q <= data_q ? ST_DATA : ST_CRC;
        ST_DATA: if (cmd_valid_i && cmd_i.command == stream_pkg::CMD_CLOSE) state_q <= ST_PAD;
        ST_PAD:  if (last_q && (!half_q || raw_ready)) state_q <= ST_CRC;
        ST_CRC:  if (raw_ready && left_q == 4'd1) state_q <= ST_FLAG;
        ST_FLAG: if (raw_ready) state_q <= ST_IDLE;
        default: state_q <= ST_IDLE;
      endcase
      if (nib_pass) half_q <= !half_q;
      else if (state_q == ST_PAD && last_q && raw_ready) half_q <= 1'b0;
      if (nib_end && nib_pass) last_q <= 1'b1;
      if (raw_valid && raw_ready) lost_q <= 1'b0;
    end
    // payload
    if (state_q == ST_IDLE) begin
      head_q  <= head;
      left_q  <= head_bytes;
      crc_q   <= '1;
      bytes_q <= '0;
    end else if (raw_valid && raw_ready) begin
      if (state_q == ST_HEAD) begin
        head_q <= head_q >> 8;
        left_q <= (left_q == 4'd1) ? 4'd4 : left_q - 4'd1;
      end
      if (state_q == ST_CRC) left_q <= left_q - 4'd1;
      crc_q   <= (state_q == ST_CRC) ? crc_q >> 8 : crc_byte(crc_q, raw);
      if (!full_o) bytes_q <= bytes_q + 9'd1;
    end
    if (nib_pass && !half_q) nibble_q <= nib_end ? stream_pkg::LAST : nib_i;
  end

  // The mark stands for itself nowhere else.
  logic escape, second_q;
  assign escape     = !raw_flag && (raw == stream_pkg::FLAG || raw == stream_pkg::ESC);
  assign st_valid_o = raw_valid;
  assign st_data_o  = !escape ? raw : !second_q ? stream_pkg::ESC : (raw == stream_pkg::ESC) ? stream_pkg::ESC_ESC
                                                                                              : stream_pkg::ESC_FLAG;
  assign st_lost_o  = lost_q && !second_q;
  assign raw_ready  = st_ready_i && (!escape || second_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                            second_q <= 1'b0;
    else if (raw_valid && st_ready_i)       second_q <= escape && !second_q;
  end

  // Nibbles come only while a frame of data is open.
  `ASSERT(a_open, !(nib_valid_i && state_q == ST_IDLE))

endmodule
