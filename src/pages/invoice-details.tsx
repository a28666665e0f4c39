import { Html } from "@elysiajs/html";
import { Icon } from "./icons.tsx";
import type { InvoiceLine, InvoicePageProps } from "./invoice-props.ts";
import { Amount } from "./money.tsx";
import { attr, dayText, mailHref, webHref } from "./text.ts";

type Props = { props: InvoicePageProps };

/** The invoice itself: who bills whom, for what, until when. It does not change while the page is open. */
export function InvoiceDetails({ props }: Props) {
  const pdfHref = webHref(props.pdfUrl);
  return (
    <article class="card invoice" aria-label="Invoice details">
      <Facts props={props} />
      <table class="items">
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col" class="number">
              Amount (USDC)
            </th>
          </tr>
        </thead>
        <tbody>
          {props.lineItems.map((item) => (
            <Row item={item} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td class="number">
              <Amount value={props.total} />
            </td>
          </tr>
        </tfoot>
      </table>
      {props.notes === null || props.notes.trim() === "" ? null : (
        <section class="notes">
          <h2>Notes</h2>
          <p class="prose" dir="auto" safe>
            {props.notes}
          </p>
        </section>
      )}
      <div class="actions">
        {pdfHref === null ? null : (
          <a class="button button-quiet" href={pdfHref}>
            <Icon name="download" />
            Download PDF
          </a>
        )}
        <a
          class="button button-quiet"
          id="contact"
          href={mailHref(props.merchantEmail, `Invoice ${props.number}`)}
        >
          <Icon name="mail" />
          Contact the merchant
        </a>
      </div>
    </article>
  );
}

function Facts({ props }: Props) {
  return (
    <dl class="facts">
      <Party
        label="From"
        name={props.merchantName}
        address={props.merchantAddress}
        email={props.merchantEmail}
      />
      <Party label="To" name={props.vendorName} address={props.vendorAddress} email={null} />
      <div>
        <dt>Issued</dt>
        <dd>
          <time datetime={attr(props.issueDate)} safe>
            {dayText(props.issueDate)}
          </time>
        </dd>
      </div>
      <div>
        <dt>Due</dt>
        <dd>
          <time datetime={attr(props.dueDate)} safe>
            {dayText(props.dueDate)}
          </time>{" "}
          <span class="soft zone" safe>{`(${props.timeZone})`}</span>
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

function Row({ item }: { item: InvoiceLine }) {
  return (
    <tr>
      <td>
        <span class="prose" dir="auto" safe>
          {item.description}
        </span>
        <span class="soft rate">
          <Amount value={item.quantity} /> × <Amount value={item.unitPrice} />
        </span>
      </td>
      <td class="number">
        <Amount value={item.lineTotal} />
      </td>
    </tr>
  );
}
