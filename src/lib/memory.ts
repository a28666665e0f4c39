import { world } from "./world.ts";

/** How often to look whether the process is idle. */
const lookMsDefault = 5_000;

/** A process that takes less of one processor than this is idle. */
const idleShare = 0.05;

/** Giving memory back holds the process for some 20 ms and drops compiled code: not worth it for fewer bytes. */
const growthMin = 16 * 1024 * 1024;

/**
 * Gives memory back to the system whenever the process is idle and has grown since it last did: JavaScriptCore keeps
 * what a busy hour took, compiled code above all. Goes on until the process ends, and does not keep it alive.
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

/** 0 when no file is left to ask the system with. */
function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}
