/** Large databases are made once a day and kept in dist/bench: a million invoices take minutes to store. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Shop, storeShop } from "./fill.ts";
import { makeData } from "./server.ts";

const project = join(import.meta.dir, "../..");
const keptDir = join(project, "dist/bench");

/** What is stored depends on these, and on the day: its invoices are due from today on. */
function versionOf(): string {
  const hash = new Bun.CryptoHasher("sha256").update(new Date().toISOString().slice(0, 10));
  for (const file of ["src/store/schema.sql", "src/store/search.ts", "test/bench/fill.ts"])
    hash.update(readFileSync(join(project, file)));
  return hash.digest("hex").slice(0, 16);
}

/** Puts the data of a shop with so many invoices into a directory that does not exist yet. */
export async function copyShop(dataDir: string, count: number, shop: Shop): Promise<void> {
  const name = `${shop}-${count}`;
  const kept = join(keptDir, name, versionOf());
  if (!existsSync(kept)) {
    rmSync(join(keptDir, name), { recursive: true, force: true });
    mkdirSync(join(keptDir, name), { recursive: true });
    console.error(`storing ${count.toLocaleString("en")} invoices …`);
    await makeData(`${kept}.part`, (db) => storeShop(db, count, shop));
    renameSync(`${kept}.part`, kept);
  }
  cpSync(kept, dataDir, { recursive: true });
}
