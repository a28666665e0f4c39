import * as Calendar from "../../../domain/calendar.ts";
import { MerchantMark } from "../../../pages/brand-mark.tsx";
import { Amount, Figure } from "../../parts/amount.tsx";
import { DeskIcon } from "../../parts/icon.tsx";
import type { InvoiceFormProps } from "./form-props.ts";

/** The invoice as its customer will see it, scaled down; nothing in it is clickable. */
export function Preview(props: InvoiceFormProps) {
  const { frame, typed, bill, pageBeginning, exampleQr } = props;
  const { locale } = frame;
  const name = typed.merchant_name === "" ? frame.shopName : typed.merchant_name;
  return (
    <figure class="stays" id="preview">
      <div class="part-head">
        <figcaption>
          <h2>{locale.say("whatCustomerSees")}</h2>
        </figcaption>
      </div>
      <div class="preview">
        <p class="preview-bar">
          <DeskIcon name="lock" />
          <bdi class="address">{`${pageBeginning}…`}</bdi>
        </p>
        <div class="preview-page">
          <div class="payer-head">
            <MerchantMark name={name} brand={frame.brand} />
            <p>
              <strong dir="auto">{name}</strong>
              <span class="soft">{locale.say("invoice")}</span>
            </p>
          </div>
          <div class="card">
            <div>
              <span class="pill">{locale.say("awaitingPayment")}</span>
              <p class="label">{locale.say("amountDue")}</p>
              <p class="figure">
                {props.inUsdc === null ? (
                  <Figure locale={locale} amount={bill.totals.total} unit={typed.currency || "USDC"} />
                ) : (
                  <span class="num">{locale.usdc(props.inUsdc.amount)}</span>
                )}
              </p>
              {Calendar.isDay(typed.due_date) && (
                <p class="soft">{locale.say("dueOnPreview", { day: locale.day(typed.due_date) })}</p>
              )}
            </div>
            <div>
              <img class="qr" width="110" height="110" src={exampleQr} alt={locale.say("exampleQr")} />
            </div>
          </div>
          <Details {...props} />
        </div>
      </div>
    </figure>
  );
}

function Details({ frame: { locale }, typed, bill, sums }: InvoiceFormProps) {
  const { lineTotals, totals } = bill;
  const lines = typed.lines.flatMap((line, i) => {
    const lineTotal = lineTotals[i] ?? null;
    return lineTotal === null && line.description === "" ? [] : [{ ...line, lineTotal }];
  });
  return (
    <div class="card">
      {typed.vendor_name !== "" && (
        <div>
          <p class="label">{locale.say("billedTo")}</p>
          <p>
            <strong dir="auto">{typed.vendor_name}</strong>
          </p>
        </div>
      )}
      <div>
        {lines.length === 0 ? (
          <p class="soft">{locale.say("noLineYet")}</p>
        ) : (
          <table class="mini">
            <tbody>
              {lines.map(({ description, quantity, unit_price, unit, discount, lineTotal }) => (
                <tr>
                  <td>
                    <span dir="auto">{description}</span>
                    {lineTotal !== null && (
                      <>
                        <br />
                        <span class="soft small num">
                          {`${`${locale.figure(quantity)} ${unit}`.trimEnd()} × ${locale.figure(unit_price)}`}
                        </span>
                        {discount !== "" && (
                          <span class="soft small">{` · ${locale.say("lineDiscount", { discount })}`}</span>
                        )}
                      </>
                    )}
                  </td>
                  <td>{lineTotal === null ? "–" : <Amount locale={locale} amount={lineTotal} />}</td>
                </tr>
              ))}
              {sums.map(({ label, amount }) => (
                <tr class="soft">
                  <td dir="auto">{label}</td>
                  <td class="num">{amount}</td>
                </tr>
              ))}
              <tr>
                <th scope="row">{locale.say("total")}</th>
                <td>
                  <strong>
                    <Amount locale={locale} amount={totals.total} />
                  </strong>
                  {typed.currency !== "" && <span>{` ${typed.currency}`}</span>}
                </td>
              </tr>
            </tbody>
          </table>
        )}
      </div>
      {typed.notes.trim() !== "" && (
        <div>
          <p class="soft prose" dir="auto">
            {typed.notes}
          </p>
        </div>
      )}
    </div>
  );
}
