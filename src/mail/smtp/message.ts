import { rightToLeft } from "../../lib/text/text.ts";

/** One mail to one person, ready to be sent. */
export type Message = Readonly<{
  /** One plain address, as accepted by `Email` in the domain. */
  to: string;
  /** Address for replies: the merchant's. Null: replies go to the sender. */
  replyTo: string | null;
  /** Name that Till writes for, shown as "Acme Ltd via Till". It never replaces the sender's address. */
  fromName: string | null;
  subject: string;
  text: string;
  html: string;
  attachments?: readonly Attachment[];
  /**
   * `id@domain` without angle brackets (RFC 5322 section 3.6.4). Use the same one whenever the same mail is sent again,
   * so that mail programs show one mail. Random if left out.
   */
  messageId?: string;
}>;

/** The content of a mail. */
export type Written = Pick<Message, "subject" | "text" | "html">;

export type Attachment = Readonly<{
  /** Chosen by Till, such as `INV-0001.pdf`. */
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}>;

/** For names and numbers in a mail, in characters. */
export const nameLengthMax = 80;

/** Parses an http(s) URL. Throws a RangeError for anything else. */
export function webUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new RangeError(`Not an http(s) URL: ${JSON.stringify(text)}`);
  }
  return url;
}

/** Control characters, line and paragraph separators, and unpaired surrogates. */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Characters that reorder or hide the text around them: bidi controls (UAX 9) and zero-width ones. */
const reordering = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Replaces everything that could end a line with a space. */
export function unbroken(text: string): string {
  return text.replace(breaking, " ");
}

/**
 * Turns a user's or a server's text into one line of at most `lengthMax` characters (code points), for a header, a log
 * or a table cell: nothing in it breaks the line or reorders the text beside it.
 */
export function singleLine(text: string, lengthMax: number): string {
  const line = unbroken(text).replace(reordering, "").replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length <= lengthMax
    ? line
    : `${characters
        .slice(0, lengthMax - 1)
        .join("")
        .trimEnd()}…`;
}

/** Splits a longer text into lines, each like `singleLine`. Consecutive blank lines become one. */
export function lines(text: string, lengthMax: number): string[] {
  const all = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map((line) => singleLine(line, lengthMax));
  const rest = all.filter((line, index) => line !== "" || (index > 0 && all[index - 1] !== ""));
  return rest.at(-1) === "" ? rest.slice(0, -1) : rest;
}

/**
 * Encloses a right-to-left text in isolates (U+2068, U+2069), for a sentence without markup: otherwise a Hebrew name
 * would swap places with the amount after it. Returns other text unchanged.
 */
export function isolate(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}
