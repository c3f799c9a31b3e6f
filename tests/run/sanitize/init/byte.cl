// Three bytes of each word are written, and the word is read.
// run: --grid 1 --block 32 --arg out:128:-
kernel void k(global uint *out) {
  local uchar room[128];
  const uint i = get_local_id(0);
  for (uint b = 0; b < 3; b++) room[4 * i + b] = i; // broken
  // mended: for (uint b = 0; b < 4; b++) room[4 * i + b] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = *(local uint *)(room + 4 * i); // told: init
}
