/* SPDX-License-Identifier: GPL-3.0-or-later
   JSON, written from left to right.  A comma is due unless the last character opened something; a newline after a
   finished object starts afresh.  */

#include "json-text.h"

void
pg_json_raw (struct pg_json *json, const char *text, size_t len)
{
  for (size_t i = 0; i < len; i++)
    json->text.safe_push (text[i]);
}

static void
put (struct pg_json *json, const char *text)
{
  pg_json_raw (json, text, strlen (text));
}

/* Return the length of the UTF-8 sequence at P (no overlong forms, surrogates or truncation), or 0.  */
static unsigned
utf8_len (const unsigned char *p)
{
  static const struct
  {
    unsigned char first, last, second_first, second_last, len;
  } forms[] = {
    { 0x01, 0x7f, 0, 0xff, 1 },    { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
    { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
    { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
  };
  for (const auto &form : forms)
    if (p[0] >= form.first && p[0] <= form.last)
      {
	if (form.len > 1 && (p[1] < form.second_first || p[1] > form.second_last))
	  return 0;
	for (unsigned i = 2; i < form.len; i++)
	  if ((p[i] & 0xc0) != 0x80)
	    return 0;
	return form.len;
      }
  return 0;
}

static void
put_quoted (struct pg_json *json, const char *value)
{
  put (json, "\"");
  for (const unsigned char *p = (const unsigned char *) value; *p;)
    {
      unsigned len = utf8_len (p);
      if (len == 0 || *p < ' ' || *p == 0x7f)
	{
	  char escape[8];
	  snprintf (escape, sizeof escape, "\\u%04x", *p);
	  put (json, escape);
	  p++;
	  continue;
	}
      if (*p == '"' || *p == '\\')
	put (json, "\\");
      pg_json_raw (json, (const char *) p, len);
      p += len;
    }
  put (json, "\"");
}

/* Add what stands before a value: the comma that is due, and KEY.  */
static void
put_key (struct pg_json *json, const char *key)
{
  if (!json->text.is_empty () && !strchr ("{[\n", json->text.last ()))
    put (json, ",");
  if (key)
    {
      put_quoted (json, key);
      put (json, ":");
    }
}

void
pg_json_open (struct pg_json *json, const char *key, char bracket)
{
  put_key (json, key);
  json->text.safe_push (bracket);
}

void
pg_json_close (struct pg_json *json, char bracket)
{
  json->text.safe_push (bracket);
}

void
pg_json_string (struct pg_json *json, const char *key, const char *value)
{
  put_key (json, key);
  put_quoted (json, value);
}

void
pg_json_number (struct pg_json *json, const char *key, HOST_WIDE_INT value)
{
  char text[32];
  snprintf (text, sizeof text, HOST_WIDE_INT_PRINT_DEC, value);
  put_key (json, key);
  put (json, text);
}

void
pg_json_bool (struct pg_json *json, const char *key, bool value)
{
  put_key (json, key);
  put (json, value ? "true" : "false");
}
