// SPDX-License-Identifier: Apache-2.0
// Executes commands, one after the other, and keeps the last answer. A command that comes again (same sequence
// number, same CRC) is answered again and not executed again. IDENTIFY is always executed.
// Latency: a cycle or two a byte, and what the bus takes. Handshake: a command holds until cmd_done_o; an answer is
// requested until it has been sent.
// RESET holds everything behind the link in reset for RESET_CYCLES and empties the trace channel before it answers.
// TRACE_MODE empties that channel, too; what feeds it is in reset meanwhile (st_on_o), and where it is to be silent.
// README.md has the commands. It trusts that a command is what the host sent: frame_rx has looked at its CRC.
module link_exec #(
  parameter int unsigned RESET_CYCLES = 64,
  parameter logic [31:0] BOARD        = 32'd0,        // what IDENTIFY says of the board:
  parameter logic [31:0] CLOCK_HZ     = 32'd25_000_000,
  parameter logic [39:0] MEM_BASE     = 40'd0,
  parameter logic [39:0] MEM_BYTES    = 40'd0,
  parameter link_pkg::feed_e FEED     = link_pkg::FEED_NONE
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from and to the frames that came
  input  logic                         cmd_valid_i,
  output logic                         cmd_done_o,
  input  logic [31:0]                  cmd_seq_i,
  input  logic [15:0]                  cmd_length_i,
  input  logic [31:0]                  cmd_crc_i,
  output logic [link_pkg::INDEX_W-1:0] cmd_addr_o,
  input  logic [7:0]                   cmd_byte_i,
  input  logic                         cmd_bad_i,
  input  logic                         cmd_busy_i,
  // to the frames that go
  output logic                         req_valid_o,
  output link_pkg::head_t              head_o,
  input  logic                         done_i,
  output logic                         pay_valid_o,
  input  logic                         pay_ready_i,
  output logic [7:0]                   pay_o,
  // from and to the bus
  output logic                         bus_req_o,
  output link_pkg::access_t            bus_access_o,
  input  logic                         bus_done_i,
  input  logic                         bus_error_i,
  input  logic                         bus_dead_i,
  input  logic [63:0]                  bus_data_i,
  // from and to the trace channel
  output logic                         flush_o,
  input  logic                         trace_empty_i,
  input  logic [31:0]                  trace_seq_i,
  // to what feeds it
  output logic                         st_on_o,
  output logic                         st_drop_o,
  // from and to the board
  output logic                         sys_rst_no,
  input  logic                         ready_i,       // memory has been initialised
  input  logic                         failed_i       // ... or could not be
);

  localparam int unsigned INDEX_W = link_pkg::INDEX_W;
  localparam int unsigned INFO    = link_pkg::INFO;
  localparam int unsigned RESET_W = $clog2(RESET_CYCLES + 1);
  localparam int unsigned QUIET_W = 3;      // cycles in which what feeds the trace comes to rest: 7

  typedef enum logic [3:0] {IDLE, ARGS, DECIDE, SHOW, COPY, GATHER, ISSUE, WAIT, EMIT, HOLD, STATE, SEND} step_e;

  step_e              step_q;
  link_pkg::state_e   state_q;
  logic [7:0][7:0]    args_q;           // the first bytes of the payload
  logic [INDEX_W-1:0] in_q, out_q;      // byte of the command, or of the answer when it is sent; of the answer
  logic [INDEX_W-1:0] left_q;           // bytes to go
  logic               fresh_q;          // the byte at in_q has been read
  logic [39:0]        at_q;             // of the byte that is next, or of the register
  logic [7:0][7:0]    word_q;
  logic [7:0]         strb_q;
  logic [RESET_W-1:0] reset_q;
  logic               sys_q;            // a register: LiteDRAM takes it as an asynchronous reset
  logic [QUIET_W-1:0] quiet_q;
  link_pkg::mode_e    mode_q;
  // The answer that is kept, and what it is the answer of.
  logic               kept_q;
  logic [31:0]        kept_seq_q, kept_crc_q;
  logic [INDEX_W-1:0] answer_q;         // its length
  logic [31:0]        bad_q, busy_q, repeated_q, refused_q, done_q;

  // ---- the command --------------------------------------------------------------------------------
  logic [15:0]        length, amount;
  link_pkg::command_e command;
  logic               known, fits, again, memory, write;

  assign length  = cmd_length_i;
  assign command = link_pkg::command_e'(args_q[0]);
  assign amount  = {args_q[7], args_q[6]};
  assign known   = length != 16'd0 && args_q[0] != 8'd0 && args_q[0] <= link_pkg::TRACE_MODE;
  assign again   = kept_q && cmd_seq_i == kept_seq_q && cmd_crc_i == kept_crc_q && command != link_pkg::IDENTIFY;
  assign memory  = command == link_pkg::READ_MEM || command == link_pkg::WRITE_MEM;
  assign write   = command == link_pkg::WRITE_REG || command == link_pkg::WRITE_MEM;

  // Does the length suit the command?
  always_comb begin
    case (command)
      link_pkg::IDENTIFY, link_pkg::RESET, link_pkg::COUNTERS: fits = length == 16'd1;
      link_pkg::ECHO:      fits = length <= 16'(link_pkg::DATA + 1);
      link_pkg::TRACE_MODE: fits = length == 16'd2 && args_q[1] <= 8'(link_pkg::TRACE_DROPPED);
      link_pkg::READ_REG:  fits = length == 16'd3;
      link_pkg::WRITE_REG: fits = length == 16'd7;
      link_pkg::READ_MEM:  fits = length == 16'd8 && amount != 16'd0 && amount <= 16'(link_pkg::DATA);
      link_pkg::WRITE_MEM: fits = length >= 16'd7 && length <= 16'(link_pkg::DATA + 6);
      default:             fits = 1'b0;
    endcase
  end

  // ---- what IDENTIFY and COUNTERS answer, the first byte lowest --------------------------------------
  logic [INFO-1:0][7:0] identity, counters, shown;
  // Bit 3 of its flags is reserved.
  assign identity = {BOARD, 24'd0, MEM_BYTES, 24'd0, MEM_BASE, CLOCK_HZ, 16'(link_pkg::DATA),
                     FEED, 1'b0, bus_dead_i, failed_i, ready_i, link_pkg::VERSION, "KNLH"};
  assign counters = {56'd0, 7'd0, trace_empty_i, trace_seq_i, done_q, refused_q, repeated_q, busy_q, bad_q};
  assign shown    = (command == link_pkg::IDENTIFY) ? identity : counters;

  // ---- the answer: bytes as they come, its state last -------------------------------------------------
  logic            put;
  logic [7:0]      put_byte;
  logic [7:0][7:0] bus_bytes;
  logic [2:0]      lane;       // of the word that has been read

  assign bus_bytes = bus_data_i;
  assign lane      = memory ? at_q[2:0] : 3'(out_q) - 3'd1;

  always_comb begin
    unique case (step_q)
      SHOW:    put_byte = shown[5'(out_q - 1'b1)];
      EMIT:    put_byte = bus_bytes[lane];
      STATE:   put_byte = state_q;
      default: put_byte = cmd_byte_i;
    endcase
  end
  assign put = step_q == SHOW || step_q == EMIT || step_q == STATE || (step_q == COPY && fresh_q);

  ram_1r1w #(.WIDTH(8), .DEPTH(2048), .RACE(1'b1)) u_answer (
    .clk_i     (clk_i),
    .wr_en_i   (put),
    .wr_addr_i ((step_q == STATE) ? '0 : out_q),
    .wr_data_i (put_byte),
    .rd_en_i   (step_q == SEND && !fresh_q),
    .rd_addr_i (in_q),
    .rd_data_o (pay_o)
  );

  assign cmd_addr_o   = in_q;
  assign cmd_done_o   = step_q == SEND && done_i;
  assign req_valid_o  = step_q == SEND;
  assign head_o       = '{channel: link_pkg::COMMANDS, seq: cmd_seq_i, length: 16'(answer_q)};
  assign pay_valid_o  = step_q == SEND && fresh_q;
  assign bus_req_o    = step_q == ISSUE;
  assign bus_access_o = '{memory: memory, write: write, addr: memory ? {at_q[39:3], 3'd0} : at_q, data: word_q, strb: strb_q};
  assign sys_rst_no   = sys_q && rst_ni;       // before the first edge too, whatever sys_q holds then
  assign flush_o      = step_q == HOLD;
  assign st_on_o      = mode_q != link_pkg::TRACE_OFF && step_q != HOLD;
  assign st_drop_o    = mode_q == link_pkg::TRACE_DROPPED;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q  <= IDLE;
      kept_q  <= 1'b0;
      fresh_q <= 1'b0;
      reset_q <= RESET_W'(RESET_CYCLES);
      sys_q   <= 1'b0;
      mode_q  <= link_pkg::TRACE_OFF;
    end else begin
      sys_q <= reset_q == '0;
      if (reset_q != '0) reset_q <= reset_q - 1'b1;
      fresh_q <= !fresh_q && (step_q == ARGS || step_q == COPY || step_q == GATHER || step_q == SEND);
      unique case (step_q)
        IDLE:
          if (cmd_valid_i) step_q <= ARGS;
        ARGS:      // eight bytes; of a shorter command the last ones mean nothing
          if (fresh_q && in_q == INDEX_W'(7)) step_q <= DECIDE;
        DECIDE:
          if (again)               step_q <= SEND;
          else if (!known || !fits) step_q <= STATE;
          else begin
            kept_q <= 1'b0;
            unique case (command)
              link_pkg::ECHO:      step_q <= (length == 16'd1) ? STATE : COPY;
              link_pkg::WRITE_MEM: step_q <= GATHER;
              link_pkg::RESET: begin
                step_q  <= HOLD;
                reset_q <= RESET_W'(RESET_CYCLES);
                mode_q  <= link_pkg::TRACE_OFF;
              end
              link_pkg::TRACE_MODE: begin
                step_q <= HOLD;
                mode_q <= link_pkg::mode_e'(args_q[1][1:0]);
              end
              link_pkg::READ_REG, link_pkg::WRITE_REG, link_pkg::READ_MEM: step_q <= ISSUE;
              default:             step_q <= SHOW;
            endcase
          end
        SHOW:
          if (out_q == INDEX_W'(INFO)) step_q <= STATE;
        COPY:
          if (fresh_q && left_q == INDEX_W'(1)) step_q <= STATE;
        GATHER:    // up to the end of a word of memory
          if (fresh_q && (left_q == INDEX_W'(1) || at_q[2:0] == 3'd7)) step_q <= ISSUE;
        ISSUE:
          step_q <= WAIT;
        WAIT:
          if (bus_done_i) begin
            if (bus_dead_i || bus_error_i)      step_q <= STATE;
            else if (!write)                    step_q <= EMIT;
            else if (memory && left_q != '0)    step_q <= GATHER;
            else                                step_q <= STATE;
          end
        EMIT:
          if (left_q == INDEX_W'(1))            step_q <= STATE;
          else if (memory && at_q[2:0] == 3'd7) step_q <= ISSUE;
        HOLD:
          if (reset_q == '0 && sys_q && quiet_q == '0 && trace_empty_i) step_q <= STATE;
        STATE: begin
          step_q <= SEND;
          kept_q <= 1'b1;
        end
        SEND:
          if (done_i) step_q <= IDLE;
        default: step_q <= IDLE;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (step_q)
      IDLE: begin
        in_q  <= '0;
        out_q <= INDEX_W'(1);
      end
      ARGS:
        if (fresh_q) begin
          args_q <= {cmd_byte_i, args_q[7:1]};
          in_q   <= in_q + 1'b1;
        end
      HOLD:
        if (quiet_q != '0) quiet_q <= quiet_q - 1'b1;
      DECIDE: begin
        quiet_q <= '1;
        state_q <= !known ? link_pkg::UNKNOWN : !fits ? link_pkg::MALFORMED : link_pkg::OK;
        in_q    <= again ? '0 : memory ? INDEX_W'(6) : INDEX_W'(1);
        at_q    <= memory ? args_q[5:1] : 40'({args_q[2], args_q[1]});
        word_q  <= 64'(args_q[6:3]);
        strb_q  <= '0;
        unique case (command)
          link_pkg::ECHO:      left_q <= INDEX_W'(length) - 1'b1;
          link_pkg::READ_MEM:  left_q <= INDEX_W'(amount);
          link_pkg::WRITE_MEM: left_q <= INDEX_W'(length) - INDEX_W'(6);
          default:             left_q <= INDEX_W'(4);   // bytes of a register
        endcase
      end
      SHOW:
        out_q <= out_q + 1'b1;
      COPY:
        if (fresh_q) begin
          in_q   <= in_q + 1'b1;
          out_q  <= out_q + 1'b1;
          left_q <= left_q - 1'b1;
        end
      GATHER:
        if (fresh_q) begin
          word_q[at_q[2:0]] <= cmd_byte_i;
          strb_q[at_q[2:0]] <= 1'b1;
          in_q              <= in_q + 1'b1;
          left_q            <= left_q - 1'b1;
          if (left_q != INDEX_W'(1) && at_q[2:0] != 3'd7) at_q <= at_q + 1'b1;   // else once it is written
        end
      WAIT:
        if (bus_done_i) begin
          if (bus_dead_i)       state_q <= link_pkg::NO_ANSWER;
          else if (bus_error_i) state_q <= link_pkg::BUS_ERROR;
          if (bus_dead_i || bus_error_i) out_q <= INDEX_W'(1);
          if (memory && write) at_q <= {at_q[39:3] + 1'b1, 3'd0};
          strb_q <= '0;
        end
      EMIT: begin
        out_q  <= out_q + 1'b1;
        left_q <= left_q - 1'b1;
        at_q   <= at_q + 1'b1;
      end
      STATE: begin
        in_q       <= '0;
        answer_q   <= out_q;
        kept_seq_q <= cmd_seq_i;
        kept_crc_q <= cmd_crc_i;
      end
      SEND:
        if (pay_valid_o && pay_ready_i) in_q <= in_q + 1'b1;
      default: ;
    endcase
  end

  // ---- counters -----------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bad_q      <= '0;
      busy_q     <= '0;
      repeated_q <= '0;
      refused_q  <= '0;
      done_q     <= '0;
    end else begin
      if (cmd_bad_i)  bad_q  <= bad_q + 1'b1;
      if (cmd_busy_i) busy_q <= busy_q + 1'b1;
      if (step_q == DECIDE) begin
        if (again)                repeated_q <= repeated_q + 1'b1;
        else if (!known || !fits) refused_q  <= refused_q + 1'b1;
        else                      done_q     <= done_q + 1'b1;
      end
    end
  end

endmodule
