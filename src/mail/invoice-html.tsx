import { Html } from "@elysiajs/html";
import { howToPay, type InvoiceContent, safety } from "./invoice-content.ts";

/*
 * Mail programs are old browsers: tables for the layout, styles on the elements, and a style block only for the
 * dark colours, which those that lack it leave out. Nothing is loaded from anywhere.
 */

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";
const widthMaxPx = 600;
const table = { role: "presentation", width: "100%", cellpadding: 0, cellspacing: 0, border: 0 } as const;

const darkStyles = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .inset { padding-left: 24px !important; padding-right: 24px !important; } }
@media (prefers-color-scheme: dark) {
  .ground { background: #0c0f14 !important; }
  .card { background: #171b22 !important; border-color: #2a303b !important; }
  .ink { color: #f2f4f8 !important; }
  .soft { color: #a9b2c1 !important; }
  .rule { border-color: #2a303b !important; }
  .link { color: #8db4ff !important; }
  .panel { background: #1f2530 !important; }
  .late { color: #ff9a8f !important; }
  .done { color: #6fdba4 !important; }
}`;

const ink = "color:#111827;";
const soft = "color:#566072;";
const link = "color:#1d4ed8;";
const amountColours = {
  open: { name: "soft", style: soft },
  overdue: { name: "late", style: "color:#b42318;" },
  paid: { name: "done", style: "color:#0f7a4d;" },
};

/** The HTML version of the invoice mail, a whole document. Escapes everything that it is given. */
export function invoiceHtml(content: InvoiceContent): string {
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no" />
        <title safe>{content.subject}</title>
        <style>{darkStyles}</style>
      </head>
      <body class="ground" style="margin:0;padding:0;background:#f3f5f9;-webkit-text-size-adjust:100%;">
        <div style="display:none;max-height:0;overflow:hidden;" safe>
          {content.preview}
        </div>
        <table {...table} class="ground" style="background:#f3f5f9;">
          <tr>
            <td align="center" style="padding:32px 12px;">
              <table
                {...table}
                class="card"
                width={widthMaxPx}
                style={`width:100%;max-width:${widthMaxPx}px;background:#ffffff;border:1px solid #e1e6ee;border-radius:14px;border-collapse:separate;`}
              >
                <Heading content={content} />
                <Amount content={content} />
                <Action content={content} />
                <Notes content={content} />
                <Advice content={content} />
              </table>
              <Footer content={content} />
            </td>
          </tr>
        </table>
      </body>
    </html>
  );
  return `<!doctype html>\n${document}`;
}

type Props = { content: InvoiceContent };

function Heading({ content }: Props) {
  return (
    <tr>
      <td class="inset" style={`${font}padding:36px 40px 0;`}>
        <p
          class="soft"
          style={`margin:0 0 6px;font-size:14px;line-height:20px;${soft}`}
          safe
        >{`Invoice ${content.invoiceNumber}`}</p>
        <h1 class="ink" style={`margin:0;font-size:22px;line-height:30px;font-weight:600;${ink}`}>
          <bdi safe>{content.merchantName}</bdi>
        </h1>
        <p class="soft" style={`margin:6px 0 0;font-size:15px;line-height:22px;${soft}`}>
          has sent an invoice to{" "}
          <bdi safe class="ink" style={ink}>
            {content.vendorName}
          </bdi>
          .
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
          safe
        >
          {content.amountLabel}
        </p>
        <p
          class="ink"
          style={`margin:2px 0 0;font-size:34px;line-height:42px;font-weight:700;letter-spacing:-0.5px;${ink}`}
          safe
        >
          {content.amount}
        </p>
        {content.amountNote === null ? null : (
          <p class="soft" style={`margin:2px 0 0;font-size:15px;line-height:22px;${soft}`} safe>
            {content.amountNote}
          </p>
        )}
        {content.state === "paid" ? null : (
          <p
            class="ink"
            style={`margin:4px 0 0;font-size:17px;line-height:24px;${ink}`}
            safe
          >{`${content.state === "overdue" ? "Was due" : "Due"} ${content.due}`}</p>
        )}
      </td>
    </tr>
  );
}

function Action({ content }: Props) {
  return (
    <tr>
      <td class="inset" style={`${font}padding:24px 40px 0;`}>
        <table {...table} style="border-collapse:separate;">
          <tr>
            <td align="center" style="background-color:#1d4ed8;border-radius:10px;">
              <a
                href={content.invoiceUrl}
                style={`${font}display:block;padding:15px 24px;font-size:17px;line-height:22px;font-weight:600;color:#ffffff;text-decoration:none;`}
                safe
              >
                {content.action}
              </a>
            </td>
          </tr>
        </table>
        <p class="soft" style={`margin:14px 0 0;font-size:14px;line-height:21px;${soft}`}>
          Or open this link:
          <br />
          <a href={content.invoiceUrl} class="link" style={`${link}word-break:break-all;`} safe>
            {content.invoiceUrl}
          </a>
        </p>
        <p style="margin:10px 0 0;font-size:14px;line-height:21px;">
          <a href={content.pdfUrl} class="link" style={link}>
            Download the PDF
          </a>
        </p>
      </td>
    </tr>
  );
}

function Notes({ content }: Props) {
  if (content.notes.length === 0) return "";
  return (
    <tr>
      <td class="inset" style={`${font}padding:24px 40px 0;`}>
        <p class="soft" style={`margin:0 0 4px;font-size:14px;line-height:20px;font-weight:600;${soft}`}>
          Note from <bdi safe>{content.merchantName}</bdi>
        </p>
        <p class="ink" style={`margin:0;font-size:15px;line-height:23px;word-break:break-word;${ink}`}>
          {content.notes.map((line) => (
            <>
              <bdi safe>{line}</bdi>
              <br />
            </>
          ))}
        </p>
      </td>
    </tr>
  );
}

function Advice({ content }: Props) {
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
              {content.state === "paid" ? null : (
                <p style="margin:0 0 10px;">
                  <strong class="ink" style={ink}>
                    Pay in USDC on the Base network only.
                  </strong>{" "}
                  {howToPay}
                </p>
              )}
              <p style="margin:0;">
                <strong class="ink" style={ink}>
                  Check that the link starts with
                  <br />
                  <span style="word-break:break-word;overflow-wrap:anywhere;" safe>
                    {content.origin}
                  </span>
                </strong>
                <br />
                {safety}
              </p>
            </td>
          </tr>
        </table>
      </td>
    </tr>
  );
}

function Footer({ content }: Props) {
  return (
    <p
      class="soft"
      style={`${font}max-width:${widthMaxPx}px;margin:20px auto 0;padding:0 16px;font-size:13px;line-height:20px;text-align:center;${soft}`}
    >
      Sent by Till on behalf of <bdi safe>{content.merchantName}</bdi>. Replies go to{" "}
      <a href={`mailto:${encodeURIComponent(content.merchantEmail)}`} class="link" style={link} safe>
        {content.merchantEmail}
      </a>
      .
    </p>
  );
}
