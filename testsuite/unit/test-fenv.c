/* SPDX-License-Identifier: MIT
   The runtime's own fenv functions do what those of libm do.  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <fenv.h>
#include <stdio.h>

#ifdef __x86_64__

/* libm's functions: those of the same names that this program is linked with are the runtime's.  */
static struct
{
  int (*get) (fenv_t *);
  int (*set) (const fenv_t *);
  int (*test) (int);
  int (*raise) (int);
  int (*traps) (void);
} theirs;

static const int flag_sets[] = { 0, FE_INVALID, FE_OVERFLOW | FE_INEXACT, FE_DIVBYZERO, FE_ALL_EXCEPT };
static const int roundings[] = { FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO };

enum
{
  N_FLAG_SETS = sizeof flag_sets / sizeof *flag_sets,
  N_ROUNDINGS = sizeof roundings / sizeof *roundings,
  FLUSH = 0x8040 /* MXCSR: denormals are zero */
};

/* Environment NUMBER of a few that differ in everything.  */
static fenv_t
an_environment (int number)
{
  fenv_t env;
  fesetround (roundings[number % N_ROUNDINGS]);
  feclearexcept (FE_ALL_EXCEPT);
  theirs.raise (flag_sets[number % N_FLAG_SETS]);
  theirs.get (&env);
  if (number % 3 == 0)
    env.__mxcsr |= FLUSH;
  fesetround (FE_TONEAREST);
  feclearexcept (FE_ALL_EXCEPT);
  return env;
}

static void
assert_same (const fenv_t *a, const fenv_t *b)
{
  assert_int_equal (a->__control_word, b->__control_word);
  assert_int_equal (a->__status_word, b->__status_word);
  assert_int_equal (a->__tags, b->__tags);
  assert_int_equal (a->__mxcsr, b->__mxcsr);
}

static void
an_environment_is_taken_and_put_as_libm_does (void **state)
{
  fenv_t before;
  (void) state;
  theirs.get (&before);
  for (int number = 0; number < N_FLAG_SETS * N_ROUNDINGS * 3; number++)
    {
      fenv_t env = an_environment (number), by_libm, by_us, seen_by_us, put_again;
      theirs.set (&env);
      theirs.get (&by_libm);
      theirs.set (&before);
      fesetenv (&env);
      theirs.get (&by_us);
      fegetenv (&seen_by_us);
      int flags = fetestexcept (FE_ALL_EXCEPT), flags_by_libm = theirs.test (FE_ALL_EXCEPT);
      theirs.set (&before);
      theirs.set (&seen_by_us);
      theirs.get (&put_again);
      theirs.set (&before);
      assert_same (&by_us, &by_libm);
      assert_same (&put_again, &by_libm);
      assert_int_equal (flags, flags_by_libm);
      assert_int_equal (flags, flag_sets[number % N_FLAG_SETS]);
    }
}

/* Taking the environment would mask exceptions, putting it would empty the registers, if done by one instruction.  */
static void
the_x87_goes_on (void **state)
{
  fenv_t empty, env;
  volatile long double before = 3.0L, after = 0.0L;
  (void) state;
  fegetenv (&empty);
  feenableexcept (FE_DIVBYZERO);
  fegetenv (&env);
  int traps = fegetexcept ();
  fedisableexcept (FE_DIVBYZERO);
  assert_int_equal (traps, FE_DIVBYZERO);
  assert_int_equal (fegetexcept (), theirs.traps ());

  __asm__ volatile("fldt %0" : : "m"(before));
  fesetenv (&empty);
  __asm__ volatile("fstpt %0" : "=m"(after));
  assert_true (after == before);
}

static void
flags_are_tested_and_raised (void **state)
{
  (void) state;
  for (int i = 0; i < N_FLAG_SETS; i++)
    {
      feclearexcept (FE_ALL_EXCEPT);
      feraiseexcept (flag_sets[i]);
      assert_int_equal (theirs.test (FE_ALL_EXCEPT), flag_sets[i]);
      assert_int_equal (fetestexcept (FE_ALL_EXCEPT), flag_sets[i]);
      assert_int_equal (fetestexcept (FE_INEXACT), flag_sets[i] & FE_INEXACT);
    }
  feclearexcept (FE_ALL_EXCEPT);
  volatile long double zero = 0.0L, infinity = 1.0L / zero; /* in the x87 */
  assert_true (infinity > 1.0L);
  assert_int_equal (fetestexcept (FE_ALL_EXCEPT), FE_DIVBYZERO);
  feclearexcept (FE_ALL_EXCEPT);
}

/* Fails where this program's functions are not the runtime's.  */
static int
find_libm (void **state)
{
  void *libm = dlopen ("libm.so.6", RTLD_NOW);
  (void) state;
  if (libm == NULL)
    return 1;
  *(void **) &theirs.get = dlsym (libm, "fegetenv");
  *(void **) &theirs.set = dlsym (libm, "fesetenv");
  *(void **) &theirs.test = dlsym (libm, "fetestexcept");
  *(void **) &theirs.raise = dlsym (libm, "feraiseexcept");
  *(void **) &theirs.traps = dlsym (libm, "fegetexcept");
  return theirs.get == fegetenv || theirs.set == fesetenv || theirs.test == fetestexcept;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (an_environment_is_taken_and_put_as_libm_does),
    cmocka_unit_test (the_x87_goes_on),
    cmocka_unit_test (flags_are_tested_and_raised),
  };
  return cmocka_run_group_tests (tests, find_libm, NULL);
}

#else

int
main (void)
{
  puts ("libm's own functions are used");
  return 77;
}

#endif
