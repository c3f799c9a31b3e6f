.func f
.shared x 16
.param u32 a
 RET R0 ;
.end
