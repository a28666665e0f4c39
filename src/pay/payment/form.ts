import { Elysia } from "elysia";
import * as Currency from "../../domain/bill/currency.ts";
import * as Reusable from "../../domain/link/reusable-link.ts";
import * as Email from "../../domain/party/email.ts";
import type * as Usdc from "../../domain/usdc.ts";
import { seeOther } from "../../http/answer/html.ts";
import type { AppDeps } from "../../http/route/app-deps.ts";
import { formBody } from "../../http/route/body.ts";
import { noteReceiptAddress } from "../../invoicing/links/links.ts";
import { isFullOfUnpaid } from "../../invoicing/links/reusable-link.ts";
import type { Refusal } from "../../invoicing/outcome.ts";
import type { Locale } from "../../language/locale.ts";
import { isSlug, newSlug } from "../../lib/crypto.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import type { BeginPageProps } from "../begin-page.tsx";
import { beginPageOf } from "../begin-page.tsx";
import { checkoutPageRoute } from "../pages.ts";
import { linkNotFound, queryFor, visitOf } from "../visit.ts";

/** Input is cut off here; no valid value is longer than an email address. */
const typedLengthMax = 254;

/**
 * The form on a reusable link's page. A valid choice creates the link for one payment and redirects to it; resending
 * the form redirects there again. An invalid choice is shown again as typed, with its fault.
 */
export function paymentFormRoutes(deps: AppDeps) {
  const { db, now, config, limits, clientOf } = deps;
  const page = beginPageOf(deps);
  const isThere = (payment: string) => LinkStore.statusBySlug(db, payment) !== null;

  return new Elysia().post(
    checkoutPageRoute,
    async ({ params: { slug }, request, body }) => {
      const visit = visitOf(deps, request, slug);
      const { locale } = visit;
      const reusable = ReusableStore.bySlug(db, slug);
      if (!reusable) return linkNotFound(deps, visit);
      const { token, typed } = readForm(body as URLSearchParams);
      const back = (answer: RefusedForm) => page({ reusable, ...visit, answer: { token, typed, ...answer } });

      const chosen = Reusable.choose(reusable.price, typed, locale.decimalMark, Currency.codeOf(reusable));
      if (!chosen.ok) return back(fault(chosen.fault, reusable, locale));
      const email = config.mailReceipts ? emailIn(typed.email) : null;
      if (email === "invalid")
        return back({ ...refused, fault: { field: "email", sentence: locale.say("emailFault") } });
      const payment = Reusable.paymentSlug(reusable, token, chosen.choice);
      const isNew = !isThere(payment);
      if (isNew) {
        if (Reusable.status(reusable, now()) === "closed") return page({ reusable, ...visit });
        const priced = await deps.links.priceOf(reusable, chosen.choice.expected);
        if (!priced.ok) return back(unpriceable(priced.refusal, reusable, locale));
        // While the rate was fetched, the link may have been closed, and other payments begun.
        const current = ReusableStore.bySlug(db, slug) ?? reusable;
        const isClosed = () => Reusable.status(current, now()) === "closed";
        if (!isThere(payment) && !isClosed()) {
          const reached = limitReached(deps, current, request, locale);
          if (reached) return back(reached);
          const { quantity } = chosen.choice;
          await deps.links.begin({ reusable: current, slug: payment, quantity, priced: priced.value });
        }
        if (!isThere(payment)) return page({ reusable: ReusableStore.bySlug(db, slug) ?? current, ...visit });
      }
      // For a new payment, the limit of payments covers its mail address too.
      if (email !== null && (isNew || limits.take("RECEIPTS", clientOf(request)) === null)) {
        await noteReceiptAddress(db, { slug: payment, email: email.address, now: now() });
        deps.onMailDue();
      }
      return seeOther(`/pay/${payment}${queryFor(visit)}`);
    },
    formBody,
  );
}

function readForm(form: URLSearchParams): Pick<BeginPageProps, "token" | "typed"> {
  const text = (name: string) => (form.get(name) ?? "").slice(0, typedLengthMax);
  const token = text("token");
  // Without a choice of quantity, the form has no such field.
  const quantity = form.has("quantity") ? text("quantity") : "1";
  return {
    token: isSlug(token) ? token : newSlug(),
    typed: { quantity, amount: text("amount"), email: text("email") },
  };
}

/** Returns null if empty. */
function emailIn(typed: string): { address: string } | "invalid" | null {
  if (typed.trim() === "") return null;
  const parsed = Email.parse(typed.trim());
  return parsed.ok ? { address: parsed.email } : "invalid";
}

type RefusedForm = Pick<BeginPageProps, "fault" | "notice"> & {
  status: 422 | 429 | 503;
  headers: Record<string, string>;
};

const refused = { fault: null, notice: null, status: 422, headers: {} } as const;
const noRate = { status: 503, headers: { "retry-after": "60" } } as const;

/** Returns the refusal for a choice that has no price in USDC. */
function unpriceable(refusal: Refusal, reusable: Reusable.ReusableLink, locale: Locale): RefusedForm {
  const [first] = refusal.kind === "invalid" ? refusal.faults : [];
  if (first?.code === "quoted_high") return fault("amountTooSmall", reusable, locale);
  if (first?.code === "quoted_low") return fault("amountTooLarge", reusable, locale);
  return { ...refused, ...noRate, notice: locale.say("noRateNow") };
}

function fault(
  kind: Reusable.ChoiceFault,
  { price, currency }: Reusable.ReusableLink,
  locale: Locale,
): RefusedForm {
  const figure = (amount: Usdc.Billed) => locale.figure(Currency.formatOf({ currency }, amount));
  const code = Currency.codeOf({ currency });
  const inUnit = (text: string) => text.replace("USDC", code);
  const sentence = () => {
    if (price.kind === "fixed") return locale.say("quantityFault", { max: price.quantityMax });
    if (kind === "amountTooSmall") return inUnit(locale.say("amountTooSmall", { min: figure(price.min) }));
    if (kind === "amountTooLarge") return inUnit(locale.say("amountTooLarge", { max: figure(price.max) }));
    // 12.50, or 1250 in a currency without decimals.
    const example = Currency.format(1_250n * Currency.minorOf(code), code);
    return locale.say("amountForm", { example: example.replace(".", locale.decimalMark) });
  };
  const field = price.kind === "fixed" ? "quantity" : "amount";
  return { ...refused, fault: { field, sentence: sentence() } };
}

/** Takes one of the payments this visitor may begin; otherwise returns why not and when to retry. */
function limitReached(
  { config, db, now, limits, clientOf }: AppDeps,
  reusable: Reusable.ReusableLink,
  request: Request,
  locale: Locale,
): RefusedForm | null {
  const busy = { ...refused, status: 429 } as const;
  const isFull = isFullOfUnpaid(db, config, reusable.id, now());
  const reached = limits.takePayment(clientOf(request), isFull ? reusable.slug : null);
  if (reached === null) return null;
  const seconds = Math.ceil(reached.waitMs / 1000);
  const minutes = Math.ceil(seconds / 60);
  const notice = reached.name === "UNPAID" ? locale.say("linkBusy") : locale.say("tooManyBegun", { minutes });
  return { ...busy, notice, headers: { "retry-after": String(seconds) } };
}
