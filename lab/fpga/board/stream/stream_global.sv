// SPDX-License-Identifier: Apache-2.0
// A queue of accesses to global memory. A record has 656 bits, most of them zero: a load writes nothing, a store has read
// nothing. So it is in block RAM as a head and two halves of what was read, of what was written, or of both; a half is four
// words. Memory has four beats of its bus for each sector, so records come one by one but in short rows; these wait in front,
// in LUT memory.
// Latency: a record can be taken two cycles after push_i, or later where others come before it. A taken record comes one
// cycle after take_i, until the next one: all of it but data. The half with the word of index_i comes one cycle after it.
// Throughput: a record in three cycles, an atomic in five.
// Handshake: push_i only while not full_o, take_i only while not empty_o. deep_o: LIMIT or more are in it. index_i, of the record
// that was taken, ascends, and is 0 in the cycle after take_i.
// The part of a record that is sent is chosen elsewhere.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module stream_global #(
  parameter int unsigned  PLACES = 1024,   // heads and halves in block RAM; a power of two
  parameter int unsigned  LIMIT  = 64
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          push_i,
  input  stream_pkg::kept_global_t      data_i,
  input  logic                          take_i,
  input  logic [stream_pkg::WORD_W-1:0] index_i,
  output stream_pkg::kept_global_t      data_o,    // each half of data is the one that is here
  output logic                          empty_o,
  output logic                          full_o,
  output logic                          deep_o
);

  localparam int unsigned ADDR_W  = $clog2(PLACES);
  localparam int unsigned FEW     = 16;   // places in front
  localparam int unsigned COUNT_W = $clog2(PLACES / 3 + FEW + 1);
  localparam int unsigned WORDS   = stream_pkg::WORD_W;

  // The content of a place.
  typedef struct packed {
    logic [2:0]                      access;
    logic [3:0][31:0]                data;
  } half_t;
  typedef struct packed {
    stream_pkg::kept_id_t            id;
    logic [stream_pkg::SECTOR_W-1:0] sector;
    logic [31:0]                     lanes;
    logic [31:0]                     wstrb;
    logic                            written, read;   // there are halves of it
  } head_t;
  localparam int unsigned WIDTH = ($bits(head_t) > $bits(half_t)) ? $bits(head_t) : $bits(half_t);

  // ---- in front ----------------------------------------------------------------------------------
  stream_pkg::kept_global_t first;
  logic                     waiting, over, front_ready;
  logic [$clog2(FEW+1)-1:0] unused_count;
  fifo #(.WIDTH($bits(stream_pkg::kept_global_t)), .DEPTH(FEW)) u_front (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (push_i),
    .in_ready_o  (front_ready),
    .in_data_i   (data_i),
    .out_valid_o (waiting),
    .out_ready_i (over),
    .out_data_o  (first),
    .count_o     (unused_count)
  );
  assign full_o = !front_ready;

  // ---- into block RAM, place by place: the head, halves of what was written, of what was read --------
  typedef enum logic [2:0] {PUT_HEAD, PUT_WRITTEN0, PUT_WRITTEN1, PUT_READ0, PUT_READ1} put_e;
  put_e              put_q, put;
  logic              written, read, room, go;
  logic [WIDTH-1:0]  in;
  logic [ADDR_W-1:0] tail_q, base_q, head_q;

  assign written = |first.wdata;
  assign read    = (|first.rdata) || !written;   // one of them there is
  assign room    = tail_q + 1'b1 != base_q;
  assign go      = waiting && room;
  assign over    = go && (put_q == PUT_READ1 || (put_q == PUT_WRITTEN1 && !read));

  always_comb begin
    put = PUT_HEAD;
    in  = '0;
    `HEDDLE_ONLY(waiting) begin
      unique case (put_q)
        PUT_HEAD: begin
          put = written ? PUT_WRITTEN0 : PUT_READ0;
          in  = WIDTH'(head_t'{id: first.id, sector: first.sector, lanes: first.lanes, wstrb: first.wstrb, written: written, read: read});
        end
        PUT_WRITTEN0: begin
          put = PUT_WRITTEN1;
          in  = WIDTH'(half_t'{access: first.access, data: first.wdata[3:0]});
        end
        PUT_WRITTEN1: begin
          put = read ? PUT_READ0 : PUT_HEAD;
          in  = WIDTH'(half_t'{access: first.access, data: first.wdata[7:4]});
        end
        PUT_READ0: begin
          put = PUT_READ1;
          in  = WIDTH'(half_t'{access: first.access, data: first.rdata[3:0]});
        end
        default: in = WIDTH'(half_t'{access: first.access, data: first.rdata[7:4]});
      endcase
    end
  end

  // ---- out of it -----------------------------------------------------------------------------------
  // Which place the word of index_i is in, and whether the record has it.
  localparam int unsigned WDATA = retire_stream_pkg::GLOBAL_AT6, RDATA = retire_stream_pkg::GLOBAL_AT7,
                          LAST  = retire_stream_pkg::GLOBAL_AT8;
  logic                 fresh_q, written_q, read_q, of_head, of_written, high, none, none_q;
  logic [ADDR_W-1:0]    offset, place;
  logic [COUNT_W-1:0]   heads_q, held_q;   // records that can be taken; all
  logic [WIDTH-1:0]     out;
  head_t                head;
  half_t                half;
  assign of_head    = index_i < WORDS'(WDATA) || fresh_q;
  assign of_written = index_i < WORDS'(RDATA);
  assign high       = (of_written ? index_i >= WORDS'(WDATA + 4) : index_i >= WORDS'(RDATA + 4));
  assign none       = of_written ? !written_q : !read_q && index_i < WORDS'(LAST);

  // The last word, how it accessed, is in every half.
  always_comb begin
    if (of_head)                            offset = '0;
    else if (of_written || !read_q)         offset = high ? ADDR_W'(2) : ADDR_W'(1);
    else if (!written_q)                    offset = high ? ADDR_W'(2) : ADDR_W'(1);
    else                                    offset = high ? ADDR_W'(4) : ADDR_W'(3);
  end
  assign place = take_i ? head_q : base_q + offset;

  // A place that is written now is one that the record has not: its value is not used.
  ram_1r1w #(.WIDTH(WIDTH), .DEPTH(PLACES), .RACE(1'b1)) u_ram (
    .clk_i     (clk_i),
    .wr_en_i   (go),
    .wr_addr_i (tail_q),
    .wr_data_i (in),
    .rd_en_i   (1'b1),
    .rd_addr_i (place),
    .rd_data_o (out)
  );
  assign head = head_t'(out[$bits(head_t)-1:0]);
  assign half = half_t'(out[$bits(half_t)-1:0]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      put_q   <= PUT_HEAD;
      tail_q  <= '0;
      base_q  <= '0;
      head_q  <= '0;
      heads_q <= '0;
      held_q  <= '0;
      fresh_q <= 1'b0;
    end else begin
      fresh_q <= take_i;
      if (go) begin
        put_q  <= put;
        tail_q <= tail_q + 1'b1;
      end
      if (take_i)  base_q <= head_q;
      if (fresh_q) head_q <= base_q + (head.written && head.read ? ADDR_W'(5) : ADDR_W'(3));
      heads_q <= heads_q + COUNT_W'(go && put_q == PUT_HEAD) - COUNT_W'(take_i);
      held_q  <= held_q + COUNT_W'(push_i) - COUNT_W'(take_i);
    end
    none_q <= none;
    if (fresh_q) begin
      written_q <= head.written;
      read_q    <= head.read;
    end
  end

  assign empty_o = heads_q == '0;
  assign deep_o  = held_q >= COUNT_W'(LIMIT);

  always_comb begin
    data_o.id     = head.id;
    data_o.sector = head.sector;
    data_o.lanes  = head.lanes;
    data_o.wstrb  = head.wstrb;
    data_o.access = half.access;
    for (int w = 0; w < 8; w++) begin
      data_o.wdata[w] = none_q ? '0 : half.data[w % 4];
      data_o.rdata[w] = none_q ? '0 : half.data[w % 4];
    end
  end

  // Nothing is pushed into a full queue, or taken from an empty one.
  `ASSERT(a_push, !(push_i && full_o))
  `ASSERT(a_take, !(take_i && empty_o))

endmodule
