import { Elysia } from "elysia";
import { faceOf } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import { localeOf, seeOther } from "../../http/answer/html.ts";
import { formBody } from "../../http/route/body.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { TextKey } from "../../language/locale.ts";
import { whatOf } from "../../language/receivable.ts";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import { transactionHref } from "../../pages/text.ts";
import { hasClosed } from "../../store/reports/closed-page.ts";
import { receivableAt } from "../../store/reports/receivable.ts";
import type { StoredRefund } from "../../store/tables/invoicing/refund.ts";
import { formCard } from "./form-card.tsx";

/** Where a customer enters the address for a refund. The link is all that they need; it works once. */
export const refundPageRoute = "/refund/:token";

type Typed = { address: string; fault: TextKey | null; isCompared: boolean };

/**
 * The page of a customer's link. Opening it changes nothing, because programs that scan mails open it too. The address
 * is typed, then compared, then stored. Afterwards the page shows the refund's progress.
 */
export function refundPageRoutes(deps: HttpDeps) {
  const { db, config, refunds, now } = deps;
  const { network } = config;

  function show(request: Request, refund: StoredRefund | null, typed: Typed, status = 200): Response {
    const owner = refund && receivableAt(db, refund.depositIndex);
    const locale = localeOf(request, config.language, () => owner?.language ?? null);
    const { say } = locale;
    const page = (title: string, children: Child, code = status) =>
      formCard({ title, locale, brand: config.brand, children, status: code });
    const isOver =
      refund?.state === "requested" && refund.address === null && (refund.claimEndsAt ?? 0) < now();
    if (refund === null || owner === null || isOver)
      return page(
        say("refundLinkGone"),
        <>
          <h1>{say("refundLinkGone")}</h1>
          <p>{say("refundLinkGoneText")}</p>
        </>,
        404,
      );
    const merchant = faceOf(owner).seller;
    if (hasClosed(deps, refund.endedAt)) {
      const over = say(statusOf(refund).word, { merchant });
      return page(
        over,
        <>
          <h1>{over}</h1>
          <p>{say("pageClosedText", { merchant })}</p>
        </>,
        410,
      );
    }
    const what = whatOf(owner, locale);
    const amount = locale.usdc(Usdc.formatExact(refund.amount));
    const title = say("refundPageTitle", { merchant, amount });
    const head = (
      <>
        <p class="soft">
          <bdi>{merchant}</bdi>
        </p>
        <p class="refund-amount">{amount}</p>
        <p class="soft" dir="auto">
          {say("refundFor", { what })}
        </p>
        {refund.reason !== null && (
          <p class="prose" dir="auto">
            {refund.reason}
          </p>
        )}
      </>
    );
    if (refund.address !== null || refund.state !== "requested") {
      const { word, text } = statusOf(refund);
      const href = refund.txHash && transactionHref(network.explorer, refund.txHash);
      return page(
        say(word, { merchant }),
        <>
          {head}
          <h1>{say(word, { merchant })}</h1>
          {text !== null && <p>{say(text)}</p>}
          {refund.address !== null && refund.way !== "elsewhere" && <Address address={refund.address} />}
          {href !== null && (
            <p>
              <a href={href} rel="noreferrer">
                {say("transaction")}
              </a>
            </p>
          )}
        </>,
      );
    }
    const values = { network: network.label };
    if (typed.isCompared)
      return page(
        title,
        <>
          {head}
          <h1>{say("refundCompare")}</h1>
          <Address address={typed.address} />
          <p>{say("refundCompareText")}</p>
          <form method="post">
            <input type="hidden" name="address" value={typed.address} />
            <button class="button" type="submit" name="sure" value="1">
              {say("refundYes")}
            </button>
            <button class="button button-quiet" type="submit" name="change" value="1">
              {say("refundChange")}
            </button>
          </form>
        </>,
      );
    const fault = typed.fault && say(typed.fault as "refundFaultAddress");
    return page(
      fault === null ? title : `${fault} · ${title}`,
      <>
        {head}
        <h1>{say("refundWhere")}</h1>
        <form method="post">
          <label for="address">{say("refundAddress", values)}</label>
          <input
            id="address"
            name="address"
            value={typed.address}
            maxlength={100}
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            dir="ltr"
            required
            placeholder="0x…"
            {...(fault === null
              ? { "aria-describedby": "address-hint" }
              : {
                  "aria-describedby": "address-fault address-hint",
                  "aria-invalid": "true",
                  autofocus: true,
                })}
          />
          {fault !== null && (
            <p class="fault" id="address-fault" role="alert">
              {fault}
            </p>
          )}
          <p class="hint soft" id="address-hint">
            {say("refundAddressHint", values)}
          </p>
          <button class="button" type="submit">
            {say("refundGoOn")}
          </button>
        </form>
        <p class="soft">{say("refundAskSafe")}</p>
      </>,
    );
  }

  const empty: Typed = { address: "", fault: null, isCompared: false };
  return new Elysia()
    .get(refundPageRoute, ({ params: { token }, request }) => show(request, refunds.ofLink(token), empty))
    .post(
      refundPageRoute,
      async ({ params: { token }, request, body }) => {
        const refund = refunds.ofLink(token);
        if (refund === null) return show(request, null, empty);
        const form = body as URLSearchParams;
        const address = form.get("address") ?? "";
        if (form.has("change")) return show(request, refund, { ...empty, address });
        let read = refunds.readAddress(refund, address);
        // Some wallets show addresses without a checksum; it is compared on the next page anyway.
        if (!read.ok && read.why.code === "address_unchecked" && !form.has("sure"))
          read = refunds.readAddress(refund, String(read.why.values.expected));
        if (!read.ok) {
          const isOurs = read.why.code === "refund_own" || read.why.code === "refund_deposit";
          const fault = isOurs ? "refundFaultOurs" : "refundFaultAddress";
          return show(request, refund, { address, fault, isCompared: false }, 422);
        }
        if (!form.has("sure"))
          return show(request, refund, { address: read.value, fault: null, isCompared: true });
        // A link that was handed over at the desk does not prove who used it.
        const named = await refunds.nameAddress(refund, read.value, refund.isMailed ? "mail" : "link");
        if (!named.ok) return show(request, refunds.ofLink(token), empty, 409);
        return seeOther(`/refund/${token}`);
      },
      formBody,
    );
}

const Address = ({ address }: { address: string }) => (
  <p class="refund-address">
    <bdi dir="ltr" translate="no">
      <mark>{address.slice(0, 6)}</mark>
      {address.slice(6, -4)}
      <mark>{address.slice(-4)}</mark>
    </bdi>
  </p>
);

function statusOf({ state, way }: StoredRefund) {
  if (state === "cancelled") return { word: "refundCancelled", text: null } as const;
  if (state === "sent") return { word: "refundOnItsWay", text: null } as const;
  if (state !== "confirmed") return { word: "refundKnown", text: "refundKnownText" } as const;
  return way === "elsewhere"
    ? ({ word: "refundedTitle", text: "refundElsewhere" } as const)
    : ({ word: "refundArrived", text: null } as const);
}
