import { expect } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as OpinionStore from "../../../src/store/tables/watch/opinion.ts";
import { startTestChain, type TestChain } from "../chain/chain.ts";
import { createForger, type Forger } from "../chain/forger.ts";
import { type RpcProxy, startRpcProxy } from "../chain/rpc-proxy.ts";
import { type Receiver, startReceiver } from "../http/receiver.ts";
import { linkRequest, startTestTill, type TestTill, until } from "../till/till.ts";

export let chain: TestChain;
export let first: RpcProxy;
export let second: RpcProxy;
export let receiver: Receiver;
export let forger: Forger;
export let till: TestTill;
/** So far the clock of Till is ahead. */
export let aheadMs: number;

/** For `beforeEach`: a chain of 20 blocks, two nodes of it, the first of which may lie, and a receiver. */
export async function begin(): Promise<void> {
  chain = await startTestChain();
  await chain.mine(20);
  first = startRpcProxy(chain.rpcUrl);
  second = startRpcProxy(chain.rpcUrl);
  forger = createForger(chain, first);
  receiver = await startReceiver();
  aheadMs = 0;
}

/** For `afterEach`. */
export async function end(): Promise<void> {
  await till.stop();
  await receiver.stop();
  await first.stop();
  await second.stop();
  await chain.stop();
}

/** Starts Till with these nodes, in this order. */
export async function start(
  nodes: readonly RpcProxy[],
  environment: Record<string, string> = {},
): Promise<void> {
  const rpcUrl = nodes.map(({ url }) => url).join(",");
  const now = () => Date.now() + aheadMs;
  till = await startTestTill({ rpcUrl, wsUrl: chain.wsUrl }, environment, { now });
}

export type Link = { slug: string; to: Address.Address };

export async function createLink(): Promise<Link> {
  const request = { ...linkRequest, webhook_url: receiver.url };
  const { body, status } = await till.api("POST", "/api/links", request);
  expect(status).toBe(201);
  return { slug: body.slug, to: Address.checksum(body.deposit_address) };
}

export const price = 25_000_000n;
export const pay = (link: Link) => chain.pay(link.to, price);
export const statusOf = async ({ slug }: Link): Promise<string> =>
  (await till.api("GET", `/api/payments/status/${slug}`)).body.status;
export const becomes = (link: Link, status: string, timeoutMs?: number) =>
  until(
    () => statusOf(link),
    (value) => value === status,
    timeoutMs,
  );
export const isSeen = ({ slug }: Link, confirmed: boolean) =>
  until(
    async () => (await till.api("GET", `/api/links/${slug}/payments`)).body.data,
    ([payment]) => payment?.confirmed === confirmed,
  );
export const logs = (event: string) =>
  until(() => till.logged.some((line) => line.includes(`[${event}]`)), Boolean);
export const hasLogged = (event: string) => till.logged.some((line) => line.includes(`[${event}]`));
export const warnings = async (): Promise<string> =>
  ((await till.api("GET", "/health/ready")).body.warnings ?? []).join("\n");
export const warns = (text: string | RegExp) => until(warnings, (all) => all.match(text) !== null);
/** Some looks, of which each reads the logs of its payment. */
export async function scanOn(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await chain.mine(1);
    const other = await createLink();
    await pay(other);
    await becomes(other, "confirmed");
  }
}
/** Until the other node has been asked in vain: the minute begins. Returns when, in Unix ms. */
export const isAsked = async (): Promise<number> =>
  Number(
    await until(
      () => till.db.query<{ at: bigint | null }, []>("SELECT max(asked_at) AS at FROM transfer").get()?.at,
      (at) => typeof at === "bigint",
    ),
  );
/** All that is due to be asked by now was asked, and what came of it is in the books. */
/** A question can wait for a node that is left alone for 30 s, of which a test skips 20. */
const heardMsMax = 40_000;
export const isHeard = () =>
  until(
    () => OpinionStore.nextAskAt(till.db),
    (at) => at === null || at > Date.now() + aheadMs,
    heardMsMax,
  );
export const down = () => new Response("no", { status: 503 });

export function skip(ms: number): void {
  aheadMs += ms;
}
/** The second node lies from now on. */
export function lieAsSecond(): void {
  forger = createForger(chain, second);
}
