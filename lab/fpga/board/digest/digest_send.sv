// SPDX-License-Identifier: Apache-2.0
// Entries as frames: it opens one for an entry, and closes it when it is long enough, or nothing has come for
// a while. It marks the begin and end of a launch, and a loss.
// Latency: a header, then a nibble a cycle. Throughput: as stream_frame.
// Handshake: ch_: valid with payload until taken; cmd_, nib_: valid until ready. start_i, end_i: events.
// It sees no more of an entry than its end. After a loss nothing is sent of the launch but its end.
module digest_send #(
  parameter int unsigned IDLE = 256
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  start_i,
  input  logic                  end_i,
  input  logic                  clean_i,        // with start_i: nothing is left of the launch before
  // from the capture: something was lost behind that cycle; nothing is left on its way to ch_
  input  logic                  lost_i,
  input  logic [63:0]           lost_at_i,
  input  logic [63:0]           cycle_i,
  input  logic                  through_i,
  output logic                  stop_o,
  // entries
  input  logic                  ch_valid_i,
  output logic                  ch_take_o,
  input  digest_pkg::chunk_t    ch_i,
  // to the framer
  output logic                  cmd_valid_o,
  input  logic                  cmd_ready_i,
  output stream_pkg::command_t  cmd_o,
  output logic                  nib_valid_o,
  input  logic                  nib_ready_i,
  output logic [3:0]            nib_o,
  input  logic                  full_i
);

  localparam int unsigned IDLE_W = $clog2(IDLE + 1);

  typedef enum logic [2:0] {ST_OFF, ST_BEGIN, ST_REST, ST_OPEN, ST_SEND, ST_CLOSE, ST_LOST, ST_END} state_e;
  state_e             state_q, rest;
  logic               open_q, started_q, clean_q, told_q;  // told_q: that something was lost
  logic               over_q, past_q;   // the launch is over; the one before, and that has not been sent
  logic [31:0]        send_q, records_q;
  logic [63:0]        over_at_q, past_at_q;
  logic [3:0]         left_q;
  logic [IDLE_W-1:0]  idle_q;
  logic               free, idle, empty;

  assign free      = left_q == '0 || (left_q == 4'd1 && nib_ready_i);
  assign idle      = idle_q == IDLE_W'(IDLE);
  assign empty     = through_i && !ch_valid_i;
  assign ch_take_o = state_q == ST_SEND && ch_valid_i && free;

  // Between two entries. Entries after a clean start are of the new launch.
  logic begins;
  assign begins = started_q && (clean_q || empty);
  always_comb begin
    rest = ST_REST;
    if (left_q != '0)                                         rest = ST_REST;
    else if (begins)                                          rest = open_q ? ST_CLOSE : past_q ? ST_END : ST_BEGIN;
    else if (open_q && full_i)                                rest = ST_CLOSE;
    else if (ch_valid_i)                                      rest = open_q ? ST_SEND : ST_OPEN;
    else if (open_q && (idle || (empty && lost_i)))           rest = ST_CLOSE;
    else if (empty && lost_i && !told_q)                      rest = ST_LOST;
    else if (empty && over_q && idle && !open_q)              rest = ST_END;
  end

  always_comb begin
    cmd_o       = '{command: stream_pkg::CMD_DATA, lost: lost_i, cycle: cycle_i, records: records_q};
    cmd_valid_o = 1'b1;
    unique case (state_q)
      ST_BEGIN: cmd_o.command = stream_pkg::CMD_START;
      ST_OPEN:  cmd_o.lost    = 1'b0;
      ST_CLOSE: cmd_o.command = stream_pkg::CMD_CLOSE;
      ST_LOST: begin
        cmd_o.command = stream_pkg::CMD_SYNC;
        cmd_o.cycle   = lost_at_i;
      end
      ST_END: begin
        cmd_o.command = stream_pkg::CMD_END;
        cmd_o.lost    = 1'b0;
        cmd_o.cycle   = past_q ? past_at_q : over_at_q;
      end
      default: cmd_valid_o = 1'b0;
    endcase
  end

  assign nib_valid_o = left_q != '0;
  assign nib_o       = send_q[3:0];
  assign stop_o      = state_q == ST_END && !started_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= ST_OFF;
      open_q    <= 1'b0;
      started_q <= 1'b0;
      over_q    <= 1'b0;
      past_q    <= 1'b0;
      left_q    <= '0;
      told_q    <= 1'b0;
    end else begin
      if (start_i) begin
        started_q <= 1'b1;
        clean_q   <= clean_i;
        past_q    <= over_q;
        over_q    <= 1'b0;
      end else if (end_i) begin
        over_q <= 1'b1;
      end
      if (ch_take_o)                          left_q <= 4'(ch_i.last) + 4'd1;
      else if (left_q != '0 && nib_ready_i)   left_q <= left_q - 4'd1;

      unique case (state_q)
        ST_OFF: if (started_q) state_q <= ST_BEGIN;
        ST_BEGIN: if (cmd_ready_i) begin
          state_q   <= ST_REST;
          started_q <= start_i;
          told_q    <= lost_i;
        end
        ST_REST: state_q <= rest;
        ST_OPEN: if (cmd_ready_i) begin
          state_q <= ST_SEND;
          open_q  <= 1'b1;
        end
        ST_SEND: if (ch_take_o && ch_i.ends) state_q <= ST_REST;
        ST_CLOSE: if (cmd_ready_i) begin
          state_q <= ST_REST;
          open_q  <= 1'b0;
        end
        ST_LOST: if (cmd_ready_i) begin
          state_q <= ST_REST;
          told_q  <= 1'b1;
        end
        ST_END: if (cmd_ready_i) begin
          state_q <= ST_OFF;
          past_q  <= 1'b0;
          if (!past_q) over_q <= 1'b0;
        end
        default: state_q <= ST_OFF;
      endcase
    end
    // payload
    if (start_i) past_at_q <= over_at_q;
    if (end_i)   over_at_q <= cycle_i;
    if (ch_take_o)        send_q <= ch_i.data;
    else if (nib_ready_i) send_q <= send_q >> 4;
    if (state_q == ST_BEGIN)              records_q <= '0;
    else if (ch_take_o && ch_i.ends)      records_q <= records_q + 32'd1;
    idle_q <= (state_q != ST_REST || ch_valid_i) ? '0 : idle ? idle_q : idle_q + 1'b1;
  end

endmodule
