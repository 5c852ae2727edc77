#!/bin/bash
# SPDX-License-Identifier: MIT
#
# make install puts the plugin where -fplugin=paragon finds it, the library where the plugin does, the device without a
# GPU where the library does, and the command, its manual page and wrappers where the user does, and what pkg-config,
# CMake and gcc -specs read; uninstall takes all of them away.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
stage=$TMPDIR/stage
to=(-C "$PG_ROOT" --no-print-directory -s "PLUGIN_GCC=$PG_CC" PREFIX=/usr/local PLUGINDIR=/usr/lib/paragon-plugins)
make "${to[@]}" "DESTDIR=$stage" install > log 2>&1 || fail "install: $(cat log)"
(cd "$stage" && find . ! -type d | sort) > installed
{
  printf '%s\n' ./usr/lib/paragon-plugins/libparagon.so.1 ./usr/lib/paragon-plugins/paragon.so
  cd "$PG_ROOT/runtime/cli" || exit 1
  sed -n 's/^PG_COMPILER (.*, "\(paragon-[^"]*\)", .*/\1/p' compilers.def | while IFS= read -r name
  do
    printf './usr/local/%s\n' "bin/$name" "share/man/man1/$name.1"
  done
  sed -n -e "s/\" PG_GCC_NUMBER/$gcc_major\"/" \
    -e 's,^PG_COMPILER_NAME (.*"\([^"]*\)").*,./usr/local/lib/paragon/path/\1/\1,p' compilers.def
  printf './usr/local/%s\n' bin/paragon lib/libparagon.so.1 lib/paragon/emu-device lib/paragon/emu/kinds.h \
    lib/paragon/emu/options lib/paragon/emu/shim.h lib/paragon/prelude.cuh lib/paragon/paragon.so \
    lib/paragon/paragon.specs \
    lib/pkgconfig/paragon.pc lib/cmake/Paragon/ParagonConfig.cmake lib/cmake/Paragon/paragon-toolchain.cmake \
    share/man/man1/paragon.1 share/bash-completion/completions/paragon
} | sort | diff - installed || fail "other files than these are installed"
[ -z "$(find "$stage" -path '*/lib/*' -type f -exec grep -lI '@[A-Z][A-Z]*@' {} +)" ] ||
  fail "something is not filled in"
[ "$(readlink "$stage/usr/lib/paragon-plugins/libparagon.so.1")" = /usr/local/lib/libparagon.so.1 ] ||
  fail "the link beside the plugin does not lead to the library"
make "${to[@]}" "DESTDIR=$stage" uninstall > log 2>&1 || fail "uninstall: $(cat log)"
[ -z "$(find "$stage" ! -type d)" ] || fail "uninstall leaves: $(find "$stage" ! -type d)"

# In place, without DESTDIR: a program built with the installed plugin finds the installed library.
to=("${to[@]:0:5}" "PREFIX=$stage/usr" "PLUGINDIR=$stage/plugins")
make "${to[@]}" install > log 2>&1 || fail "install: $(cat log)"
"$PG_CC" -O2 "-fplugin=$stage/plugins/paragon.so" -fplugin-arg-paragon-threshold=0 -fplugin-arg-paragon-kir sample.c \
  -o sample || exit 1
run_with_stats ./sample > /dev/null
[ "$(stat_sum pool stats.json)" -ge 1 ] || fail "the installed library was not found"
run_with_stats env PARAGON_DEVICE=emu PARAGON_PLAN=device ./sample > /dev/null
[ "$(stat_sum device stats.json)" -ge 1 ] || fail "the installed device was not found"

# Does what was compiled so carry verdicts: has_plugin FILE WAY...
has_plugin ()
{
  grep -qF .paragon.verdicts <(readelf -SW "$1") || fail "no plugin: $2"
  rm "$1"
}
"$PG_CC" "-specs=$stage/usr/lib/paragon/paragon.specs" -O2 -c sample.c -o specs.o && has_plugin specs.o specs
PARAGON_CC=$PG_CC "$stage/usr/bin/paragon-gcc" -O2 -c sample.c -o wrapped.o && has_plugin wrapped.o wrapper
CC=$PG_CC "$stage/usr/bin/paragon" doctor > out || fail "doctor: $(cat out)"
grep -qF -e "-fplugin=$stage/plugins/paragon.so" out || fail "doctor finds another plugin: $(cat out)"
cc=$(command -v "$PG_CC")
CC=$cc "$stage/usr/bin/paragon" build sh -c '$CC -O2 -c sample.c' 2> messages && has_plugin sample.o build
grep -q '^paragon: units: 1, ' messages || fail "build: $(cat messages)"
! command -v pkg-config > /dev/null || {
  # shellcheck disable=SC2046
  "$PG_CC" $(PKG_CONFIG_PATH=$stage/usr/lib/pkgconfig pkg-config --cflags paragon) -O2 -c sample.c
  has_plugin sample.o pkg-config
}
! command -v cmake > /dev/null || {
  mkdir package && cat > package/CMakeLists.txt << 'CMAKE'
cmake_minimum_required (VERSION 3.18)
project (sample C)
add_executable (sample ../sample.c)
if (NOT CMAKE_TOOLCHAIN_FILE)
  find_package (Paragon REQUIRED)
  target_link_libraries (sample PRIVATE Paragon::Paragon)
endif ()
CMAKE
  for way in "-DCMAKE_C_COMPILER=$cc -DCMAKE_PREFIX_PATH=$stage/usr" \
    "-DCMAKE_TOOLCHAIN_FILE=$stage/usr/lib/cmake/Paragon/paragon-toolchain.cmake"
  do
    # shellcheck disable=SC2086
    { PARAGON_CC=$cc cmake -S package -B made -DCMAKE_BUILD_TYPE=Release $way && PARAGON_CC=$cc cmake --build made; } \
      > log 2>&1 || fail "cmake $way: $(cat log)"
    has_plugin made/sample "cmake $way"
    rm -r made
  done
}

make "${to[@]}" uninstall > log 2>&1 || fail "uninstall: $(cat log)"
[ -z "$(find "$stage" ! -type d)" ] || fail "uninstall leaves: $(find "$stage" ! -type d)"
