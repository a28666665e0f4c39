import type * as Invoice from "../../domain/bill/invoice.ts";
import type * as Reminder from "../../domain/bill/reminder.ts";
import * as Calendar from "../../domain/calendar.ts";
import * as Standing from "../../domain/payment/standing.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { TextKey } from "../../language/locale.ts";
import { speak } from "../../language/locale.ts";
import * as InvoiceList from "../../store/reports/desk/invoice-list.ts";
import { reminderRefusal } from "../../store/reports/on-its-way.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";
import type { Gate } from "../gate.ts";
import { SubmitButton } from "../parts/button.tsx";
import { DeskForm, Problem } from "../parts/form/form.tsx";
import { Empty } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { invoiceHref } from "../parts/place.ts";

export const remindPath = "/desk/invoices/remind";

/** Nobody is reminded twice in this time without a confirmation. */
const againMs = 86_400_000;

/** Maximum invoices offered at once, longest overdue first. */
const offeredMax = 200;

const refusalTexts = {
  settled: "remindSettled",
  unsent: "remindUnsent",
  in_flight: "remindInFlight",
} as const satisfies Record<Reminder.ReminderRefusal, TextKey>;

type Last = ReturnType<typeof lastReminded>;
type Late = { invoice: Invoice.Invoice; last: Last; why: Reminder.ReminderRefusal | null };

/** Returns when the customer of an invoice was last reminded, or will be; null for never. */
export const lastReminded = ({ db }: Pick<HttpDeps, "db">, { deposit }: Invoice.Invoice) =>
  MailStore.lastReminded(db, deposit.index);

function lastText({ locale, when }: DeskFrame, last: Last): string {
  if (last === null) return locale.say("remindNever");
  return last.waits
    ? locale.say("remindWaits")
    : locale.say("remindLast", { time: when.momentInText(last.at) });
}

/** True if another reminder should be confirmed first. */
export const isRecent = (last: Last, now: number): boolean =>
  last !== null && (last.waits || Math.abs(now - last.at) < againMs);

type LateInvoicesProps = { frame: DeskFrame; invoices: readonly Late[]; now: number; problem: string | null };

function LateInvoices({ frame, invoices, now, problem }: LateInvoicesProps) {
  const { locale, when } = frame;
  if (invoices.length === 0)
    return <Empty icon="check" title={locale.say("remindNobody")} text={locale.say("remindNobodyText")} />;
  const offered = invoices.filter(({ why }) => why === null);
  const leftOut = invoices.filter(({ why }) => why !== null);
  const daysLate = ({ dueDate }: Invoice.Invoice) =>
    Calendar.dayNumber(when.today) - Calendar.dayNumber(dueDate);
  return (
    <DeskForm frame={frame} action={remindPath} className="form form-alone">
      <Problem text={problem} />
      <input type="hidden" name="at" value={String(now)} />
      <ul class="ticks">
        {offered.map(({ invoice, last }) => (
          <li>
            <label>
              <input type="checkbox" name="number" value={invoice.number} checked={!isRecent(last, now)} />
              <span class="tick-words">
                <strong dir="auto">{invoice.vendorName}</strong>
                <span class="soft small">
                  <bdi>{invoice.number}</bdi>
                  {` · ${locale.say("settingDaysLate", { count: daysLate(invoice) })} · ${lastText(frame, last)}`}
                </span>
              </span>
              <span class="num">{locale.usdc(Usdc.format(Standing.of(invoice).due))}</span>
            </label>
          </li>
        ))}
      </ul>
      {leftOut.length > 0 && (
        <div>
          <h2>{locale.say("remindLeftOut")}</h2>
          <ul class="sayings">
            {leftOut.map(({ invoice, why }) => (
              <li>
                <a href={invoiceHref(invoice.number)}>
                  <bdi>{`${invoice.vendorName}, ${invoice.number}`}</bdi>
                </a>
                {`${locale.marks.colon}${locale.texts[refusalTexts[why ?? "settled"]]}`}
              </li>
            ))}
          </ul>
        </div>
      )}
      {offered.length > 0 && (
        <div class="actions">
          <SubmitButton icon="mail" text={locale.say("remindSend")} />
        </div>
      )}
    </DeskForm>
  );
}

/** Reminds all customers who are late, with a list to tick. */
export function remindRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config } = deps;

  /** Lists the late invoices, longest overdue first, with the reason why some are not reminded. */
  function late({ frame }: Visit): Late[] {
    const { today } = frame.when;
    const filter = { kind: "overdue", from: null, to: null, sequences: null, customer: null, today } as const;
    return InvoiceList.sequences(db, filter, { before: null, limit: offeredMax })
      .rows.flatMap((sequence) => InvoiceStore.bySequence(db, sequence) ?? [])
      .map((invoice) => ({
        invoice,
        last: lastReminded(deps, invoice),
        why: reminderRefusal(db, invoice),
      }))
      .toSorted((a, b) => a.invoice.dueDate.localeCompare(b.invoice.dueDate));
  }

  function show(visit: Visit, problem: string | null = null): string {
    const { frame, now } = visit;
    const { locale } = frame;
    return headedPage({
      frame,
      place: "invoices",
      title: locale.say("remindAll"),
      back: { href: "/desk/invoices?kind=overdue", label: locale.say("invoices") },
      line: locale.say("remindAllLine"),
      body:
        config.smtpUrl === null ? (
          <p class="notice">{locale.say("mailMissing")}</p>
        ) : (
          <LateInvoices frame={frame} invoices={late(visit)} now={now} problem={problem} />
        ),
    });
  }

  gate.page(remindPath, "issue", (visit) => show(visit));
  gate.action(remindPath, "issue", "invoice.remind", async (visit, form): Promise<FormOutcome> => {
    const shownAt = Number(form.get("at"));
    const chosen = form.getAll("number").flatMap((number) => deps.invoices.find(number) ?? []);
    if (chosen.length === 0) return show(visit, visit.frame.locale.say("remindTick"));
    const reminded: string[] = [];
    let isAlready = false;
    for (const invoice of chosen) {
      const last = lastReminded(deps, invoice);
      // The form was sent twice, or Till or somebody else has reminded them since it was shown.
      if (last !== null && last.at >= shownAt) isAlready = true;
      else if ((await deps.invoices.remindSoon(invoice)).ok) reminded.push(invoice.number);
    }
    if (reminded.length === 0 && !isAlready) return show(visit, visit.frame.locale.say("notDone"));
    deps.onMailDue();
    return { kind: "done", to: remindPath, did: "didRemindAll", subject: reminded.join(", ") };
  });
}

/** A reminder as it will be sent, and the button that sends it. `isAgain`: the customer was reminded within a day. */
export function remindPage(
  deps: HttpDeps,
  { frame }: Visit,
  invoice: Invoice.Invoice,
  isAgain: boolean,
): string {
  const { locale, when } = frame;
  const href = invoiceHref(invoice.number);
  const { subject, text } = deps.mailer.reminderNow(invoice);
  const { tag, dir } = speak(invoice.language ?? deps.config.language);
  const last = lastReminded(deps, invoice);
  return headedPage({
    frame,
    place: "invoices",
    title: locale.say("remindPreview"),
    back: { href, label: `${invoice.vendorName}, ${invoice.number}` },
    line: lastText(frame, last),
    body: (
      <DeskForm frame={frame} action={`${href}/remind`} className="form form-alone">
        {isAgain && last !== null && (
          <Problem text={locale.say("remindAgain", { time: when.momentInText(last.at) })} />
        )}
        <input type="hidden" name="again" value="true" />
        <p>{locale.say("remindTo", { email: invoice.vendorEmail })}</p>
        <div class="mail-preview" lang={tag} dir={dir}>
          <h2 dir="auto">{subject}</h2>
          <p class="mail-text">{text}</p>
        </div>
        <div class="actions">
          <SubmitButton icon="mail" text={locale.say("remind")} />
        </div>
      </DeskForm>
    ),
  });
}
