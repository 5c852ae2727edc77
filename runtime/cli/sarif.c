/* SPDX-License-Identifier: MIT
   SARIF.  See sarif.h.

       {"version":"2.1.0",
	"runs":[{
	  "tool":{"driver":{
	    "name":"Paragon",
	    "rules":[{"id":"fp-order","shortDescription":{"text":"..."},"help":{"text":"..."}},...]}},
	  "results":[{
	    "ruleId":"fp-order","kind":"fail","level":"note","message":{"text":"dot: sequential: ..."},
	    "locations":[{"physicalLocation":{
	      "artifactLocation":{"uri":"dot.c"},"region":{"startLine":8,"startColumn":3}}}],
	    "relatedLocations":[...]},...]}]}

   A loop that is handed over is a test passed (kind "pass", which has no level); one that stays as it is, a note.  */
#include "sarif.h"

#include <ctype.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct
{
  const char *name, *text, *remedy;
} reasons[] = {
#define PG_REASON(id, klass, name, text, remedy) { name, text, remedy },
#include "reasons.def"
#undef PG_REASON
};

/* {"text":TEXT}.  */
static struct json_object *
message (const char *text)
{
  struct json_object *object = json_object_new_object ();
  json_object_object_add (object, "text", json_object_new_string (text));
  return object;
}

static struct json_object *
list_rules (void)
{
  struct json_object *rules = json_object_new_array ();
  for (size_t r = 0; r < sizeof reasons / sizeof *reasons; r++)
    {
      struct json_object *rule = json_object_new_object ();
      json_object_object_add (rule, "id", json_object_new_string (reasons[r].name));
      json_object_object_add (rule, "shortDescription", message (reasons[r].text));
      if (*reasons[r].remedy != '\0')
	json_object_object_add (rule, "help", message (reasons[r].remedy));
      json_object_array_add (rules, rule);
    }
  return rules;
}

/* The URI of FILE (RFC 3986): a relative reference, or of a whole path, file://...  */
static struct json_object *
uri_of (const char *file)
{
  static const char whole[] = "file://";
  char *uri = malloc (sizeof whole + 3 * strlen (file)), *to = uri;
  if (uri == NULL)
    return NULL;
  if (*file == '/')
    to = stpcpy (to, whole);
  for (const char *p = file; *p != '\0'; p++)
    if (isalnum ((unsigned char) *p) || strchr ("-._~/", *p) != NULL)
      *to++ = *p;
    else
      to += sprintf (to, "%%%02X", (unsigned) (unsigned char) *p);
  *to = '\0';
  struct json_object *text = json_object_new_string (uri);
  free (uri);
  return text;
}

/* The place LINE, COLUMN of FILE; a number that is not positive is unknown.  */
static struct json_object *
location (const char *file, int64_t line, int64_t column)
{
  struct json_object *object = json_object_new_object (), *physical = json_object_new_object ();
  struct json_object *artifact = json_object_new_object (), *region = json_object_new_object ();
  json_object_object_add (artifact, "uri", uri_of (file));
  json_object_object_add (physical, "artifactLocation", artifact);
  json_object_object_add (region, "startLine", json_object_new_int64 (line > 0 ? line : 1));
  if (line > 0 && column > 0)
    json_object_object_add (region, "startColumn", json_object_new_int64 (column));
  json_object_object_add (physical, "region", region);
  json_object_object_add (object, "physicalLocation", physical);
  return object;
}

/* FUNCTION: CLASS: what it means: what of it; what to do.  */
static struct json_object *
say (const struct pg_loop_verdict *verdict)
{
  const char *text = pg_verdict_text (verdict, "text"), *detail = pg_verdict_text (verdict, "detail");
  const char *remedy = pg_verdict_text (verdict, "remedy");
  char *said = NULL;
  bool has_detail = detail != NULL && *detail != '\0', has_remedy = remedy != NULL && *remedy != '\0';
  if (asprintf (&said, "%s: %s: %s%s%s%s%s", verdict->function, verdict->klass, text != NULL ? text : verdict->reason,
		has_detail ? ": " : "", has_detail ? detail : "", has_remedy ? "; " : "", has_remedy ? remedy : "")
      < 0)
    return message (verdict->reason);
  struct json_object *object = message (said);
  free (said);
  return object;
}

static struct json_object *
result_of (const struct pg_loop_verdict *verdict)
{
  struct json_object *result = json_object_new_object (), *locations = json_object_new_array (), *outlined;
  bool is_handed_over
    = json_object_object_get_ex (verdict->members, "outlined", &outlined) && json_object_get_boolean (outlined);
  const char *inlined_from = pg_verdict_text (verdict, "detail_file");
  int64_t detail_line = pg_verdict_number (verdict, "detail_line");
  json_object_object_add (result, "ruleId", json_object_new_string (verdict->reason));
  json_object_object_add (result, "kind", json_object_new_string (is_handed_over ? "pass" : "fail"));
  json_object_object_add (result, "level", json_object_new_string (is_handed_over ? "none" : "note"));
  json_object_object_add (result, "message", say (verdict));
  json_object_array_add (locations, location (verdict->file, verdict->line, pg_verdict_number (verdict, "column")));
  json_object_object_add (result, "locations", locations);
  if (detail_line > 0)
    {
      struct json_object *related = json_object_new_array ();
      json_object_array_add (related, location (inlined_from != NULL ? inlined_from : verdict->file, detail_line, 0));
      json_object_object_add (result, "relatedLocations", related);
    }
  return result;
}

struct json_object *
pg_sarif_of (const struct pg_verdicts *verdicts)
{
  struct json_object *log = json_object_new_object (), *runs = json_object_new_array ();
  struct json_object *run = json_object_new_object (), *tool = json_object_new_object ();
  struct json_object *driver = json_object_new_object (), *results = json_object_new_array ();
  json_object_object_add (driver, "name", json_object_new_string ("Paragon"));
  json_object_object_add (driver, "rules", list_rules ());
  json_object_object_add (tool, "driver", driver);
  json_object_object_add (run, "tool", tool);
  for (size_t v = 0; v < verdicts->n; v++)
    json_object_array_add (results, result_of (&verdicts->all[v]));
  json_object_object_add (run, "results", results);
  json_object_array_add (runs, run);
  json_object_object_add (log, "$schema", json_object_new_string ("https://json.schemastore.org/sarif-2.1.0.json"));
  json_object_object_add (log, "version", json_object_new_string ("2.1.0"));
  json_object_object_add (log, "runs", runs);
  return log;
}
