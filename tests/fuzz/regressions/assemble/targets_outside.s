.kernel k
 BRA -0x10 ;
 BRA 0xfffffff0 ;
 BRA 0x7ffffff0 ;
.end
