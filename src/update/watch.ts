import type { Config } from "../config/config.ts";
import type { Log } from "../config/log-events.ts";
import { version } from "../config/version.ts";
import { type Finding, warning } from "../domain/finding.ts";
import { messageOf } from "../lib/error.ts";
import { startLooking } from "../lib/loop.ts";
import { builtKeys, builtReleases } from "./release.ts";
import { look, type Offer, type ReleaseQuery } from "./update.ts";

const dayMs = 86_400_000;

/** The delay before it looks again after a failure. */
const againMs = 3_600_000;

const built = (): ReleaseQuery => ({ from: null, version: null, releases: builtReleases, keys: builtKeys() });

/** Looks once a day, if the settings say so, for a release that fixes a security hole of this one. */
export function watchReleases(
  { updateCheck }: Pick<Config, "updateCheck">,
  log: Log,
  query: () => ReleaseQuery = built,
) {
  let offer: Offer | null = null;
  const looking = updateCheck
    ? startLooking({
        async look(signal) {
          offer = await look(version, { ...query(), patience: { signal } });
          return dayMs;
        },
        failed: (thrown) =>
          log.warn("update.unknown", "nobody says whether there is a newer release", {
            reason: messageOf(thrown),
          }),
        againMs,
      })
    : null;
  return {
    stop: async () => await looking?.stop(),
    warnings: (): Finding[] =>
      offer?.isUrgent
        ? [
            warning(
              "update",
              `Till ${version} has a security hole that is known; ${offer.release.version} does not`,
              "run till update",
            ),
          ]
        : [],
  };
}

export type Releases = ReturnType<typeof watchReleases>;
