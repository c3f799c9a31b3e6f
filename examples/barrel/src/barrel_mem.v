// SPDX-License-Identifier: Apache-2.0
// Unit mem: one instruction at a time. Checks all lanes, then serves them sector by sector (32
// bytes): the lowest lane still to be served, and all others that fall into its sector. Within a
// sector lanes take their turn in ascending order. Local and constant memory go word by word.
// Shared memory lies here. One request on the memory port at a time.
module barrel_mem #(
    parameter SHARED = 8192
) (
    input  wire          clk_i,
    input  wire          rst_ni,
    input  wire [7:0]    bug,
    // the launch
    input  wire [16*40-1:0] region_base_i,
    input  wire [16*41-1:0] region_limit_i,
    input  wire [15:0]   region_write_i,
    input  wire [4*40-1:0] cbank_base_i,
    input  wire [4*17-1:0] cbank_bytes_i,
    input  wire [39:0]   local_base_i,
    input  wire [19:0]   local_bytes_i,
    input  wire [23:0]   shared_bytes_i,
    // the instruction
    input  wire          go_i,
    input  wire [127:0]  w,
    input  wire [5:0]    slot_i,
    input  wire [23:0]   shared_base_i,
    input  wire [31:0]   exec_i,
    input  wire [8191:0] ops_i,        // a: words 0, 1; b: 2 to 5; c: 6, 7
    output reg           done_o,
    output reg  [4095:0] result_o,
    output reg  [3:0]    cause_o,      // with done: 0, or a trap
    output reg  [31:0]   lanes_o,
    output reg  [63:0]   addr_o,
    // the memory port
    output wire          req_o,
    input  wire          ready_i,
    output wire          we_o,
    output wire [39:0]   addr_req_o,
    output wire [255:0]  wdata_o,
    output wire [31:0]   wstrb_o,
    input  wire          rsp_i,
    input  wire [255:0]  rdata_i,
    input  wire          err_i,
    // what was performed
    output reg           mo_valid_o,
    output reg  [1:0]    mo_space_o,   // 0 global, 1 shared, 2 local
    output reg  [1:0]    mo_access_o,  // 0 load, 1 store, 2 atomic
    output reg  [39:0]   mo_addr_o,
    output reg  [31:0]   mo_word_o,
    output reg  [31:0]   mo_lanes_o,
    output reg  [31:0]   mo_touch_o,
    output reg  [31:0]   mo_wstrb_o,
    output reg  [255:0]  mo_wdata_o,
    output reg  [255:0]  mo_rdata_o
);
  localparam [1:0] GLOBAL = 0, SHARE = 1, LOCAL = 2, CONST = 3;
  localparam [2:0] IDLE = 0, ADDR = 1, PASS = 2, READ = 3, LANE = 4, WRITE = 5, TELL = 6, END = 7;
  wire [8:0] op = w[8:0];

  // What the instruction is.
  wire is_ldsm = op == 9'h03b;
  wire is_cctl = op == 9'h198;
  wire is_cas = op == 9'h18b || op == 9'h1a9 || op == 9'h18d;
  wire is_atom = op == 9'h1a8 || op == 9'h18a || op == 9'h18c || op == 9'h18e || is_cas;
  wire is_store = op == 9'h186 || op == 9'h185 || op == 9'h188 || op == 9'h187;
  wire generic = op == 9'h180 || op == 9'h185 || op == 9'h18a || op == 9'h18b;
  wire wide_addr = w[72] && !is_ldsm && op != 9'h182;
  wire [1:0] own_space = op == 9'h182 ? CONST : op == 9'h183 || op == 9'h187 ? LOCAL
      : wide_addr ? GLOBAL : SHARE;
  wire atom64 = is_cas ? w[73] : w[92:87] == 1 || w[92:87] == 10 || w[92:87] == 11
      || w[92:87] == 14 || w[92:87] == 15 || (w[92:87] > 20 && w[87]);
  wire [2:0] size = is_ldsm ? 3'd6 : is_atom ? (atom64 ? 3'd5 : 3'd4) : w[75:73];
  wire [4:0] bytes = size < 2 ? 5'd1 : size < 4 ? 5'd2 :
      size == 4 ? 5'd4 : size == 5 ? 5'd8 : 5'd16;
  wire [2:0] words = size == 6 ? 3'd4 : size == 5 ? 3'd2 : 3'd1;

  reg [2:0] state;
  reg [5:0] lane;                      // ADDR: whose turn
  reg [31:0] pending, todo, group, faulty;
  reg [1:0] k;                         // word of a local or constant access
  reg [1:0] space [0:31];
  reg [32*40-1:0] where;               // the address that memory sees, of word 0
  reg [255:0] buffer, held;
  reg [31:0] strobes;
  reg sent, second, error, failed;
  reg [255:0] shared [0:SHARED/32-1];

  function [4:0] lowest(input [31:0] v);
    integer i;
    begin
      lowest = 0;
      for (i = 31; i >= 0; i = i - 1) if (v[i]) lowest = i[4:0];
    end
  endfunction

  // One lane's address and its check.
  wire [31:0] a0 = ops_i[{3'd0, lane[4:0], 5'd0} +: 32];
  wire [31:0] a1 = wide_addr ? ops_i[{3'd1, lane[4:0], 5'd0} +: 32] : 32'd0;
  wire [63:0] off = op == 9'h182 ? {{48{w[53]}}, w[53:38]}
      : {{40{w[63] && bug != 8'd37}}, w[63:40]};
  wire [63:0] sum = bug == 8'd40 ? {a1 + off[63:32], a0 + off[31:0]} : {a1, a0} + off;
  wire [63:0] addr = wide_addr ? sum : {32'd0, sum[31:0]};
  wire [1:0] sp = generic ? addr[57:56] : own_space;
  wire strange = generic && (addr[63:56] > 2 || (addr[63:56] == 2 && is_atom)
      || (addr[63:56] != 0 && addr[55:32] != 0));
  wire [32:0] top = {1'b0, addr[31:0]} + {28'd0, bytes};
  wire [40:0] gtop = {1'b0, addr[39:0]} + {36'd0, bytes};
  wire [67:0] cbytes = cbank_bytes_i >> (17 * w[55:54]);
  wire [32:0] climit = w[58:56] != 0 ? 33'd0 : {16'd0, cbytes[16:0]};
  wire [32:0] limit = sp == SHARE ? {9'd0, shared_bytes_i} : sp == LOCAL ? {13'd0, local_bytes_i}
      : bug == 8'd39 ? climit - 33'd4 : climit;
  reg covered, writable;
  integer r;
  always @* begin
    covered = 0;
    writable = 0;
    for (r = 0; r < 16; r = r + 1)
      if (addr[63:40] == 0 && addr[39:0] >= region_base_i[40*r +: 40]
          && gtop <= region_limit_i[41*r +: 41]) begin
        covered = 1;
        writable = writable | region_write_i[r];
      end
  end
  wire bad_range = strange || (sp == GLOBAL ? !covered : top > limit);
  wire [3:0] fault = ({27'd0, addr[4:0]} & ({27'd0, bytes} - 32'd1)) != 0 ? 4'd3
      : bad_range ? (sp == CONST ? 4'd6 : 4'd4)
      : sp == GLOBAL && (is_store || is_atom) && !writable ? 4'd5 : 4'd0;
  wire [39:0] sbase = bug == 8'd46 ? 40'd0 : {16'd0, shared_base_i};
  wire [159:0] cbase = cbank_base_i >> (40 * w[55:54]);
  wire [39:0] slice = local_base_i + {34'd0, slot_i} * {15'd0, local_bytes_i, 5'd0};
  wire [39:0] seen = sp == GLOBAL ? addr[39:0] : sp == SHARE ? sbase + {8'd0, addr[31:0]}
      : sp == CONST ? cbase[39:0] + {8'd0, addr[31:0]}
      : slice + {3'd0, addr[31:2], 7'd0} + {33'd0, lane[4:0], addr[1:0]};

  // The pass: the leader, and who falls into its sector.
  wire [4:0] lead = lowest(pending);
  wire [39:0] lead_at = where[lead*40 +: 40];
  wire [1:0] lead_sp = space[lead];
  wire [31:0] same, line;
  genvar g;
  generate
    for (g = 0; g < 32; g = g + 1) begin : gen_match
      wire [39:0] at_g = where[g*40 +: 40];
      assign same[g] = pending[g] && space[g] == lead_sp
          && (lead_sp == CONST ? at_g == lead_at : at_g[39:5] == lead_at[39:5]);
      assign line[g] = exec_i[g] && space[g] == lead_sp && at_g[39:7] == lead_at[39:7];
    end
  endgenerate
  wire by_word = lead_sp[1];
  wire [39:0] step = lead_sp == LOCAL ? {31'd0, k, 7'd0} : {36'd0, k, 2'd0};
  wire [39:0] now = lead_at + (by_word ? step : 40'd0);
  wire [39:0] sector = {now[39:5], 5'd0};
  wire [255:0] in_shared = shared[sector[39:5]];

  // One lane's turn in the pass.
  wire [4:0] me = lowest(todo);
  wire [39:0] my_at = where[me*40 +: 40] + (by_word ? step : 40'd0);
  wire [4:0] at = my_at[4:0];
  wire [127:0] from = buffer >> {at, 3'd0};
  wire [127:0] b = {ops_i[{3'd5, me, 5'd0} +: 32], ops_i[{3'd4, me, 5'd0} +: 32],
      ops_i[{3'd3, me, 5'd0} +: 32], ops_i[{3'd2, me, 5'd0} +: 32]};
  wire [63:0] c = {ops_i[{3'd7, me, 5'd0} +: 32], ops_i[{3'd6, me, 5'd0} +: 32]};
  wire [4:0] part = by_word && bytes > 4 ? 5'd4 : bytes;
  wire [4:0] kept = is_store && bug == 8'd41 && size[2:1] == 1 ? 5'd4
      : is_store && bug == 8'd44 && part == 16 ? 5'd12 : part;
  wire [31:0] mine = ((32'd1 << kept) - 32'd1) << at;
  wire [31:0] put_at = bug == 8'd45 && is_store ? mine & ~strobes : mine;
  wire [63:0] old = atom64 ? from[63:0] : {32'd0, from[31:0]};
  wire [63:0] with_b = atom64 ? b[63:0] : {32'd0, b[31:0]};
  wire old_less = old < with_b;
  wire old_less_s = bug == 8'd1 ? old_less : atom64 ? $signed(old) < $signed(with_b)
      : $signed(old[31:0]) < $signed(with_b[31:0]);
  reg [63:0] fresh;
  always @* begin
    case (w[92:87])
      6'd0, 6'd1: fresh = old + with_b;
      6'd8, 6'd10: fresh = old_less ? old : with_b;
      6'd9, 6'd11: fresh = old_less_s ? old : with_b;
      6'd12, 6'd14: fresh = old_less ? with_b : old;
      6'd13, 6'd15: fresh = old_less_s ? with_b : old;
      6'd16: fresh = old_less ? old + 64'd1 : 64'd0;
      6'd17: fresh = old == 0 || old > with_b ? with_b : old - 64'd1;
      6'd20, 6'd21: fresh = old & with_b;
      6'd22, 6'd23: fresh = old | with_b;
      6'd24, 6'd25: fresh = old ^ with_b;
      default: fresh = with_b;
    endcase
    if (is_cas) fresh = old == with_b ? c : old;
  end
  wire [127:0] mine_word = by_word ? b >> {k, 5'd0} : b;
  wire [255:0] put = {128'd0, is_atom ? {64'd0, fresh} : mine_word} << {at, 3'd0};
  reg [255:0] merged;
  integer j;
  always @* begin
    merged = buffer;
    for (j = 0; j < 32; j = j + 1) if (put_at[j]) merged[8*j +: 8] = put[8*j +: 8];
  end
  wire [7:0] byte0 = bug == 8'd42 && at == 3 ? buffer[23:16] : from[7:0];
  wire [31:0] loaded = is_atom ? from[31:0] : size == 0 ? {24'd0, byte0}
      : size == 1 ? {{24{byte0[7]}}, byte0} : size == 2 ? {16'd0, from[15:0]}
      : size == 3 ? {{16{from[15]}}, from[15:0]} : from[31:0];
  wire swap = bug == 8'd43 && size == 6 && !is_ldsm;

  assign req_o = (state == READ || state == WRITE) && lead_sp != SHARE && !sent;
  assign we_o = state == WRITE;
  assign addr_req_o = {sector[39:6], sector[5] ^ second, 5'd0};
  assign wdata_o = buffer;
  assign wstrb_o = strobes;
  wire answered = lead_sp == SHARE || (sent && rsp_i);
  wire bad_answer = lead_sp != SHARE && err_i;
  wire last_word = !by_word || {1'b0, k} + 3'd1 == words;

  always @(posedge clk_i) begin
    done_o <= 1'b0;
    mo_valid_o <= 1'b0;
    if (!rst_ni) state <= IDLE;
    else
      case (state)
        IDLE: if (go_i) begin
          lane <= 0;
          pending <= is_ldsm ? ~(32'hffffff00 << (8 * ((1 << w[73:72]) - 1))) : exec_i;
          faulty <= 0;
          cause_o <= 0;
          failed <= 0;
          k <= 0;
          state <= is_cctl ? END : ADDR;
        end
        ADDR: begin
          where[lane[4:0]*40 +: 40] <= seen;
          space[lane[4:0]] <= sp;
          if (pending[lane[4:0]] && fault != 0) begin
            faulty[lane[4:0]] <= bug != 8'd2 || faulty == 0;
            if (faulty == 0 || bug == 8'd3) begin
              cause_o <= fault;
              addr_o <= addr;
            end
          end
          lane <= lane + 6'd1;
          if (lane == 31) state <= PASS;
        end
        PASS: begin
          lanes_o <= failed ? lanes_o : faulty;
          group <= same;
          todo <= same;
          buffer <= 0;
          held <= 0;
          strobes <= 0;
          {sent, second, error} <= 0;
          state <= pending == 0 || (cause_o != 0 && !failed) ? END : is_store ? LANE : READ;
        end
        READ: begin
          if (req_o && ready_i) sent <= 1'b1;
          if (answered) begin
            sent <= 1'b0;
            if (!second) begin
              buffer <= lead_sp == SHARE ? in_shared : rdata_i;
              held <= lead_sp == SHARE ? in_shared : rdata_i;
            end
            error <= error || bad_answer;
            second <= lead_sp == CONST && !second;
            if (lead_sp != CONST || second) state <= error || bad_answer ? TELL : LANE;
          end
        end
        LANE: begin
          todo[me] <= 1'b0;
          if (is_store || is_atom) begin
            buffer <= merged;
            strobes <= strobes | put_at;
          end
          if (by_word) result_o[{k, me, 5'd0} +: 32] <= loaded;
          else if (is_ldsm) begin
            if (!w[78]) result_o[{me[4:3], me[2:0], 7'd0} +: 128] <= from;
            else
              for (j = 0; j < 8; j = j + 1)
                result_o[{me[4:3], j[2:0], me[2:1], me[0], 4'd0} +: 16] <= from[16*j +: 16];
          end else begin
            result_o[{2'd0, me, 5'd0} +: 32] <= loaded;
            if (words > 1) result_o[{2'd1, me, 5'd0} +: 32] <= from[63:32];
            if (words > 2) begin
              result_o[{2'd2, me, 5'd0} +: 32] <= swap ? from[127:96] : from[95:64];
              result_o[{2'd3, me, 5'd0} +: 32] <= swap ? from[95:64] : from[127:96];
            end
          end
          if ((todo & (todo - 32'd1)) == 0) state <= is_store || is_atom ? WRITE : TELL;
        end
        WRITE: begin
          if (req_o && ready_i) sent <= 1'b1;
          if (answered) begin
            sent <= 1'b0;
            error <= bad_answer;
            if (lead_sp == SHARE)
              for (j = 0; j < 32; j = j + 1)
                if (strobes[j]) shared[sector[39:5]][8*j +: 8] <= buffer[8*j +: 8];
            state <= TELL;
          end
        end
        TELL: begin
          mo_valid_o <= lead_sp != CONST && !error;
          mo_space_o <= lead_sp;
          mo_access_o <= is_atom ? 2'd2 : is_store ? 2'd1 : 2'd0;
          mo_addr_o <= sector;
          mo_word_o <= (now - slice) >> 7;
          mo_lanes_o <= group;
          mo_wstrb_o <= strobes;
          mo_wdata_o <= buffer;
          mo_rdata_o <= held;
          mo_touch_o <= touched;
          if (error && !failed) begin
            failed <= 1'b1;
            cause_o <= 4'd10;
            lanes_o <= lead_sp == CONST ? exec_i : line;
            addr_o <= lead_sp == CONST ? {24'd0, sector}
                : lead_sp == LOCAL ? {8'd2, 56'd0} | {25'd0, local_number, 7'd0}
                : {24'd0, sector[39:7], 7'd0};
          end
          k <= last_word ? 2'd0 : k + 2'd1;
          if (last_word) pending <= pending & ~group;
          state <= PASS;
        end
        END: begin
          done_o <= 1'b1;
          state <= IDLE;
        end
        default: state <= IDLE;
      endcase
  end

  // Words of the sector that the lanes of the pass touch (for banks), and a local line's number.
  reg [31:0] touched;
  always @(posedge clk_i)
    if (state == PASS) touched <= 0;
    else if (state == LANE) touched <= touched | (((32'd1 << part) - 32'd1) << at);
  wire [39:0] local_line = (now - slice) >> 7;
  wire [31:0] local_number = {8'd0, slot_i, 18'd0} | local_line[31:0];
endmodule
