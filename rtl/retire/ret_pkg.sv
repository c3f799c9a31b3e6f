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

  typedef struct packed {
    retire_pkg::front_valid_t [cfg_pkg::PARTITIONS-1:0] front;
    retire_pkg::back_valid_t [cfg_pkg::PARTITIONS-1:0]  back;
    retire_pkg::memory_valid_t                          memory;
    retire_pkg::sm_valid_t                              sm;
  } valid_t;

  typedef struct packed {
    retire_pkg::front_ret_t [cfg_pkg::PARTITIONS-1:0]   front;
    retire_pkg::back_ret_t [cfg_pkg::PARTITIONS-1:0]    back;
    retire_pkg::memory_ret_t                            memory;
    retire_pkg::sm_ret_t                                sm;
  } ret_t;

endpackage

`default_nettype wire
