/* SPDX-License-Identifier: MIT
   The report as a file: the page, or plain JSON.  */
#ifndef PARAGON_CLI_PAGE_H
#define PARAGON_CLI_PAGE_H

#include <stdbool.h>

struct json_object;

/* Write the page that shows DATA, or DATA itself unless IS_PAGE, to the file PATH, or to stdout if that is "-".  False:
   it cannot be written, which was said, and what was there before still is.  */
bool pg_page_write (const char *path, struct json_object *data, bool is_page);

#endif
