import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomName } from "../../lib/crypto/id.ts";

type Entry = Readonly<{ id: string; receivedAt: number; raw: Uint8Array }>;

type Mailbox = {
  /** Oldest first, at most as many as are kept; what is beyond that is removed. */
  readAll(): Entry[];
  add(raw: Uint8Array): { id: string; receivedAt: number };
  remove(id: string): void;
};

/** An id is the time of arrival and a random end, so that the names of the files sort by time. */
const fileForm = /^(\d{13})-[a-z0-9]+\.eml$/;

/** Mails as files `<id>.eml` in a directory, which is made if it is missing. Null: nothing is kept. */
export function openMailbox(directory: string | null, mailsMax: number): Mailbox {
  if (directory !== null) mkdirSync(directory, { recursive: true, mode: 0o700 });
  let last = 0;
  const pathOf = (id: string) => (directory === null ? null : join(directory, `${id}.eml`));
  const remove = (id: string) => {
    const path = pathOf(id);
    if (path !== null) rmSync(path, { force: true });
  };
  return {
    readAll() {
      if (directory === null) return [];
      const names = readdirSync(directory)
        .filter((name) => fileForm.test(name))
        .sort();
      const newest = names.slice(-mailsMax);
      for (const name of names.slice(0, -mailsMax)) rmSync(join(directory, name), { force: true });
      return newest.map((name) => {
        const receivedAt = Number(fileForm.exec(name)?.[1]);
        last = Math.max(last, receivedAt);
        return { id: name.slice(0, -".eml".length), receivedAt, raw: readFileSync(join(directory, name)) };
      });
    },
    add(raw) {
      // Two mails in one millisecond, or a clock that was set back, still come in the order of their arrival.
      const receivedAt = Math.max(Date.now(), last + 1);
      last = receivedAt;
      const id = `${receivedAt}-${randomName(6)}`;
      const path = pathOf(id);
      if (path !== null) {
        // Under another name first: what has the name of a mail is a whole mail.
        writeFileSync(`${path}.part`, raw, { mode: 0o600 });
        renameSync(`${path}.part`, path);
      }
      return { id, receivedAt };
    },
    remove,
  };
}
