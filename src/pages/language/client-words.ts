import type { MessageKey } from "./en.ts";
import type { Reader } from "./reader.ts";

/** The texts that only the script needs. */
export const clientKeys = [
  "connectedAgain",
  "payWith",
  "confirmInWallet",
  "sent",
  "noAccount",
  "unknownNetwork",
  "otherNetwork",
  "tooLittle",
  "declined",
  "unauthorized",
  "requestPending",
  "walletFailed",
  "noFee",
  "reverted",
] as const satisfies readonly MessageKey[];

export type ClientKey = (typeof clientKeys)[number];

/** For the script, as JSON. */
export function clientWords({ language }: Reader): string {
  return JSON.stringify(Object.fromEntries(clientKeys.map((key) => [key, language.messages[key]])));
}
