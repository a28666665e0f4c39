import { expect, test } from "bun:test";
import { dataDirPath } from "../../../src/cli/local/data-dir.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { closeDatabase, openDatabase } from "../../../src/store/database.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { program, startProcess } from "../../support/till/process.ts";

test("every command works in the directory that till serve uses", () => {
  for (const given of [undefined, "", " ", "data", "/var/lib/till", " ./somewhere/else ", "/var/lib/till "]) {
    const environment = {
      TILL_RPC_URL: "https://node.example",
      TILL_WALLET_PASSPHRASE: "a long passphrase",
      TILL_DATA_DIR: given,
    };
    expect(dataDirPath(environment)).toBe(parseConfig(environment).dataDir);
  }
  expect(dataDirPath({ TILL_DATA_DIR: "/var/lib/till " })).toBe("/var/lib/till");
});

test("a command that finds no room says that nothing was saved, and where to look", async () => {
  const dir = makeDataDir();
  const db = openDatabase(dir.path);
  // More than the 200 blocks of a file below.
  db.run(
    "CREATE TRIGGER large AFTER INSERT ON api_key BEGIN INSERT INTO probe (content) VALUES (zeroblob(400000)); END",
  );
  closeDatabase(db);
  const limited = ["sh", "-c", `trap '' XFSZ; ulimit -f 200; exec "$@"`, "sh", ...program];
  const ran = startProcess([...limited, "key", "create"], { env: { TILL_DATA_DIR: dir.path } });
  expect(await ran.exited).toBe(1);
  expect(ran.output()).toMatch(
    /^till key: nothing was saved: .*\. Check whether the disk .* is full or broken\.\n$/,
  );
  dir.remove();
});
