import { describe, expect, test } from "bun:test";
import * as Address from "../../src/domain/wallet/address.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { decoded, payingTill } from "../support/http/x402.ts";
import { shared } from "../support/per-file.ts";
import { rowsOf } from "../support/till/moves.ts";
import { linkRequest, until, untilIs } from "../support/till/till.ts";

const chain = shared(startTestChain);
const till = shared(() => payingTill(chain));
const receiver = shared(startReceiver);

const get = async (path: string) => (await till.api("GET", path)).body;

/** What is asked for, in both nouns: 25.00 USDC, and how each says that it was paid. */
const nouns = {
  async link() {
    const { body } = await till.api("POST", "/api/links", { ...linkRequest, webhook_url: receiver.url });
    return {
      ...{
        name: body.slug,
        slug: body.slug,
        to: Address.checksum(body.deposit_address),
        page: `/pay/${body.slug}`,
      },
      ...{ paid: "confirmed", unpaid: "pending" },
      ...{ record: `/api/links?slug=${body.slug}`, desk: `/desk/links/${body.slug}` },
      events: `/api/links/${body.slug}/timeline`,
      read: async () => (await get(`/api/links?slug=${body.slug}`)).data[0],
    };
  },
  async invoice() {
    const line_items = [{ description: "Design", quantity: 1, unit_price: "25.00" }];
    const made = await till.createInvoice({ line_items, webhook_url: receiver.url });
    const { slug = "", invoice_id: id = "", invoice_number: name = "", deposit_address = "" } = made;
    return {
      ...{ name, slug, to: Address.checksum(deposit_address), page: `/i/${slug}` },
      ...{ paid: "paid", unpaid: "draft" },
      ...{ record: `/api/invoices/${id}`, desk: `/desk/invoices/${name}` },
      events: `/api/invoices/${id}/timeline`,
      read: () => get(`/api/invoices/${id}`),
    };
  },
};

type Owed = Awaited<ReturnType<(typeof nouns)["link"]>>;

const depositOf = ({ to }: Owed) => {
  const sql =
    "SELECT received_amount AS received, left_amount AS left, to_refund FROM receivable WHERE address = ?";
  const row = till.db.query<Record<string, bigint>, [string]>(sql).get(to);
  if (!row) throw new Error("there is no such deposit");
  return row;
};

/** Pays, and waits until it counts. */
async function pay(owed: Owed, amount: bigint): Promise<void> {
  const before = depositOf(owed)["received"] ?? 0n;
  await chain.pay(owed.to, amount);
  await untilIs(() => depositOf(owed)["received"], before + amount);
}

const said = (slug: string, name: string) =>
  receiver.received
    .map(({ raw }) => JSON.parse(raw.toString()))
    .filter((body) => body.slug === slug || body.invoice_number === name);
const textOf = async (path: string) =>
  (await (await fetch(till.baseUrl + path, { headers: { "accept-language": "en" } })).text()).replaceAll(
    "\u00a0",
    " ",
  );
const moneyEvents = async ({ events }: Owed) =>
  (await get(events)).data.filter(({ type }: { type: string }) => /paid/.test(type));

describe.each(["link", "invoice"] as const)("dust to the address of an open %s", (noun) => {
  test("changes no status and no price, and who pays the whole has paid it, in every place", async () => {
    const owed = await nouns[noun]();
    await pay(owed, 1n);
    expect(await owed.read()).toMatchObject({ status: owed.unpaid, received_amount: "0.00" });
    expect(await moneyEvents(owed)).toEqual([]);
    expect(depositOf(owed)).toMatchObject({ left: 25_000_000n, to_refund: 0n });
    const offer = decoded((await till.api("GET", `/x402/${owed.slug}`)).headers.get("payment-required"));
    expect(offer.accepts[0].amount).toBe("25000000");
    const asked = await textOf(owed.page);
    expect(asked).toContain("25.00");
    expect(asked).not.toContain("24.999999");

    await pay(owed, 25_000_000n);
    expect(await owed.read()).toMatchObject({ status: owed.paid, received_amount: "25.00" });
    await until(
      () => said(owed.slug, owed.name).length,
      (count) => count > 0,
    );
    expect(said(owed.slug, owed.name).map(({ status }) => status)).toEqual([owed.paid]);
    for (const path of [owed.page, owed.desk]) {
      const page = await textOf(path);
      expect(page.includes("25.00")).toBe(true);
      expect(/more than|in excess|too much/i.test(page)).toBe(false);
    }
    expect(depositOf(owed)).toMatchObject({ received: 25_000_001n, left: 0n, to_refund: 0n });
    const { rows } = await rowsOf(till.db, noun === "link" ? "links" : "invoices");
    const row = rows.find(
      (each) => each["payment_link"] === owed.name || each["invoice_number"] === owed.name,
    );
    expect(row?.["to_refund_usdc"] ?? "0.00").toBe("0.00");
    expect(row).toMatchObject({ status: owed.paid, received_amount: "25.000001" });
  });

  test("comes too late to be an excess, and a cent above is one", async () => {
    const owed = await nouns[noun]();
    await pay(owed, 25_000_000n);
    await pay(owed, 9_999n);
    expect(await owed.read()).toMatchObject({ status: owed.paid, received_amount: "25.00" });
    await pay(owed, 1n);
    expect(await owed.read()).toMatchObject({ status: "excess", received_amount: "25.01" });
    expect(depositOf(owed)).toMatchObject({ to_refund: 10_000n });
  });

  test("of a millionth less is a part, and the millionth is what is left", async () => {
    const owed = await nouns[noun]();
    await pay(owed, 24_999_999n);
    expect(await owed.read()).toMatchObject({ status: "partial", received_amount: "24.99" });
    expect(depositOf(owed)).toMatchObject({ left: 1n });
    await pay(owed, 1n);
    expect(await owed.read()).toMatchObject({ status: owed.paid });
  });
});

test("dust keeps nobody from voiding an invoice, and nobody is told of it after", async () => {
  const owed = await nouns.invoice();
  await pay(owed, 9_000n);
  const voided = await till.api("POST", `${owed.record}/void`, { reason: "Sent by mistake" });
  expect(voided).toMatchObject({ status: 200, body: { status: "void" } });
  await pay(owed, 900n);
  const unexpected = async () =>
    (await get(owed.events)).data.filter(({ type }: { type: string }) => type === "unexpected_payment");
  expect(await unexpected()).toEqual([]);
  await pay(owed, 100n);
  expect(await unexpected()).toHaveLength(1);
});
