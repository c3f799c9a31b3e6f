# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=DIR -DVERSION=0.3.0 -DOUT=commit.h -P HeddleCommit.cmake: which commit is built. Run by every build;
# the file is written when something in it changed.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=8 --exclude=*
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT "#define HEDDLE_COMMIT \"@commit@\"\n#define HEDDLE_RELEASE \"@VERSION@\"\n")
