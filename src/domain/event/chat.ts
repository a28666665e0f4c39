import { faulty } from "../../lib/text/text.ts";
import type { FullType } from "./event.ts";

/**
 * Chats that an endpoint may write to, instead of posting events to a program. The address of a chat holds a token:
 * whoever knows it can write there. So it is sealed as the endpoint's secret, and the endpoint's URL is what may be
 * shown of it.
 */

export const chats = ["ntfy", "telegram", "slack", "discord"] as const;
export type Chat = (typeof chats)[number];

/** What an endpoint is sent: signed events (`till`), or a message to a chat. */
export const formats = ["till", ...chats] as const;
export type Format = (typeof formats)[number];

export const isChat = (format: Format | null): format is Chat => format !== null && format !== "till";

/** The path that each chat gives out, and what must be in the query; people easily copy another one. */
const addresses: Readonly<Record<Chat, { path: RegExp; query?: string; example: string }>> = {
  ntfy: { path: /^\/[\w-]{1,64}$/, example: "https://ntfy.sh/TOPIC" },
  telegram: {
    path: /^\/bot[^/]+\/sendMessage$/,
    query: "chat_id",
    example: "https://api.telegram.org/botTOKEN/sendMessage?chat_id=ID",
  },
  // Of ASCII alone: not what is shown of it, which a program that changes something else may send back.
  slack: { path: /^\/[\w/.-]+$/, example: "https://hooks.slack.com/services/…" },
  discord: { path: /\/webhooks\/\d+\/[\w-]+$/, example: "https://discord.com/api/webhooks/…" },
};

/** Checks that a URL, as returned by `checkWebhookUrl`, is the kind of address that a chat gives out. */
export function checkAddress(chat: Chat, address: string) {
  const { path, query, example } = addresses[chat];
  const { pathname, searchParams } = new URL(address);
  const isComplete = path.test(pathname) && (query === undefined || searchParams.get(query));
  return isComplete ? ({ ok: true } as const) : faulty("url_chat", { example });
}

/** What may be shown of an address: where it is, not what opens it. */
export const shownOf = (address: string): string => `${new URL(address).origin}/…`;

/** What a new endpoint for a chat hears of, unless its owner chooses: money that came, went back or is in question. */
export const typesDefault: readonly FullType[] = (["invoice", "link"] as const).flatMap((kind) =>
  (
    ["partially_paid", "paid", "overpaid", "payment_reversed", "unexpected_payment", "refund_failed"] as const
  ).map((type): FullType => `${kind}.${type}`),
);
