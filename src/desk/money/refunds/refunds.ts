import { refundColumns } from "../../../books/refunds.ts";
import { qrImage } from "../../../document/qr.ts";
import { may } from "../../../domain/party/person.ts";
import * as Refund from "../../../domain/payment/refund.ts";
import * as Standing from "../../../domain/payment/standing.ts";
import { faces } from "../../../domain/receivable/faces.ts";
import { faceOf, ofInvoice, ofLink, type Receivable } from "../../../domain/receivable/receivable.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { paymentUri } from "../../../domain/wallet/deposit-address.ts";
import { csvRowsAtOnce } from "../../../http/answer/csv.ts";
import { refundPdf } from "../../../http/money/refunds.ts";
import type { HttpDeps } from "../../../http/route/deps.ts";
import type { Outcome, Refusal } from "../../../invoicing/outcome.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import { receivableAt } from "../../../store/reports/receivable.ts";
import * as LinkStore from "../../../store/tables/invoicing/link.ts";
import * as RefundStore from "../../../store/tables/invoicing/refund.ts";
import { csvAnswer } from "../../csv.ts";
import type { Gate } from "../../gate.ts";
import { doneAt, pagesOfOne } from "../../one.ts";
import { type FormFault, typedText } from "../../parts/form/form.tsx";
import { keyOf, newKey } from "../../parts/form/form-key.ts";
import type { DoneText } from "../../parts/page/desk-frame.ts";
import { oncePage } from "../../parts/page/once-page.tsx";
import type { FormOutcome, Visit } from "../../parts/page/visit.ts";
import { refundListPage } from "./list-page.tsx";
import { noteForm, refundForm, refundFormPage, type TypedRefund } from "./new-page.tsx";
import { refundPage } from "./one-page.tsx";
import { listPath, refundHref, shortNameOf } from "./parts.ts";

type Stored = RefundStore.StoredRefund;

const one = `${listPath}/:id`;
const rowsMax = 50;

/** The fields of the request that say how the money goes back. */
function wayOf({ how, address }: TypedRefund) {
  if (how === "mail") return { ask: true };
  if (how === "elsewhere") return { elsewhere: true };
  return how === "address" ? { address } : {};
}

/** Amounts owed to customers, and refunding them. */
export function refundDeskRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, refunds, config, invoices } = deps;
  const { network } = config;
  const { page, action, confirmed } = pagesOfOne(gate, ({ params }) => refunds.find(params["id"] ?? ""));

  /** Returns the subject of a form; null if there is none. */
  function ownerIn(from: URLSearchParams): Receivable | null {
    const invoice = invoices.find(from.get("invoice") ?? "");
    if (invoice) return ofInvoice(invoice);
    const link = LinkStore.bySlug(db, from.get("link") ?? "");
    return link && ofLink(link);
  }

  gate.page(listPath, "read", ({ frame, query }) => {
    const before = refunds.find(query.get("before") ?? "");
    const { rows, next } = RefundStore.list(db, { limit: rowsMax, before: before?.number });
    const after = Number(query.get("owed"));
    const owing = RefundStore.listOwing(db, {
      limit: rowsMax,
      before: Number.isSafeInteger(after) && after > 0 ? after : undefined,
    });
    return refundListPage(frame, {
      owing: owing.rows.map((each) => ({ ...each, owner: receivableAt(db, each.depositIndex) })),
      moreOwing: owing.next && `${listPath}?owed=${owing.next.depositIndex}`,
      rows: rows.map((refund) => ({ refund, owner: receivableAt(db, refund.depositIndex) })),
      newest: before === null ? null : listPath,
      older: next && `${listPath}?before=${next.id}`,
    });
  });

  page(`${one}/pdf`, "read", (_, refund) => refundPdf(deps, refund));

  gate.page(`${listPath}.csv`, "export", (visit) =>
    csvAnswer("refunds", db, visit, refundColumns, async (last: Stored | null) => {
      const { rows, next } = RefundStore.list(db, { limit: csvRowsAtOnce, before: last?.number });
      return {
        rows: rows.map((refund) => ({ refund, owner: receivableAt(db, refund.depositIndex) })),
        next,
      };
    }),
  );

  function form(
    { frame, who }: Visit,
    owner: Receivable,
    typed: Partial<TypedRefund>,
    { faults = [], problem = null }: { faults?: FormFault[]; problem?: string | null } = {},
  ): string {
    const standing = Standing.of(owner);
    const sums = Refund.amountOf(standing, { amount: null, way: "elsewhere", kind: owner.kind });
    const most = sums.ok ? sums.amount : Usdc.zero;
    const email = faceOf(owner).customerEmail;
    const amount = frame.locale.figure(Usdc.formatExact(most));
    const begun = { amount, how: email === null ? "link" : "mail", address: "", reason: "", note: "" };
    return refundFormPage(frame, {
      owner,
      email,
      faults,
      problem,
      mayMark: may(who.role, "close"),
      most: !faces[owner.kind].hasCreditNotes && standing.refundable > most ? standing.refundable : most,
      typed: { ...begun, key: newKey(), ...typed },
    });
  }

  gate.page(`${listPath}/new`, "issue", (visit) => {
    const owner = ownerIn(visit.query);
    return owner && form(visit, owner, {});
  });

  gate.action(listPath, "issue", "refund.begin", async (visit, sent) => {
    const owner = ownerIn(sent);
    if (owner === null) return null;
    const { locale } = visit.frame;
    const typed = { ...refundForm.read(sent, locale), key: keyOf(sent) };
    const { how } = typed;
    const amount = Usdc.parseTypedExact(typed.amount, locale.decimalMark);
    if (amount === null || amount === 0n)
      return form(visit, owner, typed, { faults: refundForm.faults([{ field: "amount" }], locale) });
    if (how === "elsewhere" && !may(visit.who.role, "close")) return null;
    const request = {
      amount: Usdc.formatExact(amount),
      ...wayOf(typed),
      ...(typed.reason === "" ? {} : { reason: typed.reason }),
      ...(typed.note === "" ? {} : { note: typed.note }),
    };
    const made = await refunds.request(owner, request, { key: `desk-${typed.key}` });
    if (!made.ok) return form(visit, owner, typed, saidRefusal(made.refusal, locale));
    // Sent again, it would end the link that the customer may have by now.
    if (how === "link" && !made.isAgain) return handOut(visit, made.value);
    return done(made.value, how === "elsewhere" ? "didMarkRefund" : "didBeginRefund");
  });

  /** Creates a link for the customer and shows it, this once. */
  async function handOut(visit: Visit, refund: Stored): Promise<FormOutcome> {
    const { frame } = visit;
    const { locale } = frame;
    const outcome = await refunds.ask(refund, "link");
    if (!outcome.ok) return refused(visit, refund, outcome.refusal);
    return {
      kind: "shown",
      subject: refund.id,
      html: oncePage({
        frame,
        place: "money",
        back: { href: refundHref(refund), label: locale.say("refunds") },
        title: locale.say("refundOnceTitle"),
        text: locale.say("refundOnceText"),
        secret: outcome.value.url,
      }),
    };
  }

  const purposeOf = ({ id, address, amount }: Stored) => `refund ${id} ${amount} to ${address}`;

  function show(
    visit: Visit,
    refund: Stored,
    { faults = [], problem = null }: { faults?: FormFault[]; problem?: string | null } = {},
  ): string {
    const { frame, who, now } = visit;
    const owner = receivableAt(db, refund.depositIndex);
    const { payoutWallet } = owner.deposit;
    const { address: to, amount, way, state } = refund;
    const mayApprove = state === "requested" && to !== null && may(who.role, "move");
    const uri =
      way === "wallet" && state === "approved" && to !== null && (refund.readyAt ?? 0) <= now
        ? paymentUri({ usdc: network.usdc, chainId: network.chainId, to, amount })
        : null;
    const obstacle = deps.refunder()?.obstacleOf(refund.id) ?? null;
    return refundPage(frame, {
      refund,
      owner,
      payoutWallet,
      faults,
      problem,
      now,
      network,
      can: { act: may(who.role, "issue"), mark: may(who.role, "close"), approve: mayApprove },
      proof: mayApprove ? gate.proving.ask(visit, purposeOf(refund)) : { kind: "none" },
      obstacle: obstacle === null ? null : deps.redact(obstacle),
      qr: uri === null ? null : qrImage(uri),
    });
  }

  page(one, "read", (visit, refund) => show(visit, refund));

  const refused = (visit: Visit, refund: Stored, refusal: Refusal): string =>
    show(visit, refunds.find(refund.id) ?? refund, saidRefusal(refusal, visit.frame.locale));

  const outcomeOf = (visit: Visit, outcome: Outcome<Stored>, refund: Stored, did: DoneText): FormOutcome =>
    outcome.ok ? done(outcome.value, did) : refused(visit, refund, outcome.refusal);

  action(`${one}/ask`, "issue", "refund.ask", async (visit, refund, sent) => {
    if (sent.get("how") === "link") return handOut(visit, refund);
    const outcome = await refunds.ask(refund, "mail");
    return outcome.ok ? done(outcome.value.refund, "didAskRefund") : refused(visit, refund, outcome.refusal);
  });

  action(`${one}/address`, "issue", "refund.address", async (visit, refund, sent) => {
    const read = refunds.readAddress(refund, typedText(sent, "address"));
    if (!read.ok) {
      const found = [{ field: "address", code: read.why.code }];
      return show(visit, refund, { faults: refundForm.faults(found, visit.frame.locale) });
    }
    const named = await refunds.nameAddress(refund, read.value, "person");
    return outcomeOf(visit, named, refund, "didNameRefund");
  });

  action(`${one}/approve`, "move", "refund.approve", async (visit, refund, sent) => {
    const { locale } = visit.frame;
    if (refund.state !== "requested" || refund.address !== sent.get("address"))
      return show(visit, refund, { problem: locale.say("refundChanged") });
    const fault = await gate.proving.check(visit, purposeOf(refund), sent);
    if (fault) return show(visit, refund, { faults: [fault] });
    if (!gate.isStill(visit)) return show(visit, refund, { problem: locale.say("refusedStale") });
    return outcomeOf(visit, await refunds.approve(refund, refund), refund, "didApproveRefund");
  });

  const backTo = (refund: Stored, locale: Locale) => ({
    href: refundHref(refund),
    label: shortNameOf(receivableAt(db, refund.depositIndex), locale),
  });
  // The customer is told, which cannot be undone.
  confirmed(`${one}/elsewhere`, "close", "refund.elsewhere", {
    form: noteForm,
    ask({ frame: { locale } }, refund) {
      const { say } = locale;
      return {
        place: "money",
        back: backTo(refund, locale),
        question: say("refundMarkQuestion", { amount: locale.usdc(Usdc.formatExact(refund.amount)) }),
        text: say("refundMarkText"),
        keep: say("refundKeep"),
        confirm: say("refundMark"),
        isDanger: false,
      };
    },
    async does(visit, refund, { typed: { note } }) {
      const marked = await refunds.giveElsewhere(refund, note === "" ? null : note.slice(0, 500));
      return outcomeOf(visit, marked, refund, "didMarkRefund");
    },
  });
  confirmed(`${one}/cancel`, "issue", "refund.cancel", {
    ask({ frame: { locale } }, refund) {
      const { say } = locale;
      return {
        place: "money",
        back: backTo(refund, locale),
        question: say("refundCancelQuestion"),
        text: say("refundCancelText"),
        keep: say("refundKeep"),
        confirm: say("refundCancel"),
      };
    },
    does: async (visit, refund) =>
      outcomeOf(visit, await refunds.cancel(refund, { key: null }), refund, "didCancelRefund"),
  });
}

const done = (refund: Stored, did: DoneText) => doneAt(refundHref(refund), did, refund.id);

const problems = {
  nothing: "refundNothing",
  credit_first: "refundCreditFirst",
  in_flight: "refundInFlight",
  not_open: "refundChanged",
  no_address: "refundChanged",
  gone: "refundChanged",
} as const satisfies Record<string, TextKey>;

function saidRefusal(refusal: Refusal, locale: Locale): { faults?: FormFault[]; problem?: string } {
  const { say, texts } = locale;
  if (refusal.kind === "refund") return { problem: texts[problems[refusal.why]] };
  if (refusal.kind !== "invalid") return { problem: say("notDone") };
  const other = ({ field }: { field: string }) => ({ field, message: say("notDone") });
  return { faults: refundForm.faults(refusal.faults, locale, other) };
}
