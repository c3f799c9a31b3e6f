// SPDX-License-Identifier: Apache-2.0
// What the retire port shows of an SM, put together of the groups that retire_pkg has of each of its
// parts: two nets, which records are there, and the records.
// They are two, since a simulator keeps a packed struct as one wide word: records are whole words in
// it and are copied as such, and who asks for a valid bit reads a narrow one. The number of the SM is
// not in them: retire_ports puts it in, where it copies all of them anyway. For the same reason a
// partition has no struct of its own: each layer of structs is a copy of all records every cycle.
// Latency, handshake: none, this is a package. README.md says what a record holds.
`default_nettype none

package ret_pkg;

  // Of the cache, which not every machine has.
  typedef struct packed {
    logic                           ack;
    logic [retire_pkg::TURNS-1:0]   drop;
    logic                           merge;
    logic [retire_pkg::TURNS-1:0]   hit;
    logic [cfg_pkg::PARTITIONS-1:0] fence;
  } cache_valid_t;

  typedef struct packed {
    retire_pkg::ack_t                           ack;
    retire_pkg::drop_t [retire_pkg::TURNS-1:0]  drop;
    retire_pkg::merge_t                         merge;
    retire_pkg::hit_t [retire_pkg::TURNS-1:0]   hit;
    retire_pkg::fence_t [cfg_pkg::PARTITIONS-1:0] fence;
  } cache_ret_t;

  typedef struct packed {
    retire_pkg::front_valid_t [cfg_pkg::PARTITIONS-1:0] front;
    retire_pkg::back_valid_t [cfg_pkg::PARTITIONS-1:0]  back;
    retire_pkg::memory_valid_t                          memory;
    retire_pkg::sm_valid_t                              sm;
    cache_valid_t                                       cache;
  } valid_t;

  typedef struct packed {
    retire_pkg::front_ret_t [cfg_pkg::PARTITIONS-1:0]   front;
    retire_pkg::back_ret_t [cfg_pkg::PARTITIONS-1:0]    back;
    retire_pkg::memory_ret_t                            memory;
    retire_pkg::sm_ret_t                                sm;
    cache_ret_t                                         cache;
  } ret_t;

endpackage

`default_nettype wire
