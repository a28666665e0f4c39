import { Rich } from "../../language/rich.tsx";
import { Action, FactRows, Figure, font, ink, mailDocument, soft, table, whole } from "./mail-layout.tsx";
import type { VoidContent } from "./void-message.ts";

type Props = { content: VoidContent };

/** The HTML version of the mail, a whole document. Escapes everything that it is given. */
export function voidHtml(content: VoidContent): string {
  const { credited, attached, locale } = content;
  return mailDocument(
    content,
    <>
      <Heading content={content} />
      {credited !== null && <Amount content={content} credited={credited} />}
      <Reason content={content} />
      <Facts content={content} />
      <tr>
        <td class="inset" style={`${font}padding:24px 40px 36px;`}>
          {credited === null && (
            <p class="ink" style={`margin:0 0 24px;font-size:15px;line-height:22px;${ink}`}>
              {content.ending}
            </p>
          )}
          <Action content={content} label={locale.say("viewInvoice")} />
          {attached !== null && (
            <p class="soft" style={`margin:16px 0 0;font-size:14px;line-height:20px;${soft}`}>
              {attached}
            </p>
          )}
        </td>
      </tr>
    </>,
  );
}

function Heading({ content: { locale, heading, sentence, number: named, merchantName } }: Props) {
  const number = <span style="white-space:nowrap;">{named}</span>;
  return (
    <tr>
      <td class="inset" style={`${font}padding:36px 40px 0;`}>
        <h1 class="ink" style={`margin:0;font-size:22px;line-height:30px;font-weight:600;${ink}`}>
          <Rich locale={locale} text={heading} values={{ number }} />
        </h1>
        <p class="soft" style={`margin:6px 0 0;font-size:15px;line-height:22px;${soft}`}>
          <Rich locale={locale} text={sentence} values={{ name: <bdi>{merchantName}</bdi> }} />
        </p>
      </td>
    </tr>
  );
}

/** What was credited, and what is to be paid or returned now. */
function Amount({ content: { locale, ending }, credited }: Props & { credited: string }) {
  return (
    <tr>
      <td class="inset" style={`${font}padding:28px 40px 0;`}>
        <p class="soft" style={`margin:0;font-size:14px;line-height:20px;font-weight:600;${soft}`}>
          {locale.say("creditedAmount")}
        </p>
        <Figure text={credited} />
        <p class="ink" style={`margin:8px 0 0;font-size:15px;line-height:22px;${ink}`}>
          {whole(ending)}
        </p>
      </td>
    </tr>
  );
}

function Reason({ content: { locale, reason } }: Props) {
  return (
    <tr>
      <td class="inset" style={`${font}padding:24px 40px 0;`}>
        <p class="soft" style={`margin:0 0 4px;font-size:14px;line-height:20px;font-weight:600;${soft}`}>
          {locale.say("reason")}
        </p>
        <p class="ink" style={`margin:0;font-size:15px;line-height:23px;word-break:break-word;${ink}`}>
          {reason.map((line) => (
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

function Facts({ content: { facts, locale } }: Props) {
  return (
    <tr>
      <td class="inset" style={`${font}padding:24px 40px 0;`}>
        <table {...table}>
          <FactRows facts={facts} locale={locale} />
        </table>
      </td>
    </tr>
  );
}
