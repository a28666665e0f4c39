import type { Address } from "../../domain/wallet/address.ts";
import type { HttpDeps } from "../../http/deps.ts";
import type { DeskFrame } from "../parts/frame.tsx";

/** What a node says of an address that money is to go to. */
export type Seen = {
  /** Why it cannot be taken. */
  fault: string | null;
  /** What somebody should know before they take it. */
  remark: string | null;
  /** Whether no node said anything. */
  isUnseen: boolean;
};

const remarks = { contract: "walletContract", unused: "walletUnused", unseen: "walletUnseen" } as const;

export async function lookAt(
  { treasury, config: { network } }: Pick<HttpDeps, "treasury" | "config">,
  { locale }: DeskFrame,
  address: Address,
): Promise<Seen> {
  const sight = (await treasury()?.lookAt(address)) ?? "unseen";
  const values = { network: network.label };
  if (sight === "blocked") return { fault: locale.say("walletBlocked"), remark: null, isUnseen: false };
  const remark = sight === "used" ? null : locale.say(remarks[sight], values);
  return { fault: null, remark, isUnseen: sight === "unseen" };
}

/** Whether the page that a form is of said what is known now: a node may say more by then. That none says anything is no news. */
export const wasTold = (form: URLSearchParams, { remark, isUnseen }: Seen): boolean =>
  remark === null || isUnseen || form.get("seen") === remark;
