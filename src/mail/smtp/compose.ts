import addressparser from "nodemailer/lib/addressparser";
import MailComposer from "nodemailer/lib/mail-composer";
import * as Email from "../../domain/party/email.ts";
import { sayWhy } from "../../language/faults.ts";
import { type Message, singleLine, unbroken } from "./message.ts";

/** The sender: the operator, from TILL_MAIL_FROM. */
type Sender = Readonly<{ name: string; address: string }>;

/** The mail as it goes over the wire. It cannot have a second recipient. */
export type ComposedMail = Readonly<{ from: string; to: string; raw: Buffer }>;

/** In characters. Mail programs cut off longer names anyway. */
const nameLengthMax = 64;

/** `id-left@id-right` of RFC 5322 section 3.6.4; the right side may be an IPv6 address in brackets. */
const messageIdForm = /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[\w.-]+|\[[\da-f:.]+\])$/i;

/** Reads `Till <till@example.com>` or `till@example.com`. Throws an InvalidSenderError for anything else. */
export function parseSender(mailbox: string): Sender {
  const [first, ...more] = addressparser(mailbox);
  if (!first || more.length > 0 || first.group) throw new InvalidSenderError(mailbox);
  const parsed = Email.parse(first.address ?? "");
  if (!parsed.ok) throw new InvalidSenderError(mailbox);
  return { name: displayName(first.name ?? ""), address: Email.toAscii(parsed.email) };
}

/**
 * Writes the mail as bytes (RFC 5322), all ASCII. Throws an InvalidAddressError if `to` or `replyTo` is not one plain
 * address, and a RangeError for a malformed `messageId`, which is a bug in Till.
 */
export async function compose(message: Message, sender: Sender): Promise<ComposedMail> {
  const to = wireAddress("recipient", message.to);
  const replyTo = message.replyTo === null ? null : wireAddress("reply address", message.replyTo);
  if (message.messageId !== undefined && !messageIdForm.test(message.messageId)) {
    throw new RangeError(`A Message-ID must look like id@domain: ${JSON.stringify(message.messageId)}`);
  }
  const composer = new MailComposer({
    // Mail servers check that the sender's domain vouches for the address (SPF, DKIM, DMARC), so it is always the
    // operator's; replies go to the merchant.
    from: { name: fromName(message.fromName, sender), address: sender.address },
    to: { name: "", address: to },
    ...(replyTo !== null && { replyTo: { name: "", address: replyTo } }),
    ...(message.messageId !== undefined && { messageId: `<${message.messageId}>` }),
    subject: unbroken(message.subject),
    text: message.text,
    html: message.html,
    attachments: (message.attachments ?? []).map(({ name, mediaType, bytes }) => ({
      filename: name,
      contentType: mediaType,
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    })),
    textEncoding: "quoted-printable",
    headers: {
      // RFC 3834: out-of-office replies and the like do not answer such a mail. The second is Exchange's header.
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "OOF, AutoReply",
    },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { from: sender.address, to, raw: await composer.compile().build() };
}

function wireAddress(what: string, address: string): string {
  const parsed = Email.parse(address);
  if (!parsed.ok) throw new InvalidAddressError(what, sayWhy(parsed.why));
  return Email.toAscii(parsed.email);
}

function fromName(name: string | null, sender: Sender): string {
  const own = sender.name || sender.address.slice(sender.address.indexOf("@") + 1);
  const onBehalfOf = name === null ? "" : displayName(name);
  return onBehalfOf ? `${onBehalfOf} via ${own}` : sender.name;
}

/** Removes characters of addresses: a name that looks like an address is a sign of phishing, and gets mail filtered. */
function displayName(name: string): string {
  return singleLine(name.replace(/[<>"@\\]/g, " "), nameLengthMax);
}

class InvalidSenderError extends Error {
  override readonly name = "InvalidSenderError";
  constructor(mailbox: string) {
    super(`The sender must be one mailbox such as Till <till@example.com>, not ${JSON.stringify(mailbox)}`);
  }
}

export class InvalidAddressError extends Error {
  override readonly name = "InvalidAddressError";
  constructor(what: string, reason: string) {
    super(`The ${what} ${reason}`);
  }
}
