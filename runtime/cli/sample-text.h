/* SPDX-License-Identifier: MIT
   sample/sample.c as a string.  */
#ifndef PARAGON_CLI_SAMPLE_TEXT_H
#define PARAGON_CLI_SAMPLE_TEXT_H

extern const char pg_sample_text[] __attribute__ ((visibility ("hidden")));

#endif
