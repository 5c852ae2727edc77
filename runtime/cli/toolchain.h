/* SPDX-License-Identifier: MIT
   Where the parts of this build, or installation, are; which compilers there are, and whether they take the plugin.  */
#ifndef PARAGON_CLI_TOOLCHAIN_H
#define PARAGON_CLI_TOOLCHAIN_H

#include <stdbool.h>
#include <stddef.h>

enum
{
  PG_TOOLCHAIN_PATH_LEN = 4096 + 64,
  PG_TOOLCHAIN_WORDS = 16, /* most of a compiler: ccache gcc -m64 */
  PG_TOOLCHAIN_OPTIONS = PG_TOOLCHAIN_WORDS + 2
};

enum pg_compiler
{
#define PG_COMPILER(id, wrapper, language, variable, own, otherwise) PG_COMPILER_##id,
#include "compilers.def"
  PG_N_COMPILERS
};

struct pg_compiler_text
{
  const char *wrapper, *language, *variable, *own, *otherwise;
};
extern const struct pg_compiler_text pg_compilers[PG_N_COMPILERS];

/* Put the plugin, as after -fplugin=, into PATH: that of the build that this program is part of, or the installed
   one.  */
void pg_toolchain_plugin (char (*path)[PG_TOOLCHAIN_PATH_LEN]);

/* Put the folder of the folders for PATH, each of which is called like the wrapper in it, into PATH; "": there is
   none.  */
void pg_toolchain_folders (char (*path)[PG_TOOLCHAIN_PATH_LEN]);

/* Take the folders in FOLDERS out of the value TEXT of PATH.  The result is no longer.  */
void pg_toolchain_leave_path (char *text, const char *folders);

/* Put the program NAME, as a shell finds it by the value PATH_LIST of PATH, but never this one, into PATH.  False:
   there is none.  */
bool pg_toolchain_find (const char *name, const char *path_list, char (*path)[PG_TOOLCHAIN_PATH_LEN]);

/* Part TEXT, which is changed, into at most PG_TOOLCHAIN_WORDS - 1 words at blanks, and NULL.  Their number; 0: none,
   or too many.  */
size_t pg_toolchain_words (char *text, char **words);

/* What the folder TO is called, seen from the folder FROM, both without links: "lib", "../doc".  "": it is the same
   one, they have only the root in common, or there is no room.  */
void pg_toolchain_relative (const char *from, const char *to, char (*name)[PG_TOOLCHAIN_PATH_LEN]);

/* Put the options that load the plugin, and what PARAGON_FOLDER and PARAGON_ARGS ask of it, at most
   PG_TOOLCHAIN_OPTIONS, behind the first N of ARGV.  How many there are then.  Ownership: static; the next call fills
   them again.  */
size_t pg_toolchain_add_plugin (char **argv, size_t n);

#endif
