import type { Invoice } from "../../domain/bill/invoice.ts";
import { billedOf } from "../../language/bill.ts";
import { closingPage } from "../parts/form/confirm-page.tsx";
import type { FormFault } from "../parts/form/form.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { invoiceHref } from "./list-rows.tsx";

type ClosingProps = {
  frame: DeskFrame;
  invoice: Invoice;
  value: string;
  faults: readonly FormFault[];
};

/** Asks once more before an invoice is void. `isCredited`: whether a credit note comes of it. */
export function voidPage(props: ClosingProps & { isCredited: boolean }): string {
  const { invoice, frame } = props;
  const { say } = frame.locale;
  const { number, vendorName: name } = invoice;
  const mailNote = invoice.sentAt === null ? say("voidUnmailed") : say("voidMailed", { name });
  return closingPage({
    ...common(props, "void"),
    question: say("voidTitle", { number }),
    text: props.isCredited ? `${mailNote}${frame.locale.marks.gap}${say("voidCredits")}` : mailNote,
    field: { name: "reason", label: say("reason"), hint: say("voidReasonHint") },
    keep: say("keepIt"),
    confirm: say("doVoid"),
  });
}

/** Asks how an invoice was paid, before it counts so. */
export function markPage(props: ClosingProps): string {
  const { say } = props.frame.locale;
  return closingPage({
    ...common(props, "mark"),
    question: say("markTitle", { number: props.invoice.number }),
    text: say("markText", { name: props.invoice.vendorName }),
    field: { name: "how", label: say("markNote"), hint: say("markNoteHint"), optional: true },
    keep: say("leaveIt"),
    confirm: say("doMark"),
    isDanger: false,
  });
}

/** Asks at which rate an invoice in a currency is to be quoted again. */
export function quotePage(props: ClosingProps): string {
  const { locale } = props.frame;
  const { say } = locale;
  return closingPage({
    ...common(props, "quote"),
    question: say("quoteTitle", { number: props.invoice.number }),
    text: say("quoteText", { rate: billedOf(props.invoice, locale).billed?.rate ?? "" }),
    field: {
      name: "rate",
      label: say("rateOfUsdc"),
      hint: say("rateHint"),
      optional: true,
      extra: { inputmode: "decimal", dir: "ltr" },
    },
    keep: say("confirmBack"),
    confirm: say("quoteAgain"),
    isDanger: false,
  });
}

const common = ({ frame, invoice, value, faults }: ClosingProps, deed: "void" | "mark" | "quote") => ({
  frame,
  place: "invoices" as const,
  back: { href: invoiceHref(invoice.number), label: `${invoice.vendorName}, ${invoice.number}` },
  action: `${invoiceHref(invoice.number)}/${deed}`,
  value,
  faults,
});
