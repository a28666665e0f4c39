import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Environment } from "../../../src/config/config.ts";
import * as AuditStore from "../../../src/store/tables/desk/audit.ts";
import * as PreferenceStore from "../../../src/store/tables/desk/preference.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import { addPerson, password, startDesk, type Visitor, visitor } from "../../support/desk/desk.ts";
import { callTill } from "../../support/till/run-till.ts";
import { linkRequest, type TestTill } from "../../support/till/till.ts";

const show = "/desk/money/words/show";
const check = "/desk/money/words";

let till: TestTill;
let owner: Visitor;
async function open(changes: Environment = {}): Promise<void> {
  // No limit lets anybody in again while a test goes on.
  till = await startDesk(changes, { isNew: true, limitClock: () => 0 });
  owner = visitor(till, await addPerson(till, "Mara", "owner"));
}
beforeEach(() => open());
afterEach(() => till.stop());

const text = async (answer: Response | Promise<Response>) => (await answer).text();
const wordsIn = (html: string) =>
  [...(/<ol class="words"[\s\S]*?<\/ol>/.exec(html)?.[0] ?? "").matchAll(/<li>(\w+)<\/li>/g)].map(
    ([, word = ""]) => word,
  );
const shownTo = async (by: Visitor, proof = password) => wordsIn(await text(by.post(show, { proof })));
const isWritten = () => WalletStore.wordsAt(till.db) !== null;

/** The words as the machine knows them, without that being noted. */
async function words(): Promise<string[]> {
  const env = {
    TILL_CHAIN: "anvil",
    TILL_DATA_DIR: till.config.dataDir,
    TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
  };
  const { stdout } = await callTill(["wallet", "backup", "--yes"], { env });
  till.db.query("UPDATE wallet SET words_at = NULL").run();
  return stdout.trim().split(/\s+/);
}

/** What the form of the page asks for, filled in. */
async function filled(known: readonly string[]): Promise<Record<string, string>> {
  const places = [...(await text(owner.get(check))).matchAll(/name="word-(\d+)"/g)].map(([, at]) =>
    Number(at),
  );
  return Object.fromEntries(places.map((at) => [`word-${at}`, known[at - 1] ?? ""]));
}

describe("where the money goes", () => {
  test("is nobody's choice until somebody makes it", async () => {
    for (const path of ["/desk/first/wallet", "/desk/settings/profile"])
      expect(await text(owner.get(path))).not.toMatch(/name="payout"[^>]* checked/);
    const refused = await owner.post("/desk/first/wallet", {});
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("Choose one of these.");
    expect((await owner.post("/desk/settings/profile", { name: "Acme", due_days: "14" })).status).toBe(303);
    expect(PreferenceStore.isWalletChosen(till.db)).toBe(false);
  });

  test("leads from Till's wallet to its words, and on to where somebody was", async () => {
    const chosen = await owner.post("/desk/first/wallet?to=%2Fdesk%2Finvoices%2Fnew", { payout: "managed" });
    const path = chosen.headers.get("location") ?? "";
    expect(path).toBe("/desk/money/words?to=%2Fdesk%2Finvoices%2Fnew&did=SaveShop");
    const page = await text(owner.get(path));
    expect(page).toContain('action="/desk/money/words/show?to=%2Fdesk%2Finvoices%2Fnew"');
    const written = await owner.post(
      "/desk/money/words?to=%2Fdesk%2Finvoices%2Fnew",
      await filled(await words()),
    );
    expect(written.headers.get("location")).toBe("/desk/invoices/new?did=NoteWords");
    expect(isWritten()).toBe(true);
  });
});

describe("the words at the desk", () => {
  test("are shown to an owner with a proof, in an answer that nothing keeps, and the log says so", async () => {
    const known = await words();
    const answer = await owner.post(show, { proof: password });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(wordsIn(await answer.text())).toEqual(known);
    expect(AuditStore.list(till.db, { before: null, limit: 1 })[0]).toMatchObject({
      action: "money.words-show",
      personName: "Mara",
      outcome: "done",
    });
    expect(await text(owner.get(check))).toContain("to Mara. If that was not you");
    // That somebody saw them does not mean that somebody has them.
    expect(isWritten()).toBe(false);
  });

  test("stay where they are without a proof, and for staff", async () => {
    expect(await shownTo(owner, "")).toEqual([]);
    expect(await shownTo(owner, "wrong")).toEqual([]);
    const staff = visitor(till, await addPerson(till, "Jonas", "staff"));
    expect((await staff.post(show, { proof: password })).status).toBe(403);
    expect((await owner.get(show)).status).toBe(405);
    expect(await text(owner.get(check))).not.toContain("If that was not you");
  });

  test("stay where they are once there is something to be paid", async () => {
    expect((await till.api("POST", "/api/links", linkRequest)).status).toBe(201);
    const page = await text(owner.get(check));
    expect(page).toContain("till wallet backup");
    expect(page).not.toContain(`action="${show}`);
    expect(await shownTo(owner)).toEqual([]);
  });

  test("stay where they are once somebody has them", async () => {
    await owner.post(check, await filled(await words()));
    expect(isWritten()).toBe(true);
    expect(await shownTo(owner)).toEqual([]);
  });

  test("stay where they are without TLS", async () => {
    await till.stop();
    await open({ TILL_BASE_URL: "http://till.example", TILL_OPEN_API: "true" });
    expect(await text(owner.get(check))).toContain("till wallet backup");
    expect(await shownTo(owner)).toEqual([]);
  });
});

describe("whoever says that they have the words", () => {
  test("is asked for three of them, of which all have to be right", async () => {
    const known = await words();
    for (let i = 0; i < 3; i++) {
      const right = await filled(known);
      expect(Object.keys(right)).toHaveLength(3);
      const [at = ""] = Object.keys(right).slice(i);
      const refused = await owner.post(check, { ...right, [at]: "mistaken" });
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain("These are not the words at these places.");
    }
    const [some, ...more] = Object.entries(await filled(known));
    for (const few of [{}, Object.fromEntries(more), Object.fromEntries([some ?? ["", ""]])])
      expect((await owner.post(check, few)).status).toBe(422);
    expect(isWritten()).toBe(false);
  });

  test("may not guess for long", async () => {
    await till.stop();
    await open({ TILL_LIMIT_SIGN_INS: "5" });
    const known = await words();
    const guess = async () =>
      (await owner.post(check, { ...(await filled(known)), "word-1": "mistaken" })).text();
    for (let i = 0; i < 5; i++) expect(await guess()).toContain("These are not the words");
    expect(await guess()).toContain("Too many attempts");
    expect((await owner.post(check, await filled(known))).status).toBe(422);
    expect(isWritten()).toBe(false);
  });
});
