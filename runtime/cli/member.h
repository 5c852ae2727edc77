/* SPDX-License-Identifier: MIT
   Members of JSON that others wrote.  */
#ifndef PARAGON_CLI_MEMBER_H
#define PARAGON_CLI_MEMBER_H

#include <json-c/json.h>
#include <stddef.h>

/* The text NAME of OBJECT, which lasts as long; NULL: it has none, or OBJECT is none.  */
static inline const char *
pg_member_text (struct json_object *object, const char *name)
{
  struct json_object *member = json_object_object_get (object, name);
  return json_object_is_type (member, json_type_string) ? json_object_get_string (member) : NULL;
}

#endif
