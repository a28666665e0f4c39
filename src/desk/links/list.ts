import * as Currency from "../../domain/bill/currency.ts";
import { isExpired, type Link } from "../../domain/link/link.ts";
import type { ReusableLink } from "../../domain/link/reusable-link.ts";
import * as Reusable from "../../domain/link/reusable-link.ts";
import { may } from "../../domain/party/person.ts";
import * as Usdc from "../../domain/usdc.ts";
import * as Address from "../../domain/wallet/address.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Locale } from "../../language/locale.ts";
import type { When } from "../../language/when.ts";
import * as LinkList from "../../store/reports/desk/link-list.ts";
import { matchOf } from "../../store/search.ts";
import { hashBeginning, slugIn, wholeAddress } from "../invoices/list-query.ts";
import type { Visit } from "../parts/page/visit.ts";
import { placeIn, placeText, queryIn, withQuery } from "../parts/place.ts";
import type { StateName } from "../parts/state.tsx";
import { type LinkRow, linkListPage } from "./list-page.tsx";

const pageLength = 50;
/** Higher counts are shown as "many". */
const countMax = 999;

/** Shows the list for its address: `kind`, `q`, and `before`, the end of the previous page. */
export async function linkList(
  deps: Pick<HttpDeps, "db" | "config">,
  { frame, query: params, now, who }: Visit,
): Promise<string> {
  const { db } = deps;
  const { locale } = frame;
  const kind = LinkList.kinds.find((each) => each === params.get("kind")) ?? "all";
  const query = queryIn(params);
  const before = placeIn(params.get("before"), ["once", "reusable"]);
  const { rows, next } =
    query === ""
      ? LinkList.list(db, kind, { now, before, limit: pageLength })
      : { rows: await search(deps, query), next: null };
  const counts = LinkList.kinds.map((each) => ({
    kind: each,
    href: hrefOf(each),
    count: LinkList.count(db, each, { now, max: countMax + 1 }),
  }));
  return linkListPage({
    frame,
    mayIssue: may(who.role, "issue"),
    kind,
    query,
    kinds: counts.map(({ count, ...rest }) => ({ ...rest, count: counted(count, locale) })),
    rows: rows.map((link) => rowOf(link, now, frame)),
    isEmpty: counts.every(({ count }) => count === 0),
    newest: query === "" && before !== null ? hrefOf(kind) : null,
    older: next && hrefOf(kind, LinkList.placeOf(next)),
  });
}

const counted = (count: number, locale: Locale) =>
  count > countMax
    ? locale.say("linksMany", { count: locale.figure(String(countMax)) })
    : locale.figure(String(count));

function hrefOf(kind: LinkList.LinkFilter, before: LinkList.LinkPlace | null = null): string {
  return withQuery("/desk/links", {
    kind: kind === "all" ? null : kind,
    before: before && placeText(before),
  });
}

/** Searches for the typed text: the end of a link, an address, a transaction, a receipt's number, or words. */
async function search({ db }: Pick<HttpDeps, "db">, typed: string): Promise<LinkList.ListedLink[]> {
  if (wholeAddress.test(typed)) return LinkList.byAddress(db, Address.checksum(typed.toLowerCase()));
  if (hashBeginning.test(typed)) return LinkList.byTransaction(db, typed.toLowerCase(), pageLength);
  const slug = slugIn(typed);
  const named = slug === null ? [] : LinkList.bySlug(db, slug);
  if (named.length > 0) return named;
  const receipt = LinkList.byReceipt(db, typed);
  if (receipt.length > 0) return receipt;
  const match = matchOf(typed);
  return match === null ? [] : LinkList.byWords(db, match, pageLength);
}

export const titleOf = ({
  productDescription,
  reference,
  slug,
}: Pick<Reusable.ReusableLink, "productDescription" | "reference" | "slug">) =>
  productDescription?.split("\n")[0]?.trim() || reference || slug;

export function rowOf(
  listed: LinkList.ListedLink,
  now: number,
  { locale, when }: { locale: Locale; when: When },
): LinkRow {
  const { link } = listed;
  const row = { href: `/desk/links/${link.slug}`, title: titleOf(link), madeAt: link.createdAt };
  if (listed.kind === "again") {
    const { totals } = listed.link;
    return {
      ...row,
      line: untilLine(
        locale.say("linkPaidTimes", {
          kind: locale.say("linkAgain"),
          count: locale.figure(String(totals.paid)),
        }),
        link.expiresAt,
        { locale, when },
      ),
      state: reusableState(listed.link, now, locale),
      price: listedPrice(listed.link, locale),
      received: Usdc.shows(totals.received) ? totals.received : null,
    };
  }
  const { deposit, reusableSlug } = listed.link;
  const kind = locale.say(reusableSlug === null ? "linkOnce" : "linkOncePart");
  return {
    ...row,
    line: untilLine(kind, link.expiresAt, { locale, when }),
    state: linkState(listed.link, now, locale),
    price: listedPrice(listed.link, locale),
    received: Usdc.shows(deposit.received) ? deposit.received : null,
  };
}

export function untilLine(
  kind: string,
  expiresAt: number | null,
  { locale, when }: { locale: Locale; when: When },
): string {
  return expiresAt === null ? kind : locale.say("linkUntil", { kind, day: when.momentInText(expiresAt) });
}

type Priced = Pick<Link, "currency" | "deposit"> | Pick<ReusableLink, "currency" | "price">;

/** Returns the price of one payment, without its unit. */
function figureText(link: Priced, locale: Locale): string {
  const figure = (amount: Usdc.Billed) => locale.figure(Currency.formatOf(link, amount));
  if (!("price" in link)) return figure(link.currency?.total ?? Usdc.asBilled(link.deposit.expected));
  const { price } = link;
  return price.kind === "fixed"
    ? figure(price.each)
    : locale.say("linkFrom", { min: figure(price.min), max: figure(price.max) });
}

/** The same with its unit. */
export const priceText = (link: Priced, locale: Locale) =>
  `${figureText(link, locale)} ${Currency.codeOf(link)}`;

/** Returns the price, and how often it can be paid: `kind`. */
export const lineOf = (link: Priced, kind: string, locale: Locale) =>
  locale.say("linkLine", { price: figureText(link, locale), unit: Currency.codeOf(link), kind });

/** The same, with the unit unless it is USDC. */
export const listedPrice = (link: Priced, locale: Locale) =>
  link.currency === null ? figureText(link, locale) : priceText(link, locale);

/** Returns a link's state as an icon and a word: by its money, by the merchant's mark, by its expiry. */
export function linkState(
  link: Pick<Link, "status" | "deposit" | "expiresAt" | "markedPaidAt">,
  now: number,
  locale: Locale,
): { name: StateName; word: string } {
  const { status, deposit } = link;
  if (status === "void") return { name: "void", word: locale.say("voidPayment") };
  if (status === "excess") return { name: "excess", word: locale.say("paidInExcess") };
  if (status === "confirmed")
    return {
      name: "paid",
      word: locale.say(!Usdc.shows(deposit.received) ? "stateElsewhere" : "paid"),
    };
  if (status === "error") return { name: "late", word: locale.say("paymentProblem") };
  if (Usdc.shows(deposit.pending)) return { name: "seen", word: locale.say("underWay") };
  if (status === "partial") return { name: "partial", word: locale.say("partlyPaid") };
  if (isExpired(link, now)) return { name: "void", word: locale.say("linkEnded") };
  return { name: "open", word: locale.say("linkOpen") };
}

/** The same for a reusable link. */
export function reusableState(
  link: Pick<ReusableLink, "voidedAt" | "expiresAt">,
  now: number,
  locale: Locale,
): { name: StateName; word: string } {
  if (link.voidedAt !== null) return { name: "void", word: locale.say("voidPayment") };
  if (Reusable.status(link, now) === "closed") return { name: "void", word: locale.say("linkEnded") };
  return { name: "open", word: locale.say("linkOpen") };
}
