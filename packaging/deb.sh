#!/bin/bash
# SPDX-License-Identifier: MIT
#
# make deb: a Debian package of what make install puts into a root: gcc-MAJOR-plugin-paragon, with plugin, library,
# command, documents.  It depends on the very compiler that the plugin was built for, as that loads no other, and on the
# libraries that the command is linked with.  $1: the folder that it is put into, with the root in $1/root.

set -eu
folder=$1 root=$1/root
: "${PG_VERSION:?}" "${PG_MAJOR:?}" "${PG_BUILT_FOR:?}"
package=gcc-$PG_MAJOR-plugin-paragon
arch=$(dpkg --print-architecture)

for tool in dpkg-deb dpkg-query dpkg-shlibdeps
do
  command -v $tool > /dev/null || { echo "paragon: no $tool: apt-get install dpkg-dev" >&2; exit 1; }
done
compiler=$(dpkg-query -S "$(readlink -f "$(command -v "$PG_BUILT_FOR")")" | sed 's/:.*//')
version=$(dpkg-query -W -f '${Version}' "$compiler")

install -d "$root/DEBIAN" "$root/usr/share/doc/$package"
install -m 644 README.md docs/*.md "$root/usr/share/doc/$package/"
{
  printf 'Paragon: the plugin is GPL-3.0-or-later, all else is MIT.\n\n'
  cat LICENSE
  for text in LICENSES/*
  do
    [ "${text##*/}" = GPL-3.0-or-later.txt ] || cat "$text"
  done
  printf '\nThe GNU General Public License, version 3: /usr/share/common-licenses/GPL-3\n'
} > "$root/usr/share/doc/$package/copyright"
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || date +%s)}
printf '%s (%s) unstable; urgency=medium\n\n  * As built from its sources.\n\n -- Paragon <paragon@localhost>  %s\n' \
  "$package" "$PG_VERSION" "$(date -R -d "@$epoch")" | gzip -9n > "$root/usr/share/doc/$package/changelog.gz"
gzip -9nf "$root/usr/share/man/man1/paragon.1"
for link in "$root"/usr/share/man/man1/*.1
do
  rm "$link" && ln -s paragon.1.gz "$link.gz"
done
strip --strip-unneeded "$root/usr/bin/paragon" "$root/usr/bin/paragon-gcc" "$root/usr/lib/libparagon.so.1" \
  "$root/usr/lib/paragon/emu-device" "$(find "$root/usr/lib/gcc" -name paragon.so -type f)"

# As Debian has them: libraries that nobody executes, links that do not begin at the root, pkg-config's files where they
# may name a folder of one architecture.
chmod 644 "$root/usr/lib/libparagon.so.1"
plugins=$(dirname "$(find "$root/usr/lib/gcc" -name paragon.so -type f)")
ln -sfr "$plugins/paragon.so" "$root/usr/lib/paragon/paragon.so"
ln -sfr "$root/usr/lib/libparagon.so.1" "$plugins/libparagon.so.1"
triplet=$(dpkg-architecture -q DEB_HOST_MULTIARCH)
install -d "$root/usr/lib/$triplet" && mv "$root/usr/lib/pkgconfig" "$root/usr/lib/$triplet/"
echo 'activate-noawait ldconfig' > "$root/DEBIAN/triggers"
echo "libparagon 1 $package" > "$root/DEBIAN/shlibs"

# dpkg-shlibdeps wants a source package's control file.
mkdir -p "$folder/debian" && printf 'Source: paragon\n\nPackage: %s\nArchitecture: any\n' "$package" \
  > "$folder/debian/control"
libraries=$(cd "$folder" && dpkg-shlibdeps -O root/usr/bin/paragon root/usr/lib/libparagon.so.1 2> /dev/null |
  sed -n 's/^shlibs:Depends=//p')
cat > "$root/DEBIAN/control" << CONTROL
Package: $package
Source: paragon
Version: $PG_VERSION
Architecture: $arch
Maintainer: Paragon <paragon@localhost>
Section: devel
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f 1)
Depends: $compiler (= $version), $libraries
Recommends: libsqlite3-0
Provides: gcc-plugin-paragon
Conflicts: gcc-plugin-paragon
Description: GCC plugin that runs loops of existing programs in parallel
 A plugin of GCC $PG_MAJOR and a run-time library that make existing C, C++ and
 Fortran programs run in parallel without touching them: gcc -O2
 -fplugin=paragon.  The answer is the one that the same compiler gives without
 the plugin, bit for bit.
CONTROL
dpkg-deb --root-owner-group --build "$root" "$folder/${package}_${PG_VERSION}_$arch.deb" > /dev/null
echo "$folder/${package}_${PG_VERSION}_$arch.deb"
