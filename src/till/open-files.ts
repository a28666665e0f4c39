import type { Log } from "../config/log-events.ts";
import { type Finding, warning } from "../domain/finding.ts";
import { countOpenFiles, openFilesMax } from "../lib/open-files.ts";
import { instant } from "../lib/time.ts";
import { world } from "../lib/world.ts";

const lookMs = 1_000;

/** From this share on idle connections are closed, to make room for others and the nodes. */
const crowdedPart = 0.75;

/** Below this share the shortage is over. */
const roomyPart = 0.5;

const warnedForMs = 3_600_000;

export type OpenFiles = ReturnType<typeof watchOpenFiles>;

/** Checks every second whether Till may still open connections. `closeIdle` closes those that nobody waits on. */
export function watchOpenFiles({
  log,
  now,
  closeIdle,
}: {
  log: Log;
  now: () => number;
  closeIdle: () => void;
}) {
  const max = openFilesMax();
  let isCrowded = false;
  let crowdedAt = Number.NEGATIVE_INFINITY;
  const look = (limit: number) => {
    const count = countOpenFiles() ?? limit;
    if (count < limit * roomyPart) isCrowded = false;
    if (count < limit * crowdedPart) return;
    closeIdle();
    crowdedAt = now();
    if (isCrowded) return;
    isCrowded = true;
    log.warn(
      "connections.crowded",
      "nearly as many connections are open as the system allows: those that are idle are ended, and others may have to wait",
      { count, limit },
    );
  };
  const timer = max === null ? undefined : world.setInterval(() => look(max), lookMs);
  return {
    stop: () => world.clearInterval(timer),
    warnings: (): Finding[] =>
      now() - crowdedAt > warnedForMs
        ? []
        : [
            warning(
              "connections",
              `nearly all of the ${max} files and connections that the system allows Till were open at ${instant(crowdedAt)}`,
              "have the proxy limit the connections of each client, or allow more: LimitNOFILE= of the service, --ulimit nofile= of the container",
            ),
          ],
  };
}
