// SPDX-License-Identifier: Apache-2.0
// The steps of module barrel, in the order in which an instruction goes through them.
  // Leave this instruction with a trap.
  task fail(input [3:0] why, input [31:0] who, input [63:0] where);
    begin
      cause <= why;
      guilty <= who;
      place <= where;
      state <= TRAP;
    end
  endtask
  // Go on along the paths.
  task go_on(input [3:0] cmd, input [31:0] mask, input [31:0] to);
    begin
      path_cmd <= cmd;
      path_mask <= mask;
      path_target <= to;
      path_exec <= exec;
      waited <= 1'b0;
      state <= PATH;
    end
  endtask
  task read_line(input [39:0] at, input for_const);
    begin
      line_at <= at;
      line_const <= for_const;
      {line_second, line_sent, line_err} <= 3'd0;
      state <= LINE;
    end
  endtask

  wire [31:0] exec_next = (bug_i == 8'd38 ? live : active) & guard;
  wire [511:0] line_now = {rdata_i, line[255:0]};
  wire last_beat = beat == BEATS - 1;
  wire [7:0] rd = word[23:16] + {2'd0, j};
  wire [31:0] rel_target = pc_next + word[63:32];

  always @(posedge clk_i) begin
    {is_valid_o, op_valid_o, wr_valid_o, pr_valid_o} <= 4'd0;
    {bs_valid_o, be_valid_o, ba_valid_o, tr_valid_o} <= 4'd0;
    {path_go, bar_go, mem_go} <= 3'd0;
    clock <= clock + 64'd1;
    if (bar_release) begin
      ba_valid_o <= 1'b1;
      ba_id_o <= bar_id;
      bl_slot_o <= home[wi];
      stopped <= stopped & ~bar_warps;
      for (n = 0; n < WARPS; n = n + 1)
        if (bar_warps[n]) owe[n] <= {bar_lanes, bar_true};
    end
    if (!rst_ni) begin
      state <= IDLE;
      done_o <= 1'b0;
    end else
      case (state)
        IDLE: if (go_i) begin
          done_o <= 1'b0;
          clock <= 64'd0;
          {used, held, stopped, owed, open, code_ok} <= 0;
          next_cta <= 96'd0;
          more <= 1'b1;
          trapped_o <= 1'b0;
          refused_o <= refuse;
          wi <= 6'd0;
          for (n = 0; n < WARPS; n = n + 1) gen[n] <= 8'd0;
          state <= refuse != 0 ? DONE : NEXT;
        end

        // ---- blocks and warps
        NEXT: begin
          paying <= 1'b0;
          beat <= 3'd0;
          i <= 6'd0;
          j <= 6'd0;
          ev_slot_o <= {2'd0, wi};
          ev_gen_o <= gen[wi];
          ev_seq_o <= owed[wi] ? seq[wi] - 32'd1 : seq[wi];
          pc_now <= pc;
          waited <= 1'b0;
          if (can_start) state <= START;
          else if (used == 0 && !more) state <= DONE;
          else if (!used[wi] || stopped[wi]) wi <= wi_next;
          else if (!owed[wi]) state <= FETCH;
          else begin
            word <= owe_word[wi];
            exec <= live;
            res[1023:0] <= {32{16'd0, debt[15:0]}};
            q0 <= {32{owe_word[wi][74] ? debt[15:0] != 0 : debt[15:0] == debt[31:16]}};
            paying <= 1'b1;
            state <= STORE;
          end
        end
        START: begin
          bs_valid_o <= 1'b1;
          bl_slot_o <= free_block;
          bs_ctaid_o <= next_cta;
          bs_warps_o <= pick;
          bs_shared_o <= shared_alone ? 24'd0 : free_block * (SHARED / BLOCKS);
          bslot <= free_block;
          given <= pick;
          ctaid[free_block] <= next_cta;
          blocks[free_block] <= pick;
          crew[free_block] <= pick;
          open[free_block] <= 1'b1;
          used <= used | pick;
          held <= held | pick;
          for (n = 0; n < WARPS; n = n + 1)
            if (pick[n]) begin
              home[n] <= free_block;
              gen[n] <= bug_i == 8'd33 && gen[n] != 0 ? gen[n] : gen[n] + 8'd1;
              seq[n] <= 32'd0;
            end
          next_cta[31:0] <= next_cta[31:0] + 32'd1;
          if (next_cta[31:0] + 32'd1 == grid_i[31:0]) begin
            next_cta[31:0] <= 32'd0;
            next_cta[63:32] <= next_cta[63:32] + 32'd1;
            if (next_cta[63:32] + 32'd1 == grid_i[63:32]) begin
              next_cta[63:32] <= 32'd0;
              next_cta[95:64] <= next_cta[95:64] + 32'd1;
              more <= next_cta[95:64] + 32'd1 != grid_i[95:64];
            end
          end
          {tx, ty, tz, thread} <= 0;
          bar_cmd <= 2'd0;
          bar_go <= 1'b1;
          state <= CLEAR;
        end
        CLEAR: if (bar_done) begin
          wi <= {1'b0, lowest({{(32-WARPS){1'b0}}, given})};
          i <= 6'd0;
          state <= THREADS;
        end
        THREADS: begin
          tids[{i[4:0], 5'd0} +: 32] <= {tz[9:0], ty, tx};
          lanes_of[i[4:0]] <= {21'd0, thread} < threads;
          thread <= thread + 11'd1;
          tx <= tx + 11'd1;
          if ({21'd0, tx} + 32'd1 == bx) begin
            tx <= 11'd0;
            ty <= ty + 11'd1;
            if ({21'd0, ty} + 32'd1 == by) begin
              ty <= bug_i == 8'd36 ? ty : 11'd0;
              tz <= tz + 11'd1;
            end
          end
          i <= i + 6'd1;
          if (i == 31) begin
            i <= 6'd0;
            state <= OPEN;
          end
        end
        OPEN: begin
          tid[wi] <= tids;
          path_cmd <= P_START;
          path_mask <= lanes_of;
          path_target <= entry_i;
          path_go <= !waited;
          waited <= 1'b1;
          code_ok[wi] <= 1'b0;
          if (path_done) begin
            waited <= 1'b0;
            given <= given & ~bit_wi;
            state <= (given & ~bit_wi) == 0 ? NEXT : THREADS;
            wi <= (given & ~bit_wi) == 0 ? wi
                : {1'b0, lowest({{(32-WARPS){1'b0}}, given & ~bit_wi})};
          end
        end

        // ---- the word
        FETCH:
          if (pc[3:0] != 0 || pc >= code_bytes_i) fail(4'd2, active, {32'd0, pc});
          else if (code_ok[wi] && code_at[wi] == code_addr[39:6]) begin
            word <= code_line[{code_addr[5:4], 7'd0} +: 128];
            state <= DECODE;
          end else read_line(code_addr, 1'b0);
        LINE: begin
          if (req_o && ready_i) line_sent <= 1'b1;
          if (line_sent && rsp_i) begin
            line_sent <= 1'b0;
            line_second <= 1'b1;
            line_err <= line_err || err_i;
            line[255:0] <= rdata_i;
            if (line_second) begin
              if (line_err || err_i)
                fail(4'd10, active, line_const ? {48'd0, word[53:38]}
                    : {24'd0, code_addr[39:5], 5'd0});
              else if (line_const) begin
                cword <= line_now[{line_at[5:2], 5'd0} +: 32];
                cword_hi <= line_now[{line_at[5:3], 6'd32} +: 32];
                state <= JUDGE;
              end else begin
                code[wi] <= line_now;
                code_at[wi] <= line_at[39:6];
                code_ok[wi] <= 1'b1;
                state <= FETCH;
              end
            end
          end
        end
        DECODE: begin
          exec <= exec_next;
          clock_now <= clock;
          state <= JUDGE;
          if (!legal) fail(4'd1, active, 64'd0);
          else if (uses_const) begin
            if (const_bad) fail(4'd6, active, {48'd0, word[53:38]});
            else read_line(const_addr, 1'b1);
          end
        end
        JUDGE:
          if (is_bsync && (exec & ~members) != 0) fail(4'd7, exec & ~members, 64'd0);
          else if (is_bsync && exec != 0 && parked != 0 && park_pc != pc)
            fail(4'd7, exec, 64'd0);
          else if (is_bar && exec != 0 && (exec != live || bar_bad)) fail(4'd9, active, 64'd0);
          else if (op == 9'h15c && exec != 0) fail(4'd11, exec, 64'd0);
          else if (op == 9'h14a && exec != 0 && word[35:32] != 0)
            fail(4'd2, exec, {32'd0, word[63:32]});
          else if (op == 9'h03b && exec != 0 && exec != 32'hffffffff)
            fail(4'd7, ~exec, 64'd0);
          else begin
            is_valid_o <= 1'b1;
            is_pc_o <= pc;
            is_word_o <= word;
            is_active_o <= active;
            is_exec_o <= exec;
            is_ps_o <= {psn[2] ? ps2 : ~32'd0, psn[1] ? ps1 : ~32'd0, psn[0] ? ps0 : ~32'd0};
            seq[wi] <= bug_i == 8'd24 && exec == 0 ? seq[wi] : seq[wi] + 32'd1;
            if (exec == 0) go_on(P_NEXT, 32'd0, 32'd0);
            else state <= READ;
          end

        // ---- operands, then the work
        READ: begin
          if (has && xmask != 0) begin
            ops[1024*i[2:0] + LW*beat +: LW] <= row;
            op_valid_o <= sel != SREG || op != 9'h005;   // of CS2R nothing is shown
            op_index_o <= i < 6 ? i[3:0] : i[3:0] - 4'd2;
            op_beat_o <= beat;
            op_mask_o <= xmask;
            op_data_o <= row;
          end
          i <= i + 6'd1;
          if (i == 7) begin
            i <= 6'd0;
            beat <= last_beat ? 3'd0 : beat + 3'd1;
            if (last_beat) state <= WORK;
          end
        end
        WORK: begin
          {jumpers, strays} <= 64'd0;
          mem_go <= unit == MEM;
          state <= unit == MEM ? MEMORY : unit == WARP ? TALK : unit == BRANCH ? CONTROL : LATCH;
        end
        LATCH: begin
          xa <= ops[LW*beat +: LW];
          xb <= ops[1024*2 + LW*beat +: LW];
          xc <= ops[1024*6 + LW*beat +: LW];
          xch <= ops[(op == 9'h005 ? 1024*3 : 1024*7) + LW*beat +: LW];
          state <= COMPUTE;
        end
        COMPUTE: begin
          res[LW*beat +: LW] <= lane_lo;
          res[1024 + LW*beat +: LW] <= lane_hi;
          q0[LANES*beat +: LANES] <= lane_q0;
          q1[LANES*beat +: LANES] <= lane_q1;
          beat <= last_beat ? 3'd0 : beat + 3'd1;
          state <= last_beat ? STORE : LATCH;
        end
        TALK: begin
          case (op)
            9'h189: begin
              q0[li] <= s_ok;
              res[{li, 5'd0} +: 32] <= s_val;
            end
            9'h006: begin
              q0[li] <= vote;
              res[{li, 5'd0} +: 32] <= voters;
            end
            9'h01e: res[{li, 5'd0} +: 32] <= exec;
            default: begin
              q0[li] <= !word[79] || alike == exec;
              res[{li, 5'd0} +: 32] <= !word[79] ? alike : alike == exec ? exec : 32'd0;
            end
          endcase
          i <= i + 6'd1;
          if (i == 31) state <= STORE;
        end
        MEMORY: if (mem_done) begin
          res <= mem_res;
          if (mem_cause != 0) fail(mem_cause, mem_lanes, mem_addr);
          else if (nd != 0) state <= STORE;
          else go_on(P_NEXT, 32'd0, 32'd0);
        end
        CONTROL:
          case (op)
            9'h147, 9'h144: go_on(P_JUMP, exec, rel_target);
            9'h14a: go_on(P_JUMP, exec, word[63:32]);
            9'h149, 9'h143, 9'h150: begin
              if (exec[turn]) begin
                if (jumpers == 0) jump_to <= target[31:0];
                if (jumpers == 0 || jump_to == target[31:0]) jumpers[turn] <= 1'b1;
                if (target_bad) strays[turn] <= 1'b1;
                if (target_bad && strays == 0) place <= target;
              end
              i <= i + 6'd1;
              if (i == 32) begin
                if (strays != 0) fail(4'd2, strays, place);
                else go_on(P_JUMP, jumpers, jump_to);
              end
            end
            9'h145: go_on(P_MEMBER, 32'd0, 32'd0);
            9'h141: go_on(P_PARK, 32'd0, 32'd0);
            9'h142: go_on(P_BREAK, 32'd0, 32'd0);
            9'h14d, 9'h15b: go_on(P_EXIT, 32'd0, 32'd0);
            9'h155: begin
              res[1023:0] <= {32{members}};
              state <= STORE;
            end
            9'h156: go_on(P_SET, b_first, 32'd0);
            9'h148:
              if ((exec & ~b_first) != 0) fail(4'd7, exec & ~b_first, 64'd0);
              else if (parked != 0 && (members != b_first || park_pc != pc))
                fail(4'd7, exec, 64'd0);
              else go_on(P_PARK, b_first, 32'd0);
            9'h11d, 9'h11e, 9'h11f, 9'h120: begin
              bar_go <= 1'b1;
              bar_cmd <= 2'd1;
              if (op != 9'h11e) stopped[wi] <= 1'b1;
              owed[wi] <= bar_kind == 2;
              owe_word[wi] <= word;
              state <= BARRIER;
            end
            default: go_on(P_NEXT, 32'd0, 32'd0);
          endcase
        BARRIER: if (bar_done) go_on(P_NEXT, 32'd0, 32'd0);

        // ---- results, and on
        STORE: begin
          if (nd != 0 && word[23:16] != 8'hff && wmask != 0) begin
            wr_valid_o <= 1'b1;
            wr_reg_o <= rd;
            wr_beat_o <= beat;
            wr_mask_o <= wmask;
            wr_data_o <= res[1024*j[1:0] + LW*beat +: LW];
            for (n = 0; n < LANES; n = n + 1)
              if (wmask[n])
                rf[({wi, rd} * BEATS) + beat][32*n +: 32]
                    <= res[1024*j[1:0] + LW*beat + 32*n +: 32];
          end
          if (j == 0 && pmask != 0) begin
            pr_valid_o <= 1'b1;
            pr_beat_o <= beat;
            pr_mask_o <= pmask;
            pr_data_o <= pdata;
            preds[wi] <= pnew;
          end
          j <= j + 6'd1;
          if (nd == 0 || j[2:0] + 3'd1 == nd) begin
            j <= 6'd0;
            beat <= last_beat ? 3'd0 : beat + 3'd1;
            if (last_beat) begin
              if (paying) begin
                owed[wi] <= 1'b0;
                state <= NEXT;
              end else go_on(op == 9'h155 && word[84] ? P_CLEAR : P_NEXT, 32'd0, 32'd0);
            end
          end
        end
        PATH: begin
          path_go <= !waited;
          waited <= 1'b1;
          if (path_done) begin
            if (path_dead) fail(4'd8, live, 64'd0);
            else if (path_ended) begin
              used[wi] <= 1'b0;
              blocks[home[wi]] <= blocks[home[wi]] & ~bit_wi;
              waited <= 1'b0;
              state <= ENDED;
            end else begin
              wi <= wi_next;
              state <= NEXT;
            end
          end
        end
        ENDED: begin
          waited <= 1'b1;
          bar_cmd <= 2'd2;
          if (blocks[home[wi]] == 0) begin
            be_valid_o <= 1'b1;
            bl_slot_o <= home[wi];
            open[home[wi]] <= 1'b0;
            held <= held & ~crew[home[wi]];
            wi <= wi_next;
            state <= NEXT;
          end else begin
            bar_go <= !waited;
            if (bar_done) begin
              wi <= wi_next;
              state <= NEXT;
            end
          end
        end
        TRAP: begin
          tr_valid_o <= 1'b1;
          tr_cause_o <= cause;
          tr_pc_o <= pc_now;
          tr_lanes_o <= guilty;
          tr_addr_o <= place;
          trapped_o <= 1'b1;
          state <= DONE;
        end
        DONE: begin
          done_o <= 1'b1;
          state <= IDLE;
        end
        default: state <= IDLE;
      endcase
  end
