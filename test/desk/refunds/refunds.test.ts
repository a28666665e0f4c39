import { beforeAll, expect, test } from "bun:test";
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import { payers } from "../../../src/chain/dev/dev-chain.ts";
import { newKey } from "../../../src/desk/parts/form/form-key.ts";
import * as Refund from "../../../src/domain/payment/refund.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as RefundStore from "../../../src/store/tables/invoicing/refund.ts";
import { balanceOf, encode, send } from "../../support/chain/evm.ts";
import { newWallet } from "../../support/chain/settlement.ts";
import { addPerson, password, type Visitor, visitor } from "../../support/desk/desk.ts";
import { chain, owner, till, useDeskOnChain } from "../../support/desk/setup.ts";
import { until, untilIs } from "../../support/till/till.ts";

const hour = 3_600_000;

let staff: Visitor;
let nowMs = Date.now();
useDeskOnChain({ TILL_MAIL_ATTACH_PDF: "true" }, { now: () => nowMs });
beforeAll(async () => {
  staff = visitor(till, await addPerson(till, "Tom", "staff"));
  await chain.giveEth(WalletStore.gasAddress(till.db) ?? Address.zero);
});

const one = { line_items: [{ description: "Coffee", quantity: 1, unit_price: "20.00" }] };
const refund = async (id: string) => (await till.api("GET", `/api/refunds/${id}`)).body;
const invoice = async (id: string) => (await till.api("GET", `/api/invoices/${id}`)).body;
const mails = (word: string) => till.mail.list().filter(({ subject }) => subject.includes(word));
const paid = (address: string) => balanceOf(chain, chain.usdc, address as Address.Address);

/** An invoice of 20.00 for which `amount` came. */
async function overpaid(amount: string | bigint, fields: object = {}) {
  const made = await till.createInvoice({ ...one, ...fields });
  await chain.pay(made["deposit_address"] as Address.Address, amount);
  await until(
    () => invoice(made["invoice_id"] ?? ""),
    ({ status }) => status === "excess",
  );
  return made as { invoice_id: string; invoice_number: string };
}

/** Opens the page of a refund's link, as it was mailed, and says where it goes. */
async function claim(address: string, count = 1): Promise<Response> {
  const [mail] = await until(
    () => mails("owes you"),
    (all) => all.length >= count,
  );
  const [path = ""] = /\/refund\/[\w-]{43}/.exec(mail?.text ?? "") ?? [];
  const send = (fields: Record<string, string>) =>
    fetch(till.localUrl + path, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
  // A program that scans mails opens every link, often.
  for (let i = 0; i < 3; i += 1) expect((await fetch(till.localUrl + path)).status).toBe(200);
  expect((await send({ address: "0x1234" })).status).toBe(422);
  // Copied from an explorer, say: it is compared in the form that wallets show.
  expect((await send({ address: address.toLowerCase(), sure: "1" })).status).toBe(422);
  const compared = await (await send({ address: ` ${address.toLowerCase()} ` })).text();
  expect(compared).toContain("Is this your address?");
  expect(compared).toContain(`name="address" value="${address}"`);
  const named = await send({ address, sure: "1" });
  expect(named.status).toBe(303);
  // It is good once.
  expect((await send({ address: newWallet(), sure: "1" })).status).toBe(409);
  return await fetch(till.localUrl + path);
}

test("who paid too much says where it goes by the mailed link, an owner approves, and Till sends it once", async () => {
  const { invoice_id, invoice_number } = await overpaid(25_000_001n);
  const { wallet_address: wallet } = await invoice(invoice_id);
  await chain.pay(wallet, "100.00");
  const owed = (await till.api("GET", "/api/owed")).body.data;
  expect(owed).toMatchObject([{ amount: "5.000001", invoice_number, customer_email: "ap@globex.example" }]);

  const asked = { invoice: invoice_number, ask: true, reason: "Paid too much" };
  const made = await till.api("POST", "/api/refunds", asked, { "idempotency-key": "refund-1" });
  expect(made).toMatchObject({ status: 201, body: { status: "requested", amount: "5.000001", way: "till" } });
  const { id } = made.body;
  expect((await till.api("POST", "/api/refunds", asked, { "idempotency-key": "refund-1" })).body).toEqual(
    made.body,
  );
  expect((await till.api("GET", "/api/owed")).body.data).toEqual([]);
  expect((await till.api("POST", "/api/refunds", { invoice: invoice_number })).body.code).toBe(
    "refund_refused",
  );

  const to = newWallet();
  const claimed = await (await claim(to)).text();
  expect(claimed).toContain("has your address");
  // Neither its title nor its text says any longer that money is owed.
  expect(claimed).not.toContain("owes you");
  await untilIs(() => mails("the customer says where"), { length: 1 });
  expect(await refund(id)).toMatchObject({ status: "requested", address: to, address_by: "mail" });

  const approve = (who: Visitor, fields: Record<string, string>) =>
    who.post(`/desk/refunds/${id}/approve`, { address: to, proof: password, ...fields });
  expect((await approve(staff, {})).status).toBe(403);
  expect((await approve(owner, { proof: "wrong" })).status).toBe(422);
  expect((await approve(owner, { address: newWallet() })).status).toBe(422);
  expect(await paid(to)).toBe(0n);
  expect((await approve(owner, {})).status).toBe(303);
  expect((await approve(owner, {})).status).toBe(422);
  const done = await untilIs(() => refund(id), { status: "confirmed" });
  expect(await paid(to)).toBe(5_000_001n);
  expect(done.tx_hash).toMatch(/^0x[0-9a-f]{64}$/);
  const [mail] = await untilIs(() => mails("refunded you"), { length: 1 });
  expect(mail?.text).toContain(done.tx_hash);
  expect(mail?.attachments.map(({ name }) => name)).toEqual([`${invoice_number}-refund.pdf`]);
  expect(await invoice(invoice_id)).toMatchObject({
    status: "excess",
    due_amount: "0.00",
    return_amount: "0.00",
    refunded_amount: "5.000001",
  });
  const events = (await till.api("GET", `/api/events?invoice=${invoice_number}`)).body.data;
  expect(events.map(({ type }: { type: string }) => type).slice(0, 4)).toEqual([
    "invoice.refunded",
    "invoice.refund_sent",
    "invoice.refund_approved",
    "invoice.refund_requested",
  ]);
  expect((await till.api("POST", `/api/refunds/${id}/cancel`)).status).toBe(409);
  expect((await owner.get(`/desk/refunds/${id}`)).status).toBe(200);

  // What left the wallet for a customer is nowhere called a withdrawal of the merchant's.
  const money = await (await owner.get("/desk/money")).text();
  expect(money).toContain(`<a class="name" href="/desk/refunds/${id}">Refunded</a>`);
  expect(money).toContain("To your customer");
  expect(money).not.toContain("A wallet of your own");
  expect(await (await owner.get("/desk/money/movements.csv")).text()).toContain(
    ",refunded,done,USDC,5.000001,",
  );
  const exported = await fetch(`${till.localUrl}/api/exports/withdrawals`);
  expect(await exported.text()).toMatch(new RegExp(`,5\\.000001,.*,${to},.*,${id}\\r?\\n$`));
});

test("an address that was typed waits three days by two clocks where no owner is told by mail, and anybody at the desk can stop it", async () => {
  const { invoice_number } = await overpaid("23.00");
  const [stopped, to] = [newWallet(), newWallet()];
  const begin = async (address: string, amount: string, of = invoice_number) => {
    const { status, body } = await till.api("POST", "/api/refunds", { invoice: of, address, amount });
    expect(status).toBe(201);
    const approved = await owner.post(`/desk/refunds/${body.id}/approve`, { address, proof: password });
    expect(approved.status).toBe(303);
    return body.id as string;
  };
  const [first, second] = [await begin(stopped, "1.00"), await begin(to, "2.00")];
  const third = await begin(newWallet(), "0.50", (await overpaid("20.50")).invoice_number);
  expect((await refund(second)).sends_at).toBe(new Date(nowMs + 72 * hour).toISOString());
  expect((await staff.post(`/desk/refunds/${first}/cancel`)).status).toBe(303);
  // The clock of the machine alone opens nothing.
  nowMs += 73 * hour;
  // Till has looked at all of them once it has sent one that waits no more.
  till.db.run("UPDATE refund SET ready_at = approved_at WHERE id = ?", [third]);
  await untilIs(() => refund(third), { status: "confirmed" });
  expect(await refund(second)).toMatchObject({ status: "approved" });
  await chain.rpc("evm_increaseTime", [73 * 3_600]);
  await chain.rpc("evm_mine", []);
  await untilIs(() => refund(second), { status: "confirmed" });
  expect([await paid(stopped), await paid(to)]).toEqual([0n, 2_000_000n]);
  nowMs -= 73 * hour;
  expect(await refund(first)).toMatchObject({ status: "cancelled" });
  expect((await till.api("GET", "/api/owed")).body.data).toMatchObject([{ amount: "1.00" }]);
});

test("the transfer from a merchant's own wallet is recognised by wallet, address and amount, and followed", async () => {
  const own = payers[4] as Address.Address;
  const pay = (to: string, micro: bigint) =>
    send(chain, { from: own, to: chain.usdc, data: encode(usdcArtifact.abi, "transfer", [to, micro]) });
  const { invoice_number } = await overpaid("26.00", { wallet_type: "byo", wallet_address: own });
  const to = newWallet();
  const { body } = await till.api("POST", "/api/refunds", { invoice: invoice_number, address: to });
  expect(body).toMatchObject({ way: "wallet", amount: "6.00" });
  const page = async () => (await owner.get(`/desk/refunds/${body.id}`)).text();
  const approve = (fields: object) =>
    owner.post(`/desk/refunds/${body.id}/approve`, { address: to, ...fields });
  expect((await approve({})).status).toBe(422);
  expect((await approve({ proof: password })).status).toBe(303);
  // Somebody typed the address: nobody scans a code for it before others could look.
  expect(await page()).toContain("the code appears here then");
  expect(await page()).not.toContain("data:image/png");
  till.db.run("UPDATE refund SET ready_at = ? WHERE id = ?", [nowMs, body.id]);
  expect(await page()).toContain("data:image/png");
  await pay(to, 5_000_000n);
  const { transactionHash } = await pay(to, 6_000_000n);
  const found = await untilIs(() => refund(body.id), { status: "confirmed" });
  expect(found.tx_hash).toBe(transactionHash);
  const stored = RefundStore.byId(till.db, body.id);
  expect(stored).toMatchObject({ withdrawalId: null });
});

test("two transfers of one transaction, as a smart wallet sends them, give back two refunds", async () => {
  const own = newWallet();
  // Calls the token with each 68 bytes that it is sent, which are a transfer.
  const token = chain.usdc.slice(2).toLowerCase();
  const batch = `0x5f5b803611156032576044815f375f5f60445f5f73${token}5af1506044016001565b00`;
  await chain.rpc("anvil_setCode", [own, batch]);
  await chain.pay(own, "10.00");
  const refunds: { id: string; to: string; micro: bigint }[] = [];
  for (const micro of [3_000_000n, 4_000_000n]) {
    const { invoice_number } = await overpaid(20_000_000n + micro, {
      wallet_type: "byo",
      wallet_address: own,
    });
    const to = newWallet();
    const { body } = await till.api("POST", "/api/refunds", { invoice: invoice_number, address: to });
    await owner.post(`/desk/refunds/${body.id}/approve`, { address: to, proof: password });
    refunds.push({ id: body.id, to, micro });
  }
  const calls = refunds.map(({ to, micro }) => encode(usdcArtifact.abi, "transfer", [to, micro]).slice(2));
  await send(chain, { from: payers[4] as Address.Address, to: own, data: `0x${calls.join("")}` });
  const [first, second] = await Promise.all(
    refunds.map(({ id }) => untilIs(() => refund(id), { status: "confirmed" })),
  );
  expect(first.tx_hash).toBe(second.tx_hash);
});

test("an address waits that came by an email which somebody corrected: who has the desk could have", async () => {
  const { invoice_id, invoice_number } = await overpaid("21.00");
  const corrected = await till.api("PATCH", `/api/invoices/${invoice_id}`, {
    vendor_email: "eve@example.com",
  });
  expect(corrected.status).toBe(200);
  const { body } = await till.api("POST", "/api/refunds", { invoice: invoice_number, ask: true });
  const address = newWallet();
  await claim(address, 2);
  expect(await refund(body.id)).toMatchObject({ customer_email: "eve@example.com", address_by: "mail" });
  await owner.post(`/desk/refunds/${body.id}/approve`, { address, proof: password });
  const wait = Date.parse((await refund(body.id)).sends_at) - nowMs;
  expect(wait).toBeGreaterThan(0);
  expect((await till.api("POST", `/api/refunds/${body.id}/cancel`)).status).toBe(200);
});

test("a refund is not sent once the payment left the chain after it was approved", async () => {
  const merchant = { merchant_email: "empty@acme.example", merchant_name: "Empty" };
  const { invoice_id, invoice_number } = await overpaid("24.00", merchant);
  const { wallet_address: wallet } = await invoice(invoice_id);
  const to = newWallet();
  const { body } = await till.api("POST", "/api/refunds", { invoice: invoice_number, address: to });
  till.db.run("UPDATE refund SET address_by = 'mail', claim_ends_at = ? WHERE id = ?", [
    nowMs + Refund.claimMs,
    body.id,
  ]);
  const approved = await owner.post(`/desk/refunds/${body.id}/approve`, { address: to, proof: password });
  expect(approved.status).toBe(303);
  const page = async () => (await owner.get(`/desk/refunds/${body.id}`)).text();
  await until(page, (html) => html.includes("There is no USDC in"), 20_000);
  till.db.run("UPDATE receivable SET received_amount = 21000000 WHERE address = ?", [
    (await invoice(invoice_id)).deposit_address,
  ]);
  await chain.pay(wallet, "50.00");
  await until(page, (html) => html.includes("is not owed any more, or left the chain"), 20_000);
  expect(await paid(to)).toBe(0n);
  expect((await owner.post(`/desk/refunds/${body.id}/cancel`)).status).toBe(303);
});

test("what was given back in another way is noted only once somebody meant it, and names no address that nothing went to", async () => {
  const { invoice_number } = await overpaid("24.00");
  const address = newWallet();
  const { id } = (await till.api("POST", "/api/refunds", { invoice: invoice_number, address })).body;
  const page = async (path = "") => (await owner.get(`/desk/refunds/${id}${path}`)).text();
  // From a page that is older than the answer nobody is asked again.
  expect((await staff.post(`/desk/refunds/${id}/ask`, { how: "link" })).status).toBe(422);
  // One tap beside "Cancel" must not tell the customer that they have their money.
  expect(await page()).toContain(`href="/desk/refunds/${id}/elsewhere"`);
  expect(await page()).not.toContain(`action="/desk/refunds/${id}/elsewhere"`);
  expect(await page("/elsewhere")).toContain("Did you refund 4.00 USDC another way?");
  expect((await staff.get(`/desk/refunds/${id}/elsewhere`)).status).toBe(403);
  expect(await refund(id)).toMatchObject({ status: "requested", address });
  const told = mails("refunded you").length;
  expect((await owner.post(`/desk/refunds/${id}/elsewhere`, { note: "In cash" })).status).toBe(303);
  expect(await refund(id)).toMatchObject({ status: "confirmed", note: "In cash" });
  const noted = await page();
  expect(noted).toContain("It was refunded in another way.");
  for (const shown of [address, `${address.slice(0, 6)}…${address.slice(-4)}`])
    expect(noted).not.toContain(shown);
  const [mail] = await until(
    () => mails("refunded you"),
    (all) => all.length > told,
  );
  expect(mail?.text).not.toContain(address);
  const pdf = await (await owner.get(`/desk/refunds/${id}/pdf`)).bytes();
  const receipt = await Bun.$`pdftotext -layout - - < ${Buffer.from(pdf)}`.text();
  expect(receipt).toMatch(/Refunded\n+ *It was refunded in another way\./);
  expect(receipt).not.toContain(address);
});

test("a form that hands out a link ends no link when it is sent again", async () => {
  const { invoice_number } = await overpaid(22_123_456n);
  // With the amount that the form itself has, as it writes it in another language.
  const german = { "accept-language": "de" };
  const page = await staff.get(`/desk/refunds/new?invoice=${invoice_number}`, german);
  expect(await page.text()).toContain('value="2,123456"');
  const form = { invoice: invoice_number, amount: "2,123456", how: "link", key: newKey() };
  const shown = await staff.post("/desk/refunds", form, german);
  const [path = ""] = /\/refund\/[\w-]{43}/.exec(await shown.text()) ?? [];
  expect((await staff.post("/desk/refunds", form)).status).toBe(303);
  const address = newWallet();
  const named = await fetch(till.localUrl + path, {
    method: "POST",
    body: new URLSearchParams({ address, sure: "1" }),
    redirect: "manual",
  });
  expect(named.status).toBe(303);
  const again = await staff.post("/desk/refunds", form);
  expect(again.status).toBe(303);
  const id = again.headers.get("location")?.match(/refunds\/(\w+)/)?.[1] ?? "";
  expect(await refund(id)).toMatchObject({ address, address_by: "link" });
  expect((await fetch(till.localUrl + path)).status).toBe(200);
});

test("all that came for a cancelled invoice is sent back", async () => {
  const made = await till.createInvoice({
    ...one,
    merchant_email: "none@acme.example",
    merchant_name: "None",
  });
  const { invoice_id = "", invoice_number } = made;
  await till.api("POST", `/api/invoices/${invoice_id}/void`, { reason: "Cancelled" });
  await chain.pay(made["deposit_address"] as Address.Address, "20.00");
  const { wallet_address: wallet } = await until(
    () => invoice(invoice_id),
    ({ received_amount }) => received_amount === "20.00",
  );
  await chain.pay(wallet, "20.00");
  const to = newWallet();
  const { body } = await till.api("POST", "/api/refunds", { invoice: invoice_number, address: to });
  till.db.run("UPDATE refund SET address_by = 'mail', claim_ends_at = ? WHERE id = ?", [
    nowMs + Refund.claimMs,
    body.id,
  ]);
  await owner.post(`/desk/refunds/${body.id}/approve`, { address: to, proof: password });
  await until(
    () => paid(to),
    (amount) => amount === 20_000_000n,
  );
});
