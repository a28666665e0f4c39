import type { Static } from "@sinclair/typebox";
import * as Crossing from "../../domain/payment/crossing.ts";
import * as Usdc from "../../domain/usdc.ts";
import { otherChain } from "../../domain/wallet/elsewhere.ts";
import { type NetworkName, transactionUrl } from "../../domain/wallet/network.ts";
import type { HistoryCrossing } from "../../store/reports/timeline.ts";
import type { TimelineEntry } from "../fields/event-schemas.ts";

type Entry = Omit<Static<typeof TimelineEntry>, "at"> & { at: number };

/** None of it is a payment: what arrives is a transfer, which other entries report. */
export function crossingEntries(crossing: HistoryCrossing, home: NetworkName): Entry[] {
  const { chainId, txHash, amount, state, createdAt, attestedAt, endedAt } = crossing;
  const chain = otherChain(home, chainId);
  const network = chain?.label ?? String(chainId);
  const url = transactionUrl(chain?.explorer ?? null, txHash);
  const data = { network, chain_id: chainId, tx_hash: txHash, explorer_url: url };
  const told = `The payer says that they sent USDC from ${network}: it is not confirmed.`;
  const entries: Entry[] = [{ at: createdAt, type: "crossing_told", summary: told, data }];
  if (amount !== null && attestedAt !== null && !Crossing.isSeenMinted(crossing))
    entries.push({
      at: attestedAt,
      type: "crossing_attested",
      summary: `${Usdc.formatExact(amount)} USDC from ${network} is on its way: Circle confirmed it.`,
      data: { ...data, amount: Usdc.formatExact(amount) },
    });
  if (state === "unknown" && endedAt !== null)
    entries.push({
      at: endedAt,
      type: "crossing_unknown",
      summary:
        amount === null
          ? `Nothing was found of the USDC that the payer says they sent from ${network}.`
          : `${Usdc.formatExact(amount)} USDC from ${network} was never delivered: it is no longer expected.`,
      data: amount === null ? data : { ...data, amount: Usdc.formatExact(amount) },
    });
  return entries;
}
