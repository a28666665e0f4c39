import * as CreditNote from "../../../domain/bill/credit-note.ts";
import * as Currency from "../../../domain/bill/currency.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import { formats } from "../../../domain/einvoice/einvoice.ts";
import { may } from "../../../domain/party/person.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { fileAnswer } from "../../../http/invoices/e-invoice.ts";
import { creditPdfInstead } from "../../../http/invoices/records.ts";
import type { HttpDeps } from "../../../http/route/deps.ts";
import { creditedBill } from "../../../language/sums.ts";
import { webHref } from "../../../pages/text.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import * as MailStore from "../../../store/tables/outbox/mail.ts";
import type { Gate } from "../../gate.ts";
import { doneAt, pagesOfOne } from "../../one.ts";
import { ActionButton, ButtonLink } from "../../parts/button.tsx";
import { Problem } from "../../parts/form/form.tsx";
import { Facts } from "../../parts/menu.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { deskPage } from "../../parts/page/frame.tsx";
import { PageHead, Part } from "../../parts/page/head.tsx";
import type { Visit } from "../../parts/page/visit.ts";
import { invoiceHref } from "../../parts/place.ts";
import { mailProblem } from "../../receivables/actions.ts";
import { CustomerPart } from "../detail-parts.tsx";
import { EInvoice } from "../e-invoice.tsx";
import { BillTable } from "../items.tsx";
import { noteHref, notesPath } from "./notes.tsx";

const one = `${notesPath}/:name`;

/** Shows, downloads and mails a credit note. */
export function noteRoutes(deps: HttpDeps, gate: Gate): void {
  const { page, action } = pagesOfOne(gate, ({ params }) => deps.creditNotes.find(params["name"] ?? ""));
  const show = (visit: Visit, note: CreditNote.CreditNote, problem?: string) =>
    creditNotePage(deps, visit, note, problem);

  page(one, "read", (visit, note) => show(visit, note));
  page(`${one}/e-invoice`, "read", async (visit, note) => {
    const format = formats.find((name) => name === visit.query.get("format"));
    if (format === undefined) return null;
    const file = await deps.eInvoices.writeCredit(note, format);
    return Array.isArray(file) ? show(visit, note) : fileAnswer(file);
  });
  action(`${one}/send`, "issue", "credit.send", async (visit, note) => {
    const outcome = await deps.creditNotes.send(note, { key: null });
    const { locale } = visit.frame;
    if (!outcome.ok) {
      const isTooMany = outcome.refusal.kind === "too_many_mails";
      return show(visit, note, locale.say(isTooMany ? "tooManyTries" : "notDone"));
    }
    const problem = mailProblem(outcome.value, locale, creditPdfInstead);
    if (problem === null) return doneAt(noteHref(note.number), "didSendCredit", note.number);
    return { kind: "failed", html: show(visit, note, problem) };
  });
}

/** All about one credit note, which never changes. `problem` is the error of the last action. */
function creditNotePage(
  deps: HttpDeps,
  { frame, who }: Visit,
  note: CreditNote.CreditNote,
  problem: string | undefined,
): string {
  const { locale, when } = frame;
  const invoice = InvoiceStore.ofCreditNote(deps.db, note);
  const title = locale.say("creditHeading", { number: note.number });
  const code = Currency.codeOf(invoice);
  const total = locale.money(Currency.format(note.totals.total, code), code);
  const pdf = webHref(CreditNote.pdfUrl(deps.baseUrl, note)) ?? "#";
  const wasSent = MailStore.mayHaveGone(deps.db, invoice.deposit.index, "credit", note.number);
  const maySend = may(who.role, "issue") && deps.config.smtpUrl !== null;
  return deskPage({
    frame,
    place: "invoices",
    title,
    body: (
      <>
        <Problem text={problem} />
        <PageHead
          back={{ href: notesPath, label: locale.say("creditNotes") }}
          title={title}
          line={`${when.day(note.issueDate)} · ${total}`}
        >
          <ButtonLink href={pdf} as="window" kind="quiet" icon="download" text={locale.say("pdf")} />
          {maySend && (
            <ActionButton
              frame={frame}
              action={`${noteHref(note.number)}/send`}
              kind={wasSent ? "quiet" : ""}
              icon="mail"
              text={locale.say(wasSent ? "sendAgain" : "sendIt")}
            />
          )}
        </PageHead>
        <div class="columns">
          <div>
            {note.toReturn !== 0n && (
              <p class="notice">
                {locale.say("creditToReturn", { amount: locale.usdc(Usdc.formatExact(note.toReturn)) })}
              </p>
            )}
            <Part title={locale.say("creditedAmount")}>
              <BillTable
                locale={locale}
                caption={title}
                bill={creditedBill(note, invoice)}
                total={note.totals.total}
                code={code}
              />
            </Part>
            <Part title={locale.say("reason")}>
              <p class="prose" dir="auto">
                {note.reason}
              </p>
            </Part>
          </div>
          <About deps={deps} frame={frame} note={note} invoice={invoice} />
        </div>
      </>
    ),
  });
}

type AboutProps = { deps: HttpDeps; frame: DeskFrame; note: CreditNote.CreditNote; invoice: Invoice };

/** Beside it: the invoice that it reduces, its customer, and the e-invoice. */
function About({ note, ...of }: AboutProps) {
  const { deps, frame, invoice } = of;
  const { locale } = frame;
  return (
    <aside aria-label={locale.say("ofInvoice")}>
      <div class="aside-part">
        <h2>{locale.say("ofInvoice")}</h2>
        <p>
          <a class="reach" href={invoiceHref(invoice.number)}>
            <strong>
              <bdi>{invoice.number}</bdi>
            </strong>
          </a>
        </p>
        {invoice.currency !== null && (
          <Facts facts={[[locale.say("creditedAmount"), locale.usdc(Usdc.formatExact(note.usdc))]]} />
        )}
      </div>
      <CustomerPart {...of} />
      <EInvoice
        config={deps.config}
        frame={frame}
        href={noteHref(note.number)}
        lead="eInvoiceCreditLacks"
        missingIn={(format) => deps.eInvoices.missingForCredit(note, format)}
      />
    </aside>
  );
}
