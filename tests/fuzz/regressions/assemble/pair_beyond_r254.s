.kernel k
 LDG.E.64 R254, [R2] ;
 LDG.E.128 R252, [R2] ;
.end
