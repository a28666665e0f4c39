import { Type } from "@sinclair/typebox";
import type { Link } from "../../domain/link/link.ts";
import { permissionFor, type Store } from "../../domain/party/store.ts";
import * as Usdc from "../../domain/usdc.ts";
import { endKey } from "../../invoicing/endpoints.ts";
import { RateUnavailable, Unpriceable } from "../../invoicing/price.ts";
import { speak } from "../../language/locale.ts";
import { memberText } from "../../lib/json-text.ts";
import { withoutEnd } from "../../lib/text/english.ts";
import { instant } from "../../lib/time.ts";
import { stored } from "../../store/group-commit.ts";
import * as AuditStore from "../../store/tables/desk/audit.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import { callerOf, doneBy, keyOf } from "../access/api-key.ts";
import type { HttpDeps } from "../route/deps.ts";
import type { Route } from "../route/route.ts";
import * as Answer from "./answers.ts";
import { call, missing, readFields, type StoreInput, storePath } from "./call.ts";
import { webhookRoutes } from "./webhooks.ts";

/**
 * BTCPay's Greenfield API as used by shops' plugins, on top of payment links. A key belongs to a store, and a plugin
 * has the permissions that it requested and the merchant granted.
 */

/** Responds about a link of the store. */
const ofInvoice =
  (answer: (deps: HttpDeps, link: Link, origin: LinkStore.OfStore, input: StoreInput<string>) => unknown) =>
  (deps: HttpDeps, store: Store, input: StoreInput<string>): unknown => {
    const link = LinkStore.bySlug(deps.db, input.params["invoiceId"] ?? "");
    const origin = link && LinkStore.ofStore(deps.db, link.deposit.index);
    if (!link || origin?.storeId !== store.id)
      return Answer.refusal(404, "invoice-not-found", "This store has no invoice of this id.");
    return answer(deps, link, origin, input);
  };

const StatusRequest = Type.Object({
  status: Type.Literal("Invalid", { wants: "Invalid: Settled is what the chain says" }),
});

const metadataBytesMax = 16_384;
const minutesDefault = 24 * 60;
const minutesMax = 365 * 24 * 60;

const number = Type.Number();
const textOrNumber = (charsMax: number, wants: string) =>
  Type.Union([Type.String({ maxLength: charsMax }), number], { wants });

const InvoiceRequest = Type.Object({
  amount: textOrNumber(40, "an amount, such as 20.50"),
  currency: Type.Optional(Type.String({ maxLength: 10, wants: "the code of a currency" })),
  metadata: Type.Optional(
    Type.Object(
      { orderId: Type.Optional(textOrNumber(metadataBytesMax, "the number of an order")) },
      { wants: "an object" },
    ),
  ),
  checkout: Type.Optional(
    Type.Object(
      {
        redirectURL: Type.Optional(Type.String({ wants: "a web address" })),
        expirationMinutes: Type.Optional(textOrNumber(20, `from 1 to ${minutesMax}`)),
      },
      { wants: "an object" },
    ),
  ),
});

/** Fields of a request for a link, by the Greenfield fields that they are read from. */
const pathOf: Record<string, string> = {
  amount: "amount",
  expected_amount: "amount",
  currency: "currency",
  rate: "currency",
  reference: "metadata.orderId",
  success_url: "checkout.redirectURL",
  expires_at: "checkout.expirationMinutes",
};

async function makeInvoice(deps: HttpDeps, store: Store, { body }: StoreInput<string>): Promise<unknown> {
  const read = readFields(InvoiceRequest, body);
  if (!read.ok) return read.answer;
  const { amount, currency: named, checkout = {}, metadata: about } = read.fields;
  const { orderId } = about ?? {};
  const metadata = about ? memberText(read.text, "metadata") : null;
  if (metadata !== null && Buffer.byteLength(metadata) > metadataBytesMax)
    return Answer.invalid([
      { path: "metadata", message: `It must be at most ${metadataBytesMax} bytes long.` },
    ]);
  const minutes = Number(checkout.expirationMinutes ?? minutesDefault);
  if (!(minutes >= 1 && minutes <= minutesMax))
    return Answer.invalid([
      { path: pathOf["expires_at"] ?? "", message: `It must be from 1 to ${minutesMax}.` },
    ]);
  const currency = named?.toUpperCase() ?? store.currency ?? "USDC";
  const price = decimals(amount);
  const input = {
    business_name: store.name,
    merchant_email: store.merchantEmail,
    wallet_type: store.wallet === null ? "managed" : "byo",
    ...(store.wallet === null ? {} : { wallet_address: store.wallet }),
    ...(currency === "USDC" ? { expected_amount: price } : { currency, amount: price }),
    ...(orderId === undefined || orderId === "" ? {} : { reference: String(orderId) }),
    ...(checkout.redirectURL ? { success_url: checkout.redirectURL } : {}),
    expires_at: instant(deps.now() + minutes * 60_000),
  };
  const origin = { storeId: store.id, metadata };
  const outcome = await deps.links.make(takeable(deps, input), { key: null, store: origin });
  if (outcome.ok && outcome.value.kind === "once")
    return Answer.invoiceAnswer(deps, outcome.value.link, origin);
  if (!outcome.ok) return Answer.saidOf(outcome.refusal, pathOf);
  throw new Error("A link of a store was not made");
}

/** Drops optional fields that Till cannot accept: the buyer at the checkout could not fix them. */
function takeable({ links }: HttpDeps, input: { reference?: string; success_url?: string }): object {
  const checked = links.check(input);
  if (checked.ok || checked.refusal.kind !== "invalid") return input;
  const faulty = checked.refusal.faults.map(({ field }) => field);
  const { reference, success_url, ...rest } = input;
  return {
    ...rest,
    ...(reference === undefined || faulty.includes("reference") ? {} : { reference }),
    ...(success_url === undefined || faulty.includes("success_url") ? {} : { success_url }),
  };
}

/** Maximum and default number of invoices per response: with their metadata they come to a megabyte. */
const pageMax = 50;

/** More than the rounding error of a sum of cents as a double. */
const noise = 1e-6;

/** Converts `"20"`, `20.5`, `"19.9900"` and cents summed as doubles to Till's amounts; leaves others unchanged. */
function decimals(amount: string | number): string {
  if (typeof amount === "number" && Math.abs(amount - Number(amount.toFixed(2))) < noise)
    return amount.toFixed(2);
  const text = String(amount);
  return text.includes(".") ? withoutEnd(withoutEnd(text, "0"), ".") : text;
}

/** True if an amount in the store's currency can be priced now. */
export async function hasRate({ price }: HttpDeps, { merchantEmail, currency }: Store): Promise<boolean> {
  if (currency === null) return true;
  try {
    await price({
      merchantEmail,
      billed: Usdc.fromMicro(100_000_000n),
      currency: { code: currency, rate: null },
    });
    return true;
  } catch (thrown) {
    if (thrown instanceof RateUnavailable || thrown instanceof Unpriceable) return false;
    throw thrown;
  }
}

const view = "btcpay.store.canviewstoresettings";

/** Where plugins would begin a refund; Till begins refunds at the desk. */
const refundPaths = ["pull-payments", "invoices/:invoiceId/refund"] as const;

export const greenfieldRoutes: readonly Route[] = [
  call({
    method: "get",
    path: "/api/v1/server/info",
    permission: null,
    does: ({ baseUrl }) => ({
      version: Answer.version,
      onion: null,
      supportedPaymentMethods: [Answer.paymentMethodId],
      fullySynched: true,
      syncStatus: [],
      host: new URL(baseUrl).host,
    }),
  }),
  call({
    method: "get",
    path: "/api/v1/api-keys/current",
    permission: null,
    does: ({ db }, store, { request }) => {
      const key = callerOf(request);
      const { name = "" } = ApiKeyStore.list(db).find(({ id }) => id === key?.id) ?? {};
      return {
        apiKey: keyOf(request),
        label: name,
        permissions: key?.permissions?.map((permission) => permissionFor(permission, store)) ?? [],
      };
    },
  }),
  call({
    method: "delete",
    path: "/api/v1/api-keys/current",
    permission: null,
    does: async ({ db, now }, _, { request }) => {
      const key = callerOf(request);
      if (key !== null)
        await stored(db, () => {
          if (endKey(db, key.id, now())) AuditStore.note(db, doneBy(request, "key.revoke", key.name, now()));
        });
      return Response.json({});
    },
  }),
  call({
    method: "get",
    path: "/api/v1/stores",
    permission: view,
    does: (_, store) => [Answer.storeAnswer(store)],
  }),
  call({ method: "get", path: storePath, permission: view, does: (_, store) => Answer.storeAnswer(store) }),
  call({
    method: "get",
    path: `${storePath}/payment-methods`,
    permission: view,
    does: async (deps, store) => [
      { paymentMethodId: Answer.paymentMethodId, enabled: await hasRate(deps, store), config: null },
    ],
  }),
  call({
    method: "post",
    path: `${storePath}/invoices`,
    permission: "btcpay.store.cancreateinvoice",
    does: makeInvoice,
  }),
  call({
    method: "get",
    path: `${storePath}/invoices`,
    permission: "btcpay.store.canviewinvoices",
    does: async (deps, store, { request }) => {
      const { searchParams } = new URL(request.url);
      const orders = new Set(searchParams.getAll("orderId"));
      if (orders.size > pageMax)
        return Answer.invalid([{ path: "orderId", message: `It must be given at most ${pageMax} times.` }]);
      const [skip, take = pageMax] = ["skip", "take"].map((name) => {
        const given = searchParams.get(name) ?? "";
        return /^\d{1,9}$/.test(given) ? Number(given) : undefined;
      });
      const found = LinkStore.listOfStore(deps.db, store.id, [...orders], {
        limit: Math.min(take, pageMax),
        skip: skip ?? 0,
      });
      const answers = found.map((link) => {
        const origin = LinkStore.ofStore(deps.db, link.deposit.index);
        return Answer.invoiceText(deps, link, origin ?? { storeId: store.id, metadata: null });
      });
      return Answer.json(`[${answers.join(",")}]`);
    },
  }),
  call({
    method: "get",
    path: `${storePath}/invoices/:invoiceId`,
    permission: "btcpay.store.canviewinvoices",
    does: ofInvoice(Answer.invoiceAnswer),
  }),
  call({
    method: "get",
    path: `${storePath}/invoices/:invoiceId/payment-methods`,
    permission: "btcpay.store.canviewinvoices",
    does: ofInvoice(Answer.methodsAnswer),
  }),
  call({
    method: "post",
    path: `${storePath}/invoices/:invoiceId/status`,
    permission: "btcpay.store.canmodifyinvoices",
    does: ofInvoice(async (deps, link, origin, { body }) => {
      const read = readFields(StatusRequest, body);
      if (!read.ok) return read.answer;
      const reason = speak(link.language ?? deps.config.language).say("orderChanged");
      const outcome = await deps.links.void({ kind: "once", link }, { reason }, { key: null });
      if (!outcome.ok) return Answer.saidOf(outcome.refusal, {});
      if (outcome.value.kind !== "once") throw new Error("A link of a store is paid once");
      return Answer.invoiceAnswer(deps, outcome.value.link, origin);
    }),
  }),
  ...refundPaths.map((path) =>
    call({
      method: "post",
      path: `${storePath}/${path}`,
      permission: null,
      does: () => missing("btcpay.store.cancreatenonapprovedpullpayments"),
    }),
  ),
  ...webhookRoutes,
];
