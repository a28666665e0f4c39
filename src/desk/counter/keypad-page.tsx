import * as Currency from "../../domain/bill/currency.ts";
import * as Keypad from "../../domain/link/keypad.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { Locale } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import type { LinkHead } from "../../store/tables/invoicing/link.ts";
import { linkState, priceText } from "../links/list.ts";
import { Figure } from "../parts/amount.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { State } from "../parts/state.tsx";
import { counterPage, SoundSwitch } from "./counter-frame.tsx";

type KeypadProps = {
  frame: DeskFrame;
  /** Unix time in milliseconds. */
  now: number;
  /** The typed digits: see `Keypad`. */
  digits: string;
  /** Their currency; empty for USDC. */
  currency: Currency.Code | "";
  /** Available currencies besides USDC. */
  currencies: readonly Currency.Code[];
  /** The current price of 1 USDC; null for USDC, and if no rate is available. */
  rate: Currency.Rate | null;
  /** The tax included in the price, in percent, as typed. */
  taxRate: string;
  what: string;
  /** Makes a form that is sent twice one payment. */
  once: string;
  fault: { field: "amount" | "what" | "tax_rate"; message: string } | null;
  sales: readonly LinkHead[];
  /** The sum of all of today's sales. */
  received: Usdc.Usdc;
  /** Cancelled sales of today or the day before that received money. */
  late: readonly LinkHead[];
};

export const whatLengthMax = 120;

/** The keypad. Its keys submit the form, so that it works without a script; with one nothing is loaded. */
export function keypadPage(props: KeypadProps): string {
  const { frame } = props;
  const { locale, did } = frame;
  return counterPage({
    frame,
    title: locale.say("counter"),
    actions: (
      <>
        <SoundSwitch frame={frame} />
        <Leave locale={locale} />
      </>
    ),
    main: (
      <main class="counter-main counter-two" id="content">
        <div class="counter-till">
          {did !== null && (
            <p class="notice notice-plain" role="status">
              {locale.texts[did]}
            </p>
          )}
          <Late frame={frame} late={props.late} />
          <Keys {...props} />
        </div>
        <Day {...props} />
      </main>
    ),
  });
}

const Leave = ({ locale }: { locale: Locale }) => (
  <a class="button button-plain button-icon" href="/desk" aria-label={locale.say("counterLeave")}>
    <DeskIcon name="cross" />
  </a>
);

function Keys({ frame, digits, currency, currencies, rate, taxRate, what, once, fault }: KeypadProps) {
  const { locale } = frame;
  const figure = locale.figure(Keypad.decimalOf(digits));
  const inUsdc = rate === null ? null : Currency.toUsdc(Keypad.amountOf(digits), rate);
  return (
    <form class="keypad" id="keypad" method="get" action="/desk/counter">
      {/* The button that Enter presses without a script: reloads the page, instead of pressing the first key. */}
      <button type="submit" hidden></button>
      <input type="hidden" name="digits" value={digits} autocomplete="off" />
      <input type="hidden" name="once" value={once} autocomplete="off" />
      <div class="ask">
        <h1 class="label">{locale.say("counterToPay")}</h1>
        <p class={figure.length > 9 ? "figure figure-long" : "figure"} role="status" id="to-pay">
          <span class="num">
            <span data-amount>{figure}</span>
            <span class="unit">{` ${currency || "USDC"}`}</span>
          </span>
        </p>
        {inUsdc !== null && (
          <p class="soft num" id="in-usdc" data-rate={rate ?? ""}>
            {`≈ ${locale.usdc(Usdc.format(inUsdc))}`}
          </p>
        )}
        {fault !== null && (
          <p class="fault" id="keypad-fault" role="alert">
            {fault.message}
          </p>
        )}
      </div>
      <div class="keypad-terms">
        {currencies.length > 0 && (
          <div class="field keypad-currency">
            <label class="visually-hidden" for="currency">
              {locale.say("pricesIn")}
            </label>
            <select id="currency" name="currency" autocomplete="off">
              {["", ...currencies].map((code) => (
                <option value={code} selected={code === currency}>
                  {code || "USDC"}
                </option>
              ))}
            </select>
          </div>
        )}
        <div class="field keypad-tax">
          <label for="tax_rate">{locale.say("taxRate")}</label>
          <input
            id="tax_rate"
            name="tax_rate"
            dir="ltr"
            autocomplete="off"
            inputmode="decimal"
            enterkeyhint="done"
            maxlength="8"
            value={taxRate}
            {...(fault?.field === "tax_rate"
              ? { "aria-invalid": "true", "aria-describedby": "keypad-fault" }
              : {})}
          />
        </div>
      </div>
      <div class="field">
        <label class="visually-hidden" for="what">
          {locale.say("counterWhat")}
        </label>
        <input
          id="what"
          name="what"
          dir="auto"
          autocomplete="off"
          enterkeyhint="done"
          maxlength={String(whatLengthMax)}
          value={what}
          placeholder={locale.say("counterWhatHint")}
          {...(fault?.field === "what" ? { "aria-invalid": "true", "aria-describedby": "keypad-fault" } : {})}
        />
      </div>
      <fieldset class="keys">
        <legend class="visually-hidden">{locale.say("counterKeys")}</legend>
        {Keypad.keys.map((key) =>
          key === "erase" ? (
            <button type="submit" name="key" value="erase" aria-label={locale.say("counterErase")}>
              <DeskIcon name="erase" turns />
            </button>
          ) : (
            <button type="submit" name="key" value={key}>
              {key}
            </button>
          ),
        )}
      </fieldset>
      <button
        type="submit"
        class="button button-large button-full"
        id="charge"
        formmethod="post"
        name="form"
        value={frame.formToken}
        disabled={digits === ""}
      >
        <span>
          <Rich
            locale={locale}
            text="counterCharge"
            values={{
              amount: (
                <span class="num" data-amount>
                  {figure}
                </span>
              ),
            }}
          />
        </span>
      </button>
    </form>
  );
}

/** The amounts received for a link; an overpayment counts, too. */
function sumsOf({ deposit }: LinkHead) {
  const { received, pending, expected } = deposit;
  return { came: Usdc.fromMicro(received + pending), amount: received > expected ? received : expected };
}

function Late({ frame: { locale }, late }: Pick<KeypadProps, "frame" | "late">) {
  const figureOf = (link: LinkHead) => locale.figure(Usdc.formatExact(sumsOf(link).came));
  return (
    <>
      {late.map((sale) => (
        <div class="notice" role="status">
          <DeskIcon name="alert" />
          <p>
            <strong>{locale.say("counterLateTitle", { amount: figureOf(sale) })}</strong>
            {`${locale.marks.gap}${locale.say("counterLateText")}${locale.marks.gap}`}
            <a href={`/desk/counter/${sale.slug}`}>{locale.say("counterShow")}</a>
          </p>
        </div>
      ))}
    </>
  );
}

function Day({ frame, now, sales, received }: KeypadProps) {
  const { locale } = frame;
  return (
    <aside class="counter-day" id="counter-day" data-live aria-labelledby="counter-day-title">
      <h2 class="label" id="counter-day-title">
        {locale.say("counterDay")}
      </h2>
      {sales.length === 0 ? (
        <p class="soft small">{locale.say("counterDayNone")}</p>
      ) : (
        <>
          <p class="figure-mid">
            <Figure locale={locale} amount={received} />
          </p>
          <ul>
            {sales.map((link) => (
              <Sale frame={frame} now={now} link={link} />
            ))}
          </ul>
        </>
      )}
    </aside>
  );
}

function Sale({ frame, now, link }: Pick<KeypadProps, "frame" | "now"> & { link: LinkHead }) {
  const { locale, when } = frame;
  const { slug, productDescription: what } = link;
  const { name, word } = linkState(link, now, locale);
  const { came, amount } = sumsOf(link);
  const details = [
    when.moment(link.createdAt),
    ...(link.currency === null ? [] : [priceText(link, locale)]),
    ...(what === null ? [] : [word]),
  ];
  const isLate = link.voidedAt !== null && came > 0n;
  return (
    <li>
      <State name={isLate ? "late" : name} word={word} isShort />
      <a href={`/desk/counter/${slug}`}>
        <bdi dir="auto">{what ?? word}</bdi>
        <span class="soft small">{details.join(" · ")}</span>
      </a>
      <Figure locale={locale} amount={amount} />
    </li>
  );
}

/** Shown while nobody has set who is paid. */
export function nobodyPage({ frame }: { frame: DeskFrame }): string {
  const { locale } = frame;
  return counterPage({
    frame,
    title: locale.say("counter"),
    actions: <Leave locale={locale} />,
    main: (
      <main class="counter-main" id="content">
        <div class="empty empty-centre">
          <span class="empty-mark">
            <DeskIcon name="counter" />
          </span>
          <h1>{locale.say("counterNobody")}</h1>
          <p>{locale.say("counterNobodyText")}</p>
          <div class="actions">
            <ButtonLink href="/desk/settings" text={locale.say("counterToSettings")} />
          </div>
        </div>
      </main>
    ),
  });
}
