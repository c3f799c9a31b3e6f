# SPDX-License-Identifier: Apache-2.0
# A text file as a C string: cmake -DIN=FILE -DOUT=FILE.c -DNAME=symbol -P text_to_c.cmake
file(READ "${IN}" text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\"\n\"" text "${text}")
file(WRITE "${OUT}" "extern const char ${NAME}[];\nconst char ${NAME}[] =\n\"${text}\";\n")
