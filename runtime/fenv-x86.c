/* SPDX-License-Identifier: MIT
   What the runtime uses of <fenv.h>, under the same names, for x86-64.

   A program that does without libm would load it for these few instructions alone, and that takes longer than some
   programs' whole loops.  The names are hidden: the program keeps its own.

   Flags are raised in MXCSR, where the program's loops raise them.  On other processors this file is empty, and the
   library needs libm.  */
#include <fenv.h>

#ifdef __x86_64__

static unsigned short
control_word (void)
{
  unsigned short word;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  return word;
}

/* Only what fesetenv wants, here and in libm: to store all of the x87's environment takes long, and masks its
   exceptions.  */
int
fegetenv (fenv_t *env)
{
  *env = (fenv_t) {
    .__control_word = control_word (),
    .__status_word = (unsigned short) __builtin_ia32_fnstsw (),
    .__mxcsr = __builtin_ia32_stmxcsr (),
  };
  return 0;
}

/* What the x87's registers hold stays as it is: the tags, and the top of its stack in the status.  */
int
fesetenv (const fenv_t *env)
{
  static const fenv_t standard = { .__control_word = 0x37f, .__mxcsr = 0x1f80 };
  if (env == FE_DFL_ENV)
    env = &standard;
  if (control_word () != env->__control_word
      || ((unsigned short) __builtin_ia32_fnstsw () ^ env->__status_word) & FE_ALL_EXCEPT)
    {
      fenv_t now;
      __builtin_ia32_fnstenv (&now);
      now.__control_word = env->__control_word;
      now.__status_word = (now.__status_word & ~FE_ALL_EXCEPT) | (env->__status_word & FE_ALL_EXCEPT);
      __builtin_ia32_fldenv (&now);
    }
  if (__builtin_ia32_stmxcsr () != env->__mxcsr)
    __builtin_ia32_ldmxcsr (env->__mxcsr);
  return 0;
}

int
fetestexcept (int flags)
{
  return (int) (__builtin_ia32_fnstsw () | __builtin_ia32_stmxcsr ()) & flags & FE_ALL_EXCEPT;
}

int
feraiseexcept (int flags)
{
  __builtin_ia32_ldmxcsr (__builtin_ia32_stmxcsr () | (unsigned) (flags & FE_ALL_EXCEPT));
  return 0;
}

/* The x87's exceptions that trap.  */
int
fegetexcept (void)
{
  return ~control_word () & FE_ALL_EXCEPT;
}

#endif
