import * as Currency from "../../domain/bill/currency.ts";
import * as Quantity from "../../domain/bill/quantity.ts";
import type * as Tax from "../../domain/bill/tax.ts";
import { askable } from "../../domain/link/bill.ts";
import { checkoutUrl, type Link, priceEndsAt } from "../../domain/link/link.ts";
import type { ReusableLink } from "../../domain/link/reusable-link.ts";
import * as Usdc from "../../domain/usdc.ts";
import { billedOf } from "../../language/bill-currency.ts";
import type { Locale } from "../../language/locale.ts";
import { shareText, taxTitle } from "../../language/tax-words.ts";
import type { WithChildren } from "../../pages/layout.tsx";
import { buttonSnippet, checkoutSnippet, iframeSnippet } from "../../pages/snippets.ts";
import { webHref } from "../../pages/text.ts";
import { ButtonLink } from "../parts/button.tsx";
import { Copy, Copyable } from "../parts/copy.tsx";
import { categoryNames } from "../parts/form/tax-kinds.ts";
import { Facts, Menu } from "../parts/menu.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { PageHead, Part } from "../parts/page/head.tsx";
import { Pill, type StateName } from "../parts/state.tsx";
import { askedNames } from "./fields.ts";
import { priceText, titleOf } from "./list.ts";

export const linkHref = (slug: string) => `/desk/links/${slug}`;

/** Common to the pages of both kinds of links. */
type Props = { frame: DeskFrame; baseUrl: string; link: Link | ReusableLink };

type HeadProps = Props & {
  /** The price, how often it can be paid, and until when. */
  line: string;
  state: { name: StateName; word: string };
  /** True if it asks for money: a closed link needs no code and no snippet. */
  isOpen: boolean;
  can: Readonly<Record<"issue" | "void" | "mark" | "unmark", boolean>>;
  hasReceipt: boolean;
};

/** The product, the state, and the possible actions. */
export function LinkHead(props: HeadProps) {
  const { frame, link, line, state, can } = props;
  const { say } = frame.locale;
  return (
    <div id="head" data-live>
      <PageHead
        back={{ href: "/desk/links", label: say("navLinks") }}
        title={titleOf(link)}
        pill={<Pill {...state} />}
        line={line}
      >
        {can.issue && (
          <ButtonLink href={`/desk/links/new?like=${link.slug}`} kind="quiet" text={say("linkDuplicate")} />
        )}
        <More {...props} />
      </PageHead>
    </div>
  );
}

function More({ frame, baseUrl, link, can, isOpen, hasReceipt }: HeadProps) {
  const { say } = frame.locale;
  const { slug } = link;
  const href = linkHref(slug);
  return (
    <Menu
      frame={frame}
      entries={[
        { text: say("openPayment"), href: checkoutUrl(baseUrl, slug), as: "window" },
        isOpen && { text: say("linkPrint"), href: `${href}/print` },
        hasReceipt && { text: say("receipt"), href: `/api/links/${slug}/receipt`, as: "window" },
        can.mark && { text: say("linkMark"), href: `${href}/mark`, as: "dialog", group: "closing" },
        can.unmark && { text: say("linkUnmark"), href: `${href}/unmark`, as: "post", group: "closing" },
        can.void && {
          text: say("price" in link ? "linkDoEnd" : "linkDoVoid"),
          href: `${href}/void`,
          as: "dialog",
          group: "closing",
          isDanger: true,
        },
      ]}
    />
  );
}

/** The address to send. */
export function SendIt({ frame, baseUrl, link }: Props) {
  const { say } = frame.locale;
  const url = checkoutUrl(baseUrl, link.slug);
  return (
    <Part title={say("linkSend")}>
      <Copyable frame={frame} id="url" text={url} label={say("linkAddress")} isFilled />
    </Part>
  );
}

const ways = [
  ["button", "linkCheckout", "linkCheckoutText", "checkout"],
  ["frame", "linkFrame", "linkFrameText", "frame"],
  ["link", "linkButton", "linkButtonText", "button"],
] as const;

/** Snippets for a shop's page. The choices are radio buttons, so that choosing works without a script. */
export function Embed({ frame, baseUrl, link: { slug } }: Props) {
  const { locale } = frame;
  const word = locale.say("payWithUsdc");
  const snippets = {
    checkout: checkoutSnippet(baseUrl, slug, word),
    frame: iframeSnippet(baseUrl, slug),
    button: buttonSnippet(baseUrl, slug, word),
  };
  return (
    <Part title={locale.say("linkEmbed")}>
      <div class="snippets">
        {ways.map(([way, name], i) => (
          <>
            <input type="radio" name="as" id={`as-${way}`} checked={i === 0} autocomplete="off" />
            <label for={`as-${way}`}>{locale.say(name)}</label>
          </>
        ))}
        {ways.map(([way, , text, snippet]) => (
          <div class={`snippet as-${way}`}>
            <p class="soft">{locale.say(text)}</p>
            <div class="code">
              <pre>{snippets[snippet]}</pre>
              <Copy frame={frame} id={`copy-${way}`} text={snippets[snippet]} />
            </div>
          </div>
        ))}
      </div>
    </Part>
  );
}

/** The page as embedded in a shop's page. That of a single payment may run its own script. */
export function InPage({ frame, baseUrl, link }: Props) {
  const { locale } = frame;
  const { slug } = link;
  const title = locale.say("linkInPage");
  return (
    <figure class="in-page">
      <div class="part-head">
        <figcaption>
          <h2>{title}</h2>
        </figcaption>
        <a href={webHref(checkoutUrl(baseUrl, slug)) ?? "#"} target="_blank" rel="noopener">
          {locale.say("linkOpenIt")}
        </a>
      </div>
      <div class="preview">
        <iframe
          class="preview-frame"
          id="preview"
          src={`${linkHref(slug)}/preview`}
          title={title}
          loading="lazy"
          {...("price" in link ? { sandbox: "allow-same-origin" } : {})}
        ></iframe>
      </div>
    </figure>
  );
}

export function LinkFacts({ frame, link, children }: WithChildren<Omit<Props, "baseUrl">>) {
  const { createdAt, expiresAt, embedOrigins } = link;
  const { when } = frame;
  const { locale } = frame;
  const { say } = locale;
  const facts: (readonly [string, string | null])[] = [
    [say("linkFactMade"), when.moment(createdAt)],
    ...priceFacts(link, frame),
    [say("linkFactEnds"), expiresAt === null ? null : when.moment(expiresAt)],
    [say("linkReference"), link.reference],
    ...billFacts(link, locale),
    [say("linkFactQuantity"), "quantity" in link && link.quantity > 1 ? String(link.quantity) : null],
    [say("linkFactShop"), link.businessName],
    [say("linkFactNotices"), link.merchantEmail],
    [say("linkFactReceipt"), "payerEmail" in link ? link.payerEmail : null],
    [say("linkPaidInto"), say(link.walletType === "managed" ? "tillsWallet" : "ownWalletTitle")],
    [say("linkFactSuccess"), link.successUrl],
    ...payerFacts(link, locale),
    [say("linkFactOrigins"), embedOrigins.length === 0 ? null : embedOrigins.join(" ")],
  ];
  return (
    <Facts
      facts={facts.filter((fact): fact is readonly [string, string] => fact[1] !== null)}
      className="facts link-facts"
    >
      {children}
    </Facts>
  );
}

/** Its lines, the tax in its price, and the number of its receipt. */
function billFacts(link: Link | ReusableLink, locale: Locale): [string, string | null][] {
  const { say } = locale;
  const percent = (rate: Tax.Share) => say("percentage", { percent: shareText(rate, locale) });
  const taxText = (tax: Tax.Tax, amount: string) =>
    tax.category === "standard"
      ? amount
      : `${say(categoryNames[tax.category])}${tax.reason === null ? "" : locale.bracketed(tax.reason)}`;
  const taxes =
    "price" in link
      ? link.tax && [taxText(link.tax, percent(link.tax.rate))]
      : link.bill?.totals.rows.map((row) =>
          taxText(
            row,
            `${locale.figure(Currency.formatOf(link, row.tax))}${locale.bracketed(percent(row.rate))}`,
          ),
        );
  const lines = "bill" in link && link.bill !== null && link.bill.lines.length > 1 ? link.bill.lines : [];
  return [
    ...lines.map(({ description, quantity, lineTotal }): [string, string] => [
      `${Quantity.format(quantity)} × ${description}`,
      locale.figure(Currency.formatOf(link, lineTotal)),
    ]),
    [taxTitle({ merchantDetails: null }, locale), taxes?.join(", ") || null],
    [say("receiptNumberLabel"), "receiptNumber" in link ? link.receiptNumber : null],
  ];
}

/** The payer's details. */
function payerFacts(link: Link | ReusableLink, { say }: Locale): [string, string | null][] {
  if (!("payerDetails" in link) || link.payerDetails === null) return [];
  const { answers = [], ...details } = link.payerDetails;
  return [
    ...askable.map((field): [string, string | null] => [say(askedNames[field]), details[field] ?? null]),
    ...answers.map(({ question, answer }): [string, string] => [question, answer]),
  ];
}

/** The price in a currency, its amount in USDC, and how long that holds; empty for a price in USDC. */
function priceFacts(link: Link | ReusableLink, { locale, when }: DeskFrame): [string, string | null][] {
  const { say } = locale;
  if (link.currency === null) return [];
  const price: [string, string] = [say("linkPrice"), priceText(link, locale)];
  if ("price" in link) {
    const { code, rate } = link.currency;
    const rateText = rate === null ? say("linkFactRateThen") : `${locale.figure(rate)} ${code}`;
    return [price, [say("rateOfUsdc"), rateText]];
  }
  const endsAt = priceEndsAt(link);
  const isAsked = link.status === "pending" && endsAt !== null && endsAt !== link.expiresAt;
  return [
    price,
    [say("amountInUsdc"), locale.figure(Usdc.format(link.deposit.expected))],
    [say("rateOfUsdc"), billedOf(link, locale).billed?.rate ?? null],
    [say("linkFactHolds"), isAsked ? when.moment(endsAt) : null],
  ];
}
