// Races: tests/tools/test_sanitize.py says what the comments mean.

// Neighbours store bytes of one word, which is right; one of them stores the whole word.
// run: --grid 1 --block 64 --arg out:256:-
kernel void bytes(global uint *out) {
  local uchar room[256];
  const uint i = get_local_id(0);
  room[4 * i] = i;
  room[4 * ((i + 33) % 64) + 1] = 1;
  *(local uint *)(room + 4 * i) = i; // broken, told: race with line -1
  // mended: room[4 * i + 2] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = room[4 * i];
}
