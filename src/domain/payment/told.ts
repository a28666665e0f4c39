import * as Usdc from "../usdc.ts";
import type { Deposit } from "./deposit.ts";

/** What a page that waits is told of an invoice or a link, and of its deposit. */
export type Told = { status: string } & Pick<Deposit, "received" | "pending">;

/** In one line, which is another one as soon as money comes or counts. */
export const line = ({ status, received, pending }: Told): string => `${status} ${received} ${pending}`;

/** Such a line, and nothing else, such as a proxy's login page. */
export const form = /^([a-z]+) (\d+) (\d+)$/;

/** Reads such a line; null for anything else. */
export function parse(text: string): Told | null {
  const [, status = "", received = "", pending = ""] = form.exec(text) ?? [];
  if (status === "") return null;
  return {
    status,
    received: Usdc.fromMicro(BigInt(received)),
    pending: Usdc.fromMicro(BigInt(pending)),
  };
}
