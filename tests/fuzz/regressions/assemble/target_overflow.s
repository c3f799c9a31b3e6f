.kernel k
 BRA 0x8000000000000000 ;
.end
