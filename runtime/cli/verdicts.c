/* SPDX-License-Identifier: MIT
   Verdicts, read from what the compiler made.  See verdicts.h.

       report		    {"file":"a.c","line":7,...} <newline> ...
       object, program	    the same, in a section; each unit's end in a zero, and the linker puts them in a row
       library of objects   objects

   Nothing of an input is believed: one that is cut short, or is not what it seems, is named and not used.  */
#include "verdicts.h"
#include "command.h"
#include "member.h"

#include <ar.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <json-c/json.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  DEPTH_MOST = 8,    /* of JSON; what the plugin writes has 3 */
  FOLDERS_MOST = 32, /* in one another */
  WHY_LEN = 160
};

static const char section_name[] = ".paragon.verdicts";

/* An input as it is read.  */
struct input
{
  struct pg_verdicts *verdicts;
  const char *path;
  int fd;
  struct stat status;
  bool is_searched;  /* it is one of a folder, of which nothing is known */
  char why[WHY_LEN]; /* it is not used; empty: nothing is wrong */
};

/* Keep a copy of NAME as long as VERDICTS.  */
static const char *
keep_name (struct pg_verdicts *verdicts, const char *name)
{
  verdicts->names = pg_grow (verdicts->names, (verdicts->n_names + 1) * sizeof *verdicts->names);
  size_t len = strlen (name) + 1;
  return verdicts->names[verdicts->n_names++] = memcpy (pg_grow (NULL, len), name, len);
}

/* Say why INPUT is not used, if nothing was wrong before.  */
static void __attribute__ ((format (printf, 2, 3))) blame (struct input *input, const char *format, ...)
{
  va_list ap;
  if (*input->why != '\0')
    return;
  va_start (ap, format);
  vsnprintf (input->why, sizeof input->why, format, ap);
  va_end (ap);
}

int64_t
pg_verdict_number (const struct pg_loop_verdict *verdict, const char *name)
{
  struct json_object *member = json_object_object_get (verdict->members, name);
  return json_object_is_type (member, json_type_int) ? json_object_get_int64 (member) : -1;
}

const char *
pg_verdict_text (const struct pg_loop_verdict *verdict, const char *name)
{
  return pg_member_text (verdict->members, name);
}

struct json_object *
pg_verdict_list (const struct pg_loop_verdict *verdict, const char *name)
{
  struct json_object *member = json_object_object_get (verdict->members, name);
  return json_object_is_type (member, json_type_array) ? member : NULL;
}

bool
pg_verdicts_add (struct pg_verdicts *verdicts, struct json_object *object, const char *in, struct timespec last_change)
{
  struct pg_loop_verdict verdict = { .members = object, .in = in, .last_change = last_change };
  bool is_object = json_object_is_type (object, json_type_object);
  if (is_object)
    {
      verdict.file = pg_verdict_text (&verdict, "file");
      verdict.function = pg_verdict_text (&verdict, "function");
      verdict.klass = pg_verdict_text (&verdict, "class");
      verdict.reason = pg_verdict_text (&verdict, "reason");
      verdict.line = pg_verdict_number (&verdict, "line");
    }
  if (!is_object || verdict.file == NULL || verdict.function == NULL || verdict.klass == NULL || verdict.reason == NULL
      || verdict.line < 0)
    {
      json_object_put (object);
      return false;
    }
  if (verdicts->n == verdicts->room)
    {
      verdicts->room = 2 * verdicts->room + 64;
      verdicts->all = pg_grow (verdicts->all, verdicts->room * sizeof *verdicts->all);
    }
  verdicts->all[verdicts->n++] = verdict;
  return true;
}

/* Add the verdicts in the LEN bytes of TEXT, by IN, which are all there are.  */
static void
add_text (struct input *input, const char *text, size_t len, const char *in)
{
  struct json_tokener *tokener = json_tokener_new_ex (DEPTH_MOST);
  const char *end = text + len;
  for (size_t n = 1; text < end && *input->why == '\0'; n++)
    {
      size_t line_len = 0;
      while (line_len < (size_t) (end - text) && text[line_len] != '\n' && text[line_len] != '\0')
	line_len++;
      if (line_len > INT32_MAX)
	blame (input, "line %zu is too long", n);
      else if (line_len > 0)
	{
	  json_tokener_reset (tokener);
	  struct json_object *object = json_tokener_parse_ex (tokener, text, (int) line_len);
	  enum json_tokener_error error = json_tokener_get_error (tokener);
	  if (error == json_tokener_continue)
	    blame (input, "cut short in line %zu", n);
	  else if (error != json_tokener_success || json_tokener_get_parse_end (tokener) != line_len)
	    {
	      json_object_put (object);
	      blame (input, "line %zu is not what the plugin writes", n);
	    }
	  else if (!pg_verdicts_add (input->verdicts, object, in, input->status.st_mtim))
	    blame (input, "line %zu is no verdict", n);
	}
      text += line_len + (text + line_len < end);
    }
  json_tokener_free (tokener);
}

/* Add the verdicts in section SECTION of an object, by IN.  */
static void
add_section (struct input *input, Elf_Scn *section, const char *in)
{
  Elf_Data *data = elf_getdata (section, NULL);
  if (data == NULL)
    blame (input, "damaged: %s", elf_errmsg (-1));
  for (; data != NULL; data = elf_getdata (section, data))
    if (data->d_buf != NULL)
      add_text (input, data->d_buf, data->d_size, in);
}

/* Is ELF all there: do its section headers, which mostly stand last, lie in it?  */
static bool
is_whole (Elf *elf)
{
  GElf_Ehdr header;
  size_t len;
  return gelf_getehdr (elf, &header) != NULL && elf_rawfile (elf, &len) != NULL && header.e_shoff <= len
	 && (size_t) header.e_shnum * header.e_shentsize <= len - header.e_shoff;
}

/* Add the verdicts in the object or program ELF, by IN.  */
static void
add_elf (struct input *input, Elf *elf, const char *in)
{
  size_t names;
  if (!is_whole (elf) || elf_getshdrstrndx (elf, &names) < 0)
    {
      blame (input, "cut short or damaged");
      return;
    }
  for (Elf_Scn *section = NULL; (section = elf_nextscn (elf, section)) != NULL;)
    {
      GElf_Shdr header;
      const char *name = gelf_getshdr (section, &header) != NULL ? elf_strptr (elf, names, header.sh_name) : NULL;
      if (name == NULL)
	blame (input, "damaged: %s", elf_errmsg (-1));
      else if (strcmp (name, section_name) == 0)
	add_section (input, section, in);
    }
}

/* Add the verdicts in the objects of the library ARCHIVE.  */
static void
add_archive (struct input *input, Elf *archive)
{
  Elf_Cmd command = ELF_C_READ_MMAP;
  int64_t end = SARMAG;
  Elf *member;
  while (command != ELF_C_NULL && (member = elf_begin (input->fd, command, archive)) != NULL)
    {
      char in[4096 + 256];
      const Elf_Arhdr *header = elf_getarhdr (member);
      snprintf (in, sizeof in, "%s(%s)", input->path, header != NULL ? header->ar_name : "?");
      end = elf_getbase (member) + (header != NULL ? header->ar_size : 0);
      if (elf_kind (member) == ELF_K_ELF)
	add_elf (input, member, keep_name (input->verdicts, in));
      command = elf_next (member);
      elf_end (member);
    }
  if (end > input->status.st_size || end + end % 2 < input->status.st_size)
    blame (input, "cut short or damaged");
}

/* Add the verdicts in INPUT, which seems to be a report.  */
static void
add_report (struct input *input)
{
  FILE *file = fdopen (dup (input->fd), "r");
  char *text = NULL;
  size_t room = 0;
  ssize_t len = file == NULL ? -1 : getdelim (&text, &room, EOF, file);
  if (len > 0)
    {
      /* A library may name its objects only.  */
      bool is_thin = strncmp (text, "!<thin>", 7) == 0;
      if (is_thin)
	blame (input, "a thin library: name its objects, or their folder");
      else if (*text != '{')
	blame (input, "neither an object, a library, a program nor a report");
      else
	add_text (input, text, (size_t) len, keep_name (input->verdicts, input->path));
    }
  if (file != NULL)
    fclose (file);
  free (text);
}

/* Add the verdicts in INPUT, which is a file.  */
static void
add_file (struct input *input)
{
  elf_version (EV_CURRENT);
  Elf *elf = elf_begin (input->fd, ELF_C_READ_MMAP, NULL);
  Elf_Kind kind = elf == NULL ? ELF_K_NONE : elf_kind (elf);
  if (kind == ELF_K_ELF)
    add_elf (input, elf, keep_name (input->verdicts, input->path));
  else if (kind == ELF_K_AR)
    add_archive (input, elf);
  else if (!input->is_searched)
    add_report (input);
  elf_end (elf);
}

static void add_path (struct input *input, int depth);

/* Add the verdicts in what is in the folder INPUT, DEPTH folders deep.  */
static void
add_folder (struct input *input, int depth)
{
  DIR *folder = fdopendir (dup (input->fd));
  const struct dirent *entry;
  while (folder != NULL && depth < FOLDERS_MOST && (entry = readdir (folder)) != NULL)
    {
      char path[4096];
      bool is_here = strcmp (input->path, ".") == 0;
      int len = snprintf (path, sizeof path, "%s%s%s", is_here ? "" : input->path, is_here ? "" : "/", entry->d_name);
      bool is_hidden = *entry->d_name == '.' && strcmp (entry->d_name, ".libs") != 0; /* libtool's objects are there */
      if (is_hidden || len >= (int) sizeof path)
	continue;
      struct input inner = { .verdicts = input->verdicts, .path = path, .is_searched = true };
      add_path (&inner, depth + 1);
    }
  if (folder != NULL)
    closedir (folder);
}

/* Add the verdicts in INPUT, of which VERDICTS, PATH and IS_SEARCHED are set.  What was added of one that is not used
   is taken away again.  */
static void
add_path (struct input *input, int depth)
{
  size_t n_before = input->verdicts->n;
  struct stat entry;
  /* A link in a folder may lead around in a circle, and what it leads to is elsewhere, too.  */
  if (input->is_searched && (lstat (input->path, &entry) != 0 || S_ISLNK (entry.st_mode)))
    return;
  input->fd = open (input->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (input->fd < 0 || fstat (input->fd, &input->status) != 0)
    blame (input, "%s", strerror (errno));
  else if (S_ISDIR (input->status.st_mode))
    add_folder (input, depth);
  else if (S_ISREG (input->status.st_mode))
    add_file (input);
  else
    blame (input, "not a file");
  if (input->fd >= 0)
    close (input->fd);
  while (*input->why != '\0' && input->verdicts->n > n_before)
    json_object_put (input->verdicts->all[--input->verdicts->n].members);
}

bool
pg_verdicts_read (struct pg_verdicts *verdicts, const char *path)
{
  size_t n_before = verdicts->n;
  struct input input = { .verdicts = verdicts, .path = path };
  add_path (&input, 0);
  if (*input.why == '\0' && verdicts->n == n_before)
    blame (&input, "no verdicts in it: nothing there was compiled with -fplugin=paragon, or it has no loops");
  if (*input.why != '\0')
    pg_say ("%s: %s", path, input.why);
  return *input.why == '\0';
}

void
pg_verdicts_search (struct pg_verdicts *verdicts, const char *path)
{
  struct input input = { .verdicts = verdicts, .path = path, .is_searched = true };
  add_path (&input, FOLDERS_MOST);
}

/* Order by file, line, column, depth.  */
static int
compare_loops (const struct pg_loop_verdict *a, const struct pg_loop_verdict *b)
{
  static const char *const numbers[] = { "line", "column", "depth" };
  int order = strcmp (a->file, b->file);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers && order == 0; i++)
    {
      int64_t number_a = pg_verdict_number (a, numbers[i]), number_b = pg_verdict_number (b, numbers[i]);
      order = (number_a > number_b) - (number_a < number_b);
    }
  return order;
}

/* The same, then by who says it: for qsort.  */
static int
compare (const void *a, const void *b)
{
  const struct pg_loop_verdict *verdict_a = a, *verdict_b = b;
  int order = compare_loops (verdict_a, verdict_b);
  return order != 0 ? order : strcmp (verdict_a->in, verdict_b->in);
}

/* Does one of the first N of VERDICTS, which are in order, say the same as VERDICT, which follows them?  */
static bool
is_repeated (const struct pg_verdicts *verdicts, size_t n, const struct pg_loop_verdict *verdict)
{
  while (n-- > 0 && compare_loops (&verdicts->all[n], verdict) == 0)
    if (json_object_equal (verdicts->all[n].members, verdict->members))
      return true;
  return false;
}

void
pg_verdicts_sort (struct pg_verdicts *verdicts)
{
  size_t n = 0;
  if (verdicts->n > 0)
    qsort (verdicts->all, verdicts->n, sizeof *verdicts->all, compare);
  for (size_t v = 0; v < verdicts->n; v++)
    if (is_repeated (verdicts, n, &verdicts->all[v]))
      json_object_put (verdicts->all[v].members);
    else
      verdicts->all[n++] = verdicts->all[v];
  verdicts->n = n;
}

void
pg_verdicts_free (struct pg_verdicts *verdicts)
{
  for (size_t v = 0; v < verdicts->n; v++)
    json_object_put (verdicts->all[v].members);
  for (size_t n = 0; n < verdicts->n_names; n++)
    free (verdicts->names[n]);
  free (verdicts->all);
  free (verdicts->names);
}
