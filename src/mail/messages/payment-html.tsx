import { Rich } from "../../language/rich.tsx";
import {
  Action,
  cell,
  FactRows,
  Figure,
  font,
  good,
  ink,
  linkStyle,
  mailDocument,
  soft,
  table,
  whole,
} from "./mail-layout.tsx";
import type { PaymentContent } from "./payment-message.ts";

type Props = { content: PaymentContent };

/** The HTML version of a receipt or a notice, a whole document. Escapes everything that it is given. */
export function paymentHtml(content: PaymentContent): string {
  return mailDocument(
    content,
    <>
      <Heading content={content} />
      <Payments content={content} />
      <tr>
        <td class="inset" style={`${font}padding:24px 40px 36px;`}>
          <Action content={content} label={content.action} />
          {content.attached !== null && (
            <p class="soft" style={`margin:16px 0 0;font-size:14px;line-height:20px;${soft}`}>
              {content.attached}
            </p>
          )}
        </td>
      </tr>
    </>,
  );
}

function Heading({ content }: Props) {
  const { sentence, isDone, locale } = content;
  return (
    <tr>
      <td class="inset" style={`${font}padding:36px 40px 0;`}>
        <p class="soft" style={`margin:0 0 6px;font-size:14px;line-height:20px;${soft}`}>
          <bdi>{content.what}</bdi>
        </p>
        <h1 class="ink" style={`margin:0;font-size:22px;line-height:30px;font-weight:600;${ink}`}>
          {content.heading}
        </h1>
        {sentence !== null && (
          <p class="soft" style={`margin:6px 0 0;font-size:15px;line-height:22px;${soft}`}>
            <Rich locale={locale} text={sentence.key} values={{ name: <bdi>{sentence.name}</bdi> }} />
          </p>
        )}
        <p
          class={isDone ? "done" : "soft"}
          style={`margin:28px 0 0;font-size:14px;line-height:20px;font-weight:600;${isDone ? good : soft}`}
        >
          {isDone && "✓ "}
          {content.amountLabel}
        </p>
        <Figure text={content.amount} />
        {content.notes.map((note) => (
          <p class="ink" style={`margin:8px 0 0;font-size:15px;line-height:22px;${ink}`}>
            {whole(note)}
          </p>
        ))}
      </td>
    </tr>
  );
}

function Payments({ content }: Props) {
  const { facts, payments, otherPayments, brand, locale } = content;
  return (
    <tr>
      <td class="inset" style={`${font}padding:24px 40px 0;`}>
        <table {...table}>
          <FactRows facts={facts} locale={locale} />
          {payments.map(({ amount, when, txHash, url }) => (
            <tr>
              <td
                colspan={2}
                class="rule"
                style={`${font}${cell}padding-top:12px;border-top:1px solid #e1e6ee;`}
              >
                <strong class="ink" style={ink}>
                  {amount}
                </strong>{" "}
                <span class="soft" style={soft}>
                  <bdi>{when}</bdi>
                </span>
                <br />
                {url === null ? (
                  <span class="soft" style={`${soft}word-break:break-all;font-size:12px;`}>
                    {txHash}
                  </span>
                ) : (
                  <a
                    href={url}
                    class="link"
                    style={`${linkStyle(brand)}word-break:break-all;font-size:12px;`}
                  >
                    {txHash}
                  </a>
                )}
              </td>
            </tr>
          ))}
          {otherPayments !== null && (
            <tr>
              <td colspan={2} class="soft rule" style={`${font}${cell}${soft}border-top:1px solid #e1e6ee;`}>
                {otherPayments}
              </td>
            </tr>
          )}
        </table>
      </td>
    </tr>
  );
}
