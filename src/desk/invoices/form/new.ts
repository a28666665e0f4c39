import { qrImage } from "../../../document/qr.ts";
import * as Invoice from "../../../domain/bill/invoice.ts";
import * as Calendar from "../../../domain/calendar.ts";
import * as Party from "../../../domain/party/party.ts";
import type { HttpDeps } from "../../../http/route/deps.ts";
import type { Refusal } from "../../../invoicing/outcome.ts";
import type { Locale } from "../../../language/locale.ts";
import { sumRows } from "../../../language/sums.ts";
import * as DraftStore from "../../../store/tables/desk/draft.ts";
import * as CustomerStore from "../../../store/tables/invoicing/customer.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import * as PartyStore from "../../../store/tables/invoicing/party.ts";
import * as MailStore from "../../../store/tables/outbox/mail.ts";
import type { FormFault } from "../../parts/form/form.tsx";
import { keyOf, newKey } from "../../parts/form/form-key.ts";
import type { FormOutcome, Visit } from "../../parts/page/visit.ts";
import { invoiceHref } from "../../parts/place.ts";
import { ownWalletFault } from "../../shop/profile.ts";
import { otherWallet, profileOf, sellerOf, walletFields } from "../../shop/profile-form.ts";
import { datesHref } from "../recurring/parts.ts";
import { billOf, bodyOf, inUsdcOf } from "./body.ts";
import { draftOf, drop, isGone, outdated, requestKey, seenIn } from "./drafts.ts";
import { formFaults } from "./form-faults.ts";
import { invoiceFormPage } from "./form-page.tsx";
import { copyOf, typedLike } from "./like.ts";
import { billWalletFault, typedFrom, withSeller } from "./template.ts";
import {
  emptyForm,
  formPath,
  hasTerms,
  isTyped,
  type KeptForm,
  keptForm,
  nextLine,
  readTyped,
  savedForm,
  type TypedInvoice,
} from "./typed.ts";

/** Customers offered before anything is typed. */
const knownMax = 50;

type Shown = KeptForm & {
  draft: DraftStore.Draft | null;
  faults?: FormFault[];
  problem?: string;
  /** True to show discounts and taxes. */
  asksTerms?: boolean;
  /** What the draft held when the form was first shown, unless that is what it holds now. */
  seen?: string | null;
};

function problemText({ kind }: Refusal) {
  if (kind === "key_used") return "sentBefore";
  return kind === "rate_unavailable" ? "noRate" : "notMade";
}

/** The form of a new invoice: its defaults, its preview, and creating the invoice. */
export function newInvoice(deps: HttpDeps) {
  const { db, baseUrl, config } = deps;

  async function show(
    { frame }: Visit,
    { typed, key, repeat, draft, faults = [], problem, asksTerms = false, seen }: Shown,
  ): Promise<string> {
    const mark = frame.locale.decimalMark;
    const bill = billOf(typed, mark);
    const { totals, discount } = bill;
    const isPlain = discount === null && totals.rows.length === 0;
    const summed = {
      discount,
      pricesIncludeTax: typed.prices_include_tax,
      totals: isPlain ? null : totals,
      merchantDetails: PartyStore.find(db, "merchant", typed.merchant_email)?.details ?? null,
      currency: typed.currency === "" ? null : { code: typed.currency },
    };
    const checked = deps.invoices.check(bodyOf(typed, mark, { sendNow: false }).body);
    const { rows: customers } = CustomerStore.list(db, { limit: knownMax, order: "billed" });
    return invoiceFormPage({
      frame,
      typed,
      key,
      repeat,
      draft,
      seen: seen ?? (draft && seenIn(draft)),
      faults,
      problem: problem ?? null,
      bill,
      inUsdc: await inUsdcOf(deps, typed, totals.total, frame.locale),
      sums: sumRows(summed, frame.locale),
      otherWallet: otherWallet(db, typed),
      warnings: checked.ok && repeat === "" ? deps.invoices.warn(checked.request) : [],
      hasTerms: asksTerms || hasTerms(typed),
      customers,
      hasMail: config.smtpUrl !== null,
      pageBeginning: `${new URL(baseUrl).host}/i/`,
      exampleQr: qrImage(baseUrl),
    });
  }

  /** Shows the draft as somebody changed it meanwhile; once it is gone, what is in the form, as a new one. */
  function showOutdated(visit: Visit, shown: Shown, became: "gone" | "changed"): Promise<string> {
    const { locale } = visit.frame;
    const { draft } = shown;
    if (became === "gone" || draft === null)
      return show(visit, { ...shown, key: newKey(), problem: locale.say("draftGone") });
    const kept = withSeller(db, keptForm(draft, locale), visit);
    return show(visit, { ...kept, draft, problem: locale.say("refundChanged") });
  }

  /** Returns a new form's defaults: those of the shop, and the taxes of its newest invoice. */
  function beginning(visit: Visit): TypedInvoice {
    const mark = visit.frame.locale.decimalMark;
    const profile = profileOf(db);
    const seller = sellerOf(db, visit.frame.locale);
    const { merchant_email } = seller;
    const newest = InvoiceStore.newestOf(db, merchant_email);
    const last = newest && typedLike(newest, mark);
    const due_date = Calendar.dayOf(Calendar.dayNumber(visit.frame.when.today) + profile.dueDays);
    return {
      ...emptyForm,
      due_date,
      notes: profile.notes ?? "",
      ...seller,
      ...walletFields(db),
      payment_terms: savedOf("merchant", merchant_email).paymentTerms ?? "",
      ...taxOf(last),
    };
  }

  /** Returns an invoice's taxes, for a new one. */
  const taxOf = (last: TypedInvoice | null) => ({
    prices_include_tax: last?.prices_include_tax ?? false,
    currency: last?.currency ?? "",
    lines: [nextLine(last?.lines.at(0))],
  });

  /** Returns the saved details of a merchant or a customer. */
  const savedOf = (role: Party.PartyRole, email: string) =>
    (email === "" ? null : PartyStore.find(db, role, email)) ?? Party.nothingSaved;

  /** Returns the form's purpose, from the page's address or the form itself. */
  function repeatOf(fields: URLSearchParams): string {
    const repeat = fields.get("repeat") ?? "";
    return repeat === "new" || deps.recurring.find(repeat) !== null ? repeat : "";
  }

  /** Returns the defaults, filled in from the series, the invoice to copy or the customer in the page's address. */
  function begun(visit: Visit): TypedInvoice {
    const series = deps.recurring.find(visit.query.get("repeat") ?? "");
    if (series !== null) return typedFrom(series.invoice, visit.frame.locale);
    const from = beginning(visit);
    const like = visit.query.get("like");
    const copied = like === null ? null : deps.invoices.find(like);
    if (copied !== null)
      return { ...copyOf(db, copied, visit.frame.locale.decimalMark), due_date: from.due_date };
    const customer = CustomerStore.byId(db, Number(visit.query.get("customer") ?? 0) || 0);
    const last = customer && InvoiceStore.bySequence(db, customer.lastSequence);
    if (last === null) return from;
    const typed = typedLike(last, visit.frame.locale.decimalMark);
    const { vendor_name, vendor_email, vendor_address } = typed;
    const vendor_details = savedOf("vendor", vendor_email).details ?? {};
    const vendor = { vendor_name, vendor_email, vendor_address, vendor_details };
    const isTheirs = typed.merchant_email.toLowerCase() === from.merchant_email.toLowerCase();
    return { ...from, ...(isTheirs ? taxOf(typed) : {}), ...vendor };
  }

  /** The draft's customer, for the audit. */
  const subject = ({ typed }: Pick<Shown, "typed">) =>
    typed.vendor_name === "" ? {} : { subject: typed.vendor_name };

  function save(visit: Visit, { draft, ...kept }: Shown, path = formPath): FormOutcome {
    const form = savedForm(kept, visit.frame.locale.decimalMark);
    const isKept = draft !== null && DraftStore.update(db, draft.id, form, visit.now);
    const id = draft !== null && isKept ? draft.id : DraftStore.insert(db, form, visit.now);
    const did = path === formPath ? { did: "didSaveDraft" as const } : {};
    return { kind: "done", to: `${path}?draft=${id}`, ...did, action: "draft.save", ...subject(kept) };
  }

  type Sent = ReturnType<typeof bodyOf>;

  /** Lists all faults of a form; `walletFault` is one that only the desk finds. */
  function faultsOf({ body, lineOf }: Sent, walletFault: FormFault | null, locale: Locale): FormFault[] {
    const checked = deps.invoices.check(body);
    const more = checked.ok || checked.refusal.kind !== "invalid" ? [] : checked.refusal.faults;
    const faults = formFaults(more, lineOf, locale).filter(({ field }) => field !== walletFault?.field);
    return walletFault === null ? faults : [...faults, walletFault];
  }

  /** Saves a valid bill as a draft, and continues to its dates. */
  async function goOn(visit: Visit, shown: Shown): Promise<FormOutcome> {
    const { locale, when } = visit.frame;
    // Each is due a number of days after it is created, which the form of the dates asks for.
    const typed = { ...shown.typed, due_date: when.today };
    const sent = bodyOf(typed, locale.decimalMark, { sendNow: false });
    const faults = faultsOf(sent, billWalletFault(deps, visit, shown), locale);
    if (faults.length > 0) return await show(visit, { ...shown, faults });
    return save(visit, shown, datesHref(shown.repeat));
  }

  /** Saves the typed customer details of an invoice for future invoices. */
  function rememberCustomer({ vendorEmail, vendorDetails }: Invoice.Invoice, now: number): void {
    PartyStore.save(
      db,
      "vendor",
      vendorEmail,
      { ...savedOf("vendor", vendorEmail), details: vendorDetails },
      now,
    );
  }

  async function make(visit: Visit, shown: Shown, sendNow: boolean): Promise<FormOutcome> {
    const { locale } = visit.frame;
    const walletFault = ownWalletFault(deps, visit, shown.typed);
    const sent = bodyOf(shown.typed, locale.decimalMark, { sendNow });
    const { body, lineOf } = sent;
    if (walletFault) return await show(visit, { ...shown, faults: faultsOf(sent, walletFault, locale) });
    const made = await deps.invoices.make(body, {
      key: requestKey(shown),
      keep(invoice) {
        if (isTyped(shown.typed.vendor_details)) rememberCustomer(invoice, visit.now);
        drop(db, shown);
      },
    });
    if (made.ok) {
      const { number, sentAt, deposit } = made.value.invoice;
      if (made.isAgain) drop(db, shown);
      const unmailed = MailStore.mayArrive(db, deposit.index) ? "didMakeUncertain" : "didMakeUnmailed";
      const mailed = sentAt === null ? unmailed : "didSendInvoice";
      const did = sendNow ? mailed : "didMakeInvoice";
      return { kind: "done", to: invoiceHref(number), did, subject: number };
    }
    const { refusal } = made;
    if (refusal.kind === "invalid") {
      const faults = formFaults(refusal.faults, lineOf, locale);
      return await show(visit, { ...shown, faults });
    }
    const problem = locale.say(problemText(refusal));
    // The draft, if it is still there, has the used key.
    const anew = refusal.kind === "key_used" ? { key: newKey(), draft: null } : {};
    return await show(visit, { ...shown, ...anew, problem });
  }

  return {
    page(visit: Visit): Promise<string> {
      const draft = DraftStore.find(db, visit.query.get("draft"));
      const repeat = repeatOf(visit.query);
      const typed = () => ({ ...begun(visit), ...(repeat !== "" && { due_date: "" }) });
      const form =
        draft === null ? { typed: typed(), key: newKey(), repeat } : keptForm(draft, visit.frame.locale);
      return show(visit, { ...withSeller(db, form, visit), draft });
    },

    /** Adds or removes a line, and totals the form. */
    edit(visit: Visit, form: URLSearchParams): Promise<string> {
      const { lines, ...typed } = readTyped(form, visit.frame.locale);
      const removed = form.get("remove");
      const left = removed === null ? lines : lines.filter((_, i) => String(i) !== removed);
      const isLonger = form.has("add") && left.length < Invoice.lineItemsMax;
      const more = nextLine(left.at(-1));
      const changed = { ...typed, lines: isLonger || left.length === 0 ? [...left, more] : left };
      const asksTerms = form.has("terms");
      const kept = { typed: changed, key: keyOf(form), repeat: repeatOf(form) };
      const draft = draftOf(db, visit, form);
      const problem = isGone({ draft }, form) ? { problem: visit.frame.locale.say("draftGone") } : {};
      return show(visit, { ...kept, draft, asksTerms, seen: form.get("seen"), ...problem });
    },

    act(visit: Visit, form: URLSearchParams): FormOutcome | Promise<FormOutcome> {
      const asksTerms = form.has("terms");
      const sent = { typed: readTyped(form, visit.frame.locale), key: keyOf(form), repeat: repeatOf(form) };
      const shown: Shown = { ...withSeller(db, sent, visit), draft: draftOf(db, visit, form), asksTerms };
      const became = outdated(db, visit, form, shown);
      if (became !== null) return showOutdated(visit, shown, became);
      const as = form.get("as");
      if (as === "repeat") return goOn(visit, { ...shown, repeat: shown.repeat || "new" });
      if (as === "draft") return save(visit, shown);
      if (as === "drop") {
        drop(db, shown);
        return {
          kind: "done",
          to: "/desk/invoices?kind=drafts",
          did: "didDropDraft",
          action: "draft.drop",
          ...subject(shown),
        };
      }
      return make(visit, shown, as === "send");
    },
  };
}
