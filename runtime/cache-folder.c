/* SPDX-License-Identifier: MIT
   Where the cache is.  See cache.h.

   What is found there runs on the device: so only its owner may have written it.  Locks of network file systems are
   slow, or none.  */
#include "cache.h"
#include "environment.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MOST_LEN ((uint64_t) 256 << 20)

/* File systems that other machines write to, or may: linux/magic.h does not know them all.  */
static const unsigned remote[] = {
  NFS_SUPER_MAGIC, SMB_SUPER_MAGIC,   AFS_SUPER_MAGIC,  CODA_SUPER_MAGIC,
  V9FS_MAGIC,      OCFS2_SUPER_MAGIC, FUSE_SUPER_MAGIC, 0xff534d42, /* CIFS */
  0xfe534d42,                                                       /* SMB 2 */
  0x00c36400,                                                       /* Ceph */
  0x0bd00bd0,                                                       /* Lustre */
  0x47504653,                                                       /* GPFS */
  0x01161970,                                                       /* GFS2 */
  0x19830326,                                                       /* BeeGFS */
  0xaad7aaea,                                                       /* PanFS */
};

bool
pg_cache_defaults (struct pg_cache_setup *setup, char *path)
{
  const char *parent = getenv ("XDG_CACHE_HOME"), *home = getenv ("HOME"), *below = "";
  const char *asked = pg_environment.cache == NULL ? "on" : pg_environment.cache;
  if (getauxval (AT_SECURE) || strcmp (asked, "off") == 0)
    return false;
  *setup = (struct pg_cache_setup) { .folder = path, .library = "libsqlite3.so.0", .most_len = MOST_LEN };
  if (*asked == '/')
    return snprintf (path, PG_CACHE_PATH_LEN, "%s", asked) < PG_CACHE_PATH_LEN;
  if (parent == NULL || *parent != '/') /* a relative one is to be ignored */
    {
      parent = home;
      below = "/.cache";
    }
  if (parent == NULL || *parent != '/')
    return false;
  return snprintf (path, PG_CACHE_PATH_LEN, "%s%s/paragon", parent, below) < PG_CACHE_PATH_LEN;
}

/* Make the folder PATH and its parent where they are missing.  */
static void
make_folder (const char *path)
{
  char parent[PG_CACHE_PATH_LEN];
  size_t len = strlen (path);
  if (mkdir (path, 0700) == 0 || errno != ENOENT || len >= sizeof parent)
    return;
  memcpy (parent, path, len + 1);
  char *slash = strrchr (parent, '/');
  if (slash == NULL)
    return;
  *slash = '\0';
  if (mkdir (parent, 0700) == 0)
    mkdir (path, 0700);
}

static bool
is_remote (int fd)
{
  struct statfs facts;
  if (fstatfs (fd, &facts) != 0)
    return true;
  for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
    if ((unsigned) facts.f_type == remote[i])
      return true;
  return false;
}

/* What is wrong with the folder FD, or NULL.  */
static const char *
what_is_wrong (int fd)
{
  struct stat facts;
  if (fstat (fd, &facts) != 0)
    return strerror (errno);
  if (facts.st_uid != geteuid ())
    return "it is another user's";
  if ((facts.st_mode & 077) != 0)
    return "others may use it, too";
  return is_remote (fd) ? "it is on a network file system" : NULL;
}

bool
pg_cache_folder (const char *path, char *text)
{
  make_folder (path);
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  const char *wrong = fd < 0 ? strerror (errno) : what_is_wrong (fd);
  if (wrong != NULL)
    snprintf (text, PG_CACHE_TEXT_LEN, "no cache in %s: %s", path, wrong);
  if (fd >= 0)
    close (fd);
  return wrong == NULL;
}
