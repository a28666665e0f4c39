import { beforeAll, expect, test } from "bun:test";
import * as PreferenceStore from "../../src/store/tables/desk/preference.ts";
import { addPerson, password, startDesk, type Visitor, visitor } from "../support/desk/desk.ts";
import { owner, till, useDesk } from "../support/desk/setup.ts";
import { linkRequest } from "../support/till/till.ts";

const wallet = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

useDesk(() => startDesk({}, { isNew: true }));
let staff: Visitor;
beforeAll(async () => {
  staff = visitor(till, await addPerson(till, "Jonas", "staff"));
});

const sentTo = async (by: Visitor, path: string) => (await by.get(path)).headers.get("location");

test("no form makes anything to pay before somebody has said where the money goes", async () => {
  for (const path of ["/desk/invoices/new", "/desk/links/new", "/desk/counter"])
    for (const by of [owner, staff])
      expect(await sentTo(by, path)).toBe(`/desk/first/wallet?to=${encodeURIComponent(path)}`);
  expect(await (await owner.get("/desk")).text()).toContain("Choose where the money goes");
  const forStaff = await (await staff.get("/desk/first/wallet")).text();
  expect(forStaff).toContain("First, an owner has to choose");
  expect(forStaff).not.toContain('name="payout"');
  expect((await staff.post("/desk/first/wallet", { payout: "managed" })).status).toBe(403);
});

test("a wallet of one's own takes a checksum and a proof, and the form goes on where it was", async () => {
  const path = "/desk/first/wallet?to=%2Fdesk%2Flinks%2Fnew";
  const lower = await owner.post(path, {
    payout: "own",
    wallet: wallet.toLowerCase().replace("0x5a", "0x5A"),
  });
  expect(lower.status).toBe(422);
  const asked = await owner.post(path, { payout: "own", wallet });
  expect(asked.status).toBe(422);
  expect(await asked.text()).toContain("Save again to confirm");
  const again = { payout: "own", wallet, told: wallet };
  expect((await owner.post(path, { ...again, proof: "wrong" })).status).toBe(422);
  expect(PreferenceStore.isWalletChosen(till.db)).toBe(false);
  const done = await owner.post(path, { ...again, proof: password });
  expect(done.headers.get("location")).toBe("/desk/links/new?did=SaveShop");
  expect(PreferenceStore.profile(till.db).payoutWallet as string | null).toBe(wallet);
  expect(await (await owner.get("/desk/links/new")).text()).toContain(wallet);
  const home = await (await owner.get("/desk")).text();
  // Its words are not Till's to write down.
  expect(home).not.toContain("Write down the recovery phrase");
});

test("Till's wallet leaves a step open: to write its words down", async () => {
  const to = "/desk/first/wallet?to=https%3A%2F%2Fevil.example";
  const done = await owner.post(to, { payout: "managed" });
  expect(done.headers.get("location")).toBe("/desk/money/words?to=%2Fdesk&did=SaveShop");
  expect(await (await owner.get("/desk")).text()).toContain("Write down the recovery phrase");
});

test("what a program billed has chosen already", async () => {
  const other = await startDesk({}, { isNew: true });
  const mara = visitor(other, await addPerson(other, "Mara", "owner"));
  expect((await other.api("POST", "/api/links", linkRequest)).status).toBe(201);
  expect((await mara.get("/desk/invoices/new")).status).toBe(200);
  await other.stop();
});
