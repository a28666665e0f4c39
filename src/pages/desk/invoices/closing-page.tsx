import type { Invoice } from "../../../domain/bill/invoice.ts";
import { billedOf } from "../../../language/bill.ts";
import type { DeskFrame } from "../frame.tsx";
import { confirmPage } from "../parts/form/confirm-page.tsx";
import { type FormFault, TextField } from "../parts/form/form.tsx";
import { invoiceHref } from "./list/rows.tsx";

type ClosingProps = {
  frame: DeskFrame;
  invoice: Invoice;
  value: string;
  faults: readonly FormFault[];
};

/** Asks once more before an invoice is void. With a script it is a dialog over the invoice. */
export function voidPage({
  frame,
  invoice,
  value,
  faults,
  isCredited,
}: ClosingProps & { /** Whether a credit note comes of it. */ isCredited: boolean }): string {
  const { locale } = frame;
  const { number, vendorName: name } = invoice;
  const mailNote = invoice.sentAt === null ? locale.say("voidUnmailed") : locale.say("voidMailed", { name });
  const text = isCredited ? `${mailNote}${locale.marks.gap}${locale.say("voidCredits")}` : mailNote;
  return confirmPage({
    ...common({ frame, invoice }),
    question: locale.say("voidTitle", { number }),
    text,
    action: `${invoiceHref(number)}/void`,
    field: (
      <TextField
        locale={locale}
        name="reason"
        label={locale.say("reason")}
        hint={locale.say("voidReasonHint")}
        value={value}
        faults={faults}
        extra={{ dir: "auto", autocomplete: "off" }}
      />
    ),
    keep: locale.say("keepIt"),
    confirm: locale.say("doVoid"),
  });
}

/** Asks how an invoice was paid, before it counts so. */
export function markPage({ frame, invoice, value, faults }: ClosingProps): string {
  const { locale } = frame;
  return confirmPage({
    ...common({ frame, invoice }),
    question: locale.say("markTitle", { number: invoice.number }),
    text: locale.say("markText", { name: invoice.vendorName }),
    action: `${invoiceHref(invoice.number)}/mark`,
    field: (
      <TextField
        locale={locale}
        name="how"
        label={locale.say("markNote")}
        hint={locale.say("markNoteHint")}
        optional
        value={value}
        faults={faults}
        extra={{ dir: "auto", autocomplete: "off" }}
      />
    ),
    keep: locale.say("leaveIt"),
    confirm: locale.say("doMark"),
    isDanger: false,
  });
}

/** Asks at which rate an invoice in a currency is to be quoted again. */
export function quotePage({ frame, invoice, value, faults }: ClosingProps): string {
  const { locale } = frame;
  const { billed } = billedOf(invoice, locale);
  return confirmPage({
    ...common({ frame, invoice }),
    question: locale.say("quoteTitle", { number: invoice.number }),
    text: locale.say("quoteText", { rate: billed?.rate ?? "" }),
    action: `${invoiceHref(invoice.number)}/quote`,
    field: (
      <TextField
        locale={locale}
        name="rate"
        label={locale.say("rateOfUsdc")}
        hint={locale.say("rateHint")}
        optional
        value={value}
        faults={faults}
        extra={{ inputmode: "decimal", autocomplete: "off", dir: "ltr" }}
      />
    ),
    keep: locale.say("confirmBack"),
    confirm: locale.say("quoteAgain"),
    isDanger: false,
  });
}

const common = ({ frame, invoice }: Pick<ClosingProps, "frame" | "invoice">) => ({
  frame,
  place: "invoices" as const,
  back: { href: invoiceHref(invoice.number), label: `${invoice.vendorName}, ${invoice.number}` },
});
