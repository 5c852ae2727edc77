#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The lazy stub: where it looks for the library, when it does not look, and what it leaves as it was.  A stand-in for
# the library says its name when a region is entered, and runs F; the answer is the original loop's.

. "$PG_ROOT/testsuite/lib/script.sh"

# Make the stand-in library $1 that calls itself $2, of version $3 if not the last.
stand_in ()
{
  printf '%s\n' '#include <errno.h>' '#include <paragon_region.h>' '#include <unistd.h>' \
    '__attribute__ ((constructor)) static void load (void) { errno = 98; }' \
    "int64_t __paragon_enter_v${3:-2} (struct pg_descriptor *region, void *args, int64_t n)" \
    "{ static const char name[] = \"$2 \";" \
    '  region->body (args, 0, n, NULL); return write (2, name, sizeof name - 1) > 0; }' > stand-in.c
  "$PG_CC" -I"$PG_ROOT/include" -shared -fPIC stand-in.c -o "$1" || exit 1
}

# Run a command; who was entered must be $1, what was printed the answer.
expect ()
{
  local wanted=$1 answer entered
  shift
  answer=$("$@" 2> entered) || fail "$*: exit status $?"
  entered=$(tr ' ' '\n' < entered | sort -u | tr -d '\n')
  [ "$answer" = "$expected" ] || fail "$*: answer $answer, not $expected"
  [ "$entered" = "$wanted" ] || fail "$*: entered '$entered', not '$wanted'"
}

sample
cat > errno.c << 'C'
#include <errno.h>
#include <stdlib.h>
__attribute__ ((noipa)) static int get (void) { return errno; }
__attribute__ ((noipa)) static void set (int value) { errno = value; }
void mix (int n, const unsigned *x, unsigned *y);
__attribute__ ((constructor)) static void early (void)
{
  unsigned x = 0;
  if (getenv ("CLEAR"))
    clearenv ();
  set (5);
  mix (1, &x, &x);
  if (get () != 5)
    __builtin_abort ();
}
C
mkdir tools other system elsewhere
cp "$plugin" tools/
stand_in tools/libparagon.so.1 beside
stand_in other/mine.so user
stand_in system/libparagon.so.1 system
stand_in elsewhere/libparagon.so.1 wrong
build=("$PG_CC" -O2 -fplugin=tools/paragon.so -fplugin-arg-paragon-threshold=0 sample.c errno.c)
"$PG_CC" -O2 sample.c -o plain || exit 1
expected=$(./plain)
"${build[@]}" -o program || exit 1
program=$PWD/program

# The user's, or the one beside the plugin, else the system's; "off" as a whole word only.
expect beside ./program
expect beside env PARAGON_LIBRARY= ./program
expect user env PARAGON_LIBRARY=other/mine.so ./program
expect '' env PARAGON_LIBRARY=other/missing.so ./program
expect system env PARAGON_LIBRARY=other/missing.so LD_LIBRARY_PATH="$PWD/system" ./program
expect '' env PARAGON=off ./program
expect beside env PARAGON=offline ./program
expect beside env PARAGON= ./program
expect beside env XPARAGON=off PARAGON_LIBRARY_PATH=other/mine.so ./program
expect beside env -i ./program
expect beside env CLEAR=1 ./program
rm tools/libparagon.so.1
expect system env LD_LIBRARY_PATH="$PWD/system" ./program
expect '' ./program
(cd elsewhere && expect '' "$program")

# The same where none lay beside the plugin as it compiled.  A link to the plugin leads to what lies beside that.
"${build[@]}" -o alone || exit 1
expect system env LD_LIBRARY_PATH="$PWD/system" ./alone
expect '' ./alone
mkdir links
ln -s ../tools/paragon.so links/
stand_in tools/libparagon.so.1 beside
"${build[@]/tools/links}" -o linked || exit 1
expect beside ./linked
rm tools/libparagon.so.1

# A library without the entry point, or with an older one only, is no library.
"$PG_CC" -shared -fPIC -x c /dev/null -o system/libparagon.so.1 || exit 1
expect '' env LD_LIBRARY_PATH="$PWD/system" ./program
stand_in system/libparagon.so.1 older 1
expect '' env LD_LIBRARY_PATH="$PWD/system" ./program

# Static: no warning of the linker, no library.
stand_in tools/libparagon.so.1 beside
"${build[@]}" -static -o static 2> messages || fail "static: $(cat messages)"
[ ! -s messages ] || fail "static: $(cat messages)"
expect '' ./static
expect '' env PARAGON_LIBRARY=other/mine.so ./static

# The object's own references stay strong: a static program that calls dlopen itself still gets it.
echo '#include <dlfcn.h>
void *own (void) { return dlopen ((char *) 0, RTLD_NOW); }
void twice (int n, unsigned *y) { int i; for (i = 0; i < n; i++) y[i] *= 2; }' > own.c
"$PG_CC" -O2 -fplugin=tools/paragon.so -fplugin-arg-paragon-threshold=0 -c own.c -o own.o || exit 1
grep -q ' U dlopen' <(nm own.o) || fail "own reference to dlopen: $(nm own.o | grep dlopen)"
grep -q ' w dlsym' <(nm own.o) || fail "the stub's reference to dlsym is not weak"

# It takes few bytes of an object, none of them for unwinding, and is not compiled each time: no pass sees it.
"$PG_CC" -O2 -fplugin=tools/paragon.so -fdump-tree-optimized=passes -c own.c -o own.o || exit 1
grep -q 'Function.*paragon' passes || fail "no function of the plugin's in the dump"
grep 'Function __paragon' passes && fail "the stub is compiled"
readelf -sW own.o | awk '$4 == "FUNC" && $8 ~ /^__paragon/ { n += $3 } END { exit !(n > 0 && n <= 630) }' ||
  fail "the stub is large: $(readelf -sW own.o)"
[ "$(readelf --debug-dump=frames own.o | grep -c " FDE ")" = 3 ] || fail "$(readelf --debug-dump=frames own.o)"

# In Intel's dialect, with frame pointers, without position-independent code, and with indirect branches that are
# checked.
"$PG_CC" -Q --help=target > options || exit 1
if grep -q masm options
then
  for flags in -masm=intel '-masm=intel -mindirect-branch=thunk -fcf-protection=none' '-fcf-protection -pg' \
    '-fno-pie -no-pie'
  do
    # shellcheck disable=SC2086
    "${build[@]}" $flags -o program-flags || fail "$flags: does not build"
    expect beside ./program-flags
  done
fi

# A shared object has its own stub, and shows none of it; nor does the program become one that is never unloaded.
"${build[@]}" -fPIC -shared -o shared.so || exit 1
nm -D shared.so | grep paragon && fail "symbols are exported"
grep -q "  *u " <(nm own.o) && fail "a unique symbol: the dynamic linker never unloads its object"

# Eight threads that come first at once.
cat > threads.c << 'C'
#include <pthread.h>
#include <stdio.h>
static pthread_barrier_t start;
static unsigned a[8][64];
__attribute__ ((noipa)) static void fill (unsigned *x, int n)
{
  int i;
  for (i = 0; i < n; i++)
    x[i] = (unsigned) i * 7;
}
static void *run (void *x) { pthread_barrier_wait (&start); fill (x, 64); return NULL; }
int main (void)
{
  pthread_t thread[8];
  int i;
  pthread_barrier_init (&start, NULL, 8);
  for (i = 0; i < 8; i++)
    if (pthread_create (&thread[i], NULL, run, a[i]))
      return 77;
  for (i = 0; i < 8; i++)
    pthread_join (thread[i], NULL);
  printf ("%u\n", a[0][63] + a[7][63]);
  return 0;
}
C
"$PG_CC" -O2 -pthread -fplugin=tools/paragon.so -fplugin-arg-paragon-threshold=0 threads.c -o threads || exit 1
for _ in 1 2 3 4 5 6 7 8 9 10
do
  [ "$(./threads 2> entered)" = 882 ] || fail "threads: another answer"
  [ "$(wc -w < entered)" = 8 ] || fail "threads: $(wc -w < entered) of 8 entered"
done

# A handler, which may jump, runs when the library is open, not while it is opened; it jumps where errno is the loop's.
# What the thread raises itself is handled at once.
spent='#include <time.h>
static void spend (void) { while (clock () < CLOCKS_PER_SEC / 80) continue; }'
cat > handle.c << 'C'
#include <signal.h>
void handle (int number, void (*handler) (int)) { signal (number, handler); }
C
"$PG_CC" -O2 -c handle.c || exit 1
cat > jump.c << C
$spent
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
void handle (int, void (*) (int));
static sigjmp_buf out;
static unsigned x[100000];
int is_opening;
static void jump (int signal) { (void) signal; siglongjmp (out, 1 + is_opening); }
static void note (int signal) { (void) signal; write (2, "fault ", 6); }
__attribute__ ((noipa)) static void fill (int n) { int i; for (i = 0; i < n; i++) x[i] = (unsigned) i * 7; }
int main (void)
{
  int jumped;
  handle (SIGALRM, jump);
  handle (SIGFPE, note);
  spend ();
  errno = 5;
  jumped = sigsetjmp (out, 1);
  if (jumped == 0)
    fill (100000);
  jumped = jumped * 10 + errno;
  fill (100000);
  printf ("%d %u\n", jumped, x[63]);
  return 0;
}
C
printf '%s\n' '#include <signal.h>' 'extern int is_opening __attribute__ ((weak));' \
  '__attribute__ ((constructor)) static void begin (void)' \
  '{ is_opening = 1; raise (SIGALRM); raise (SIGFPE); is_opening = 0; }' > raises.c
cat stand-in.c raises.c > raising.c
"$PG_CC" -I"$PG_ROOT/include" -shared -fPIC raising.c -o tools/libparagon.so.1 || exit 1
"$PG_CC" -O2 -rdynamic -fplugin=tools/paragon.so jump.c handle.o -o jump || exit 1
expected='15 441'
expect besidefault ./jump
stand_in tools/libparagon.so.1 beside
expected=$(./plain)

# In a handler, which may have interrupted malloc, the library is not opened: the loop runs as it was written.
cat > handler.c << C
$spent
#include <signal.h>
#include <stdio.h>
void handle (int, void (*) (int));
static unsigned x[100000];
__attribute__ ((noipa)) static void fill (int n) { int i; for (i = 0; i < n; i++) x[i] = (unsigned) i * 7; }
static void on_signal (int signal) { fill (100000 - !signal); fputs ("handled ", stderr); }
int main (void)
{
  handle (SIGALRM, on_signal);
  spend ();
  raise (SIGALRM);
  fill (100000);
  printf ("%u\n", x[63]);
  return 0;
}
C
"$PG_CC" -O2 -fplugin=tools/paragon.so handler.c handle.o -o handler || exit 1
answer=$(./handler 2>&1)
[ "$answer" = "handled beside 441" ] || fail "a handler comes first: $answer"
PARAGON=off ./handler > /dev/null 2>&1 || fail "a handler comes first, and Paragon is off"

# Who starts with a signal blocked has it open from the start: there might be no other time.
answer=$(env --block-signal=USR1 ./handler 2>&1)
[ "$answer" = "beside handled beside 441" ] || fail "a signal is blocked from the start: $answer"

# It is open before a handler or a thread comes if the program's own objects have any.
sed 's/void handle .*/#define handle signal/' handler.c > own-handler.c
"$PG_CC" -O2 -fplugin=tools/paragon.so own-handler.c -o own-handler || exit 1
answer=$(./own-handler 2>&1)
[ "$answer" = "beside handled beside 441" ] || fail "the program handles signals: $answer"

# A thread that a constructor starts, and waits for while the dynamic linker is locked, runs a loop.
cat > constructor.c << 'C'
#include <pthread.h>
void *work (void *);
__attribute__ ((constructor)) static void start (void)
{
  pthread_t thread;
  pthread_create (&thread, 0, work, 0);
  pthread_join (thread, 0);
}
C
cat > worker.c << C
$spent
static unsigned x[100000];
void *work (void *unused)
{
  int i;
  spend ();
  for (i = 0; i < 100000; i++)
    x[i] = (unsigned) i * 7;
  return unused;
}
unsigned get (void) { return x[63]; }
C
cat > opens.c << 'C'
#include <dlfcn.h>
#include <stdio.h>
int main (int argc, char **argv)
{
  void *library = dlopen (argv[argc - 1], RTLD_NOW);
  printf ("%u\n", library ? ((unsigned (*) (void)) dlsym (library, "get")) () : 0);
  return 0;
}
C
"$PG_CC" -O2 opens.c -o opens || exit 1
"$PG_CC" -O2 -fPIC -c constructor.c -o foreign.o || exit 1
"$PG_CC" -O2 -fPIC -c -fplugin=tools/paragon.so constructor.c -o constructor.o || exit 1
"$PG_CC" -O2 -fPIC -c -fplugin=tools/paragon.so worker.c -o worker.o || exit 1
"$PG_CC" -shared worker.o foreign.o -o foreign.so || exit 1
"$PG_CC" -shared worker.o constructor.o -o constructor.so || exit 1
expected=441
expect '' timeout -s KILL 30 ./opens ./foreign.so
expect '' env PARAGON=off timeout -s KILL 30 ./opens ./foreign.so
expect beside env PARAGON_THREADS=2 timeout -s KILL 30 ./opens ./foreign.so
expect beside timeout -s KILL 30 ./opens ./constructor.so

# A malloc of the program's own locks itself, and calls a loop: the library is open before that is locked.
cat > malloc.c << C
$spent
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char room[1 << 24];
static size_t taken;
static unsigned called;
extern unsigned fill (int n);
void *malloc (size_t len)
{
  char *block = room;
  pthread_mutex_lock (&lock);
  called = fill (100000);
  taken += (len + 63) / 64 * 64;
  block += sizeof room - taken;
  pthread_mutex_unlock (&lock);
  return block;
}
void *calloc (size_t n, size_t len) { return memset (malloc (n * len), 0, n * len); }
void free (void *block) { (void) block; }
int main (void)
{
  spend ();
  printf ("%u\n", malloc (7) ? called : 0);
  return 0;
}
C
cat > fill.c << 'C'
static unsigned x[100000];
unsigned fill (int n)
{
  int i;
  for (i = 0; i < n; i++) x[i] = (unsigned) i * 7;
  return x[63];
}
C
"$PG_CC" -O2 -fno-builtin -fplugin=tools/paragon.so malloc.c fill.c -o malloc || exit 1
expect beside timeout -s KILL 30 ./malloc
expected=$(./plain)

# A program that has no descriptor left when the library would be opened does without it.
cat > full.c << C
$spent
#include <stdio.h>
#include <sys/resource.h>
static unsigned x[100000];
__attribute__ ((noipa)) static void fill (int n) { int i; for (i = 0; i < n; i++) x[i] = (unsigned) i * 7; }
int main (void)
{
  struct rlimit limit = { 3, 3 };
  spend ();
  setrlimit (RLIMIT_NOFILE, &limit);
  fill (100000);
  printf ("%u\n", x[63]);
  return 0;
}
C
"$PG_CC" -O2 -fplugin=tools/paragon.so full.c -o full || exit 1
expected=441
expect '' ./full
expected=$(./plain)

# Set-user-id: the environment and the plugin's directory are not asked.
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null
then
  chmod 755 . program && chmod u+s program
  expect '' setpriv --reuid 65534 --clear-groups env PARAGON_LIBRARY="$PWD/other/mine.so" ./program
fi

# Where nobody asks for it, the library is opened once the process has run for 10 ms, or when a loop is long by the
# estimate, or has a result that may depend on who runs it; each loop's answer is right all the time.
cat > early.c << 'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef FREE_ORDER
static float total;
__attribute__ ((noipa)) static void work (int n, float *x) { int i; for (i = 0; i < n; i++) total += x[i]; }
#else
static unsigned total;
__attribute__ ((noipa)) static void work (int n, float *x) { int i; for (i = 0; i < n; i++) x[i] = x[i] + 1; total++; }
#endif
int main (int argc, char **argv)
{
  int n = atoi (argv[1]), entries = atoi (argv[2]);
  float *x = calloc (n, sizeof *x);
  (void) argc;
  work (n, x);
  fputs ("once ", stderr);
  while (entries > 1 && clock () < CLOCKS_PER_SEC / 80)
    continue;
  while (--entries > 0)
    work (n, x);
  printf ("%g %g\n", (double) total, x[n - 1]);
  return 0;
}
C
"$PG_CC" -O2 -fplugin=tools/paragon.so early.c -o early || exit 1
"$PG_CC" -Ofast -DFREE_ORDER -fplugin=tools/paragon.so early.c -o early-free || exit 1
expected='1 1'
expect once ./early 100000 1
expect once env PARAGO=1 ./early 100000 1
expect besideonce env PARAGON_THREADS=2 ./early 100000 1
expect besideonce ./early 100000000 1
expected='2 2'
expect besideonce ./early 100000 2
[ "$(./early 100000 2 2>&1 > /dev/null)" = "once beside " ] || fail "early: $(./early 100000 2 2>&1 > /dev/null)"
[ "$(PARAGON_THREADS=2 ./early 100000 2 2>&1 > /dev/null)" = "beside once beside " ] || fail "asked for, and not opened"
expected='0 0'
expect besideonce ./early-free 500000 1
exit 0
