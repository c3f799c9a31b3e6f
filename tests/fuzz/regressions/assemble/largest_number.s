.const q u64 0xffffffffffffffff, 18446744073709551615
.kernel k
 EXIT ;
.end
