import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { entryOf, linkMs, makeEntryLink } from "../../src/people/entry.ts";
import { challengeMs, createChallenges } from "../../src/people/passkeys.ts";
import { ageMsMax, beginSession, idleMsMax, sessionOf } from "../../src/people/sessions.ts";
import * as PersonStore from "../../src/store/tables/desk/person.ts";
import { db, makeDatabase, removeDatabase } from "../support/till/database.ts";

const yearMs = 365 * 86_400_000;
const today = Date.UTC(2026, 10, 22);

let personId: number;
beforeAll(() => {
  makeDatabase();
  const person = { name: "Mara", role: "owner", handle: "h", passwordHash: null, createdAt: today } as const;
  personId = PersonStore.insert(db, person);
});
afterAll(removeDatabase);

describe("after the clock was set back", () => {
  const begin = (now: number) => beginSession(db, { personId, device: "Test", now }).token;

  test("by a year, a session is over", () => {
    const token = begin(today + yearMs);
    expect(sessionOf(db, token, today)).toBeNull();
  });

  test("by an hour, it goes on and ends as if it began then", () => {
    const token = begin(today + 3_600_000);
    expect(sessionOf(db, token, today)).not.toBeNull();
    expect(sessionOf(db, token, today + idleMsMax)).toBeNull();
    for (let now = today; now < today + ageMsMax; now += idleMsMax - 1) sessionOf(db, token, now);
    expect(sessionOf(db, token, today + ageMsMax)).toBeNull();
  });

  test("a link that is not made yet lets nobody in", () => {
    const made = today + yearMs;
    const path = makeEntryLink(
      db,
      { person: null, role: "owner", name: null },
      { by: null, now: made, lastsMs: linkMs },
    );
    const token = path.split("/").at(-1) ?? "";
    expect(entryOf(db, token, made)).not.toBeNull();
    expect(entryOf(db, token, today)).toBeNull();
  });

  test("what a passkey signed is neither good for longer nor good once more", () => {
    let now = today + 3_600_000;
    const challenges = createChallenges(() => now);
    const [early, used] = [challenges.make("a"), challenges.make("a")];
    now -= 60_000;
    expect(challenges.use(used)).toBe(true);
    now += challengeMs;
    expect(challenges.use(challenges.make("b"))).toBe(true);
    expect(challenges.isFor(used, "a")).toBe(false);
    now = today;
    expect(challenges.isFor(early, "a")).toBe(false);
  });
});
