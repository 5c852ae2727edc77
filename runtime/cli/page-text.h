/* SPDX-License-Identifier: MIT
   page/report.html and page/timeline.js as strings.  */
#ifndef PARAGON_CLI_PAGE_TEXT_H
#define PARAGON_CLI_PAGE_TEXT_H

extern const char pg_page_text[] __attribute__ ((visibility ("hidden")));
extern const char pg_page_timeline[] __attribute__ ((visibility ("hidden")));

#endif
