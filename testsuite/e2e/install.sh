#!/bin/bash
# SPDX-License-Identifier: MIT
#
# make install puts the plugin where -fplugin=paragon finds it, the library where the plugin does, the device without a
# GPU where the library does, and the command and its manual page where the user does; uninstall takes all of them away.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
stage=$TMPDIR/stage
to=(-C "$PG_ROOT" --no-print-directory -s "PLUGIN_GCC=$PG_CC" PREFIX=/usr/local PLUGINDIR=/usr/lib/paragon-plugins)
make "${to[@]}" "DESTDIR=$stage" install > log 2>&1 || fail "install: $(cat log)"
(cd "$stage" && find . ! -type d | sort) > installed
printf '%s\n' ./usr/lib/paragon-plugins/libparagon.so.1 ./usr/lib/paragon-plugins/paragon.so ./usr/local/bin/paragon \
  ./usr/local/lib/libparagon.so.1 ./usr/local/lib/paragon/emu-device ./usr/local/lib/paragon/emu/kinds.h \
  ./usr/local/lib/paragon/emu/shim.h ./usr/local/lib/paragon/prelude.cuh ./usr/local/share/man/man1/paragon.1 |
  diff - installed || fail "other files than these are installed"
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
make "${to[@]}" uninstall > log 2>&1 || fail "uninstall: $(cat log)"
[ -z "$(find "$stage" ! -type d)" ] || fail "uninstall leaves: $(find "$stage" ! -type d)"
