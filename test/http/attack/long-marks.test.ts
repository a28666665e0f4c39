import { beforeAll, expect, test } from "bun:test";
import { permissions } from "../../../src/domain/party/store.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import * as StoreStore from "../../../src/store/tables/invoicing/store.ts";
import { addPerson, password, startDesk, type Visitor, visitor } from "../../support/desk/desk.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest } from "../../support/till/till.ts";

/**
 * A letter with very many marks, which are to be put in order: to compose such a text, as names are and hosts when a URL is
 * parsed, takes seconds to minutes, in which nobody else is answered.
 */
const marks = `a${"\u0315\u0300".repeat(28_000)}`;
/** Of processor time, which says little of what else is running; the shortest of these took 1,500 ms. */
const longMs = 1_000;

const till = shared(startDesk);
let owner: Visitor;
let plugin: string;
beforeAll(async () => {
  owner = visitor(till, await addPerson(till, "Mara", "owner"));
  const store = {
    id: "st_one",
    merchantEmail: "shop@one.example",
    name: "Tea",
    wallet: null,
    currency: null,
  };
  StoreStore.put(till.db, { ...store, createdAt: Date.now() });
  const grant = { scope: "shop", merchant: store.merchantEmail, storeId: store.id, permissions } as const;
  plugin = createApiKey(till.db, "Plugin", Date.now(), grant).key;
});

const key = () => ({
  authorization: `Bearer ${createApiKey(till.db, "shop", Date.now(), { scope: "shop" }).key}`,
});
const link = (fields: object) => till.api("POST", "/api/links", { ...linkRequest, ...fields }, key());

const attempts: Record<string, (marks: string) => Promise<{ status: number }>> = {
  "a stranger's name at the door": (marks) => visitor(till).post("/desk/sign-in", { name: marks, password }),
  "where a stranger wants to go": (marks) =>
    visitor(till).post("/desk/sign-in", { name: "Mara", password: "a wrong one", to: `//${marks}` }),
  "the name of somebody at the desk": (marks) => owner.post("/desk/settings/me/name", { name: marks }),
  "who bills, in the form of an invoice": (marks) =>
    owner.post("/desk/invoices/new", { merchant_email: `x@${marks}.example`, wallet_type: "managed" }),
  "a link's way back to the shop": (marks) => link({ success_url: `https://${marks}` }),
  "a site that may show a link": (marks) => link({ embed_origins: [`https://${marks}`] }),
  "a plugin's way back to the shop": (marks) =>
    till.api(
      "POST",
      "/api/v1/stores/st_one/invoices",
      { amount: "1", checkout: { redirectURL: `https://${marks}` } },
      { authorization: `token ${plugin}` },
    ),
};

function statusFor(name: string): number {
  // A plugin's order does without what cannot be taken.
  if (name.startsWith("a plugin")) return 200;
  return /^a (link|site)/.test(name) ? 400 : 422;
}

test.each(Object.keys(attempts))("as %s holds up nobody", async (name) => {
  const attempt = attempts[name];
  if (attempt === undefined) throw new Error(`There is no ${name}`);
  // What is loaded and compiled for the first one is no matter of its length.
  await attempt("x");
  const before = process.cpuUsage();
  const { status } = await attempt(marks);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(longMs);
  expect(status).toBe(statusFor(name));
});
