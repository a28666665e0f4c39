import * as InvoiceNumber from "../../../domain/bill/invoice-number.ts";
import * as Usdc from "../../../domain/usdc.ts";
import * as Address from "../../../domain/wallet/address.ts";
import type { Locale } from "../../../language/locale.ts";
import { isSlug } from "../../../lib/crypto/id.ts";
import type { Db } from "../../../store/database.ts";
import * as InvoiceList from "../../../store/reports/desk/invoice-list.ts";
import { find, matchOf } from "../../../store/search.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import type { HttpDeps } from "../../deps.ts";

export const wholeAddress = /^0x[0-9a-f]{40}$/i;
/** Six digits of a hash are enough to search for a transaction. */
export const hashBeginning = /^0x[0-9a-f]{6,64}$/i;
const transactionsMax = 50;

/** The sequences found, newest first: at most `limit`, all below `before`. */
type Search = (page: { before?: number; limit: number }) => Promise<readonly number[]>;

type SearchDeps = Pick<HttpDeps, "db" | "config">;
type Reader = Pick<Locale, "decimalMark">;

/** The end of a link, when what was typed is one; it may be nobody's. */
export function slugIn(typed: string): string | null {
  const slug = typed.split("/").at(-1)?.split(/[?#]/)[0] ?? "";
  return isSlug(slug) ? slug : null;
}

/** What somebody typed into the search field: a link, an address, a transaction, or words; null when it is empty. */
export function searchFor({ db, config }: SearchDeps, typed: string, locale: Reader): Search | null {
  const text = typed.trim();
  if (text === "") return null;
  if (wholeAddress.test(text)) {
    const sequence = InvoiceList.byAddress(db, Address.checksum(text.toLowerCase()));
    return resultOf(sequence === null ? [] : [sequence]);
  }
  if (hashBeginning.test(text))
    return resultOf(InvoiceList.byTransaction(db, text.toLowerCase(), transactionsMax));
  const slug = slugIn(text);
  const invoice = slug === null ? null : InvoiceStore.bySlug(db, slug);
  return invoice === null
    ? searchWords(db, { searched: "invoice", pattern: config.invoiceNumber }, text, locale)
    : resultOf([invoice.sequence]);
}

const resultOf = (sequences: readonly number[]) => async () => sequences;

/** The same for words, a number or an amount only. */
export function searchWords(
  db: Db,
  { searched, pattern }: { searched: "invoice" | "credit_note"; pattern: InvoiceNumber.Pattern },
  text: string,
  locale: Reader,
): Search {
  const number = InvoiceNumber.meant(pattern, text);
  const match = matchOf(text, [...amountsOf(text, locale), ...(number === null ? [] : [number])]);
  return match === null ? resultOf([]) : (page) => find(db, searched, match, page);
}

/**
 * An amount in the index's form, however pages show it: with its currency, grouped thousands, or a language's digits.
 */
function amountsOf(text: string, { decimalMark }: Reader): string[] {
  const bare = text.replace(/\s*[a-z]{3,4}$/i, "");
  const grouped = decimalMark === "," ? /[.\s'’]/g : /[,\s'’]/g;
  const amount =
    Usdc.parseTyped(bare, decimalMark) ?? Usdc.parseTyped(bare.replace(grouped, ""), decimalMark);
  return amount === null
    ? []
    : [/[.,\u066b]\d*$/.test(bare) ? Usdc.format(amount) : Usdc.format(amount).slice(0, -3)];
}
