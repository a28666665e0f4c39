import type { Locale, TextKey } from "../language/locale.ts";

/** The texts that only the script of a page needs, in the order in which the page brings them. */
export const clientKeys = [
  "connectedAgain",
  "payWith",
  "signWith",
  "cannotSign",
  "notHandedOver",
  "confirmInWallet",
  "sent",
  "noAccount",
  "unknownNetwork",
  "otherNetwork",
  "tooLittle",
  "declined",
  "unauthorized",
  "requestPending",
  "walletSilent",
  "walletFailed",
  "noFee",
  "reverted",
] as const satisfies readonly TextKey[];

export type ClientKey = (typeof clientKeys)[number];

/** For the script of a page: one text a line. */
export function clientTexts({ texts }: Locale): string {
  return clientKeys.map((key) => texts[key]).join("\n");
}
