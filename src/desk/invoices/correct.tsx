import { type Invoice, isPaid } from "../../domain/bill/invoice.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Outcome, Refusal } from "../../invoicing/outcome.ts";
import type { LanguageCode } from "../../language/languages.ts";
import { speak } from "../../language/locale.ts";
import type { Gate } from "../gate.ts";
import { pagesOfOne } from "../one.ts";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { confirmPage } from "../parts/form/confirm-page.tsx";
import { choice, day, line } from "../parts/form/controls.tsx";
import { DeskForm, FaultSummary, Problem } from "../parts/form/form.tsx";
import { seenOf } from "../parts/form/form-key.ts";
import { languagesAfterStandard } from "../parts/form/languages.ts";
import { formOf } from "../parts/form/rows.ts";
import { type DeskFrame, mayHere } from "../parts/page/desk-frame.ts";
import { headedPage, Part } from "../parts/page/head.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { invoiceHref } from "../parts/place.ts";
import { problemOf } from "../receivables/actions.ts";

const correctForm = formOf({
  email: {
    label: "correctEmail",
    control: line({ type: "email", autocomplete: "off", maxlength: "254" }),
    fault: "profileFaultEmail",
    of: ["vendor_email"],
  },
  due_date: { label: "dueDate", control: day },
  reference: {
    label: "reference",
    optional: true,
    control: line({ maxlength: "100", dir: "auto" }),
    fault: "faultReference",
  },
  language: { label: "languageOfTheirs", control: choice(), fault: "settingFaultChoice" },
});
type Typed = typeof correctForm.empty;

/** Corrects details beside the bill itself; a wrong bill is credited and issued again. */
export function correctRoutes(deps: HttpDeps, gate: Gate): void {
  const { invoices, creditNotes, config } = deps;
  const one = "/desk/invoices/:name";
  const find = ({ params }: Visit) => invoices.find(params["name"] ?? "");
  const { page, action } = pagesOfOne(gate, (visit) => {
    const invoice = find(visit);
    return invoice?.voidedAt === null ? invoice : null;
  });

  page(`${one}/correct`, "issue", ({ frame }, invoice) =>
    correctPage(frame, invoice, typedOf(invoice), config.language),
  );

  action(`${one}/correct`, "issue", "invoice.correct", async (visit, invoice, form) => {
    const typed = correctForm.read(form, visit.frame.locale);
    const current = typedOf(invoice);
    const is: Record<string, unknown> = requestOf(current);
    // Unchanged fields are left out: on a paid invoice they would be refused, and simultaneous changes by others stay.
    const correction = Object.fromEntries(
      Object.entries(requestOf(typed)).filter(([name, wanted]) => wanted !== is[name]),
    );
    if (Object.keys(correction).length > 0 && form.get("seen") !== seenOf(current))
      return correctPage(visit.frame, invoice, current, config.language, { kind: "changed" });
    const outcome = await invoices.correct(invoice, correction, { key: null });
    if (!outcome.ok) return correctPage(visit.frame, invoice, typed, config.language, outcome.refusal);
    const { number } = invoice;
    return { kind: "done", to: invoiceHref(number), did: "didCorrect", subject: number };
  });

  page(`${one}/anew`, "close", ({ frame }, invoice) => {
    const { locale } = frame;
    const { number } = invoice;
    return confirmPage({
      frame,
      place: "invoices",
      back: { href: invoiceHref(number), label: number },
      question: locale.say("anewQuestion", { number }),
      text: locale.say(isUntouched(invoice) ? "anewVoids" : "anewCredits"),
      action: `${invoiceHref(number)}/anew`,
      keep: locale.say("cancel"),
      confirm: locale.say("anewIt"),
    });
  });

  gate.action(`${one}/anew`, "close", "invoice.anew", async (visit): Promise<FormOutcome | null> => {
    const invoice = find(visit);
    if (invoice === null) return null;
    const { number } = invoice;
    const reason = speak(invoice.language ?? config.language).say("anewReason");
    const isTaken = invoice.voidedAt !== null;
    const takeBack = (): Promise<Outcome<unknown>> =>
      isUntouched(invoice)
        ? invoices.void(invoice, { reason }, { key: null })
        : creditNotes.credit(invoice, { reason }, { key: null });
    const outcome = isTaken ? null : await takeBack();
    // Sending it twice leads to the new one again.
    const isDone = outcome === null || outcome.ok || isNothingLeft(outcome.refusal);
    if (!isDone) return correctPage(visit.frame, invoice, typedOf(invoice), config.language, outcome.refusal);
    const to = `/desk/invoices/new?like=${encodeURIComponent(number)}`;
    return { kind: "done", to, did: "didTakeBack", subject: number };
  });
}

/** True if no money arrived, and it was not marked as paid: it can be voided. */
const isUntouched = ({ deposit, markedPaidAt }: Invoice) =>
  !Usdc.shows(deposit.received) && markedPaidAt === null;

const isNothingLeft = (refusal: Refusal) => refusal.kind === "credit" && refusal.why === "nothing";

const typedOf = ({ vendorEmail, dueDate, reference, language }: Invoice): Typed => ({
  email: vendorEmail,
  due_date: dueDate,
  reference: reference ?? "",
  language: language ?? "",
});

/** Returns the body of PATCH /api/invoices/{id}. */
const requestOf = ({ email, due_date, reference, language }: Typed) => ({
  vendor_email: email,
  due_date,
  reference: reference === "" ? null : reference,
  language: language === "" ? null : language,
});

function correctPage(
  frame: DeskFrame,
  invoice: Invoice,
  typed: Typed,
  language: LanguageCode,
  refusal: Refusal | null = null,
): string {
  const { locale, when } = frame;
  const { number, status, issueDate } = invoice;
  const href = invoiceHref(number);
  const faults =
    refusal?.kind !== "invalid"
      ? []
      : correctForm.faults(refusal.faults, locale, ({ field }) =>
          field === "due_date"
            ? { field, message: locale.say("correctFaultDay", { day: when.day(issueDate) }) }
            : { field: "email", message: locale.say("profileFaultEmail") },
        );
  const field = correctForm.fields({ frame, typed, faults });
  const problem = refusal && problemOf(refusal, locale);
  return headedPage({
    frame,
    place: "invoices",
    title: locale.say("correctTitle", { number }),
    back: { href, label: number },
    line: locale.say("correctLine"),
    body: (
      <>
        <DeskForm frame={frame} action={`${href}/correct`} className="form form-alone">
          <FaultSummary locale={locale} faults={faults} />
          <Problem text={faults.length > 0 ? null : problem} />
          <input type="hidden" name="seen" value={seenOf(typedOf(invoice))} />
          {field("email")}
          {isPaid(status) ? (
            <p class="soft">
              <input type="hidden" name="due_date" value={typed.due_date} />
              {locale.say("correctPaid")}
            </p>
          ) : (
            field("due_date", { extra: { min: issueDate } })
          )}
          {field("reference")}
          {field("language", { options: languagesAfterStandard(language, locale) })}
          <div class="actions">
            <SubmitButton text={locale.say("correctSave")} />
            <ButtonLink href={href} kind="quiet" text={locale.say("cancel")} />
          </div>
        </DeskForm>
        {mayHere(frame, "close") && (
          <Part title={locale.say("correctWrong")}>
            <p class="soft">{locale.say("correctWrongText")}</p>
            <p>
              <ButtonLink href={`${href}/anew`} as="dialog" kind="quiet" text={locale.say("anewIt")} />
            </p>
          </Part>
        )}
      </>
    ),
  });
}
