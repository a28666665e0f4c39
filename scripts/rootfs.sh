#!/bin/sh
# Makes the root file system of the container image: the executable, the system libraries that it is linked with, out of
# the Debian in FROM, and nothing else: no shell, no package manager.
set -eu
usage="usage: scripts/rootfs.sh DIRECTORY EXECUTABLE amd64|arm64 [FROM]"
root=${1:?$usage}
executable=${2:?$usage}
from=${4:-}
case "${3:?$usage}" in
  amd64) libraries=lib/x86_64-linux-gnu loader=ld-linux-x86-64.so.2 loaders=lib64 ;;
  arm64) libraries=lib/aarch64-linux-gnu loader=ld-linux-aarch64.so.1 loaders=lib ;;
  *) echo "$usage" >&2; exit 2 ;;
esac
nonroot=65532

mkdir -p "$root/data" "$root/tmp" "$root/$libraries" "$root/$loaders"
chmod 1777 "$root/tmp"
chmod 700 "$root/data"
chown "$nonroot:$nonroot" "$root/data"
cp "$executable" "$root/till"
for library in libc libdl libm libpthread; do
  cp -L "$from/usr/$libraries/$library".so.[0-9] "$root/$libraries/"
done
cp -L "$from/usr/$libraries/$loader" "$root/$loaders/"
