/**
 * In which currency a country wants to see the tax, whatever the invoice is in: Directive 2006/112/EC, Art. 230, and its
 * like in the United Kingdom and Norway.
 */

const euro = "AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK MC".split(" ");

const others: Record<string, string> = {
  CZ: "CZK",
  DK: "DKK",
  GB: "GBP",
  HU: "HUF",
  IM: "GBP",
  NO: "NOK",
  PL: "PLN",
  RO: "RON",
  SE: "SEK",
};

/** Bulgaria's lev went into the euro. */
const euroInBulgariaFrom = "2026-01-01";

/** Null where no law that Till knows of asks for one. */
export function vatCurrencyOf(country: string | undefined, issueDate: string): string | null {
  if (country === undefined) return null;
  if (country === "BG" && issueDate < euroInBulgariaFrom) return "BGN";
  return euro.includes(country) ? "EUR" : (others[country] ?? null);
}
