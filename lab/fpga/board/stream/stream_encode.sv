// SPDX-License-Identifier: Apache-2.0
// Records become nibbles: which kind, how long after the one before, and each word by those of its context
// before (docs/stream-format.md). It decides where frames begin and end, and where a reader may begin.
// Latency: a record takes four cycles and two for each of its words, or one for each nibble if that is more, and as many as
// its source is behind_i. A new begin takes one for each context (1,024). Throughput: that of the link, long before its
// own: a byte is two nibbles.
// Handshake: take_o of a tag or a record, which comes a cycle later; index_o comes a cycle before its word_i is used; nib_,
// cmd_ valid until ready. start_i, end_i: events.
// Words have no meaning here. It does not wait for a record longer than IDLE cycles with a frame open.
`include "heddle_assert.svh"

module stream_encode #(
  parameter int unsigned IDLE = 256
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  input  logic                                  start_i,
  input  logic                                  end_i,
  // from the queues
  input  logic                                  empty_i,
  input  stream_pkg::sources_t                  behind_i,      // sources with a next record still on its way into its queue
  output logic                                  take_tag_o,
  input  stream_pkg::tag_t                      tag_i,
  input  logic                                  lost_i,
  input  logic [63:0]                           cycle_i,
  output logic                                  resume_o,
  output logic                                  stop_o,
  output stream_pkg::sources_t                  take_o,
  output stream_pkg::sources_t                  chosen_o,
  output logic [stream_pkg::WORD_W-1:0]         index_o,
  input  logic [3:0]                            code_i,
  input  logic [stream_pkg::WORDS_MAX-1:0]      there_i,
  input  logic [31:0]                           word_i,
  input  logic [retire_stream_pkg::CONTEXT_W:0] context_i,
  input  logic                                  key_i,
  // to the framer
  output logic                                  cmd_valid_o,
  input  logic                                  cmd_ready_i,
  output stream_pkg::command_t                  cmd_o,
  output logic                                  nib_valid_o,
  input  logic                                  nib_ready_i,
  output logic [3:0]                            nib_o,
  input  logic                                  full_i
);

  localparam int unsigned SOURCES = stream_pkg::SOURCES;
  localparam int unsigned WORDS   = stream_pkg::WORDS_MAX;
  localparam int unsigned PLACE_W = stream_pkg::PLACE_W;
  localparam int unsigned SEND_W  = 4 * stream_pkg::SEND;
  localparam int unsigned IDLE_W  = $clog2(IDLE + 1);
  localparam int unsigned SYNC_W  = $clog2(stream_pkg::SYNC_FRAMES + 1);

  typedef enum logic [3:0] {
    ST_OFF, ST_CLEAR, ST_BEGIN, ST_REST, ST_CLOSE, ST_END, ST_TAG, ST_OPEN, ST_NEXT, ST_HEAD, ST_WORD, ST_CODE, ST_SEND
  } state_e;
  state_e                     state_q;
  logic [SOURCES-1:0]         pend_q, source_q;
  logic [WORDS-1:0]           there_q;
  logic [PLACE_W-1:0]         place_q;           // of the context; counts while they are cleared
  logic [stream_pkg::KEY_W-1:0] key_q;
  logic [1:0]                 same_q;            // words before this one that are the same, not sent yet
  logic [63:0]                at_q;              // cycle of the last record
  logic [stream_pkg::GAP_W-1:0] gap_q;
  logic [31:0]                word_q, records_q;
  logic [IDLE_W-1:0]          idle_q;
  logic [SYNC_W-1:0]          frames_q;          // since the last place to begin at
  logic                       open_q, started_q, over_q, launch_q, failed_q;
  logic [SEND_W-1:0]          send_q;
  logic [3:0]                 left_q;

  // ---- which record, which word ----------------------------------------------------------------
  logic [SOURCES-1:0] source;
  logic               come;
  logic [WORDS-1:0]   lowest;
  logic [stream_pkg::WORD_W-1:0] index;
  assign source = pend_q & (~pend_q + 1'b1);
  assign lowest = there_q & (~there_q + 1'b1);
  always_comb begin
    index = '0;
    for (int unsigned i = 0; i < WORDS; i++) if (lowest[i]) index |= stream_pkg::WORD_W'(i);
  end

  assign take_tag_o = state_q == ST_REST && !empty_i && !started_q
                      && (open_q ? !full_i : frames_q != SYNC_W'(stream_pkg::SYNC_FRAMES));
  assign come       = (source & SOURCES'(behind_i)) == '0;
  assign take_o     = (state_q == ST_NEXT && come) ? stream_pkg::sources_t'(source) : '0;
  assign chosen_o   = stream_pkg::sources_t'(source_q);
  assign index_o    = index;

  // ---- contexts --------------------------------------------------------------------------------
  logic               ctx_write;
  logic [31:0]        prev, step_raw, step, delta, data;
  logic [PLACE_W-1:0] place;
  logic               keyed, same, clearing, coded;
  logic [3:0]         code, nibbles;

  assign clearing  = state_q == ST_CLEAR;
  assign keyed     = context_i[retire_stream_pkg::CONTEXT_W];
  assign place     = keyed ? {1'b1, key_q, context_i[1:0]} : PLACE_W'(context_i[retire_stream_pkg::CONTEXT_W-1:0]);
  assign ctx_write = clearing || coded;

  ram_1r1w #(.WIDTH(32), .DEPTH(stream_pkg::PLACES), .RACE(1'b1)) u_prev (
    .clk_i     (clk_i),
    .wr_en_i   (ctx_write),
    .wr_addr_i (place_q),
    .wr_data_i (clearing ? 32'd0 : word_q),
    .rd_en_i   (state_q == ST_WORD),
    .rd_addr_i (place),
    .rd_data_o (prev)
  );
  ram_1r1w #(.WIDTH(32), .DEPTH(1 << retire_stream_pkg::CONTEXT_W), .RACE(1'b1)) u_step (
    .clk_i     (clk_i),
    .wr_en_i   (ctx_write && !place_q[PLACE_W-1]),
    .wr_addr_i (place_q[retire_stream_pkg::CONTEXT_W-1:0]),
    .wr_data_i (clearing ? 32'd0 : delta),
    .rd_en_i   (state_q == ST_WORD),
    .rd_addr_i (place[retire_stream_pkg::CONTEXT_W-1:0]),
    .rd_data_o (step_raw)
  );
  assign step = place_q[PLACE_W-1] ? '0 : step_raw;   // by a key there is none

  stream_code u_code (
    .word_i    (word_q),
    .prev_i    (prev),
    .step_i    (step),
    .same_o    (same),
    .code_o    (code),
    .data_o    (data),
    .nibbles_o (nibbles),
    .delta_o   (delta)
  );

  // ---- what is sent at once --------------------------------------------------------------------
  logic              free;       // the last nibble leaves: others may follow
  logic [SEND_W-1:0] send;
  logic [3:0]        left;
  logic              long_gap, told;
  assign free     = left_q == '0 || (left_q == 4'd1 && nib_ready_i);
  // This word has been sent, or counted.
  assign coded    = state_q == ST_CODE && (same ? same_q != 2'd3 || free : same_q == '0 && free);
  assign long_gap = gap_q >= stream_pkg::GAP_W'(stream_pkg::LONG);

  // Equal words are sent before the words after them: three are two and one.
  logic [SEND_W-1:0] run;
  logic [3:0]        runs;
  always_comb begin
    run  = '0;
    runs = 4'd1;
    unique case (same_q)
      2'd1:    run[3:0] = stream_pkg::SAME1;
      2'd2:    run[3:0] = stream_pkg::SAME2;
      default: begin
        run[7:0] = {stream_pkg::SAME1, stream_pkg::SAME2};
        runs     = 4'd2;
      end
    endcase
  end

  always_comb begin
    send = run;
    left = runs;
    told = 1'b0;
    unique case (state_q)
      ST_NEXT: begin                               // a tag without a source: time passes
        send = SEND_W'({gap_q, stream_pkg::LONG, stream_pkg::TIME});
        left = 4'd10;
        told = free && pend_q == '0;
      end
      ST_HEAD: begin
        send = long_gap ? SEND_W'({gap_q, stream_pkg::LONG, code_i}) : SEND_W'({gap_q[3:0], code_i});
        left = long_gap ? 4'd10 : 4'd2;
        told = free;
      end
      ST_WORD: told = free && there_q == '0 && same_q != '0;
      ST_CODE: begin
        if (same) begin
          send = SEND_W'(stream_pkg::SAME4);
          left = 4'd1;
        end else if (same_q == '0) begin
          send = SEND_W'({data, code});
          left = nibbles + 4'd1;
        end
        told = free && (!same || same_q == 2'd3);
      end
      default: ;
    endcase
  end

  assign nib_valid_o = left_q != '0;
  assign nib_o       = send_q[3:0];

  // ---- frames ----------------------------------------------------------------------------------
  logic idle;
  assign idle = idle_q == IDLE_W'(IDLE);

  always_comb begin
    cmd_o = '{command: stream_pkg::CMD_DATA, lost: 1'b0, cycle: at_q, records: records_q};
    cmd_valid_o = 1'b0;
    unique case (state_q)
      ST_BEGIN: begin
        cmd_valid_o   = 1'b1;
        cmd_o.command = launch_q ? stream_pkg::CMD_START : stream_pkg::CMD_SYNC;
        cmd_o.lost    = failed_q;
      end
      ST_OPEN:  cmd_valid_o = 1'b1;
      ST_CLOSE: begin
        cmd_valid_o   = 1'b1;
        cmd_o.command = stream_pkg::CMD_CLOSE;
      end
      ST_END: begin
        cmd_valid_o   = 1'b1;
        cmd_o.command = stream_pkg::CMD_END;
        cmd_o.cycle   = cycle_i;
      end
      default: ;
    endcase
  end

  assign resume_o = clearing && place_q == '1 && failed_q;
  assign stop_o   = state_q == ST_END;

  // The next state between two records.
  state_e rest;
  always_comb begin
    rest = ST_REST;
    if (take_tag_o)                                                          rest = ST_TAG;
    else if (open_q && (full_i || !empty_i || idle || lost_i || started_q))  rest = ST_CLOSE;
    else if (started_q || (empty_i && lost_i))                               rest = ST_CLEAR;
    else if (!empty_i && frames_q == SYNC_W'(stream_pkg::SYNC_FRAMES))       rest = ST_CLEAR;
    else if (empty_i && over_q && idle)                                      rest = ST_END;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= ST_OFF;
      left_q    <= '0;
      open_q    <= 1'b0;
      started_q <= 1'b0;
      over_q    <= 1'b0;
      launch_q  <= 1'b0;
      failed_q  <= 1'b0;
    end else begin
      if (start_i) started_q <= 1'b1;
      if (end_i)   over_q    <= 1'b1;
      if (told)    left_q    <= left;
      else if (left_q != '0 && nib_ready_i) left_q <= left_q - 4'd1;

      unique case (state_q)
        ST_OFF: if (started_q) begin
          state_q   <= ST_CLEAR;
          started_q <= start_i;
          launch_q  <= 1'b1;
          failed_q  <= 1'b0;
        end
        ST_CLEAR: if (place_q == '1) state_q <= ST_BEGIN;
        ST_BEGIN: if (cmd_ready_i) begin
          state_q  <= ST_REST;
          launch_q <= 1'b0;
          failed_q <= 1'b0;
        end
        // A launch that begins before the one before has ended: records of both cannot be distinguished, and are lost.
        ST_REST: begin
          state_q <= rest;
          if (rest == ST_CLEAR) begin
            launch_q  <= started_q;
            failed_q  <= lost_i || started_q;
            started_q <= start_i;
            if (started_q) over_q <= 1'b0;
          end
        end
        ST_CLOSE: if (cmd_ready_i) begin
          state_q <= ST_REST;
          open_q  <= 1'b0;
        end
        ST_END: if (cmd_ready_i) begin
          state_q <= ST_OFF;
          over_q  <= 1'b0;
        end
        ST_TAG:  state_q <= open_q ? ST_NEXT : ST_OPEN;
        ST_OPEN: if (cmd_ready_i) begin
          state_q <= ST_NEXT;
          open_q  <= 1'b1;
        end
        ST_NEXT: if (pend_q == '0) begin
          if (free) state_q <= ST_SEND;
        end else if (come) state_q <= ST_HEAD;
        ST_HEAD: if (free) state_q <= ST_WORD;
        ST_WORD: if (there_q != '0)      state_q <= ST_CODE;
                 else if (same_q == '0)  state_q <= (pend_q != '0) ? ST_NEXT : ST_SEND;
        ST_CODE: if (coded) state_q <= ST_WORD;
        ST_SEND: if (free)  state_q <= ST_REST;
        default: state_q <= ST_OFF;
      endcase
    end
    // payload
    if (told) send_q <= send;
    else if (nib_ready_i) send_q <= send_q >> 4;
    idle_q <= (state_q != ST_REST || !empty_i) ? '0 : idle ? idle_q : idle_q + 1'b1;

    if (clearing)                                        place_q <= place_q + 1'b1;
    else if (state_q == ST_OFF || state_q == ST_REST)    place_q <= '0;
    else if (state_q == ST_WORD && there_q != '0)        place_q <= place;

    unique case (state_q)
      ST_CLEAR: if (place_q == '1) begin
        if (launch_q) at_q <= '0;
        else if (failed_q) at_q <= cycle_i + 64'd1;
        frames_q <= '0;
        if (launch_q) records_q <= '0;
      end
      ST_TAG: begin
        pend_q <= tag_i.sources;
        gap_q  <= tag_i.gap;
        at_q   <= at_q + 64'(tag_i.gap);
      end
      ST_OPEN: if (cmd_ready_i) frames_q <= frames_q + 1'b1;
      ST_NEXT: if (come) begin
        pend_q   <= pend_q & ~source;
        source_q <= source;
        there_q  <= '0;                      // index_o is 0 until it is known what is there
        same_q   <= '0;
      end
      ST_HEAD: if (free) begin
        there_q   <= there_i;
        gap_q     <= '0;
        records_q <= records_q + 32'd1;
      end
      ST_WORD: begin
        there_q <= there_q & ~lowest;
        word_q  <= word_i;
        if (key_i && there_q != '0) key_q <= word_i[stream_pkg::KEY_LOW +: stream_pkg::KEY_W];
        if (told) same_q <= '0;
      end
      ST_CODE: if (told)       same_q <= '0;
               else if (coded) same_q <= same_q + 2'd1;
      default: ;
    endcase
  end

  // A context is read in one cycle and written in another.
  `ASSERT(a_context, !(ctx_write && state_q == ST_WORD))
  // Nothing is said while something is said.
  `ASSERT(a_told, !told || free)

endmodule
