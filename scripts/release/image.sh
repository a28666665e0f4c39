#!/bin/sh
# Builds the container images of a release with Docker, in dist/release: what `docker load` reads. The executables in them
# have to be those of the release, to the last byte.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
commit=$(git --git-dir=.git describe --always --abbrev=12 --dirty '--exclude=*')
for architecture in amd64 arm64; do
  image=till:$version-$architecture
  platform=linux-$(echo "$architecture" | sed s/amd64/x64/)
  docker build --platform "linux/$architecture" --provenance=false -t "$image" \
    --build-arg COMMIT="$commit" --build-arg RELEASES="${TILL_BUILD_RELEASES:-}" .
  container=$(docker create --platform "linux/$architecture" "$image")
  docker cp "$container:/till" "dist/till-in-image"
  docker rm "$container" > /dev/null
  cmp dist/till-in-image "dist/release/till-$platform"
  rm dist/till-in-image
  docker save "$image" | gzip -n > "dist/release/till-image-$architecture.tar.gz"
done
