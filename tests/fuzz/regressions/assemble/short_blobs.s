.kernel k
.param u8 a
.param blob2 b
.param blob4 c
 EXIT ;
.end
