// SPDX-License-Identifier: Apache-2.0
// Entries of several words: blocks, warps that end, a trap, clocks (docs/digest-format.md).
// Latency: a cycle to begin, then one for each chunk of the entry. A block's end takes two and six for each warp.
// Handshake: do_ valid with its subject until do_ready_o, when the whole entry has been sent. ch_: valid until ready;
// ch_mid_o: the next chunk belongs to the entry before it.
// It does not wait for items and accesses that came before: digest_steps does.
module digest_control (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // the entry to send
  input  logic                          do_valid_i,
  output logic                          do_ready_o,
  input  digest_pkg::do_e               do_i,
  input  digest_pkg::slot_t             do_slot_i,
  input  logic [digest_pkg::CLOCK_W-1:0] do_now_i,
  input  digest_pkg::start_t            start_i,
  input  logic [digest_pkg::BLOCK_W-1:0] end_bslot_i,
  input  digest_pkg::trap_t             trap_i,
  output logic                          idle_o,
  // from and to the engine
  output digest_pkg::slot_t             peek_slot_o,
  output logic                          peek_last_o,
  input  logic [31:0]                   peek_seq_i,
  input  logic [31:0]                   peek_digest_i,
  // to the link
  output logic                          ch_valid_o,
  input  logic                          ch_ready_i,
  output logic                          ch_mid_o,
  output digest_pkg::chunk_t            ch_o
);

  localparam int unsigned WARPS = digest_pkg::WARPS;
  localparam int unsigned SEND  = 26;                    // nibbles that are held at once

  typedef enum logic [2:0] {
    ST_IDLE, ST_WARP, ST_LAST, ST_SEND, ST_CTAID, ST_TRAP, ST_DONE
  } state_e;
  state_e               state_q, then_q;
  logic [4*SEND-1:0]    send_q;
  logic [4:0]           left_q;
  logic                 ends_q, mid_q;
  logic [WARPS-1:0]     warps, warps_q;
  logic [1:0]           axis_q;
  logic [31:0]          ctaid_q, before_q;
  digest_pkg::slot_t    slot;

  // The slots of each block's warps.
  ram_async #(.WIDTH(WARPS), .DEPTH(digest_pkg::BLOCKS)) u_warps (
    .clk_i     (clk_i),
    .wr_en_i   (state_q == ST_IDLE && do_valid_i && do_i == digest_pkg::DO_START),
    .wr_addr_i (start_i.bslot),
    .wr_data_i (start_i.warps),
    .rd_addr_i (end_bslot_i),
    .rd_data_o (warps)
  );

  assign do_ready_o = state_q == ST_DONE;
  assign idle_o     = state_q == ST_IDLE && !do_valid_i;

  always_comb begin
    slot = '0;
    for (int k = int'(WARPS) - 1; k >= 0; k--) if (warps_q[k]) slot = digest_pkg::slot_t'(k);
  end
  assign peek_slot_o = slot;
  assign peek_last_o = state_q == ST_LAST;

  // ---- chunks ----------------------------------------------------------------------------------------
  logic short, more, sent;
  assign short = left_q <= 5'd8;
  assign more  = ctaid_q[31:7] != '0;
  always_comb begin
    ch_o.ends = short && ends_q;
    ch_o.last = short ? 3'(left_q - 5'd1) : 3'd7;
    ch_o.data = send_q[31:0];
    if (state_q == ST_CTAID) begin
      ch_o.ends = !more && axis_q == 2'd2;
      ch_o.last = 3'd1;
      ch_o.data = 32'({more, ctaid_q[6:0]});
    end
  end
  assign ch_valid_o = state_q == ST_SEND || state_q == ST_CTAID;
  assign ch_mid_o   = mid_q;
  assign sent       = ch_valid_o && ch_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= ST_IDLE;
      mid_q   <= 1'b0;
    end else begin
      if (sent) mid_q <= !ch_o.ends;
      unique case (state_q)
        ST_IDLE: if (do_valid_i) begin
          state_q <= (do_i == digest_pkg::DO_END) ? ST_WARP : ST_SEND;
          unique case (do_i)
            digest_pkg::DO_START: then_q <= ST_CTAID;
            digest_pkg::DO_TRAP:  then_q <= ST_TRAP;
            default:              then_q <= ST_DONE;
          endcase
        end
        ST_WARP: if (warps_q != '0) begin
          state_q <= ST_LAST;
          then_q  <= ST_WARP;
        end else begin
          state_q <= ST_SEND;
          then_q  <= ST_DONE;
        end
        ST_LAST: state_q <= ST_SEND;
        ST_SEND: if (sent && short) state_q <= then_q;
        ST_CTAID: if (sent && ch_o.ends) state_q <= ST_DONE;
        ST_TRAP: begin
          state_q <= ST_SEND;
          then_q  <= ST_DONE;
        end
        default: state_q <= ST_IDLE;
      endcase
    end
    // payload
    unique case (state_q)
      ST_IDLE: begin
        ends_q  <= do_i == digest_pkg::DO_CLOCK;
        axis_q  <= '0;
        ctaid_q <= start_i.ctaid[0];
        warps_q <= warps;
        unique case (do_i)
          digest_pkg::DO_START: begin
            send_q <= (4 * SEND)'({16'(start_i.warps), 4'(start_i.bslot), digest_pkg::BLOCK_START});
            left_q <= 5'd6;
          end
          digest_pkg::DO_TRAP: begin
            send_q <= {trap_i.lanes, trap_i.pc, trap_i.seq, 4'(trap_i.slot), digest_pkg::TRAP};
            left_q <= 5'd26;
          end
          default: begin
            send_q <= (4 * SEND)'({do_now_i, 4'(do_slot_i), digest_pkg::CLOCK});
            left_q <= 5'd14;
          end
        endcase
      end
      ST_WARP: begin
        before_q <= (peek_seq_i[31:digest_pkg::WINDOW_W] != '0) ? peek_digest_i : '0;
        ends_q   <= 1'b1;
        send_q   <= (4 * SEND)'({4'(end_bslot_i), digest_pkg::BLOCK_END});
        left_q   <= 5'd2;
      end
      ST_LAST: begin
        send_q        <= {peek_digest_i, before_q, peek_seq_i + 32'd1, 4'(slot), digest_pkg::WARP_END};
        left_q        <= 5'd26;
        warps_q[slot] <= 1'b0;
      end
      ST_SEND: if (sent) begin
        send_q <= send_q >> 32;
        left_q <= left_q - 5'd8;
      end
      ST_CTAID: if (sent) begin
        ctaid_q <= more ? ctaid_q >> 7 : (axis_q == 2'd0) ? start_i.ctaid[1] : start_i.ctaid[2];
        if (!more) axis_q <= axis_q + 2'd1;
      end
      ST_TRAP: begin
        ends_q <= 1'b1;
        send_q <= (4 * SEND)'({trap_i.addr, trap_i.cause});
        left_q <= 5'd18;
      end
      default: ;
    endcase
  end

endmodule
