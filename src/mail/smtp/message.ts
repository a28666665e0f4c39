/** One mail to one person, ready to be sent. */
export type Message = Readonly<{
  /** One plain address, as the email rules of the domain take it. */
  to: string;
  /** Where an answer goes: the merchant. Null: to the sender. */
  replyTo: string | null;
  /** On whose behalf Till writes. It is shown as "Acme Ltd via Till", and never replaces the sender's address. */
  fromName: string | null;
  subject: string;
  text: string;
  html: string;
  attachments?: readonly Attachment[];
  /**
   * `id@domain` without angle brackets (RFC 5322 section 3.6.4). Give the same one whenever the same mail is sent again, so that
   * mail programs see one mail. Left out: a random one.
   */
  messageId?: string;
}>;

export type Attachment = Readonly<{
  /** Of Till's own making, such as `INV-0001.pdf`. */
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}>;

/** Of names and numbers in a mail, in characters. */
export const nameLengthMax = 80;

/** Throws a RangeError when the text is no http(s) URL. */
export function webUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new RangeError(`Not an http(s) URL: ${JSON.stringify(text)}`);
  }
  return url;
}
