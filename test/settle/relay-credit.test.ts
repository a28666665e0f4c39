import { afterAll, afterEach, beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import { createCreditNoteCreator } from "../../src/invoicing/credit/credit-note.ts";
import { createLog } from "../../src/lib/log.ts";
import { reminderRefusal } from "../../src/store/reports/on-its-way.ts";
import * as InvoiceStore from "../../src/store/tables/invoicing/invoice.ts";
import * as RelayStore from "../../src/store/tables/settle/relay.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { openGasAccount, type TestGasAccount } from "../support/chain/gas-account.ts";
import { codeOf, openRelays, owed, price, relayOf } from "../support/chain/relays.ts";
import { newSigner } from "../support/chain/signer.ts";
import { cross } from "../support/till/moves.ts";
import { numbers, recordSettings } from "../support/till/records.ts";
import { usdc } from "../support/usdc.ts";

let chain: TestChain;
let gas: TestGasAccount;
let relays: Awaited<ReturnType<typeof openRelays>>;
beforeAll(async () => {
  chain = await startTestChain();
});
beforeEach(async () => {
  gas = await openGasAccount(chain);
  relays = await openRelays(chain, gas);
});
afterEach(() => gas.close());
afterAll(() => chain.stop());

const log = createLog({ format: "text", level: "error", write: () => {} });
const stored = (id: string) => {
  const invoice = InvoiceStore.byId(gas.db, id);
  if (!invoice) throw new Error("there is no such invoice");
  return invoice;
};
function credit(id: string, amount: string) {
  const nothing = () => {};
  const create = createCreditNoteCreator({
    ...{ db: gas.db, recordSettings, config: { creditNoteNumber: numbers, mailReceipts: false }, log },
    ...{ now: Date.now, onEventDue: nothing, onMailDue: nothing, watchAgain: nothing },
  });
  const amounts = [{ row: 0, amount: usdc(amount) }];
  const wanted = { kind: "amounts", amounts } as const;
  return create(stored(id).sequence, { wanted, reason: "A discount", sendNow: false }, null);
}

test("what was signed before a credit note is not taken after it, nor when it comes meanwhile", async () => {
  const signer = await newSigner(chain, 2n * price);
  const { id, deposit, request } = owed(gas.db);
  const posted = await request(signer);
  const isCredited = Promise.withResolvers<void>();
  const { request: ask } = gas.rpc;
  const asking = spyOn(gas.rpc, "request").mockImplementation(async (method, params) => {
    await isCredited.promise;
    return ask(method, params);
  });
  const accepting = relays.accept(posted);
  expect(await credit(id, "5.00")).toMatchObject({ ok: true });
  isCredited.resolve();
  expect(codeOf(await accepting)).toBe("amount");
  asking.mockRestore();
  expect(codeOf(await relays.accept(posted))).toBe("amount");
  expect(await relays.held(deposit)).toBe(0n);
  await relays.end(await relays.accept(await request(signer, { amount: price - 5_000_000n })));
  expect(stored(id).status).toBe("paid");
});

/** Returns why its customer is not reminded now, once it was mailed. */
function reminding(id: string) {
  InvoiceStore.setSent(gas.db, stored(id).sequence, 1, "sent");
  return reminderRefusal(gas.db, stored(id));
}

test("a credit note and a reminder wait for what Circle has signed on another network", async () => {
  const { id, deposit } = owed(gas.db);
  cross(gas.db, deposit.index, price, Date.now());
  expect(await credit(id, "5.00")).toEqual({ ok: false, refusal: { kind: "in_flight" } });
  expect(reminding(id)).toBe("in_flight");
  gas.db.run("UPDATE crossing SET state = 'arrived', ended_at = 1");
  expect(reminding(id)).toBeNull();
  expect(await credit(id, "5.00")).toMatchObject({ ok: true });
});

test("a credit note and a reminder wait for what was signed, and whose it was gets it back", async () => {
  const signer = await newSigner(chain, price);
  const { id, request } = owed(gas.db);
  const answer = await relays.accept(await request(signer));
  const inFlight = { ok: false, refusal: { kind: "in_flight" } } as const;
  expect(await credit(id, "5.00")).toEqual(inFlight);
  expect(reminding(id)).toBe("in_flight");
  await relays.step(relayOf(answer));
  expect(await credit(id, "5.00")).toEqual(inFlight);
  await relays.end(answer);
  expect(RelayStore.onItsWay(gas.db, stored(id).deposit.index)).toBeNull();
  const made = await credit(id, "5.00");
  expect(made).toMatchObject({ ok: true, note: { toReturn: usdc("5.00") } });
  expect(stored(id).status).toBe("paid");
});
