/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O2 -fPIC -fpie -pie, -O2 -flto
//! flags: -pthread
//! stat: pool >= 6
/* Regions in constructors of static objects, before main, and in destructors, after it; in threads that C++ makes; and
   between a throw and its handler.  */
#include "host.h"
#include <stdexcept>
#include <thread>

namespace
{
struct data d, of_thread;

struct early
{
  unsigned result;

  early ()
  {
    prepare (&d, 1);
    result = work (&d);
    printf ("constructor: %x\n", result);
  }

  ~early ()
  {
    printf ("destructor: %x\n", work (&d));
  }
};

struct worker
{
  ~worker ()
  {
    printf ("unwound: %x\n", work (&d));
  }
};

early object;
thread_local early of_each_thread;

void
fail ()
{
  worker w;
  work (&d);
  throw std::runtime_error ("failed");
}
}

int
main ()
{
  printf ("main: %x\n", object.result ^ work (&d));
  for (int i = 0; i < 3; i++)
    {
      std::thread thread ([] () { printf ("thread: %x\n", of_each_thread.result ^ work (&of_thread)); });
      thread.join ();
      try
	{
	  fail ();
	}
      catch (const std::exception &e)
	{
	  printf ("%s: %x\n", e.what (), work (&d));
	}
    }
  return 0;
}
