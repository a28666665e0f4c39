import { Rich } from "../../language/rich.tsx";
import { Action, FactRows, font, ink, mailDocument, soft, table } from "./mail-layout.tsx";
import type { VoidContent } from "./void-message.ts";

type Props = { content: VoidContent };

/** The HTML version of the mail, a whole document. Escapes everything that it is given. */
export function voidHtml(content: VoidContent): string {
  return mailDocument(
    content,
    <>
      <Heading content={content} />
      <Reason content={content} />
      <Facts content={content} />
      <tr>
        <td class="inset" style={`${font}padding:24px 40px 36px;`}>
          <p class="ink" style={`margin:0 0 24px;font-size:15px;line-height:22px;${ink}`} safe>
            {content.ending}
          </p>
          <Action content={content} label={content.locale.say("viewInvoice")} />
        </td>
      </tr>
    </>,
  );
}

function Heading({ content: { locale, heading, sentence, number: named, merchantName } }: Props) {
  const number = (
    <span safe style="white-space:nowrap;">
      {named}
    </span>
  );
  return (
    <tr>
      <td class="inset" style={`${font}padding:36px 40px 0;`}>
        <h1 class="ink" style={`margin:0;font-size:22px;line-height:30px;font-weight:600;${ink}`}>
          <Rich locale={locale} text={heading} values={{ number }} />
        </h1>
        <p class="soft" style={`margin:6px 0 0;font-size:15px;line-height:22px;${soft}`}>
          <Rich locale={locale} text={sentence} values={{ name: <bdi safe>{merchantName}</bdi> }} />
        </p>
      </td>
    </tr>
  );
}

function Reason({ content: { locale, reason } }: Props) {
  return (
    <tr>
      <td class="inset" style={`${font}padding:24px 40px 0;`}>
        <p class="soft" style={`margin:0 0 4px;font-size:14px;line-height:20px;font-weight:600;${soft}`} safe>
          {locale.say("reason")}
        </p>
        <p class="ink" style={`margin:0;font-size:15px;line-height:23px;word-break:break-word;${ink}`}>
          {reason.map((line) => (
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

function Facts({ content: { facts } }: Props) {
  return (
    <tr>
      <td class="inset" style={`${font}padding:24px 40px 0;`}>
        <table {...table}>
          <FactRows facts={facts} />
        </table>
      </td>
    </tr>
  );
}
