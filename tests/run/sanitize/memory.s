// Accesses out of bounds: tests/tools/test_sanitize.py says what the comments mean.

// A store below the stack.
// run: --grid 1 --block 32
// says: local memory of the thread (16 bytes)
.kernel stack
.local 16
  MOV R1, 0x10 ;
  STL [R1+-0x14], RZ ; // broken, told: memory
  // mended: STL [R1+-0x10], RZ ;
  EXIT ;
.end
