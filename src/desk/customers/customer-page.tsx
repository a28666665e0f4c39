import type { Party } from "../../domain/party/party.ts";
import type { LanguageCode } from "../../language/languages.ts";
import type { WithChildren } from "../../pages/layout.tsx";
import type { ListedInvoice } from "../../store/reports/desk/invoice-list.ts";
import type { ListedCustomer } from "../../store/tables/invoicing/customer.ts";
import { InvoiceRows } from "../invoices/list-rows.tsx";
import { Figure } from "../parts/amount.tsx";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { choice } from "../parts/form/controls.tsx";
import { DeskForm, FaultSummary, type FormFault, Problem } from "../parts/form/form.tsx";
import { languagesAfterStandard } from "../parts/form/languages.ts";
import { PartyFields } from "../parts/form/party-fields.tsx";
import { formOf } from "../parts/form/rows.ts";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import { Pager } from "../parts/page/list-page.tsx";
import { Setting } from "../parts/setting.tsx";

type CustomerProps = {
  frame: DeskFrame;
  customer: ListedCustomer;
  rows: readonly ListedInvoice[];
  /** Paths; null if there are none. */
  newest: string | null;
  older: string | null;
  mayIssue: boolean;
  standard: LanguageCode;
  /** As saved, or as typed and refused. */
  typed: CustomerForm;
  /** Identifies what was saved. */
  seen: string;
  faults: readonly FormFault[];
  problem: string | null;
};

/** `language` is that of new invoices to them; null for the installation's. */
export type CustomerForm = { details: Party; language: LanguageCode | null };

/** One customer: what they owe and paid, and their invoices. */
export function customerPage(props: CustomerProps): string {
  const { frame, customer, rows, newest, older, mayIssue } = props;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "customers",
    title: customer.name,
    back: "customers",
    line: customer.email,
    actions: mayIssue && (
      <ButtonLink
        href={`/desk/invoices/new?customer=${customer.id}`}
        icon="plus"
        text={locale.say("newInvoice")}
      />
    ),
    body: (
      <>
        <dl class="customer-sums" id="sums" data-live>
          <Sum label={locale.say("customerOpen")}>
            <Figure locale={locale} amount={customer.open} />
          </Sum>
          <Sum label={locale.say("customerPaid")}>
            <Figure locale={locale} amount={customer.paid} />
          </Sum>
          <Sum label={locale.say("invoices")}>
            <span class="num">{locale.figure(String(customer.invoices))}</span>
          </Sum>
        </dl>
        <InvoiceRows frame={frame} rows={rows} />
        <Pager locale={locale} newest={newest} older={older} />
        {mayIssue && <Details props={props} />}
      </>
    ),
  });
}

const Sum = ({ label, children }: WithChildren<{ label: string }>) => (
  <div>
    <dt class="label">{label}</dt>
    <dd class="figure-mid">{children}</dd>
  </div>
);

const languageForm = formOf({ language: { label: "languageOfTheirs", control: choice() } });

type DetailsProps = { props: CustomerProps };

/** Details that the law requires for business customers. */
function Details({ props: { frame, customer, typed, standard, faults, ...props } }: DetailsProps) {
  const { locale } = frame;
  const { details, language } = typed;
  return (
    <Setting
      title={locale.say("partyDetails")}
      text={locale.say("partyDetailsCustomer")}
      more={locale.say("partyInstead")}
    >
      <DeskForm frame={frame} action={`/desk/customers/${customer.id}`}>
        <FaultSummary locale={locale} faults={faults} />
        <Problem text={props.problem} />
        <input type="hidden" name="seen" value={props.seen} />
        {languageForm.fields({ frame, typed: { language: language ?? "" }, faults })("language", {
          options: languagesAfterStandard(standard, locale),
        })}
        <PartyFields locale={locale} prefix="details" typed={details} faults={faults} />
        <p>
          <SubmitButton text={locale.say("save")} />
        </p>
      </DeskForm>
    </Setting>
  );
}
