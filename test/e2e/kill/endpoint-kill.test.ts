import { afterAll, expect, test } from "bun:test";
import { announcedTypes, fullTypesOf } from "../../../src/domain/event/event.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { expectedSignature, startReceiver } from "../../support/http/receiver.ts";
import { shared } from "../../support/per-file.ts";
import { createRandom } from "../../support/random.ts";
import { endProcesses, startServedTill } from "../../support/till/process.ts";
import { linkRequest, until } from "../../support/till/till.ts";

/** `TEST_ENDPOINT_KILLS=60` takes about five minutes. */
const kills = Number(process.env["TEST_ENDPOINT_KILLS"] ?? 2);
const seed = Number(process.env["TEST_SEED"] ?? 1);
const settleMsMax = 60_000;
const msPerKill = 20_000;
const linksPerKill = 6;

const announced = new Set<string>(fullTypesOf(announcedTypes));

afterAll(endProcesses);
const chain = shared(startTestChain);
const first = shared(startReceiver);
const second = shared(startReceiver);
const till = shared(() => startServedTill(chain));

type Event = { id: string; type: string; slug: string };

test(
  `tells every endpoint of every event, and of none that is not, when it is killed ${kills} times`,
  async () => {
    const random = createRandom(seed);
    const receivers = [first, second];
    const secrets: string[] = [];
    const ids: string[] = [];
    for (const { url } of receivers) {
      const { status, body } = await till.api("POST", "/api/webhook-endpoints", { url });
      expect(status).toBe(201);
      secrets.push(body.secret);
      ids.push(body.id);
    }
    /** A write whose answer may be lost: sent again under its key until it is answered. */
    const write = (path: string, body: object) => {
      const key = { "idempotency-key": crypto.randomUUID() };
      return until(
        () => till.api("POST", path, body, key).catch(() => null),
        (answer) => answer !== null && answer.status < 300,
        settleMsMax,
      );
    };
    for (let kill = 1; kill <= kills; kill++) {
      // Time itself: the kill comes at any moment.
      const killed = Bun.sleep(random.between(0, 300)).then(() => till.pause("SIGKILL"));
      const working = (async () => {
        for (let n = 0; n < linksPerKill; n++) {
          const made = await write("/api/links", linkRequest);
          const { slug, deposit_address } = made?.body ?? {};
          if (random.chance(0.7)) await chain.pay(Address.checksum(deposit_address), "25.00");
          else await write(`/api/links/${slug}/void`, { reason: "Billed twice" });
        }
      })();
      await killed;
      await till.resume();
      await working;
      const rotated = await write(`/api/webhook-endpoints/${ids[1]}/rotate`, {});
      secrets[1] = rotated?.body.secret ?? "";
    }
    const eventsOf = async () =>
      (await till.all("/api/events")).filter(({ type }) => announced.has(type)) as Event[];
    const known = await until(eventsOf, ({ length }) => length === kills * linksPerKill, settleMsMax);
    for (const [n, receiver] of receivers.entries()) {
      const came = () => new Set(receiver.received.map(({ headers }) => headers["webhook-id"] ?? ""));
      await until(came, (ids) => known.every(({ id }) => ids.has(id)), settleMsMax);
      expect([...came()].toSorted()).toEqual(known.map(({ id }) => id).toSorted());
      const bytes = new Map<string, string>();
      for (const { raw, headers } of receiver.received) {
        const id = headers["webhook-id"] ?? "";
        expect(raw.toString()).toBe(bytes.get(id) ?? raw.toString());
        bytes.set(id, raw.toString());
        const body = JSON.parse(raw.toString());
        const event = known.find((each) => each.id === id);
        expect([body.type, body.data.link.slug]).toEqual([event?.type, event?.slug]);
        if (n === 0) expect(headers["x-service-signature"]).toBe(expectedSignature(secrets[0] ?? "", raw));
      }
    }
    const { body } = await till.api("GET", "/api/webhook-endpoints");
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(["active", "active"]);
  },
  settleMsMax * 3 + kills * msPerKill,
);
