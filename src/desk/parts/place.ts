import { deskPath, faceOf, type Receivable } from "../../domain/receivable/receivable.ts";
import type { Place } from "../../store/page.ts";

/** Formats a place in a list, for the address of its next page. */
export const placeText = ({ at, kind, id }: Place): string => `${at}-${kind}-${id}`;

const form = /^(\d{1,15})-([a-z]+)-(\d{1,15})$/;

/** Parses a place; null for anything that `placeText` did not write. */
export function placeIn<Kind extends string>(
  text: string | null,
  kinds: readonly Kind[],
): Place<Kind> | null {
  const [, at, word, id] = form.exec(text ?? "") ?? [];
  const kind = kinds.find((each) => each === word);
  return kind === undefined ? null : { at: Number(at), kind, id: Number(id) };
}

/** Parses a whole number in an address; null for anything else. */
export const numberIn = (text: string | null | undefined): number | null =>
  /^\d{1,15}$/.test(text ?? "") ? Number(text) : null;

const queryLengthMax = 200;

/** Returns the search text; empty if there is none. */
export const queryIn = (params: URLSearchParams): string =>
  (params.get("q") ?? "").trim().slice(0, queryLengthMax);

/** Returns a path with these parameters, without empty ones. */
export function withQuery(path: string, params: Record<string, string | number | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== null && value !== "") query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Nobody needs a higher count. */
export const countMax = 99;
export const countText = (count: number) => (count > countMax ? `${countMax}+` : String(count));

/** Returns an invoice's page at the desk. */
export const invoiceHref = (number: string) => deskPath("invoice", number);

export const receivableHref = (receivable: Receivable): string =>
  deskPath(receivable.kind, faceOf(receivable).name);
