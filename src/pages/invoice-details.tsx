import { Html } from "@elysiajs/html";
import { Icon } from "./icons.tsx";
import type { InvoiceLine, InvoicePageProps } from "./invoice-props.ts";
import type { Reader } from "./language/reader.ts";
import { Amount } from "./money.tsx";
import { attr, mailHref, webHref } from "./text.ts";

type Props = { props: InvoicePageProps };

/** The invoice itself: who bills whom, for what, until when. It does not change while the page is open. */
export function InvoiceDetails({ props }: Props) {
  const { reader } = props.payment;
  const pdfHref = webHref(props.pdfUrl);
  return (
    <article class="card invoice" aria-label={attr(reader.say("invoiceDetails"))}>
      <Facts props={props} />
      <table class="items">
        <thead>
          <tr>
            <th scope="col" safe>
              {reader.say("description")}
            </th>
            <th scope="col" class="number" safe>
              {reader.say("amountInUsdc")}
            </th>
          </tr>
        </thead>
        <tbody>
          {props.lineItems.map((item) => (
            <Row item={item} reader={reader} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" safe>
              {reader.say("total")}
            </th>
            <td class="number">
              <Amount value={props.total} reader={reader} />
            </td>
          </tr>
        </tfoot>
      </table>
      {props.notes === null || props.notes.trim() === "" ? null : (
        <section class="notes">
          <h2 safe>{reader.say("notes")}</h2>
          <p class="prose" dir="auto" safe>
            {props.notes}
          </p>
        </section>
      )}
      <div class="actions">
        {pdfHref === null ? null : (
          <a class="button button-quiet" href={pdfHref}>
            <Icon name="download" />
            {Html.escapeHtml(reader.say("downloadPdf"))}
          </a>
        )}
        <a
          class="button button-quiet"
          id="contact"
          href={mailHref(props.merchantEmail, reader.say("invoiceNumber", { number: props.number }))}
        >
          <Icon name="mail" />
          {Html.escapeHtml(reader.say("contactMerchant"))}
        </a>
      </div>
      <a class="button to-payment" href="#payment">
        {Html.escapeHtml(reader.say("howToPay"))}
      </a>
    </article>
  );
}

function Facts({ props }: Props) {
  const { reader } = props.payment;
  const [open, close] = reader.language.marks.brackets;
  return (
    <dl class="facts">
      <Party
        label={reader.say("billedBy")}
        name={props.merchantName}
        address={props.merchantAddress}
        email={props.merchantEmail}
      />
      <Party
        label={reader.say("billedTo")}
        name={props.vendorName}
        address={props.vendorAddress}
        email={null}
      />
      <div>
        <dt safe>{reader.say("issueDate")}</dt>
        <dd>
          <time datetime={attr(props.issueDate)} safe>
            {reader.day(props.issueDate)}
          </time>
        </dd>
      </div>
      <div>
        <dt safe>{reader.say("dueDate")}</dt>
        <dd>
          <time datetime={attr(props.dueDate)} safe>
            {reader.day(props.dueDate)}
          </time>
          <span class="soft zone" safe>{`${open}${props.timeZone}${close}`}</span>
        </dd>
      </div>
    </dl>
  );
}

type PartyProps = { label: string; name: string; address: string | null; email: string | null };

function Party({ label, name, address, email }: PartyProps) {
  return (
    <div class="party">
      <dt safe>{label}</dt>
      <dd>
        <strong>
          <bdi safe>{name}</bdi>
        </strong>
      </dd>
      {address === null || address.trim() === "" ? null : (
        <dd class="soft prose" dir="auto" safe>
          {address}
        </dd>
      )}
      {email === null ? null : (
        <dd class="soft" safe>
          {email}
        </dd>
      )}
    </div>
  );
}

function Row({ item, reader }: { item: InvoiceLine; reader: Reader }) {
  return (
    <tr>
      <td>
        <span class="prose" dir="auto" safe>
          {item.description}
        </span>
        <span class="soft rate">
          <Amount value={item.quantity} reader={reader} /> × <Amount value={item.unitPrice} reader={reader} />
        </span>
      </td>
      <td class="number">
        <Amount value={item.lineTotal} reader={reader} />
      </td>
    </tr>
  );
}
