import { world } from "./world.ts";

/** How often to check whether the process is idle. */
const lookMsDefault = 5_000;

/** Below this share of one processor the process counts as idle. */
const idleShare = 0.05;

/** Returning memory blocks the process for some 20 ms and drops compiled code: not worth it for fewer bytes. */
const growthMin = 16 * 1024 * 1024;

/**
 * Returns memory to the system when the process is idle and has grown since the last time: JavaScriptCore keeps what a
 * busy hour took, mostly compiled code. Continues until the process ends, without keeping it alive.
 */
export function giveBackMemoryWhenIdle({ lookMs = lookMsDefault } = {}): void {
  let cpu = process.cpuUsage();
  /** Resident bytes after the last time. */
  let kept = 0;
  const look = () => {
    const { user, system } = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    const isIdle = (user + system) / 1000 < lookMs * idleShare;
    if (!isIdle || residentBytes() < kept + growthMin) return;
    Bun.shrink();
    world
      .setTimeout(() => {
        kept = residentBytes();
      }, lookMs / 2)
      .unref();
  };
  world.setInterval(look, lookMs).unref();
}

/** 0 if no more files can be opened to find out. */
function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}
