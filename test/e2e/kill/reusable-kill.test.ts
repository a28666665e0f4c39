import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import * as Address from "../../../src/domain/wallet/address.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { expectedSignature, startReceiver } from "../../support/http/receiver.ts";
import { shared } from "../../support/per-file.ts";
import { createRandom } from "../../support/random.ts";
import { endProcesses, startServedTill } from "../../support/till/process.ts";
import { linkRequest, until } from "../../support/till/till.ts";
import { openForm, sendForm, slugIn } from "../../support/till/visitor.ts";

/** `TEST_REUSABLE_KILLS=60` takes about five minutes. */
const kills = Number(process.env["TEST_REUSABLE_KILLS"] ?? 2);
const seed = Number(process.env["TEST_SEED"] ?? 1);
const settleMsMax = 60_000;
const msPerKill = 20_000;
const visitorsPerKill = 8;

afterAll(endProcesses);
const chain = shared(startTestChain);
const receiver = shared(startReceiver);
const till = shared(() => startServedTill(chain));

type Child = {
  slug: string;
  deposit_address: string;
  expected_amount: string;
  received_amount: string;
  status: string;
};

test(
  `gives no address twice and loses no payment when it is killed ${kills} times while visitors begin payments`,
  async () => {
    const random = createRandom(seed);
    /** What visitors were told: the address that their payment showed, and what they sent there. */
    const shown = new Map<string, string>();
    const paid = new Map<string, string>();
    const made = await till.api("POST", "/api/links", {
      ...linkRequest,
      expected_amount: "2.00",
      reusable: true,
      quantity_max: 9,
      webhook_url: receiver.url,
    });
    expect(made.status).toBe(201);
    const { slug, payment_link: url, webhook_secret: secret } = made.body;

    /** Opens the form, and sends it again and again, as a person does who gets no answer, until it is taken. */
    const visitor = async (isDown: () => boolean): Promise<void> => {
      const { token } = await until(
        () => openForm(url).catch(() => ({ token: "" })),
        (form) => form.token !== "",
        settleMsMax,
      );
      const quantity = String(random.between(1, 9));
      const paths = new Set<string>();
      for (let attempt = 0; attempt < random.between(1, 4); ) {
        const sent = await sendForm(url, { token, quantity }).catch(() => null);
        if (sent?.location) {
          attempt += 1;
          paths.add(slugIn(sent.location));
          // Time itself: the pause before the next try.
        } else await Bun.sleep(isDown() ? 50 : 5);
      }
      expect(paths.size).toBe(1);
      const [child = ""] = paths;
      const link = await until(
        () => till.api("GET", `/api/links/${child}`).catch(() => null),
        (answer) => answer?.status === 200,
        settleMsMax,
      );
      shown.set(child, link?.body.deposit_address);
      if (!random.chance(0.5)) return;
      await chain.pay(Address.checksum(link?.body.deposit_address), link?.body.expected_amount);
      paid.set(child, link?.body.expected_amount);
    };

    for (let kill = 1; kill <= kills; kill++) {
      let down = false;
      const visitors = Promise.all(Array.from({ length: visitorsPerKill }, () => visitor(() => down)));
      // Time itself: the kill comes at any moment.
      await Bun.sleep(random.between(0, 150));
      await till.pause("SIGKILL");
      down = true;
      await till.resume();
      down = false;
      await visitors;
      if (kill % 10 === 0)
        console.log(`killed ${kill} times, ${shown.size} payments begun, ${paid.size} paid`);
    }

    const children = () => till.all(`/api/links?reusable_slug=${slug}`) as Promise<Child[]>;
    const all = await until(
      children,
      (found) => found.filter(({ status }) => status === "confirmed").length === paid.size,
      settleMsMax,
    );
    const bySlug = new Map(all.map((child) => [child.slug, child]));
    expect(shown.size).toBeGreaterThan(0);
    expect(new Set(all.map((child) => child.deposit_address)).size).toBe(all.length);
    for (const [child, address] of shown) expect(bySlug.get(child)?.deposit_address).toBe(address);
    for (const [child, amount] of paid) {
      expect(bySlug.get(child)).toMatchObject({
        status: "confirmed",
        received_amount: amount,
        expected_amount: amount,
      });
    }
    const sum = [...paid.values()].reduce((total, amount) => total + BigInt(amount.replace(".", "")), 0n);
    const record = (await till.api("GET", `/api/reusable-links?slug=${slug}`)).body.data[0];
    expect([
      record.payments_begun,
      record.payments_paid,
      BigInt(record.received_amount.replace(".", "")),
    ]).toEqual([all.length, paid.size, sum]);
    await until(
      () => new Set(receiver.received.map(({ raw }) => JSON.parse(raw.toString()).slug)),
      (told) => [...paid.keys()].every((child) => told.has(child)),
      settleMsMax,
    );
    for (const { headers, raw } of receiver.received)
      expect(headers["x-service-signature"]).toBe(expectedSignature(secret, raw));
    await till.pause("SIGTERM");
    const db = new Database(join(till.dataDir, "till.db"), { readonly: true });
    expect(Object.values(db.query("PRAGMA integrity_check").get() ?? {})).toEqual(["ok"]);
    expect(db.query("PRAGMA foreign_key_check").all()).toEqual([]);
    db.close();
  },
  settleMsMax * 3 + kills * msPerKill,
);
