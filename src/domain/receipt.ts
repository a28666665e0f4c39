import type { Closed } from "./invoice.ts";
import * as Outcome from "./outcome.ts";

/** Whether money has paid all of it, and not only the merchant's word: then the payer is owed a receipt. */
export function isEarned({ deposit, voidedAt, markedPaidAt }: Closed & { deposit: Outcome.Facts }): boolean {
  return voidedAt === null && markedPaidAt === null && Outcome.isAll(deposit);
}

/** An address as strangers with the same link may see it: `j•••@example.com`. Who wrote it knows it again. */
export function masked(email: string): string {
  const at = email.lastIndexOf("@");
  return `${at > 1 ? email.slice(0, 1) : ""}•••${email.slice(at)}`;
}
