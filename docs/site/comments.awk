# SPDX-License-Identifier: Apache-2.0
# What Doxygen is given of a header: it reads comments of its own form alone, and the headers have plain ones. The first comment
# of a header is about the file, one behind a declaration about what stands in front of it, any other about what follows.
# Lines that a comment indents are shown as they stand.
function shut() { if (code) { print " * @endverbatim"; code = 0 } }

NR == 1 && sub(/^\/\* SPDX-License-Identifier: Apache-2.0/, "/** @file") { inside = !/\*\//; print; next }

!inside && /^[ \t]*\/\*[^*]/ { sub(/\/\*/, "/**"); inside = !/\*\//; print; next }

!inside && /\/\*[^*<]/ { sub(/\/\*/, "/**<"); inside = !/\*\//; print; next }

inside && /^ \*   / && !/\*\// { if (!code) print " * @verbatim"; code = 1; sub(/^ \*   /, "") ; print; next }

inside { shut(); if (/\*\//) inside = 0 }

{ print }
