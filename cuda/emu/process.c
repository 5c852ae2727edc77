/* SPDX-License-Identifier: MIT
   The device's process, seen from the program: started, talked to, ended.  See wire.h.

   It is started as a program of its own, not forked: nothing of this process is in it, and no lock that another thread
   holds.  It forks itself once more, so that it is not this program's child: the program may wait for its own children
   and count them.  It ends when it is told, or the socket ends.  */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
  HIGH_FD = 10, /* above those that the process gets */
  LINE_LEN = 256
};

#define START_NS ((int64_t) 20 * 1000000000)

extern char **environ;

int64_t
pg_emu_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Start EMU's program, with SOCKET.  0 or an errno.  */
static int
spawn (const struct pg_emu *emu, int socket, int memory)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attr;
  sigset_t all, none;
  pid_t pid;
  char *arguments[] = { (char *) emu->program, NULL };
  int e = posix_spawn_file_actions_init (&actions);
  if (e != 0)
    return e;
  e = posix_spawnattr_init (&attr);
  if (e != 0)
    {
      posix_spawn_file_actions_destroy (&actions);
      return e;
    }
  sigfillset (&all);
  sigemptyset (&none);
  for (int fd = 0; e == 0 && fd <= 2; fd++)
    e = posix_spawn_file_actions_addopen (&actions, fd, "/dev/null", O_RDWR, 0);
  e = e != 0 ? e : posix_spawn_file_actions_adddup2 (&actions, socket, PG_EMU_SOCKET);
  e = e != 0 ? e : posix_spawn_file_actions_adddup2 (&actions, memory, PG_EMU_MEMORY);
  e = e != 0 ? e : posix_spawnattr_setsigdefault (&attr, &all);
  e = e != 0 ? e : posix_spawnattr_setsigmask (&attr, &none);
  e = e != 0 ? e
	     : posix_spawnattr_setflags (&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  e = e != 0 ? e : posix_spawn (&pid, emu->program, &actions, &attr, arguments, environ);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attr);
  if (e == 0)
    while (waitpid (pid, NULL, 0) < 0 && errno == EINTR)
      ;
  return e;
}

enum pg_emu_status
pg_emu_process_start (struct pg_emu *emu)
{
  int ends[2];
  if (emu->owner != getpid ())
    return pg_emu_failed (emu, PG_EMU_NO_DEVICE, "the device is another process's");
  if (emu->socket >= 0)
    return PG_EMU_OK;
  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return pg_emu_failed (emu, PG_EMU_NO_DEVICE, "no socket for the device: %s", strerror (errno));
  int theirs = fcntl (ends[1], F_DUPFD_CLOEXEC, HIGH_FD);
  int memory = fcntl (emu->memory, F_DUPFD_CLOEXEC, HIGH_FD);
  int e = theirs < 0 || memory < 0 ? errno : spawn (emu, theirs, memory);
  close (ends[1]);
  if (theirs >= 0)
    close (theirs);
  if (memory >= 0)
    close (memory);
  emu->socket = ends[0];
  emu->n_starts++;
  if (e != 0 || send (emu->socket, &emu->hello, sizeof emu->hello, MSG_NOSIGNAL) < 0)
    {
      e = e != 0 ? e : errno;
      pg_emu_process_end (emu);
      return pg_emu_failed (emu, PG_EMU_NO_DEVICE, "%s cannot be started: %s", emu->program, strerror (e));
    }
  return pg_emu_process_hear (emu, pg_emu_now () + START_NS);
}

void
pg_emu_process_end (struct pg_emu *emu)
{
  if (emu->socket < 0)
    return;
  if (emu->owner == getpid ())
    {
      const struct pg_emu_request end = { .ask = PG_EMU_END };
      send (emu->socket, &end, offsetof (struct pg_emu_request, number), MSG_NOSIGNAL);
      shutdown (emu->socket, SHUT_RDWR);
    }
  close (emu->socket);
  emu->socket = -1;
  emu->is_running = false;
}

enum pg_emu_status
pg_emu_process_ask (struct pg_emu *emu, const struct pg_emu_request *request)
{
  size_t len = offsetof (struct pg_emu_request, args) + request->args_len;
  if (send (emu->socket, request, len, MSG_NOSIGNAL) == (ssize_t) len)
    return PG_EMU_OK;
  int e = errno;
  pg_emu_process_end (emu);
  return pg_emu_failed (emu, PG_EMU_NO_DEVICE, "the device's process was lost: %s", strerror (e));
}

enum pg_emu_status
pg_emu_process_hear (struct pg_emu *emu, int64_t due_ns)
{
  struct pollfd ready = { .fd = emu->socket, .events = POLLIN };
  struct pg_emu_reply reply;
  for (int n = 0; n <= 0;)
    {
      int64_t left = due_ns - pg_emu_now ();
      struct timespec limit = { .tv_sec = left / 1000000000, .tv_nsec = left % 1000000000 };
      n = left <= 0 ? 0 : ppoll (&ready, 1, &limit, NULL);
      if (n < 0 && errno != EINTR)
	{
	  int e = errno;
	  pg_emu_process_end (emu);
	  return pg_emu_failed (emu, PG_EMU_NO_DEVICE, "no answer can be heard: %s", strerror (e));
	}
      if (n == 0)
	{
	  pg_emu_process_end (emu);
	  return pg_emu_failed (emu, PG_EMU_TIMEOUT, "no answer in time");
	}
    }
  ssize_t len = recv (emu->socket, &reply, sizeof reply, 0);
  if (len != (ssize_t) sizeof reply)
    {
      pg_emu_process_end (emu);
      return pg_emu_failed (emu, PG_EMU_NO_DEVICE, "the device's process has ended");
    }
  if (reply.status == PG_EMU_OK)
    return PG_EMU_OK;
  if (reply.status == PG_EMU_FAULT)
    pg_emu_process_end (emu);
  return pg_emu_failed (emu, (enum pg_emu_status) reply.status, "%s", reply.text);
}
