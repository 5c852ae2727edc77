#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Who may include whom: the arrows of the architecture, checked on the text of #include lines.
#
#     cuda -> runtime/kir, runtime/{device,cache}.h -> include <- plugin -> runtime/kir, the printer of cuda,
#									    runtime/descriptor.h
#
# Each rule says, for the files of a folder, which names may be included; all else is a violation.

set -u
cd "$(dirname "$0")/.." || exit 1
status=0


# Headers of libc and pthread.
libc='<((linux|sys|sys/platform|netinet|arpa)/[a-z0-9_]+|ar|assert|complex|ctype|dirent|dlfcn|elf|errno|fcntl|fenv'
libc+='|float|ftw|getopt|immintrin|inttypes|libgen|limits|link|locale|malloc|math|poll|pthread|sched|semaphore'
libc+='|setjmp|signal|spawn|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|strings|time'
libc+='|ucontext|unistd|x86intrin|xmmintrin)\.h>'

# Files that are tracked or new, below $1, whose path matches $2.
files ()
{
  git ls-files --cached --others --exclude-standard -- "$1" | grep -E "$2" | while IFS= read -r file
  do
    [ ! -f "$file" ] || printf '%s\n' "$file"
  done
}

# The names of headers and lists of the folder $1, as a pattern of what stands between quotes.
own ()
{
  local names
  names=$(files "$1" '\.(h|def|cuh)$' | sed 's,.*/,,; s/\./\\./g' | sort -u | paste -sd '|')
  printf '"(\\.\\./)?(%s)"' "${names:-none}"
}

# check FOLDER FILES ALLOWED "rule"
check ()
{
  local bad
  bad=$(files "$1" "$2" | xargs -r -d '\n' grep -HnE '^[[:space:]]*#[[:space:]]*include' |
    grep -vE "include[[:space:]]+($3)")
  [ -z "$bad" ] && return
  printf '%s\n' "$bad" "    rule: $4"
  status=1
}

lists=$(files include '\.(h|def)$' | sed 's,.*/,,; s/\./\\./g' | paste -sd '|')
contract="\"(\\.\\./)*(include/)?(${lists:-none})\""
kir='"(\.\./)?(runtime/)?kir/[a-z-]+\.h"'

check include '\.(h|def)$' "$contract|<(stddef|stdint|stdbool)\.h>" \
  'include/ includes <stddef.h>, <stdint.h>, <stdbool.h> and itself'
of_plugin="$(own plugin)|\"\.\./(cuda/pr[a-z-]*|runtime/descriptor)\.h\""
check plugin '/([a-fh-z][a-z-]*|g[abd-z][a-z-]*)\.(cc|h)$' \
  "$of_plugin|$contract|$kir|<(dlfcn|elf|spawn|stdbool|stddef|stdint|sys/wait)\.h>" \
  'plugin/ includes its own headers, include/, runtime/kir/, runtime/descriptor.h and the printer of cuda/;
          GCC through gcc-includes.h only'
check runtime '^runtime/[^/]*\.(c|h)$' "$(own runtime)|$contract|$kir|$libc|<(xxhash|ffi|sqlite3)\.h>" \
  'runtime/ includes libc, pthread, xxhash, libffi, SQLite, include/ and itself; never GCC, cuda.h, cuda/'
check runtime/kir '\.(c|h)$' "$(own runtime/kir)|$contract|$libc" \
  'runtime/kir/ knows neither GCC nor threads nor CUDA'
of_cli="$(own runtime/cli)|\"\.\./(pages|device|utf8|cache|environment|\.\./cuda/nvrtc)\.h\"|\"\.\./status\.def\""
of_cli+="|<(json-c/json|libelf|gelf)\.h>"
check runtime/cli '\.(c|h)$' "$of_cli|$contract|$libc" \
  'runtime/cli/ includes libc, json-c, libelf, include/, itself, what finds out about the machine, and
	  what the library writes: its lists, its characters, what it keeps'
check cuda '\.(c|h|cuh)$' \
  "$(own cuda)|\"emu/emu\.h\"|\"(\.\./runtime/)?(device|cache)\.h\"|$contract|$kir|$libc|<(cuda|xxhash)\.h>" \
  'cuda/ includes xxhash, runtime/device.h, runtime/cache.h, runtime/kir/, include/ and itself'
check polybench '\.(c|h)$' "$(own polybench)|\"(\.\./)+[a-z/-]+\.h\"|$libc|<omp\.h>" \
  'polybench/ is legacy C: libc and itself, nothing of Paragon'
exit $status
