import { messageOf } from "../../lib/error.ts";
import { faultIn, openReadOnly } from "../database.ts";
import type { WholeAnswer } from "./whole.ts";

declare const self: Worker;

function check(dataDir: string): WholeAnswer {
  try {
    const db = openReadOnly(dataDir);
    try {
      return { fault: faultIn(db) };
    } finally {
      db.close();
    }
  } catch (thrown) {
    return { error: messageOf(thrown) };
  }
}

self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(check(data));
