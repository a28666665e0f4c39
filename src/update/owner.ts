import { statSync } from "node:fs";

/**
 * Does something, which must not be asynchronous, as the owner of a directory: root, who replaces executables, writes
 * nothing itself where another user can put links in its way, and what is made there belongs to that user.
 */
export function asOwnerOf<T>(directory: string, work: () => T): T {
  const { uid, gid } = statSync(directory);
  if (process.geteuid?.() !== 0 || uid === 0) return work();
  const [groups, group] = [process.getgroups?.() ?? [], process.getegid?.() ?? 0];
  process.setgroups?.([gid]);
  process.setegid?.(gid);
  process.seteuid?.(uid);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(group);
    process.setgroups?.(groups);
  }
}
