# Build:  docker build -t till --build-arg COMMIT="$(git rev-parse --short=12 HEAD)" .
# Run:    docker run -d --name till --read-only --tmpfs /tmp -v till:/data -p 127.0.0.1:3000:3000 --env-file till.env till
# The digest is that of the index of all platforms, as docker-library/repo-info lists it.
FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS libraries

# Runs on the machine that builds, for whatever platform the image is: nothing is emulated.
FROM --platform=$BUILDPLATFORM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
WORKDIR /till
COPY package.json bun.lock bunfig.toml ./
RUN npx -y bun@1.4.5 install --frozen-lockfile
COPY . .
COPY --from=libraries /usr/lib /libraries/usr/lib
ARG COMMIT="" RELEASES="" TARGETARCH
RUN platform=$(echo "linux-$TARGETARCH" | sed s/amd64/x64/) \
 && TILL_BUILD_COMMIT="$COMMIT" TILL_BUILD_RELEASES="$RELEASES" npx -y bun@1.4.5 run build "$platform" \
 && scripts/rootfs.sh /rootfs "dist/till-$platform" "$TARGETARCH" /libraries

FROM scratch
LABEL org.opencontainers.image.title="Till" \
      org.opencontainers.image.description="Self-hosted USDC invoices and payment links on Base" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /rootfs /
USER 65532:65532
# The last has the JavaScript engine collect garbage as if the machine had 300 MB of memory.
ENV TILL_DATA_DIR=/data TILL_HOST=0.0.0.0 BUN_JSC_forceRAMSize=300000000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/till", "health", "http://127.0.0.1:3000"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/till"]
CMD ["serve"]
