import type { Locale } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import type { PaymentProps } from "./props.ts";
import { countingOf } from "./state.ts";

type PayByProps = {
  locale: Locale;
  payBy: NonNullable<PaymentProps["payBy"]>;
  text?: "payBy" | "amountHolds";
};

/** Characters of an amount that fit in large type on a phone. */
const figureLengthMax = 9;

export function Figure({ value, locale, unit = "USDC" }: { value: string; locale: Locale; unit?: string }) {
  return (
    <p class={locale.figure(value).length > figureLengthMax ? "figure figure-long" : "figure"}>
      <Amount value={value} locale={locale} /> <span class="unit">{unit}</span>
    </p>
  );
}

/** The newest transfer decides when all of it counts. */
export function Confirming({ props }: { props: PaymentProps }) {
  const { locale } = props;
  const counts = countingOf(props);
  if (counts === null) return <p class="due">{locale.say("beingConfirmed")}</p>;
  const { inMs, ofMs } = counts;
  if (inMs === null || ofMs === null) return <p class="due">{locale.say("waitingForFinal")}</p>;
  return (
    <div class="received">
      <progress class="bar" max={ofMs} value={ofMs - inMs} aria-label={locale.say("confirmations")} />
      <p class="due">{locale.confirmedIn(inMs)}</p>
    </div>
  );
}

/** The share of the total that has arrived. */
export function ReceivedOf({ props }: { props: PaymentProps }) {
  return (
    <Rich
      locale={props.locale}
      text="receivedOf"
      values={{
        received: <Amount value={props.received} locale={props.locale} />,
        total: <Amount value={props.total} locale={props.locale} />,
      }}
    />
  );
}

/** The price in the merchant's currency, and the rate. */
export function Price({ props: { locale, price } }: { props: PaymentProps }) {
  return (
    price && (
      <p class="due">
        <strong>
          <Amount value={price.total} locale={locale} /> {price.code}
        </strong>
        <br />
        {!price.isOver && <small>{price.rate}</small>}
      </p>
    )
  );
}

/**
 * The time until which a link can be paid, or its amount holds: in UTC, until a script shows it in the payer's time
 * zone. With the time left shown, no day is needed on screen; in print the time left would soon be wrong.
 */
export function PayBy({ locale, payBy: { at, left }, text = "payBy" }: PayByProps) {
  const written = locale.minute(at);
  const clock = `${at.slice(11, 16)} UTC`;
  return (
    <p class="due">
      <Rich
        locale={locale}
        text={text}
        values={{
          time: (
            <time datetime={at}>
              <span class={left === null ? "" : "on-paper"}>{written.slice(0, -clock.length)}</span>
              {clock}
            </time>
          ),
        }}
      />
      {left !== null && <span class="on-screen">{locale.bracketed(left)}</span>}
    </p>
  );
}

/** An amount or a quantity, as the language writes it. */
export function Amount({ value, locale }: { value: string; locale: Locale }) {
  return <bdi class="amount">{locale.figure(value)}</bdi>;
}

/** An amount to type or paste into a wallet or an exchange: digits and a point, in every language. */
export function BareAmount({ value }: { value: string }) {
  return (
    <bdi class="amount" translate="no">
      {value}
    </bdi>
  );
}

/** A full address, in groups of four that can be compared by eye. The gaps are only visual, so copying has none. */
export function GroupedAddress({ address }: { address: string }) {
  const [prefix = "", ...groups] = address.match(/^0x|.{1,4}/gsu) ?? [];
  return (
    <code class="address" translate="no">
      <span>{prefix}</span>
      {groups.map((group) => (
        <>
          <wbr />
          <span>{group}</span>
        </>
      ))}
    </code>
  );
}
