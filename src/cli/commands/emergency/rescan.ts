import { existsSync } from "node:fs";
import { counted } from "../../../lib/text/english.ts";
import { type Db, NoDatabase } from "../../../store/database.ts";
import { databaseFile } from "../../../store/files/data-dir.ts";
import { isServed } from "../../../store/files/lock.ts";
import * as RereadStore from "../../../store/tables/watch/reread.ts";
import { command, type ExitCode, parseBlock, UsageError } from "../../command.ts";
import { dataDirOf, dataFlags, environmentOf, withDatabase } from "../../local/data-dir.ts";
import { say, sayAside } from "../../terminal/output.ts";

const lookMs = 200;

/** After this long without progress the command says that the server is held up. */
const stillMs = 5_000;

export const rescan = command({
  calls: ["--from BLOCK [FLAGS]"],
  flags: {
    from: { value: "BLOCK", text: "the number of the first block to read again" },
    to: { value: "BLOCK", text: "the last one; the newest when left out" },
    json: { text: "print progress as lines of JSON" },
    ...dataFlags,
  },
  about: `Rereads the blocks for every address that this Till has ever issued, credits what it finds, and counts nothing twice. The running server does the work in between; this command only shows its progress, and you can stop it at any time.`,
  examples: ["till rescan --from 23000000"],

  async run(values) {
    if (values.from === undefined) throw new UsageError("say where to begin: till rescan --from BLOCK.");
    const from = parseBlock("--from", values.from);
    const to = values.to === undefined ? null : parseBlock("--to", values.to);
    if (to !== null && to < from) throw new UsageError("--to is below --from.");
    const dataDir = dataDirOf(environmentOf(values));
    if (!existsSync(databaseFile(dataDir))) throw new NoDatabase(dataDir);
    return await withDatabase(dataDir, async (db) => {
      const id = RereadStore.request(db, { from, to }, Date.now());
      if (!isServed(dataDir)) {
        throw new Error(
          "the rescan is queued, but no Till is serving this data directory; it begins when one starts: till serve",
        );
      }
      return await follow(db, dataDir, id, values.json);
    });
  },
});

/** A rescan's progress: each row reads the same blocks for some of the addresses. Null without rows. */
function progressOf(rows: readonly RereadStore.Reread[]) {
  const [first] = rows;
  if (!first) return null;
  const begun = rows.filter(({ next }) => next !== null);
  const blocks = begun[0]?.to == null ? null : Math.max(0, begun[0].to - first.from + 1);
  const read = begun.reduce((sum, { from, next }) => sum + Math.min(blocks ?? 0, (next ?? from) - from), 0);
  return {
    blocks,
    done: Math.floor(read / rows.length),
    transfers: rows.reduce((sum, row) => sum + row.transfers, 0),
    problem: rows.find((row) => row.problem !== null)?.problem ?? null,
    isDone: rows.every(({ finishedAt }) => finishedAt !== null),
  };
}

function eventOf({ isDone, problem }: NonNullable<ReturnType<typeof progressOf>>) {
  if (!isDone) return "progress";
  return problem === null ? "done" : "failed";
}

/** Shows the server's progress until it is done. */
async function follow(db: Db, dataDir: string, id: number, json: boolean): Promise<ExitCode> {
  const isTerminal = process.stdout.isTTY && !json;
  let shown = "";
  let steppedAt = Date.now();
  for (;;) {
    const progress = progressOf(RereadStore.listByRequest(db, id));
    if (!progress) throw new Error("the rescan is no longer in the database.");
    const { blocks, done, transfers, problem, isDone } = progress;
    const line = json
      ? JSON.stringify({
          event: eventOf(progress),
          blocks_done: done,
          blocks: blocks ?? 0,
          transfers_found: transfers,
          ...(problem === null ? {} : { problem }),
        })
      : `${done} of ${blocks ?? "…"} blocks, ${counted(transfers, "payment")} found`;
    if (isTerminal) process.stdout.write(`\r\u001b[K${line}${isDone ? "\n" : ""}`);
    else if (json ? line !== shown : isDone && problem === null) say(line);
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
