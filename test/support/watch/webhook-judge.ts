import { expectedSignature, type Received } from "../http/receiver.ts";
import { type Claim, cents, reportedStatus } from "./claim.ts";
import type { Ledger } from "./ledger.ts";

type Body = {
  invoice_id?: string;
  slug?: string;
  status: string;
  total_amount?: string;
  expected_amount?: string;
  received_amount?: string;
};

/** What was wrong with the webhooks that came, one sentence each. */
export function judgeWebhooks(
  received: readonly Received[],
  claims: readonly Claim[],
  ledger: Ledger,
): string[] {
  const faults = new Set<string>();
  const bytes = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const { headers, raw } of received) {
    const id = headers["webhook-id"] ?? "";
    const text = raw.toString();
    const body = JSON.parse(text) as Body;
    const claim = claims.find((candidate) => candidate.id === (body.invoice_id ?? body.slug));
    if (!claim) {
      faults.add(`webhook ${id} is for something that was never made: ${text}`);
      continue;
    }
    if ((bytes.get(id) ?? text) !== text) faults.add(`webhook ${id} came with other bytes`);
    bytes.set(id, text);
    const key = `${claim.path} ${body.status}`;
    if ((ids.get(key) ?? id) !== id) faults.add(`${key} was reported as ${ids.get(key)} and as ${id}`);
    ids.set(key, id);
    if (headers["x-service-signature"] !== expectedSignature(claim.webhookSecret, raw)) {
      faults.add(`webhook ${id} is not signed with the secret of ${claim.path}`);
    }
    const sums = [...ledger.everSummed(claim.to)].filter((sum) => reportedStatus(claim, sum) === body.status);
    const fits =
      body.received_amount === undefined || sums.some((sum) => cents(sum) === body.received_amount);
    if (sums.length === 0 || !fits || (body.total_amount ?? body.expected_amount) !== cents(claim.expected)) {
      faults.add(`${claim.path} was reported as ${text}, which no branch bears out`);
    }
  }
  return [...faults, ...missingWebhooks(received, claims, ledger)];
}

/** The reported statuses that Till was seen to tell, or has to be in now, and that no webhook came for. */
export function missingWebhooks(
  received: readonly Received[],
  claims: readonly Claim[],
  ledger: Ledger,
): string[] {
  const came = new Set(
    received.map(({ raw }) => {
      const body = JSON.parse(raw.toString()) as Body;
      return `${body.invoice_id ?? body.slug} ${body.status}`;
    }),
  );
  return claims.flatMap((claim) => {
    const final = claim.told.has("error") ? null : reportedStatus(claim, ledger.total(claim.to));
    return [...new Set([...claim.told, ...(final === null ? [] : [final])])]
      .filter((status) => !["draft", "sent", "pending", "error"].includes(status))
      .filter((status) => !came.has(`${claim.id} ${status}`))
      .map((status) => `${claim.path} was ${status} and no webhook says so`);
  });
}
