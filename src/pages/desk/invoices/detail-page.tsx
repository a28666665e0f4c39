import { CreditNotes } from "../credit/notes.tsx";
import { deskPage } from "../frame.tsx";
import { About } from "./about.tsx";
import { DetailHead } from "./detail-head.tsx";
import { Payments } from "./detail-parts.tsx";
import type { DetailProps } from "./detail-props.ts";
import { Hooks } from "./hooks.tsx";
import { Items } from "./items.tsx";
import { invoiceHref } from "./list/rows.tsx";
import { Standing } from "./standing.tsx";
import { Timeline } from "./timeline.tsx";

/** All about one invoice. What money and the merchant make of it shows by itself. */
export function invoiceDetailPage(props: DetailProps): string {
  const { frame, invoice, problem } = props;
  return deskPage({
    frame,
    place: "invoices",
    title: `${invoice.vendorName} · ${invoice.number}`,
    undo: props.can.unmark ? { of: "didMarkPaid", action: `${invoiceHref(invoice.number)}/unmark` } : null,
    body: (
      <>
        {problem !== null && (
          <p class="notice notice-late" role="alert">
            {problem}
          </p>
        )}
        <DetailHead props={props} />
        <div class="columns">
          <div>
            <Standing frame={frame} invoice={invoice} />
            <Payments props={props} />
            <Items props={props} />
            <CreditNotes frame={frame} rows={props.creditNotes} />
            <InvoiceTimeline props={props} />
            {props.hooks.length > 0 && (
              <Hooks
                props={{ ...props, webhookUrl: invoice.webhookUrl, href: invoiceHref(invoice.number) }}
              />
            )}
          </div>
          <About props={props} />
        </div>
      </>
    ),
  });
}

function InvoiceTimeline({ props }: { props: DetailProps }) {
  const { invoice } = props;
  const { number, vendorName: name, vendorEmail: email, merchantEmail } = invoice;
  return (
    <Timeline {...props} people={{ name, email, merchantEmail }} noteAction={`${invoiceHref(number)}/note`} />
  );
}
