#!/bin/sh
# Runs Till in the root file system of the image, as its user, much as a container does; needs root.
set -eu
export TILL_DATA_DIR=/data
exec unshare --mount sh -c '
  mkdir -p "$1/proc" && mount -t proc proc "$1/proc" && root=$1 && shift
  exec chroot --userspec=65532:65532 "$root" /till "$@"' sh "$@"
