import type { Chat } from "../../domain/event/chat.ts";
import type { AnnouncedType } from "../../domain/event/event.ts";
import { testType } from "../../domain/event/webhook-event.ts";
import { deskPath } from "../../domain/receivable/receivable.ts";
import type { Locale } from "../../language/locale.ts";
import { namedBy } from "../../language/receivable.ts";
import { toldAmount, toldCredit, toldTexts } from "../../language/told.ts";
import type { WebhookRequest } from "./post.ts";

/** How the owner is spoken to, and where their desk is; no trailing slash. */
export type Words = { locale: Locale; baseUrl: string };

/** `title` may be empty. */
type Message = { title: string; text: string; url: string };

/** Every chat takes 2,000 characters, of which two names and their escapes need a quarter. */
const nameLengthMax = 80;

/** In a name from outside, what a chat could make a link, a mention, a tag or a command of. */
const active = /[@#/.:]/g;
/** Without width: whoever reads the name sees no difference. */
const joiner = "\u2060";

/** A name that a chat shows as it is: one line, not too long, and nothing of it comes alive. */
function harmless(name: string): string {
  const characters = [...name.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")];
  const short =
    characters.length > nameLengthMax
      ? `${characters.slice(0, nameLengthMax).join("")}…`
      : characters.join("");
  return short.replace(active, `$&${joiner}`);
}

type StoredEvent = {
  type: `${"invoice" | "link"}.${AnnouncedType}` | typeof testType;
  data: Readonly<Record<string, unknown>> & {
    invoice?: { invoice_number: string; vendor_name: string };
    link?: { slug: string; product_description: string | null };
  };
};

/** What the body of an event says, in the words of the desk. */
function messageOf(body: string, { locale, baseUrl }: Words): Message {
  const { type, data }: StoredEvent = JSON.parse(body);
  const { invoice, link } = data;
  if (type === testType) return { title: "", text: locale.say("chatTest"), url: `${baseUrl}/desk` };
  const kind = invoice === undefined ? "link" : "invoice";
  const name = invoice?.invoice_number ?? link?.slug ?? "";
  const number = invoice?.invoice_number ?? null;
  const product = harmless(link?.product_description ?? "").trim() || null;
  const what = namedBy({ number, product, name }, locale);
  const title = invoice === undefined ? what : `${what}, ${harmless(invoice.vendor_name)}`;
  return { title, text: told(type, data, locale), url: `${baseUrl}${deskPath(kind, name)}` };
}

function told(type: string, data: StoredEvent["data"], locale: Locale): string {
  const happened = type.slice(type.indexOf(".") + 1) as AnnouncedType;
  if (happened === "credited") return locale.say("toldCredited", toldCredit(data, locale));
  return locale.say(toldTexts[happened] as "toldPaid", { amount: toldAmount(data, locale) });
}

type Post = Pick<WebhookRequest, "url" | "body">;

const lines = ({ title, text, url }: Message, escaped = (words: string) => words): string =>
  [title, text]
    .filter((line) => line !== "")
    .map(escaped)
    .concat(url)
    .join("\n");

/** What each chat is posted, and where; none of them may look the link up, which is not for it. */
const posts: Readonly<
  Record<Chat, (address: URL, message: Message) => Omit<Post, "body"> & { json: object }>
> = {
  // docs.ntfy.sh/publish, "Publish as JSON": to the root, so that no name goes into a header.
  ntfy: ({ origin, pathname, search }, { title, text, url }) => ({
    url: `${origin}/${search}`,
    json: { topic: pathname.slice(1), ...(title === "" ? {} : { title }), message: text, click: url },
  }),
  // core.telegram.org/bots/api#sendmessage: without a parse_mode there is no markup.
  telegram: ({ origin, pathname, searchParams }, message) => {
    const thread = searchParams.get("message_thread_id");
    return {
      url: `${origin}${pathname}`,
      json: {
        chat_id: searchParams.get("chat_id"),
        ...(thread === null ? {} : { message_thread_id: thread }),
        text: lines(message),
        link_preview_options: { is_disabled: true },
      },
    };
  },
  // docs.slack.dev, "Formatting message text": these three characters alone begin markup, links and mentions.
  slack: ({ href }, message) => {
    const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
    const text = lines(message, (words) => words.replace(/[&<>]/g, (sign) => entities[sign] ?? sign));
    return { url: href, json: { text, mrkdwn: false, unfurl_links: false, unfurl_media: false } };
  },
  // docs.discord.com, "Execute Webhook"; flag 4 is SUPPRESS_EMBEDS.
  discord: ({ href }, message) => {
    const content = lines(message, (words) => words.replace(/[\\*_~`|<>[\]]/g, "\\$&"));
    return { url: href, json: { content, allowed_mentions: { parse: [] }, flags: 4 } };
  },
};

/** Returns what to post to a chat about the event in `body`. `address` is secret, and so is the URL of the post. */
export function chatPost(chat: Chat, address: string, body: string, words: Words): Post {
  const { url, json } = posts[chat](new URL(address), messageOf(body, words));
  return { url, body: JSON.stringify(json) };
}
