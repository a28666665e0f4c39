import { existsSync } from "node:fs";
import { counted } from "../lib/english.ts";
import { openBeside } from "../store/beside.ts";
import { closeDatabase, type Db, databaseFile, NoDatabase } from "../store/database.ts";
import { isServed } from "../store/lock.ts";
import * as ReadingStore from "../store/reading.ts";
import { command, type ExitCode, UsageError } from "./command.ts";
import { dataDirOf } from "./data-dir.ts";
import { dataFlags, environmentOf } from "./dev-data.ts";
import { say, sayAside } from "./output.ts";
import { parseBlock } from "./parse-block.ts";

const lookMs = 200;

/** After so long without a step the command says that the server is held up. */
const stillMs = 5_000;

export const rescan = command({
  calls: ["--from BLOCK [FLAGS]"],
  flags: {
    from: { value: "BLOCK", text: "the number of the first block to read again" },
    to: { value: "BLOCK", text: "the last one; the newest when left out" },
    json: { text: "print progress as lines of JSON" },
    ...dataFlags,
  },
  about: `Reads the blocks again for every address that this Till has ever issued, and credits what it finds. A payment is never counted twice. The running server does it, between its other work; this command only shows its progress, and can be stopped at any time.`,
  examples: ["till rescan --from 23000000"],

  async run(values) {
    if (values.from === undefined) throw new UsageError("say where to begin: till rescan --from BLOCK.");
    const from = parseBlock("--from", values.from);
    const to = values.to === undefined ? null : parseBlock("--to", values.to);
    if (to !== null && to < from) throw new UsageError("--to is below --from.");
    const dataDir = dataDirOf(environmentOf(values));
    if (!existsSync(databaseFile(dataDir))) throw new NoDatabase(dataDir);
    const db = openBeside(dataDir);
    try {
      const id = ReadingStore.request(db, { from, to }, Date.now());
      if (!isServed(dataDir)) {
        throw new Error(
          "the rescan is queued, but no Till is serving this data directory; it begins when one starts: till serve",
        );
      }
      return await follow(db, dataDir, id, values.json);
    } finally {
      closeDatabase(db);
    }
  },
});

/** Shows how far the server is, until it is done. */
async function follow(db: Db, dataDir: string, id: number, json: boolean): Promise<ExitCode> {
  const isTerminal = process.stdout.isTTY && !json;
  let shown = "";
  let steppedAt = Date.now();
  for (;;) {
    const reading = ReadingStore.byId(db, id);
    if (!reading) throw new Error("the rescan is no longer in the database.");
    const { from, to, next, found, problem, finishedAt } = reading;
    const isDone = finishedAt !== null;
    const blocks = to === null ? 0 : Math.max(0, to - from + 1);
    const done = Math.min(blocks, next - from);
    const line = json
      ? JSON.stringify({
          event: isDone ? (problem === null ? "done" : "failed") : "progress",
          blocks_done: done,
          blocks,
          transfers_found: found,
          ...(problem === null ? {} : { problem }),
        })
      : `${done} of ${to === null ? "…" : blocks} blocks, ${counted(found, "payment")} found`;
    if (isTerminal) process.stdout.write(`\r\u001b[K${line}${isDone ? "\n" : ""}`);
    else if (line !== shown && (json || (isDone && problem === null))) say(line);
    if (line !== shown) steppedAt = Date.now();
    else if (Date.now() - steppedAt > stillMs) {
      steppedAt = Number.POSITIVE_INFINITY;
      if (isTerminal) sayAside("");
      sayAside(
        "The rescan has made no progress for a while; it continues by itself. till health shows what is wrong.",
      );
    }
    shown = line;
    if (isDone && problem !== null) throw new Error(`the rescan ended early: ${problem}`);
    if (isDone) return 0;
    if (!isServed(dataDir)) {
      if (isTerminal) say("");
      throw new Error("the server has stopped. The rescan continues when it starts again.");
    }
    await Bun.sleep(lookMs);
  }
}
