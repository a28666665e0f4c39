import { readDomain, signedCall } from "../../../src/chain/contract/authorization.ts";
import { parseConfig, type RelayRules } from "../../../src/config/config.ts";
import type { Deposit } from "../../../src/domain/payment/deposit.ts";
import { payableOf } from "../../../src/domain/payment/relay.ts";
import { ofInvoice } from "../../../src/domain/receivable/receivable.ts";
import type { GasAccount } from "../../../src/settle/gas-account.ts";
import {
  type AcceptDeps,
  accept,
  type RelayAnswer,
  type RelayRequest,
} from "../../../src/settle/relay/accept.ts";
import { followAll, type RelayStep } from "../../../src/settle/relay/follow.ts";
import { type Db, transact } from "../../../src/store/database.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import type { StoredRelay } from "../../../src/store/tables/settle/relay.ts";
import * as RelayStore from "../../../src/store/tables/settle/relay.ts";
import { storeInvoice } from "../till/records.ts";
import type { TestChain } from "./chain.ts";
import { balanceOf, send, stranger } from "./evm.ts";
import { credit, newWallet } from "./settlement.ts";
import type { Signed, Signer } from "./signer.ts";

export const { relay: defaults } = parseConfig({
  TILL_CHAIN: "anvil",
  TILL_RPC_URL: "http://127.0.0.1:1",
  TILL_WALLET_PASSPHRASE: "x",
});

export type Posted = RelayRequest & { auth: Signed };

/** What a payer would send for a new invoice over 25 USDC, and its deposit. */
export type Owed = {
  id: string;
  deposit: Deposit;
  request(signer: Signer, other?: Partial<Signed>): Promise<Posted>;
};

export const price = 25_000_000n;

export function owed(db: Db): Owed {
  const { id, deposit } = storeInvoice(db, { payoutWallet: newWallet(), total: "25.00" });
  return {
    id,
    deposit,
    async request(signer, other = {}) {
      const signed = await signer.sign({ to: deposit.address, amount: price, ...other });
      const payable = () => {
        const invoice = InvoiceStore.byId(db, id);
        return invoice && payableOf(ofInvoice(invoice), 0);
      };
      return { source: "page", payable, paymentIdentifier: null, ...signed };
    },
  };
}

export const codeOf = (answer: RelayAnswer) => (answer.kind === "refused" ? answer.code : answer.kind);

/** The relays to a deposit, the latest first, without an argument all. */
export const relaysTo = (db: Db, depositIndex: number | null = null) =>
  db
    .query<{ id: number }, [number | null]>(
      "SELECT id FROM relay WHERE deposit_index = coalesce(?, deposit_index) ORDER BY id DESC",
    )
    .all(depositIndex)
    .flatMap(({ id }) => RelayStore.byId(db, Number(id)) ?? []);

/** The relay of an answer; fails the test when there is none. */
export function relayOf(answer: RelayAnswer): StoredRelay {
  if (answer.kind !== "accepted") throw new Error(`It was refused: ${answer.code}`);
  return answer.relay;
}

/** Takes all relays a step further. Returns this one after it. */
export async function follow(gas: GasAccount, id: number): Promise<RelayStep> {
  const steps: RelayStep[] = [];
  await followAll(gas, (step) => steps.push(step));
  const relay = RelayStore.byId(gas.db, id);
  if (!relay) throw new Error(`There is no relay ${id}`);
  return steps.find((step) => step.relay.id === id) ?? { relay, progress: null };
}

/** Relays of a gas account, beside a watcher with one confirmation. */
export async function openRelays(chain: TestChain, gas: GasAccount, rules: RelayRules = defaults) {
  const domain = await readDomain(gas.rpc, { chainId: gas.chainId, token: chain.usdc });
  /** The deposits that were to be watched again, in order. */
  const awake: number[] = [];
  const watchAgain = (deposits: readonly number[]) => awake.push(...deposits);
  const deps: AcceptDeps = { gas, token: chain.usdc, rules, domain, watchAgain };
  const step = (relay: StoredRelay) => follow(gas, relay.id);
  return {
    awake,
    accept: (request: RelayRequest, other: Partial<RelayRules> = {}) =>
      accept({ ...deps, rules: { ...rules, ...other } }, request),
    step,
    /** Takes steps, and lets the watcher look, until the relay has ended. */
    async end(answer: RelayAnswer): Promise<StoredRelay> {
      const { id } = relayOf(answer);
      for (let i = 0; i < 500; i++) {
        const { relay } = await follow(gas, id);
        if (relay.state === "confirmed" || relay.state === "failed") return relay;
        if (relay.state === "mined") await credit(gas, chain.usdc);
        await Bun.sleep(10);
      }
      throw new Error(
        `Relay ${id} does not end: ${JSON.stringify(await follow(gas, id), (_, v) => (typeof v === "bigint" ? String(v) : v))}`,
      );
    },
    held: ({ address }: Deposit) => balanceOf(chain, chain.usdc, address),
    /** Somebody else shows an authorisation to the token. */
    front({ auth, signature }: Posted) {
      const data = signedCall({ ...auth, chainId: gas.chainId, token: chain.usdc }, signature);
      return send(chain, { from: stranger, to: chain.usdc, data });
    },
  };
}

/** All that a database keeps of what was spent: as if the day had passed. */
export function forgetSpending(db: Db): void {
  transact(db, () => {
    db.run("UPDATE gas_transaction SET created_at = 0 WHERE purpose = 'relay'");
    db.run("UPDATE relay SET ended_at = 0 WHERE state = 'failed'");
  });
}
