import { Html } from "@elysiajs/html";
import type { Invoice } from "../../../domain/invoice.ts";
import { attr } from "../../text.ts";
import { type DeskFrame, deskPage } from "../frame.tsx";
import { DeskForm, type Fault, TextField } from "../parts/form.tsx";
import { PageHead } from "../parts/head.tsx";
import { invoiceHref } from "./invoice-rows.tsx";

type ClosingProps = {
  frame: DeskFrame;
  invoice: Invoice;
  value: string;
  faults: readonly Fault[];
};

/** Asks once more before an invoice is void. With a script it is a dialog over the invoice. */
export function voidPage({ frame, invoice, value, faults }: ClosingProps): string {
  const { locale } = frame;
  const { number, vendorName: name } = invoice;
  const text = invoice.sentAt === null ? locale.say("voidUnmailed") : locale.say("voidMailed", { name });
  return asked({
    frame,
    invoice,
    title: locale.say("voidTitle", { number }),
    text,
    deed: "void",
    field: (
      <TextField
        locale={locale}
        name="reason"
        label={locale.say("voidReason")}
        hint={locale.say("voidReasonHint")}
        value={value}
        faults={faults}
        extra={{ dir: "auto", autocomplete: "off" }}
      />
    ),
    keep: locale.say("keepIt"),
    go: locale.say("doVoid"),
    look: "button button-danger",
  });
}

/** Asks how an invoice was paid, before it counts so. */
export function markPage({ frame, invoice, value, faults }: ClosingProps): string {
  const { locale } = frame;
  return asked({
    frame,
    invoice,
    title: locale.say("markTitle", { number: invoice.number }),
    text: locale.say("markText", { name: invoice.vendorName }),
    deed: "mark",
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
    go: locale.say("doMark"),
    look: "button",
  });
}

type Asked = Pick<ClosingProps, "frame" | "invoice"> & {
  title: string;
  text: string;
  deed: string;
  /** Markup. */
  field: JSX.Element;
  keep: string;
  go: string;
  look: string;
};

function asked({ frame, invoice, title, text, deed, field, keep, go, look }: Asked): string {
  const { locale } = frame;
  const href = invoiceHref(invoice.number);
  const safeField = field;
  return deskPage({
    frame,
    place: "invoices",
    title,
    body: (
      <>
        <PageHead back={{ href, label: `${invoice.vendorName}, ${invoice.number}` }} title={title} />
        <div class="form-alone" id="confirm" data-title={attr(title)}>
          <p class="soft" dir="auto" safe>
            {text}
          </p>
          <DeskForm frame={frame} action={`${href}/${deed}`} className="form confirm">
            {safeField}
            <div class="actions">
              <a class="button button-quiet" href={attr(href)} data-close safe>
                {keep}
              </a>
              <button type="submit" class={look} lang={locale.tag}>
                {Html.escapeHtml(go)}
              </button>
            </div>
          </DeskForm>
        </div>
      </>
    ),
  });
}
