import { type Brand, hostName } from "../../domain/brand.ts";
import * as Email from "../../domain/party/email.ts";
import type { Network } from "../../domain/wallet/network.ts";
import type { LanguageCode } from "../../language/languages.ts";
import type { Locale } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import { type Child, rawHtml } from "../../lib/jsx/jsx-runtime.ts";
import { isolate } from "../smtp/message.ts";

/*
 * Mail programs are old browsers: tables for the layout, inline styles, and a style block only for dark colours, which
 * programs without support ignore. Nothing is loaded from anywhere.
 */

export const font =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";
const widthMaxPx = 600;
export const table = {
  role: "presentation",
  width: "100%",
  cellpadding: 0,
  cellspacing: 0,
  border: 0,
} as const;

const darkStyles = (link: string) => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .inset { padding-left: 24px !important; padding-right: 24px !important; } }
@media (prefers-color-scheme: dark) {
  .ground { background: #0c0f14 !important; }
  .card { background: #171b22 !important; border-color: #2a303b !important; }
  .ink { color: #f2f4f8 !important; }
  .soft { color: #a9b2c1 !important; }
  .rule { border-color: #2a303b !important; }
  .link { color: ${link} !important; }
  .panel { background: #1f2530 !important; }
  .late { color: #ff9a8f !important; }
  .done { color: #6fdba4 !important; }
}`;

export const ink = "color:#111827;";
export const soft = "color:#566072;";
export const warm = "color:#b42318;";
export const good = "color:#0f7a4d;";

/** Uses the operator's colour, else Till's. */
export const linkStyle = ({ palette }: Brand) => `color:${palette?.text ?? "#1d4ed8"};`;

/** The settings that all mails are written with. */
export type MailSettings = Readonly<{
  /** Without a trailing slash. */
  baseUrl: string;
  network: Network;
  brand: Brand;
  language: LanguageCode;
}>;

/** The content common to all mails, in both versions. Users' texts are single lines here, and not yet escaped. */
export type MailContent = Readonly<{
  subject: string;
  /** Shown beside the subject in the list of mails. */
  preview: string;
  merchantName: string;
  /** The button's target. */
  url: string;
  /** The Reply-To address; null if the mail names nobody. */
  replyTo: string | null;
  sentBy: "sentBy" | "sentFor" | "noticeSentBy" | "noticeSentOnlyBy";
  brand: Brand;
  locale: Locale;
}>;

/** Returns a whole mail around its `rows`. Escapes everything else. */
export function mailDocument(content: MailContent, rows: Child): string {
  const { subject, preview, brand, locale } = content;
  const styles = darkStyles(brand.palette?.dark.accent ?? "#8db4ff");
  const document = (
    <html lang={locale.tag} dir={locale.dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no" />
        <title>{subject}</title>
        <style>{rawHtml(styles)}</style>
      </head>
      <body class="ground" style="margin:0;padding:0;background:#f3f5f9;-webkit-text-size-adjust:100%;">
        <div style="display:none;max-height:0;overflow:hidden;">{preview}</div>
        {/* Programs in a browser show the body within a page of their own. */}
        <table
          {...table}
          lang={locale.tag}
          dir={locale.dir}
          class="ground"
          style="background:#f3f5f9;word-break:break-word;"
        >
          <tr>
            <td align="center" style="padding:32px 12px;">
              <table
                {...table}
                class="card"
                width={widthMaxPx}
                style={`width:100%;max-width:${widthMaxPx}px;background:#ffffff;border:1px solid #e1e6ee;border-radius:14px;border-collapse:separate;`}
              >
                {rows}
              </table>
              <p
                class="soft"
                style={`${font}max-width:${widthMaxPx}px;margin:20px auto 0;padding:0 16px;font-size:13px;line-height:20px;text-align:center;${soft}`}
              >
                <Signature content={content} />
              </p>
            </td>
          </tr>
        </table>
      </body>
    </html>
  );
  return `<!doctype html>\n${document}`;
}

/** A link to the page as a button, and again as text to read and copy. */
export function Button({ content, label }: { content: MailContent; label: string }) {
  const { brand, url, locale } = content;
  return (
    <>
      <table {...table} style="border-collapse:separate;">
        <tr>
          <td
            align="center"
            style={`background-color:${brand.palette?.accent ?? "#1d4ed8"};border-radius:10px;`}
          >
            <a
              href={url}
              style={`${font}display:block;padding:15px 24px;font-size:17px;line-height:22px;font-weight:600;color:#ffffff;text-decoration:none;`}
            >
              {label}
            </a>
          </td>
        </tr>
      </table>
      <p class="soft" style={`margin:14px 0 0;font-size:14px;line-height:21px;${soft}`}>
        {locale.say("orOpen")}
        <br />
        <a
          href={url}
          dir="ltr"
          class="link"
          style={`${linkStyle(brand)}font-size:13px;word-break:break-all;`}
        >
          {url}
        </a>
      </p>
    </>
  );
}

/** States who sends the mail, and who receives replies. */
function Signature({ content: { locale, sentBy, brand, merchantName, replyTo } }: { content: MailContent }) {
  const answer =
    replyTo === null ? (
      ""
    ) : (
      <a href={Email.href(replyTo)} dir="ltr" class="link" style={linkStyle(brand)}>
        {replyTo}
      </a>
    );
  return (
    <Rich
      locale={locale}
      text={sentBy}
      values={{
        brand: <bdi>{hostName(brand)}</bdi>,
        merchant: <bdi>{merchantName}</bdi>,
        replyTo: answer,
      }}
    />
  );
}

/** The same, as the last lines of the text version. */
export function signature({ locale, sentBy, brand, merchantName, replyTo }: MailContent): string[] {
  const names = { brand: hostName(brand), merchant: isolate(merchantName), replyTo: replyTo ?? "" };
  return ["", "-- ", locale.say(sentBy, names), ""];
}
