import { Database } from "bun:sqlite";

/**
 * Tells whether a database has what its schema's number promises: builds from before the first release gave one number to
 * several schemas. What other programs have added, as Litestream does, is ignored.
 */

/** The fingerprint of the newest schema. When that changes, the test of upgrades names the new one. */
export const newestFingerprint = "bd78fa75f89abdf715575d549d8e0b64553a0b6fdc98c06adb43bc1f1ae0c3f1";

type Part = { name: string; sql: string };

/** The names of the tables, indexes, triggers and views that these steps make; none of them drops one so far. */
const namesIn = (steps: readonly string[]): Set<string> =>
  new Set(
    steps
      .join("\n")
      .matchAll(/^CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX|TRIGGER|VIEW) (\w+)/gm)
      .map(([, name = ""]) => name),
  );

const partsOf = (db: Database): Part[] =>
  db
    .query<Part, []>("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
    .all()
    .map(({ name, sql }) => ({ name, sql: sql.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ") }));

export function fingerprintOf(db: Database, steps: readonly string[]): string {
  const names = namesIn(steps);
  const parts = partsOf(db).filter(({ name }) => names.has(name));
  const text = parts.map(({ name, sql }) => `${name}\n${sql}\n`).join("");
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** Lists how a database differs from one that these steps make, part by part. */
export function differencesFrom(db: Database, steps: readonly string[]): string[] {
  using made = new Database(":memory:");
  for (const step of steps) made.run(step);
  const names = namesIn(steps);
  const has = new Map(partsOf(db).map(({ name, sql }) => [name, sql]));
  return partsOf(made)
    .filter(({ name, sql }) => names.has(name) && has.get(name) !== sql)
    .map(({ name }) => (has.has(name) ? `${name} is another one` : `${name} is missing`));
}
