import * as Currency from "../../domain/bill/currency.ts";
import { checkoutUrl, type Link } from "../../domain/link/link.ts";
import { shopStatus } from "../../domain/link/shop-status.ts";
import type * as StoreDomain from "../../domain/party/store.ts";
import * as Outcome from "../../domain/payment/outcome.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Refusal } from "../../invoicing/outcome.ts";
import { RateUnavailable } from "../../invoicing/price.ts";
import { sayFault } from "../../language/faults.ts";
import type * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as DepositTransferStore from "../../store/tables/watch/deposit-transfer.ts";
import { type ProblemBody, type ProblemCode, refusalText } from "../problem/problem.ts";
import type { HttpDeps } from "../route/deps.ts";

/** Till's responses in the terms of the Greenfield API. Amounts are decimal strings, times Unix seconds. */

type Store = StoreDomain.Store;

/** The only payment method; plugins also write it with an underscore. */
export const paymentMethodId = "USDC-BASE";

/** The first version with everything that plugins look for. */
export const version = "2.1.0";

const seconds = (ms: number) => Math.floor(ms / 1_000);

/** Later money counts, too; there is no time after which it would not. */
const watchedMs = 30 * 86_400_000;

/** Reported lifetime of a link that never expires. */
const ageMs = 10 * 365 * 86_400_000;

/** Codes that plugins compare with; the others are Till's own. */
const codes: Partial<Record<ProblemCode, string>> = {
  key_required: "unauthenticated",
  key_scope: "missing-permission",
};

/** Translates refusals and errors from outside the route for plugins. */
export async function translated(answered: Response): Promise<Response> {
  if (answered.headers.get("content-type") !== "application/problem+json") return answered;
  const { code, detail: message } = (await answered.json()) as ProblemBody;
  const { status, headers } = answered;
  headers.set("content-type", "application/json");
  const body = JSON.stringify({ code: codes[code] ?? code.replaceAll("_", "-"), message });
  return new Response(body, { status, headers });
}

export function refusal(status: 401 | 403 | 404 | 409 | 503, code: string, message: string): Response {
  return Response.json({ code, message }, { status });
}

export const invalid = (faults: readonly { path: string; message: string }[]): Response =>
  Response.json(faults, { status: 422 });

/** Words the refusal of a use case, with fields by the names that the plugin knows. */
export function saidOf(refused: Refusal, names: Readonly<Record<string, string>>): Response {
  if (refused.kind === "invalid")
    return invalid(
      refused.faults.map(sayFault).map(({ field, message }) => ({ path: names[field] ?? field, message })),
    );
  if (refused.kind === "rate_unavailable")
    return refusal(503, "rate-unavailable", new RateUnavailable(refused.code).message);
  // Plugins never send mails.
  if (refused.kind === "too_many_mails") throw new Error("A plugin had a mail sent");
  const [code, message] = refusalText(refused);
  return refusal(409, code.replaceAll("_", "-"), message);
}

export const storeAnswer = ({ id, name, currency }: Store) => ({
  id,
  name,
  defaultCurrency: currency ?? "USDC",
  defaultPaymentMethod: paymentMethodId,
  archived: false,
});

/** Returns a link's price, in its currency. */
const priceOf = ({ currency, deposit }: Link) =>
  currency?.total ?? Usdc.fromMicro<Usdc.Billed>(deposit.expected);

/** Converts an amount of USDC to the link's currency; the whole amount is exactly the price. */
function inCurrency({ currency, deposit }: Link, amount: Usdc.Usdc): Usdc.Billed {
  if (currency === null) return Usdc.fromMicro(amount);
  return amount === deposit.expected
    ? currency.total
    : Currency.fromUsdc(amount, currency.rate, currency.code);
}

export const json = (text: string): Response =>
  new Response(text, { headers: { "content-type": "application/json", "cache-control": "no-store" } });

export const invoiceAnswer = (...invoice: Parameters<typeof invoiceText>): Response =>
  json(invoiceText(...invoice));

/** The JSON of an invoice in the Greenfield API: a link with the plugin's metadata for its order, byte for byte. */
export function invoiceText(
  { db, baseUrl, now }: Pick<HttpDeps, "db" | "baseUrl" | "now">,
  link: Link,
  { storeId, metadata }: LinkStore.OfStore,
): string {
  const { deposit } = link;
  const expiresAt = link.expiresAt ?? link.createdAt + ageMs;
  const monitoring = seconds(expiresAt + watchedMs);
  const status = shopStatus({
    ...link,
    completedAt: completedAt(db, link),
    hasMoney: Usdc.shows(Usdc.sum([deposit.received, deposit.pending])),
    now: now(),
  });
  const answer = {
    id: link.slug,
    storeId,
    amount: Currency.formatOf(link, priceOf(link)),
    paidAmount: Currency.formatOf(link, inCurrency(link, deposit.received)),
    currency: Currency.codeOf(link),
    type: "Standard",
    checkoutLink: checkoutUrl(baseUrl, link.slug),
    createdTime: seconds(link.createdAt),
    expirationTime: seconds(expiresAt),
    monitoringExpiration: monitoring,
    monitoringTime: monitoring,
    ...status,
    availableStatusesForManualMarking:
      (status.status === "New" || status.status === "Expired") && !Usdc.shows(deposit.received)
        ? ["Invalid"]
        : [],
    archived: false,
    checkout: {
      paymentMethods: [paymentMethodId],
      defaultPaymentMethod: paymentMethodId,
      expirationMinutes: Math.round((expiresAt - link.createdAt) / 60_000),
      redirectURL: link.successUrl,
      redirectAutomatically: false,
    },
  };
  return `${JSON.stringify(answer).slice(0, -1)},"metadata":${metadata ?? "{}"}}`;
}

/** Returns when the whole amount had arrived, in any block; once it is paid, by the confirmed transfers alone. */
const completedAt = (db: HttpDeps["db"], { status, deposit }: Link) =>
  DepositTransferStore.paidAt(db, deposit, { confirmedOnly: status === "confirmed" || status === "excess" });

/** Maximum payments listed. */
const paymentsMax = 100;

/** How a link can be paid, and its payments. Amounts are USDC; the rate is the price of 1 USDC in its currency. */
export function methodsAnswer({ db }: HttpDeps, link: Link) {
  const { deposit } = link;
  const { transfers } = DepositTransferStore.listLargest(db, deposit.index, { limit: paymentsMax });
  const paid = Usdc.formatExact(deposit.received);
  return [
    {
      paymentMethodId,
      paymentMethod: paymentMethodId,
      cryptoCode: "USDC",
      currency: "USDC",
      activated: true,
      destination: deposit.address,
      paymentLink: null,
      rate: link.currency?.rate ?? "1",
      paymentMethodPaid: paid,
      totalPaid: paid,
      due: Usdc.formatExact(Outcome.remaining(deposit)),
      amount: Usdc.formatExact(deposit.expected),
      networkFee: "0",
      paymentMethodFee: "0",
      payments: transfers.map((transfer) => ({
        id: transfer.txHash,
        receivedDate: seconds(transfer.madeAt),
        value: Usdc.formatExact(transfer.amount),
        fee: "0",
        status: transfer.confirmed ? "Settled" : "Processing",
        destination: deposit.address,
      })),
    },
  ];
}
