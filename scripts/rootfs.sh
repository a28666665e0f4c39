#!/bin/sh
# Makes the root file system of the container image in the directory given: the executable, the system libraries
# that it is linked with, and nothing else: no shell, no package manager.
set -eu
root=${1:?usage: scripts/rootfs.sh DIRECTORY}
executable=$(dirname "$0")/../dist/till
nonroot=65532

mkdir -p "$root/data" "$root/tmp"
chmod 1777 "$root/tmp"
chmod 700 "$root/data"
chown "$nonroot:$nonroot" "$root/data"
cp "$executable" "$root/till"
ldd "$executable" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
