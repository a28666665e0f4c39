import { Rich } from "../../language/rich.tsx";
import type { InvoiceContent } from "./invoice-message.ts";
import {
  Action,
  Figure,
  font,
  good,
  ink,
  linkStyle,
  mailDocument,
  soft,
  table,
  warm,
} from "./mail-layout.tsx";

const amountColours = {
  open: { name: "soft", style: soft },
  overdue: { name: "late", style: warm },
  paid: { name: "done", style: good },
};

/** The HTML version of the invoice mail, a whole document. Escapes everything that it is given. */
export function invoiceHtml(content: InvoiceContent): string {
  return mailDocument(
    content,
    <>
      <Heading content={content} />
      <Amount content={content} />
      <Sums content={content} />
      <Actions content={content} />
      <Notes content={content} />
      <Advice content={content} />
    </>,
  );
}

type Props = { content: InvoiceContent };

function Heading({ content }: Props) {
  const vendor = (
    <bdi class="ink" style={ink}>
      {content.vendorName}
    </bdi>
  );
  return (
    <tr>
      <td class="inset" style={`${font}padding:36px 40px 0;`}>
        <p class="soft" style={`margin:0 0 6px;font-size:14px;line-height:20px;white-space:nowrap;${soft}`}>
          {content.locale.say("invoiceNumber", { number: content.invoiceNumber })}
        </p>
        {content.reference !== null && (
          <p class="soft" style={`margin:0 0 6px;font-size:14px;line-height:20px;${soft}`}>
            {content.locale.say("reference") + content.locale.marks.colon}
            <bdi>{content.reference}</bdi>
          </p>
        )}
        <h1 class="ink" style={`margin:0;font-size:22px;line-height:30px;font-weight:600;${ink}`}>
          <bdi>{content.merchantName}</bdi>
        </h1>
        <p class="soft" style={`margin:6px 0 0;font-size:15px;line-height:22px;${soft}`}>
          <Rich locale={content.locale} text={content.sentence} values={{ vendor }} />
          {content.crossed !== null && (
            <>
              <br />
              {content.crossed}
            </>
          )}
        </p>
      </td>
    </tr>
  );
}

function Amount({ content }: Props) {
  const label = amountColours[content.state];
  return (
    <tr>
      <td class="inset" style={`${font}padding:28px 40px 0;`}>
        <p
          class={label.name}
          style={`margin:0;font-size:14px;line-height:20px;font-weight:600;${label.style}`}
        >
          {content.amountLabel}
        </p>
        <Figure text={content.amount} />
        {content.amountNote !== null && (
          <p class="soft" style={`margin:2px 0 0;font-size:15px;line-height:22px;${soft}`}>
            {content.amountNote}
          </p>
        )}
        {content.due !== null && (
          <p class="ink" style={`margin:4px 0 0;font-size:17px;line-height:24px;${ink}`}>
            {content.due}
          </p>
        )}
      </td>
    </tr>
  );
}

/** From the net to the total. */
function Sums({ content: { sums, locale } }: Props) {
  if (sums.length === 0) return "";
  const end = locale.dir === "rtl" ? "left" : "right";
  const line = `${font}font-size:14px;line-height:22px;`;
  return (
    <tr>
      <td class="inset" style={`${font}padding:14px 40px 0;`}>
        <table {...table}>
          {sums.map(({ label, amount }, at) => {
            const [name, colour] = at === sums.length - 1 ? ["ink", ink] : ["soft", soft];
            return (
              <tr>
                <td class={name} style={`${line}${colour}`}>
                  {label}
                </td>
                <td class={name} style={`${line}white-space:nowrap;${colour}`} align={end} valign="top">
                  {amount}
                </td>
              </tr>
            );
          })}
        </table>
      </td>
    </tr>
  );
}

function Actions({ content }: Props) {
  return (
    <tr>
      <td class="inset" style={`${font}padding:24px 40px 0;`}>
        <Action content={content} label={content.action} />
        <p style="margin:10px 0 0;font-size:14px;line-height:21px;">
          <a href={content.pdfUrl} class="link" style={linkStyle(content.brand)}>
            {content.locale.say("downloadPdf")}
          </a>
          {content.hasPdf && (
            <span class="soft" style={soft}>
              <br />
              {content.locale.say("pdfAttached")}
            </span>
          )}
        </p>
      </td>
    </tr>
  );
}

function Notes({ content }: Props) {
  if (content.notes.length === 0) return "";
  const merchant = <bdi>{content.merchantName}</bdi>;
  return (
    <tr>
      <td class="inset" style={`${font}padding:24px 40px 0;`}>
        <p class="soft" style={`margin:0 0 4px;font-size:14px;line-height:20px;font-weight:600;${soft}`}>
          <Rich locale={content.locale} text="noteFrom" values={{ merchant }} />
        </p>
        <p class="ink" style={`margin:0;font-size:15px;line-height:23px;word-break:break-word;${ink}`}>
          {content.notes.map((line) => (
            <>
              <bdi>{line}</bdi>
              <br />
            </>
          ))}
        </p>
      </td>
    </tr>
  );
}

function Advice({ content }: Props) {
  const { say, marks } = content.locale;
  return (
    <tr>
      <td class="inset" style={`${font}padding:28px 40px 36px;`}>
        <table
          {...table}
          class="panel"
          style="background:#f3f5f9;border-radius:10px;border-collapse:separate;"
        >
          <tr>
            <td class="soft" style={`${font}padding:16px 20px;font-size:14px;line-height:21px;${soft}`}>
              {content.state !== "paid" && (
                <p style="margin:0 0 10px;">
                  <strong class="ink" style={ink}>
                    {[content.onlyOn, content.testNetwork ?? ""].join(marks.gap).trimEnd()}
                  </strong>
                  {marks.gap}
                  {say("pageShows")}
                </p>
              )}
              <p style="margin:0;">
                <strong class="ink" style={ink}>
                  {say("checkLink")}
                  <br />
                  <span dir="ltr" style="word-break:break-word;overflow-wrap:anywhere;">
                    {content.origin}
                  </span>
                </strong>
                <br />
                {content.addressAdvice}
              </p>
            </td>
          </tr>
        </table>
      </td>
    </tr>
  );
}
