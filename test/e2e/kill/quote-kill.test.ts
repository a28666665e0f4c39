import { afterAll, expect, test } from "bun:test";
import * as Currency from "../../../src/domain/bill/currency.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import * as ReceiptStore from "../../../src/store/tables/invoicing/receipt.ts";
import * as EventStore from "../../../src/store/tables/outbox/event.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startExchanges } from "../../support/http/exchanges.ts";
import { shared } from "../../support/per-file.ts";
import { createRandom } from "../../support/random.ts";
import { endProcesses, startServedTill } from "../../support/till/process.ts";
import { linkRequest, until } from "../../support/till/till.ts";

/** `TEST_QUOTE_KILLS=60` takes some minutes. */
const kills = Number(process.env["TEST_QUOTE_KILLS"] ?? 2);
const seed = Number(process.env["TEST_SEED"] ?? 1);
const settleMsMax = 60_000;
const msPerKill = 30_000;
const linksPerKill = 6;
const dayMs = 86_400_000;

afterAll(endProcesses);
const chain = shared(startTestChain);
const exchanges = shared(startExchanges);
const till = shared(() => startServedTill(chain, { TILL_RATES: exchanges.setting, TILL_CONFIRMATIONS: "1" }));

test(
  `asks each payer for the amount that the books have, and takes it for all of it, when it is killed ${kills} times while prices are quoted again`,
  async () => {
    const random = createRandom(seed);
    const slugs: string[] = [];
    const paid: string[] = [];
    /** The amount, in micro-USDC, that the page of a link showed last. */
    const shown = new Map<string, string>();
    const look = async (slug: string) => {
      const page = await till.text(`/pay/${slug}`).catch(() => "");
      const [, micro] = /data-micro="(\d+)"/.exec(page) ?? [];
      if (micro) shown.set(slug, micro);
    };
    let quoted = 0;
    const inEuros = {
      ...linkRequest,
      expected_amount: undefined,
      currency: "EUR",
      amount: "20.00",
      tax_rate: "19",
    };
    for (let kill = 1; kill <= kills; kill++) {
      for (let each = 0; each < linksPerKill; each++)
        slugs.push((await till.api("POST", "/api/links", inEuros)).body.slug);
      await till.pause("SIGTERM");
      // As if they had been made, or quoted, the day before yesterday.
      till.books((db) =>
        db
          .query(
            `UPDATE receivable SET currency = json_set(currency, '$.fetchedAt', ?1)
             WHERE deposit_index IN (SELECT deposit_index FROM link
               WHERE slug NOT IN (SELECT value FROM json_each(?2)))`,
          )
          .run(Date.now() - 2 * dayMs, JSON.stringify(paid)),
      );
      shown.clear();
      const bid = (0.8 + random.between(0, 150) / 1_000).toFixed(4);
      exchanges.set("all", { bid, ask: bid });
      await till.resume();
      const looks = Promise.all(
        // Time itself: they look, and the kill comes, at any moment.
        slugs.map(async (slug) => Bun.sleep(random.between(0, 60)).then(() => look(slug))),
      );
      // Time itself: they look, and the kill comes, at any moment.
      await Bun.sleep(random.between(0, 250));
      await till.pause("SIGKILL");
      await looks;
      till.books((db) => {
        for (const slug of slugs) {
          const link = LinkStore.bySlug(db, slug);
          const currency = link?.currency;
          if (!link || !currency) throw new Error(`no price of ${slug}`);
          expect(link.deposit.expected).toBe(Currency.toUsdc(currency.total, currency.rate));
          const micro = shown.get(slug);
          if (micro !== undefined) expect([slug, String(link.deposit.expected)]).toEqual([slug, micro]);
        }
      });
      // Somebody pays what the page just said, and is quoted nothing else.
      const payer = slugs.find((slug) => shown.has(slug) && !paid.includes(slug));
      const link = payer === undefined ? null : till.books((db) => LinkStore.bySlug(db, payer));
      if (link) {
        paid.push(link.slug);
        await chain.pay(link.deposit.address, Usdc.format(link.deposit.expected));
      }
      await till.resume();
    }
    for (const slug of slugs.filter((each) => !paid.includes(each)))
      await until(
        () => look(slug),
        () => shown.has(slug),
        settleMsMax,
      );
    const [last = ""] = slugs.filter((slug) => !paid.includes(slug));
    const { body } = await till.api("GET", `/api/links/${last}`);
    expect(String(Usdc.parse(body.expected_amount))).toBe(shown.get(last) ?? "");
    paid.push(last);
    await chain.pay(Address.checksum(body.deposit_address), body.expected_amount);
    for (const slug of paid)
      await until(
        () => till.api("GET", `/api/payments/status/${slug}`),
        ({ body }) => body.status === "confirmed",
        settleMsMax,
      );
    await till.pause("SIGTERM");
    // Those that no kill came before were quoted by the looks at the end.
    quoted = till.books((db) =>
      slugs.reduce((events, slug) => {
        const link = LinkStore.bySlug(db, slug);
        return events + (link === null ? 0 : EventStore.count(db, link.deposit.index, "link.quoted"));
      }, 0),
    );
    expect(quoted).toBeGreaterThan(0);
    const sequences = till.books((db) =>
      [...ReceiptStore.each(db, { from: null, to: null })].map(({ sequence }) => sequence),
    );
    expect(sequences).toEqual(paid.map((_, at) => at + 1));
    console.log(
      `${kills} kills with seed ${seed}: ${slugs.length} links, quoted again ${quoted} times, ${paid.length} paid`,
    );
  },
  settleMsMax * 2 + kills * msPerKill,
);
