/* SPDX-License-Identifier: GPL-3.0-or-later
   JSON, written from left to right into a growing buffer:

       struct pg_json json;
       pg_json_open (&json, NULL, '{');
       pg_json_string (&json, "file", "a.c");       =>   {"file":"a.c","nest":[7,8]}
       pg_json_open (&json, "nest", '[');
       pg_json_number (&json, NULL, 7);
       pg_json_number (&json, NULL, 8);
       pg_json_close (&json, ']');
       pg_json_close (&json, '}');

   A NULL key is for members of an array and for the outermost value.  */
#ifndef PARAGON_JSON_TEXT_H
#define PARAGON_JSON_TEXT_H

#include "gcc-includes.h"

struct pg_json
{
  auto_vec<char> text; /* not NUL-terminated */
};

extern void pg_json_open (struct pg_json *json, const char *key, char bracket);
extern void pg_json_close (struct pg_json *json, char bracket);

/* Add a value.  VALUE may be any bytes: what is not UTF-8 is taken as Latin-1.  */
extern void pg_json_string (struct pg_json *json, const char *key, const char *value);
extern void pg_json_number (struct pg_json *json, const char *key, HOST_WIDE_INT value);
extern void pg_json_bool (struct pg_json *json, const char *key, bool value);

/* Add TEXT as it is.  */
extern void pg_json_raw (struct pg_json *json, const char *text, size_t len);

#endif
