import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { connect } from "node:net";
import { transact } from "../../src/store/database.ts";
import { databaseFile } from "../../src/store/files/data-dir.ts";
import { newestSchema } from "../../src/store/migrations.ts";
import { addPerson, startDesk, visitor } from "../support/desk/desk.ts";
import { storeInvoice } from "../support/till/records.ts";
import { linkRequest, until } from "../support/till/till.ts";

/** So many, with notes so long, that sockets do not hold the file of them all. */
const invoices = 400;
const notesLength = 20_000;

test("a file that somebody downloads slowly keeps nobody from writing, whoever wrote meanwhile", async () => {
  const till = await startDesk();
  const mara = visitor(till, await addPerson(till, "Mara", "owner"));
  transact(till.db, () => {
    for (let i = 0; i < invoices; i++) storeInvoice(till.db);
    till.db.run(`UPDATE invoice SET notes = printf('%.${notesLength}c', 'x')`);
  });
  const { port, host } = new URL(till.baseUrl);
  const socket = connect(Number(port), "127.0.0.1");
  let file = "";
  let isSlow = true;
  socket.on("data", (bytes) => {
    file += bytes.toString();
    if (isSlow) socket.pause();
  });
  const cookie = `till=${mara.cookie}`;
  socket.write(
    `GET /desk/settings/books/invoices.csv HTTP/1.0\r\nhost: ${host}\r\ncookie: ${cookie}\r\n\r\n`,
  );
  await until(() => file, Boolean);
  using other = new Database(databaseFile(till.config.dataDir));
  other.run(`PRAGMA user_version = ${newestSchema}`);
  // Somebody reads what is no longer the newest.
  expect(other.query("PRAGMA wal_checkpoint(TRUNCATE)").get()).toMatchObject({ busy: 1 });
  expect((await till.api("POST", "/api/links", linkRequest)).status).toBe(201);
  isSlow = false;
  socket.resume();
  await new Promise((resolve) => socket.on("close", resolve));
  expect(file.trimEnd().split("\r\n").at(-1)).toContain(`INV-0${invoices}`);
  await till.stop();
});
