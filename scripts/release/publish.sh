#!/bin/sh
# Pushes the images of a published release to the registry of its repository, as VERSION and as latest.
set -eu
tag=${1:?usage: scripts/release/publish.sh TAG}
repository=$(echo "ghcr.io/${GITHUB_REPOSITORY:?}" | tr '[:upper:]' '[:lower:]')
directory=$(mktemp -d)
gh release download "$tag" -D "$directory" -p 'till-image-*' -p SHA256SUMS
(cd "$directory" && sha256sum --check --strict --ignore-missing SHA256SUMS)
echo "${GH_TOKEN:?}" | docker login ghcr.io -u "${GITHUB_ACTOR:?}" --password-stdin
version=${tag#v}
for architecture in amd64 arm64; do
  docker load -i "$directory/till-image-$architecture.tar.gz"
  docker tag "till:$version-$architecture" "$repository:$version-$architecture"
  docker push "$repository:$version-$architecture"
done
for name in "$version" latest; do
  docker manifest create "$repository:$name" "$repository:$version-amd64" "$repository:$version-arm64"
  docker manifest push "$repository:$name"
done
