// One byte behind a buffer of 63 bytes.
// run: --grid 1 --block 64 --arg out:63:-
// says: argument 0 (63 bytes at 0x100000): 1 bytes beyond its end
kernel void k(global uchar *out) {
  const uint i = get_local_id(0);
  out[i] = i; // broken, told: memory
  // mended: if (i < 63) out[i] = i;
}
