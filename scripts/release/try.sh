#!/bin/sh
# Has an artifact in dist/release issue an invoice and see it paid, where it is meant to run: what needs another system than
# this one runs in a container. The digests are those of the indexes of all platforms, as docker-library/repo-info lists them.
set -eu
cd "$(dirname "$0")/../.."
alpine=alpine:3.24.2@sha256:31b6477333eb8257db9e5d7c3a7264fd0467928756f0bbcc27d35bea5d28cdbd
debian=debian:bookworm-20260918-slim@sha256:3783cc01769c7b2b1b83a5c5ad96c815348e28ed7da68e2e3687004faa906251
# The name may have a * where the version is.
artifact=$(echo dist/release/${1:?usage: scripts/release/try.sh FILE})
smoke() { npx -y bun@1.4.5 scripts/release/smoke.ts "$@"; }
contained() { smoke docker run --rm --network host '{env}' "$@"; }

case "$artifact" in
  *-musl)
    chmod +x "$artifact"
    contained -v "$PWD/$artifact:/till:ro" "$alpine" sh -c 'apk add -q --no-cache libstdc++ && exec /till "$@"' till
    ;;
  *.deb)
    docker run --rm -v "$PWD:/clone:ro" "$debian" /clone/scripts/release/try-deb.sh "/clone/$artifact"
    contained -e TILL_DATA_DIR=/var/lib/till -v "$PWD:/clone:ro" "$debian" /clone/scripts/release/try-deb.sh "/clone/$artifact"
    ;;
  *till-image-*)
    image=$(docker load -q -i "$artifact" | sed 's/^Loaded image: //')
    contained -e TILL_DATA_DIR=/data --read-only --tmpfs /tmp --cap-drop ALL "$image"
    ;;
  *)
    chmod +x "$artifact"
    smoke "$artifact"
    ;;
esac
