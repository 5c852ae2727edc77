/* SPDX-License-Identifier: MIT
   Text of the user's, which may be anything, in files that have to be UTF-8.  */
#ifndef PARAGON_UTF8_H
#define PARAGON_UTF8_H

/* The bytes of the character at TEXT in UTF-8, the shortest way to write it; 0: there is none.  TEXT ends in
   a zero.  */
int pg_utf8_len (const unsigned char *text);

#endif
