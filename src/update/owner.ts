import { existsSync, statSync } from "node:fs";

export type User = { uid: number; gid: number };

/** A data directory, and who it belongs to. */
export type DataDir = { path: string; owner: User };

/** A data directory that belongs to whom the disk says. */
export function dataDirAt(path: string): DataDir {
  const { uid, gid } = existsSync(path) ? statSync(path) : { uid: 0, gid: 0 };
  return { path, owner: { uid, gid } };
}

/**
 * Does something, which must not be asynchronous, as another user: root, who replaces executables, writes nothing itself
 * where another user can put links in its way, and what is made there belongs to that user.
 */
export function as<T>({ uid, gid }: User, work: () => T): T {
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
