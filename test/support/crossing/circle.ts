import type { Hex } from "viem";
import { ownPort } from "../http/port.ts";
import type { Attested } from "./crossing.ts";

/** Circle's service, on this machine: its prices, and what it signed. */
export type Circle = AsyncDisposable & {
  readonly url: string;
  /** Every path that was asked, with its query, in order. */
  readonly asked: readonly string[];
  /** What it answers for the price, instead of its own. */
  price: unknown;
  /** What it answers for a transaction: what it signed, anything else as it is, or that it knows nothing. */
  tell(txHash: Hex, answer: Attested | object | string): void;
  stop(): Promise<void>;
};

export const usualPrice = [
  { finalityThreshold: 2000, minimumFee: 0, forwardFee: { low: 1, med: 2, high: 205_000 } },
  { finalityThreshold: 1000, minimumFee: 1.3, forwardFee: { low: 1, med: 2, high: 205_000 } },
];

export function startCircle(): Circle {
  const asked: string[] = [];
  const told = new Map<string, object | string>();
  const circle: Pick<Circle, "price"> = { price: usualPrice };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: ownPort(),
    fetch(request) {
      const { pathname, search, searchParams } = new URL(request.url);
      asked.push(`${request.method} ${pathname}${search}`);
      if (pathname.startsWith("/v2/burn/USDC/fees/")) return Response.json(circle.price);
      if (pathname.startsWith("/v2/reattest/")) return Response.json({ message: "asked" });
      const answer = told.get(searchParams.get("transactionHash") ?? "");
      if (answer === undefined) return new Response("", { status: 404 });
      return typeof answer === "string" ? new Response(answer) : Response.json(answer);
    },
  });
  const stop = () => server.stop(true);
  return Object.assign(circle, {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    tell(txHash: Hex, answer: Attested | object | string) {
      const isSigned = typeof answer === "object" && "attestation" in answer;
      told.set(txHash, isSigned ? { messages: [{ ...answer, status: "complete", cctpVersion: 2 }] } : answer);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  });
}
