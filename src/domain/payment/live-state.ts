import * as Usdc from "../usdc.ts";
import type { Deposit } from "./deposit.ts";

/** The state of an invoice or a link and its deposit, as a waiting page gets it. */
export type LiveState = { status: string } & Pick<Deposit, "received" | "pending">;

/** One line of text that changes whenever money arrives or is confirmed. */
export const line = ({ status, received, pending }: LiveState): string => `${status} ${received} ${pending}`;

/** Matches such a line and nothing else, such as a proxy's login page. */
export const form = /^([a-z]+) (\d+) (\d+)$/;

/** Parses such a line; null for anything else. */
export function parse(text: string): LiveState | null {
  const [, status = "", received = "", pending = ""] = form.exec(text) ?? [];
  if (status === "") return null;
  return {
    status,
    received: Usdc.fromMicro(BigInt(received)),
    pending: Usdc.fromMicro(BigInt(pending)),
  };
}
