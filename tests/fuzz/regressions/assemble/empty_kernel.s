.kernel k
 EXIT ;
.end
.kernel empty
.end
