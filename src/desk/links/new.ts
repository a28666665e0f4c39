import * as Currency from "../../domain/bill/currency.ts";
import * as Tax from "../../domain/bill/tax.ts";
import * as Calendar from "../../domain/calendar.ts";
import { isKnownSeller } from "../../domain/party/party.ts";
import { may } from "../../domain/party/person.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import * as LinkList from "../../store/reports/desk/link-list.ts";
import * as PartyStore from "../../store/tables/invoicing/party.ts";
import type { FormFault } from "../parts/form/form.tsx";
import { formKey, newOnce } from "../parts/form/form-key.ts";
import { oncePage } from "../parts/page/once-page.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { ownWalletFault } from "../shop/profile.ts";
import { otherWallet, paidToday, profileOf, walletFields } from "../shop/profile-form.ts";
import { bodyOf } from "./body.ts";
import { linkHref } from "./detail-parts.tsx";
import { emptyForm, formFaults, linkForm, type TypedLink } from "./fields.ts";
import { linkFormPage } from "./form-page.tsx";

/** Maximum characters of each field in the preview's address. */
const previewedMax = 6_000;

/** The form of a new link: its defaults, and creating the link. */
export function newLink(deps: HttpDeps) {
  const { db, config, baseUrl } = deps;

  function begun(): TypedLink {
    const { name, email } = profileOf(db);
    return {
      ...emptyForm,
      currency: LinkList.newestCurrency(db, "desk") ?? "",
      business_name: name ?? "",
      merchant_email: email ?? "",
      ...walletFields(db),
    };
  }

  const mayHook = ({ who }: Visit) => may(who.role, "manage");

  function show(
    visit: Visit,
    typed: TypedLink,
    token: string,
    { faults = [], problem = null }: { faults?: readonly FormFault[]; problem?: string | null } = {},
  ): string {
    const { frame } = visit;
    const params = new URLSearchParams();
    for (const name of linkForm.names)
      if (typed[name] !== "") params.set(name, typed[name].slice(0, previewedMax));
    return linkFormPage({
      frame,
      typed,
      faults,
      problem,
      mayHook: mayHook(visit),
      once: token || newOnce(),
      otherWallet: otherWallet(db, typed),
      isSellerKnown: isKnownSeller(PartyStore.find(db, "merchant", typed.merchant_email)),
      previewHref: `/desk/links/preview?${params}`,
      standard: config.language,
      pageBeginning: `${new URL(baseUrl).host}/pay/`,
    });
  }

  return {
    typedOf: ({ query, frame }: Visit) => linkForm.read(query, frame.locale, begun()),

    /** `like` is the slug of a link to copy. */
    form(visit: Visit): string {
      const [other] = LinkList.bySlug(db, visit.query.get("like") ?? "");
      const like = other ? paidToday(db, typedLike(other, visit, config.timeZone)) : begun();
      return show(visit, linkForm.read(visit.query, visit.frame.locale, like), "");
    },

    async make(visit: Visit, form: URLSearchParams): Promise<FormOutcome> {
      const typed = linkForm.read(form, visit.frame.locale, begun());
      if (!mayHook(visit)) typed.webhook_url = "";
      const token = form.get("once") ?? "";
      if (form.get("as") === "preview") return show(visit, typed, token);
      const { locale } = visit.frame;
      const body = bodyOf(typed, { locale, timeZone: config.timeZone });
      const checked = deps.links.check(body);
      const walletFault = checked.ok && ownWalletFault(deps, visit, typed);
      if (walletFault) return show(visit, typed, token, { faults: [walletFault] });
      const made = await deps.links.make(body, { key: formKey(token, body) });
      if (!made.ok) {
        const { refusal } = made;
        const faults =
          refusal.kind === "invalid" ? formFaults(refusal.faults, typed.currency || "USDC", locale) : [];
        return show(visit, typed, token, {
          faults,
          problem: refusal.kind === "rate_unavailable" ? locale.say("noRate") : null,
        });
      }
      const { link, webhookSecret: secret } = made.value;
      const { slug } = link;
      const to = linkHref(slug);
      if (secret === null || made.isAgain) return { kind: "done", to, did: "didMakeLink", subject: slug };
      const html = oncePage({
        frame: visit.frame,
        place: "links",
        back: { href: to, label: locale.say("linkToLink") },
        title: locale.say("linkSecretTitle"),
        text: locale.say("linkSecretText"),
        secret,
      });
      return { kind: "shown", html, subject: slug };
    },
  };
}

const plainShare = (rate: number, { locale }: Visit["frame"]) =>
  Tax.plainShare(rate).replace(".", locale.decimalMark);

/** Returns another link's settings, without an expiry that has passed. */
function typedLike({ kind, link }: LinkList.ListedLink, { frame, now }: Visit, timeZone: string): TypedLink {
  const plain = (amount: Usdc.Billed) =>
    Currency.format(amount, link.currency?.code ?? "USDC").replace(".", frame.locale.decimalMark);
  const { expiresAt, walletType } = link;
  const price =
    kind === "again"
      ? link.price
      : ({ kind: "fixed", each: link.currency?.total ?? Usdc.asBilled(link.deposit.expected) } as const);
  // A price with several rates has no single tax.
  const rows = kind === "again" ? [link.tax] : (link.bill?.totals.rows ?? []);
  const tax = rows.length === 1 ? (rows[0] ?? null) : null;
  const wallet = kind === "once" ? link.deposit.payoutWallet : link.wallet;
  const most = kind === "again" && link.price.kind === "fixed" ? link.price.quantityMax : 1;
  return {
    ...emptyForm,
    product_description: link.productDescription ?? "",
    often: kind,
    price: price.kind,
    currency: link.currency?.code ?? "",
    ...(price.kind === "fixed"
      ? { expected_amount: plain(price.each), quantity_max: most > 1 ? String(most) : "" }
      : { amount_min: plain(price.min), amount_max: plain(price.max) }),
    tax_rate: tax?.category === "standard" ? plainShare(tax.rate, frame) : "",
    tax_category: tax && tax.category !== "standard" ? tax.category : "",
    tax_reason: tax?.reason ?? "",
    ...Object.fromEntries((link.collect?.fields ?? []).map((field) => [`collect_${field}`, "on"])),
    questions: link.collect?.questions.join("\n") ?? "",
    expires_on: expiresAt !== null && expiresAt > now ? Calendar.dayAt(expiresAt - 1, timeZone) : "",
    reference: link.reference ?? "",
    language: link.language ?? "",
    business_name: link.businessName,
    merchant_email: link.merchantEmail,
    wallet_type: walletType,
    wallet_address: walletType === "byo" ? (wallet ?? "") : "",
    success_url: link.successUrl ?? "",
    // Each link has its own webhook secret, so the URL is not copied.
    embed_origins: kind === "again" ? link.embedOrigins.join("\n") : "",
  };
}
