/* SPDX-License-Identifier: MIT
   Characters in UTF-8.  See utf8.h.  */
#include "utf8.h"

#include <stdbool.h>
#include <stdint.h>

int
pg_utf8_len (const unsigned char *text)
{
  static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  int len = text[0] < 0x80 ? 1 : text[0] < 0xc0 ? 0 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : text[0] < 0xf8 ? 4 : 0;
  uint32_t number = len > 1 ? text[0] & (0x7fu >> len) : text[0];
  for (int i = 1; i < len; i++)
    {
      if ((text[i] & 0xc0) != 0x80)
	return 0;
      number = number << 6 | (text[i] & 0x3f);
    }
  bool is_surrogate = number >= 0xd800 && number < 0xe000;
  return len > 0 && number >= least[len] && number < 0x110000 && !is_surrogate ? len : 0;
}
