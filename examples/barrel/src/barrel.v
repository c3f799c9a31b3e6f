// SPDX-License-Identifier: Apache-2.0
// A barrel of warps: one instruction at a time, of the warps in turn, each finished wholly before
// the next begins. Integers, FP32, memory, control, what lanes say to each other.
// Ports, events and what is left out: ../README.md. bug_i chooses a planted bug (../bugs.md).
module barrel #(
    parameter WARPS  = 4,      // warp slots, a power of two, at most 32
    parameter LANES  = 8,      // 4, 8, 16 or 32
    parameter BLOCKS = 2,      // blocks at a time
    parameter SHARED = 8192    // bytes of shared memory
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire [7:0]   bug_i,
    // the launch: stable from go to done
    input  wire         go_i,
    input  wire [39:0]  code_base_i,
    input  wire [31:0]  code_bytes_i,
    input  wire [31:0]  entry_i,
    input  wire [95:0]  grid_i,         // z, y, x
    input  wire [95:0]  block_i,
    input  wire [8:0]   regs_i,
    input  wire [23:0]  shared_bytes_i,
    input  wire [39:0]  local_base_i,
    input  wire [19:0]  local_bytes_i,
    input  wire [4*40-1:0]  cbank_base_i,
    input  wire [4*17-1:0]  cbank_bytes_i,
    input  wire [16*40-1:0] region_base_i,
    input  wire [16*41-1:0] region_limit_i,
    input  wire [15:0]  region_write_i,
    output reg          done_o,
    output reg  [2:0]   refused_o,      // with done: as REFUSE of isa/abi/host_regs.layout
    output reg          trapped_o,      // with done
    // memory: sectors of 32 bytes, one request at a time, an answer for each
    output wire         req_o,
    input  wire         ready_i,
    output wire         we_o,
    output wire [39:0]  addr_o,
    output wire [255:0] wdata_o,
    output wire [31:0]  wstrb_o,
    input  wire         rsp_i,
    input  wire [255:0] rdata_i,
    input  wire         err_i,
    // events; who: what all of a cycle belong to
    output reg  [7:0]   ev_slot_o,
    output reg  [7:0]   ev_gen_o,
    output reg  [31:0]  ev_seq_o,
    output reg          is_valid_o,     // issue
    output reg  [31:0]  is_pc_o,
    output reg  [127:0] is_word_o,
    output reg  [31:0]  is_active_o,
    output reg  [31:0]  is_exec_o,
    output reg  [95:0]  is_ps_o,        // ps2, ps1, ps0
    output reg          op_valid_o,     // operand row
    output reg  [3:0]   op_index_o,
    output reg  [2:0]   op_beat_o,
    output reg  [LANES-1:0] op_mask_o,
    output reg  [LANES*32-1:0] op_data_o,
    output reg          wr_valid_o,     // register row
    output reg  [7:0]   wr_reg_o,
    output reg  [2:0]   wr_beat_o,
    output reg  [LANES-1:0] wr_mask_o,
    output reg  [LANES*32-1:0] wr_data_o,
    output reg          pr_valid_o,     // predicates, P6 to P0
    output reg  [2:0]   pr_beat_o,
    output reg  [7*LANES-1:0] pr_mask_o,
    output reg  [7*LANES-1:0] pr_data_o,
    output wire         mo_valid_o,     // memory: see barrel_mem
    output wire [1:0]   mo_space_o,
    output wire [1:0]   mo_access_o,
    output wire [39:0]  mo_addr_o,
    output wire [31:0]  mo_word_o,
    output wire [31:0]  mo_lanes_o,
    output wire [31:0]  mo_touch_o,
    output wire [31:0]  mo_wstrb_o,
    output wire [255:0] mo_wdata_o,
    output wire [255:0] mo_rdata_o,
    output reg          bs_valid_o,     // block start
    output reg          be_valid_o,     // block end
    output reg          ba_valid_o,     // barrier lets its warps go
    output reg  [3:0]   bl_slot_o,      // block slot of the three
    output reg  [3:0]   ba_id_o,
    output reg  [95:0]  bs_ctaid_o,
    output reg  [WARPS-1:0] bs_warps_o,
    output reg  [23:0]  bs_shared_o,
    output reg          tr_valid_o,     // trap; who is ev_*
    output reg  [3:0]   tr_cause_o,
    output reg  [31:0]  tr_pc_o,
    output reg  [31:0]  tr_lanes_o,
    output reg  [63:0]  tr_addr_o
);
  localparam BEATS = 32 / LANES;
  localparam LW = LANES * 32;
  localparam [4:0] IDLE = 0, SIZES = 1, NEXT = 2, START = 3, CLEAR = 4, THREADS = 5, OPEN = 6,
      FETCH = 7, LINE = 8, DECODE = 9, OPERAND = 10, JUDGE = 11, READ = 12, WORK = 13, LATCH = 14,
      COMPUTE = 15, TALK = 16, MEMORY = 17, CONTROL = 18, STORE = 19, PATH = 20, BARRIER = 21,
      ENDED = 22, TRAP = 23, DONE = 24;
  localparam [2:0] NONE = 0, RB = 1, RC = 2, IMM = 3, CONST = 4, SHB = 5, SHC = 6, SREG = 7;
  localparam [2:0] MEM = 1, BRANCH = 2, WARP = 3;
  localparam [3:0] P_START = 0, P_NEXT = 1, P_JUMP = 2, P_MEMBER = 3, P_PARK = 4, P_BREAK = 5,
      P_EXIT = 6, P_SET = 7, P_CLEAR = 8;

  // ---- state ----
  reg [4:0] state;
  reg [63:0] clock;
  reg [5:0] wi;                                  // the warp whose turn it is
  reg [WARPS-1:0] used, stopped, owed;           // owed: a BAR.RED result is still to be written
  reg [WARPS-1:0] held;                          // slots of blocks that have not ended
  reg [7:0] gen [0:WARPS-1];
  reg [31:0] seq [0:WARPS-1];
  reg [3:0] home [0:WARPS-1];                    // block slot
  reg [95:0] ctaid [0:BLOCKS-1];
  reg [WARPS-1:0] blocks [0:BLOCKS-1];           // slots of its warps that have not ended
  reg [WARPS-1:0] crew [0:BLOCKS-1];             // slots of all its warps
  reg [BLOCKS-1:0] open;
  reg [32*32-1:0] tid [0:WARPS-1];               // z, y, x of each lane: 10, 11, 11 bits
  reg [223:0] preds [0:WARPS-1];
  reg [LW-1:0] rf [0:WARPS*256*BEATS-1];
  reg [511:0] code [0:WARPS-1];                  // the line of code that a warp read last
  reg [33:0] code_at [0:WARPS-1];
  reg [WARPS-1:0] code_ok;
  reg [31:0] owe [0:WARPS-1];                    // the counts of that RED
  reg [127:0] owe_word [0:WARPS-1];              // and its word
  reg [95:0] next_cta;
  reg more;                                      // blocks are still to be started
  // one instruction
  reg [127:0] word;
  reg [31:0] exec, seq_now;
  reg [8191:0] ops;
  reg [4095:0] res;
  reg [31:0] q0, q1, cword, cword_hi;   // of a constant, its second word
  reg [63:0] clock_now;
  reg [5:0] i, j;
  reg [2:0] beat;
  reg [LW-1:0] xa, xb, xc, xch;
  // a line of 64 bytes being read
  reg [39:0] line_at;
  reg [511:0] line;
  reg line_second, line_sent, line_err, line_const;
  // a trap to come
  reg [3:0] cause;
  reg [31:0] guilty;
  reg [63:0] place;
  // a block being started
  reg [WARPS-1:0] given;
  reg [3:0] bslot;
  reg [10:0] tx, ty, tz;
  reg [10:0] thread;
  reg [31:0] lanes_of;
  reg [1023:0] tids;
  reg waited, paying;
  reg [31:0] pc_now;

  function [6:0] ones(input [63:0] v);
    integer n;
    begin
      ones = 0;
      for (n = 0; n < 64; n = n + 1) ones = ones + {6'd0, v[n]};
    end
  endfunction
  function [4:0] lowest(input [31:0] v);
    integer n;
    begin
      lowest = 0;
      for (n = 31; n >= 0; n = n - 1) if (v[n]) lowest = n[4:0];
    end
  endfunction

  // ---- the launch ----
  wire [31:0] bx = block_i[31:0], by = block_i[63:32], bz = block_i[95:64];
  wire [31:0] threads = bx[10:0] * by[10:0] * bz[10:0];
  wire [31:0] warps = (threads + 32'd31) >> 5;
  wire shared_alone = {8'd0, shared_bytes_i} > SHARED / BLOCKS;
  wire [2:0] refuse = grid_i[31:0] == 0 || grid_i[63:32] == 0 || grid_i[95:64] == 0 ? 3'd1
      : bx == 0 || by == 0 || bz == 0 || bx > 1024 || by > 1024 || bz > 64 || threads > 1024 ? 3'd2
      : warps > WARPS ? 3'd3 : regs_i == 0 || regs_i > 255 ? 3'd4
      : {8'd0, shared_bytes_i} > SHARED ? 3'd5 : 3'd0;
  wire [63:0] free = {{(64-WARPS){1'b0}}, ~held};
  reg [WARPS-1:0] pick;
  reg [3:0] free_block;
  reg free_any;
  reg [6:0] taken;
  integer n;
  always @* begin
    pick = 0;
    taken = 0;
    for (n = 0; n < WARPS; n = n + 1)
      if (!held[n] && {25'd0, taken} < warps) begin
        pick[n] = 1'b1;
        taken = taken + 7'd1;
      end
    free_any = 0;
    free_block = 0;
    for (n = BLOCKS - 1; n >= 0; n = n - 1)
      if (!open[n] && (n == 0 || !shared_alone)) begin
        free_any = 1'b1;
        free_block = n[3:0];
      end
  end
  wire can_start = more && free_any && {25'd0, taken} == warps;
  wire [23:0] shared_base = shared_alone ? 24'd0 : home[wi] * (SHARED / BLOCKS);

  // ---- decode ----
  wire legal, p0, p1;
  wire [1:0] na, nc;
  wire [2:0] nb, nd, bsel, csel, psn, unit;
  wire [4:0] signs;
  barrel_decode decode (.bug(bug_i), .w(word), .regs(regs_i), .legal(legal), .na(na), .nb(nb),
      .nc(nc), .bsel(bsel), .csel(csel), .nd(nd), .signs(signs), .p0(p0), .p1(p1), .ps(psn),
      .unit(unit));
  wire [8:0] op = word[8:0];
  wire [255:0] pall = {32'hffffffff, preds[wi]};
  function [31:0] source(input [255:0] all, input [3:0] f);
    source = all[{f[2:0], 5'd0} +: 32] ^ {32{f[3]}};
  endfunction
  wire [2:0] guard_index = word[14:12] == 6 && bug_i == 8'd4 ? 3'd5 : word[14:12];
  wire [31:0] guard = source(pall, {word[15], guard_index});
  wire [31:0] ps0 = psn[0] ? source(pall, {word[90] && bug_i != 8'd7, word[89:87]}) : 32'd0;
  wire [31:0] ps1 = psn[1] ? source(pall, word[80:77]) : 32'd0;
  wire [31:0] ps2 = psn[2] ? source(pall, word[71:68]) : 32'd0;

  // ---- paths, barriers, memory ----
  wire [31:0] active, pc, live, members, parked, park_pc;
  reg path_go;
  reg [3:0] path_cmd;
  reg [31:0] path_mask, path_target, path_exec;
  wire path_done, path_ended, path_dead;
  wire [4:0] bx_index = op == 9'h148 ? 5'd16 : {1'b0, op == 9'h155 ? word[27:24] : word[19:16]};
  barrel_paths #(.WARPS(WARPS)) paths (.clk_i(clk_i), .rst_ni(rst_ni), .bug(bug_i), .warp_i(wi),
      .x_i(bx_index), .active_o(active), .pc_o(pc), .live_o(live), .members_o(members),
      .parked_o(parked), .park_pc_o(park_pc), .go_i(path_go), .cmd_i(path_cmd),
      .exec_i(path_exec), .mask_i(path_mask), .target_i(path_target), .done_o(path_done),
      .ended_o(path_ended), .dead_o(path_dead));

  reg bar_go;
  reg [1:0] bar_cmd;
  wire [1:0] bar_kind = op == 9'h11d ? 2'd0 : op == 9'h11e ? 2'd1 : 2'd2;
  wire bar_bad, bar_done, bar_release;
  wire [3:0] bar_id;
  wire [WARPS-1:0] bar_warps;
  wire [15:0] bar_true, bar_lanes;
  wire [3:0] bar_block = state == CLEAR ? bslot : home[wi];
  wire [6:0] ps0_true = ones({32'd0, ps0 & exec});
  wire [6:0] exec_count = ones({32'd0, exec});
  // (whole wires: Yosys 0.70 stumbles over parts of them at a module with parameters)
  wire [3:0] bar_index = word[57:54];
  wire [11:0] bar_count = word[53:42];
  wire [WARPS-1:0] alive = blocks[home[wi]];
  wire [5:0] bar_size = warps[5:0];
  wire [5:0] bar_yes = ps0_true[5:0];
  wire [5:0] bar_of = exec_count[5:0];
  barrel_bars #(.WARPS(WARPS), .BLOCKS(BLOCKS)) bars (.clk_i(clk_i), .rst_ni(rst_ni), .bug(bug_i),
      .go_i(bar_go), .cmd_i(bar_cmd), .bslot_i(bar_block), .id_i(bar_index), .kind_i(bar_kind),
      .count_i(bar_count), .warp_i(wi), .alive_i(alive), .size_i(bar_size),
      .true_i(bar_yes), .lanes_i(bar_of), .misuse_o(bar_bad), .done_o(bar_done),
      .release_o(bar_release), .id_o(bar_id), .warps_o(bar_warps), .true_o(bar_true),
      .lanes_o(bar_lanes));

  reg mem_go;
  wire mem_done, mem_req, mem_we;
  wire [4095:0] mem_res;
  wire [3:0] mem_cause;
  wire [31:0] mem_lanes;
  wire [63:0] mem_addr;
  wire [39:0] mem_at;
  wire mem_rsp = rsp_i && state == MEMORY;
  barrel_mem #(.SHARED(SHARED)) mem (.clk_i(clk_i), .rst_ni(rst_ni), .bug(bug_i),
      .region_base_i(region_base_i), .region_limit_i(region_limit_i),
      .region_write_i(region_write_i), .cbank_base_i(cbank_base_i),
      .cbank_bytes_i(cbank_bytes_i), .local_base_i(local_base_i), .local_bytes_i(local_bytes_i),
      .shared_bytes_i(shared_bytes_i), .go_i(mem_go), .w(word), .slot_i(wi),
      .shared_base_i(shared_base), .exec_i(exec), .ops_i(ops), .done_o(mem_done),
      .result_o(mem_res), .cause_o(mem_cause), .lanes_o(mem_lanes), .addr_o(mem_addr),
      .req_o(mem_req), .ready_i(ready_i), .we_o(mem_we), .addr_req_o(mem_at), .wdata_o(wdata_o),
      .wstrb_o(wstrb_o), .rsp_i(mem_rsp), .rdata_i(rdata_i), .err_i(err_i),
      .mo_valid_o(mo_valid_o), .mo_space_o(mo_space_o), .mo_access_o(mo_access_o),
      .mo_addr_o(mo_addr_o), .mo_word_o(mo_word_o), .mo_lanes_o(mo_lanes_o),
      .mo_touch_o(mo_touch_o), .mo_wstrb_o(mo_wstrb_o), .mo_wdata_o(mo_wdata_o),
      .mo_rdata_o(mo_rdata_o));
  assign req_o = state == LINE ? !line_sent : mem_req;
  assign we_o = state != LINE && mem_we;
  assign addr_o = state == LINE ? {line_at[39:6], line_second, 5'd0} : mem_at;

  // ---- operands ----
  wire [2:0] k = i < 2 ? i[2:0] : i < 6 ? i[2:0] - 3'd2 : i[2:0] - 3'd6;
  wire has = i < 2 ? {1'b0, k} < {2'd0, na} : i < 6 ? bsel != NONE && k < nb
      : csel != NONE && k < {1'b0, nc};
  wire [2:0] sel = i < 2 ? RB : i < 6 ? bsel : csel;
  wire [7:0] reg0 = i < 2 ? word[31:24] : sel == RB ? word[39:32] : word[71:64];
  wire [7:0] regk = (bug_i == 8'd48 ? reg0 & 8'h7f : reg0) + {5'd0, k};
  wire [LW-1:0] from_rf = reg0 == 8'hff ? {LW{1'b0}} : rf[({wi, regk} * BEATS) + beat];
  wire [31:0] one = sel == IMM ? word[63:32] : sel == CONST ? (k[0] ? cword_hi : cword)
      : sel == SHB ? {27'd0, word[57:53]} : {19'd0, word[52:40]};
  wire [LW-1:0] sregs;
  wire [LW-1:0] row = sel == RB || sel == RC ? from_rf : sel == SREG ? sregs : {LANES{one}};
  wire [95:0] cta = ctaid[home[wi]];
  wire [31:0] fixed_sreg = word[79:72] == 2 ? {26'd0, wi} : word[79:72] == 4 ? WARPS
      : word[79:72] == 5 ? 32'd1 : word[79:72] == 37 ? cta[31:0]
      : word[79:72] == 38 ? (bug_i == 8'd49 ? cta[95:64] : cta[63:32])
      : word[79:72] == 39 ? (bug_i == 8'd49 ? cta[63:32] : cta[95:64])
      : word[79:72] == 80 ? (k == 0 ? clock_now[31:0] : clock_now[63:32])
      : word[79:72] == 81 ? clock_now[63:32] : 32'd0;

  // ---- lanes ----
  wire [LANES-1:0] xmask = exec[beat*LANES +: LANES];
  wire [LANES-1:0] wmask = bug_i == 8'd6 && beat == 2 ? exec[LANES-1:0] : xmask;
  wire [LW-1:0] lane_lo, lane_hi;
  wire [LANES-1:0] lane_q0, lane_q1;
  wire [7*LANES-1:0] pmask, pdata;
  wire [223:0] pnew;
  wire is_r2p = op == 9'h004;
  genvar g, h;
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_lane
      wire [4:0] me = beat * LANES + g;
      wire [31:0] t = tid[wi][{me, 5'd0} +: 32];
      wire [31:0] bit_me = 32'd1 << me;
      assign sregs[32*g +: 32] = word[79:72] == 0 ? {27'd0, me}
          : word[79:72] == 33 ? {21'd0, t[10:0]} : word[79:72] == 34 ? {21'd0, t[21:11]}
          : word[79:72] == 35 ? {22'd0, t[31:22]} : word[79:72] == 56 ? bit_me
          : word[79:72] == 57 ? bit_me - 32'd1
          : word[79:72] == 58 ? bit_me | (bit_me - 32'd1)
          : word[79:72] == 59 ? ~(bit_me | (bit_me - 32'd1))
          : word[79:72] == 60 ? ~(bit_me - 32'd1) : fixed_sreg;
      wire [6:0] p_me;
      for (h = 0; h < 7; h = h + 1) begin : gen_p
        assign p_me[h] = preds[wi][32*h + me];
      end
      barrel_lane lane (.bug(bug_i), .w(word), .signs(signs), .a(xa[32*g +: 32]),
          .b(xb[32*g +: 32]), .c(xc[32*g +: 32]), .ch(xch[32*g +: 32]),
          .ps({ps2[me], ps1[me], ps0[me]}), .p(p_me), .lo(lane_lo[32*g +: 32]),
          .hi(lane_hi[32*g +: 32]), .q0(lane_q0[g]), .q1(lane_q1[g]));
      // Predicates of this beat: which are written, with what.
      for (h = 0; h < 7; h = h + 1) begin : gen_q
        wire hit0 = p0 && word[83:81] == h;
        wire hit1 = p1 && word[86:84] == h;
        wire byr = is_r2p && (ops[{3'd2, me, 5'd0} + h] || bug_i == 8'd9);
        assign pmask[LANES*h + g] = wmask[g] && (hit0 || hit1 || byr);
        assign pdata[LANES*h + g] = is_r2p ? ops[{3'd0, me, 5'd0} + h]
            : hit1 && !(hit0 && bug_i == 8'd11) ? q1[me] : q0[me];
      end
    end
    for (h = 0; h < 7; h = h + 1) begin : gen_pnew
      wire [31:0] m = {{(32-LANES){1'b0}}, pmask[LANES*h +: LANES]} << (beat * LANES);
      wire [31:0] d = {{(32-LANES){1'b0}}, pdata[LANES*h +: LANES]} << (beat * LANES);
      assign pnew[32*h +: 32] = (preds[wi][32*h +: 32] & ~m) | (d & m);
    end
  endgenerate

  // ---- what lanes say to each other: lane i's turn ----
  wire [4:0] li = i[4:0];
  wire [31:0] sb = ops[{3'd2, li, 5'd0} +: 32];
  wire [31:0] sc = ops[{3'd6, li, 5'd0} +: 32];
  wire [4:0] s_lo = li & sc[12:8];
  wire [4:0] s_hi = s_lo | (sc[4:0] & ~sc[12:8]);
  wire [6:0] s_up = {2'd0, li} - {2'd0, sb[4:0]};
  wire [6:0] s_down = {2'd0, li} + {2'd0, sb[4:0]};
  wire [6:0] s_j = word[59:58] == 1 ? s_up : word[59:58] == 2 ? s_down
      : word[59:58] == 3 ? {2'd0, li ^ sb[4:0]} : {2'd0, s_lo | (sb[4:0] & ~sc[12:8])};
  wire s_in = word[59:58] == 1 ? !s_j[6] && s_j >= {2'd0, s_hi} : s_j <= {2'd0, s_hi};
  wire s_ok = s_in && exec[s_j[4:0]];
  wire [31:0] s_val = ops[{3'd0, s_ok ? s_j[4:0] : li, 5'd0} +: 32];
  wire [63:0] key = {word[73] ? ops[{3'd1, li, 5'd0} +: 32] : 32'd0, ops[{3'd0, li, 5'd0} +: 32]};
  reg [31:0] alike;
  always @* begin
    for (n = 0; n < 32; n = n + 1)
      alike[n] = exec[n] && ops[32*n +: 32] == key[31:0]
          && (!word[73] || ops[1024 + 32*n +: 32] == key[63:32]);
  end
  wire [31:0] voters = ps0 & exec;
  wire vote = word[73:72] == 0 ? voters == exec : word[73:72] == 1 ? voters != 0
      : voters == exec || voters == 0;

  // ---- control ----
  wire [4:0] first = lowest(exec);
  wire [31:0] mirror;
  generate
    for (g = 0; g < 32; g = g + 1) begin : gen_mirror
      assign mirror[g] = exec[31-g];
    end
  endgenerate
  wire [4:0] from_top = lowest(mirror);
  wire [31:0] b_first = ops[{3'd2, bug_i == 8'd19 ? 5'd31 - from_top : first, 5'd0} +: 32];
  wire [4:0] turn = i[4:0];              // register targets: lane by lane
  wire [63:0] target = {ops[{3'd1, turn, 5'd0} +: 32], ops[{3'd0, turn, 5'd0} +: 32]}
      + (bug_i == 8'd21 && op == 9'h150 ? 64'd0 : {{32{word[63]}}, word[63:32]});
  wire target_bad = target[63:32] != 0 || target[3:0] != 0 || target[31:0] >= code_bytes_i;
  reg [31:0] jump_to, jumpers, strays;
  wire is_brx = op == 9'h149 || op == 9'h143 || op == 9'h150;
  wire is_bar = op == 9'h11d || op == 9'h11e || op == 9'h11f || op == 9'h120;
  wire is_bsync = op == 9'h141;
  wire [31:0] pc_next = pc + 32'd16;
  wire [39:0] code_addr = code_base_i + {8'd0, pc};
  wire [511:0] code_line = code[wi];
  wire [16:0] cb_bytes = cbank_bytes_i[word[55:54]*17 +: 17];
  wire [39:0] cb_base = cbank_base_i[word[55:54]*40 +: 40];
  wire [39:0] const_addr = cb_base + {24'd0, word[53:38]};
  wire uses_const = bsel == CONST || csel == CONST;
  wire const_pair = csel == CONST && nc == 2;
  wire const_bad = word[58:56] != 0
      || {1'b0, word[53:38]} + (const_pair ? 17'd8 : 17'd4) > {1'b0, cb_bytes};
  wire [WARPS-1:0] bit_wi = {{(WARPS-1){1'b0}}, 1'b1} << wi;
  wire [5:0] wi_next = wi + 6'd1 == WARPS ? 6'd0 : wi + 6'd1;
  wire [31:0] debt = owe[wi];

  `include "barrel_steps.vh"
endmodule
