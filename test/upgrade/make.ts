/**
 * Keeps a data directory as this Till leaves it after a year, for all later ones: `bun test/upgrade/make.ts`, once before
 * the release of a new schema.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { newestSchema } from "../../src/store/migrations.ts";
import { makeDataDir, passphrase } from "../support/till/data-dir.ts";
import { deliver, type Expected, pathsOf, startKept } from "./expected.ts";
import { type About, keep, keepExpected } from "./kept.ts";
import { goBack } from "./past.ts";
import { addRareStates } from "./states.ts";
import { liveAYear, yearDays } from "./year.ts";

const name = `${newestSchema}`;
if (existsSync(join(import.meta.dir, name))) throw new Error(`test/upgrade/${name} is kept already.`);

const dir = makeDataDir();
const dataDir = join(dir.path, "data");
const past = await goBack(yearDays);
const { owner, key } = await liveAYear(past, dataDir);
const now = Date.now();
const db = openDatabase(dataDir);
addRareStates(db, now);
closeDatabase(db);
await past.stop();
const about: About = { now, passphrase, key, owner };
keep(name, dataDir, about);
dir.remove();

const kept = await startKept(name);
const answers: Expected["answers"] = {};
for (const path of pathsOf(kept)) answers[path] = await kept.answerAt(path);
const webhooks = await deliver(kept);
await kept.stop();
keepExpected(name, { answers, webhooks });
