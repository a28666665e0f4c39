import * as Usdc from "../../domain/usdc.ts";
import { type Locale, speak, type TextKey } from "../../language/locale.ts";
import { whenFor } from "../../language/when.ts";
import { isolate, nameLengthMax, singleLine, type Written, webUrl } from "../smtp/message.ts";
import * as Blocks from "./blocks.tsx";
import type { MailContent, MailSettings } from "./mail-layout.tsx";
import * as Tables from "./tables.tsx";

/** A change that an owner requested at the desk; `readyAt` in Unix ms. */
type WaitingChange = {
  kind: "address" | "limit";
  address: string | null;
  name: string | null;
  amount: Usdc.Usdc | null;
  createdBy: string;
  createdAt: number;
  readyAt: number;
};

/** Tells an owner about a change that may let money leave Till's wallets, with a link to the page that can stop it. */
export function changeMessage(
  settings: MailSettings & { timeZone: string },
  { waiting, shop, url }: { waiting: WaitingChange; shop: string; url: string },
): Written {
  const locale = speak(settings.language);
  const { say } = locale;
  const { kind, address, amount, createdAt, readyAt } = waiting;
  const by = singleLine(waiting.createdBy, nameLengthMax) || say("development");
  const when = whenFor(locale, settings.timeZone, createdAt);
  const title = say(kind === "address" ? "changeMailAddress" : "changeMailLimit", { name: isolate(by) });
  const limit = amount === null ? say("limitNone") : locale.usdc(Usdc.formatExact(amount));
  const line =
    readyAt === 0 ? say("limitAtOnce") : say("changeMailText", { when: when.momentInText(readyAt) });
  const content = noticeOf(settings, locale, { title, line, shop, url });
  return Blocks.mailOf(content, [
    Blocks.heading({ above: [], title, below: line }, [title, "", line, ""]),
    Tables.facts(locale, [
      [say("addressName"), waiting.name && singleLine(waiting.name, nameLengthMax)],
      [say("addressOn", { network: settings.network.label }), address],
      [say("limitTitle"), kind === "limit" ? limit : null],
    ]),
    readyAt === 0 ? null : Blocks.action(content, say("stopOpen"), null),
    Blocks.prose(say("changeMailAdvice")),
  ]);
}

type Notice = { title: string; line: string; shop: string; url: string };

const noticeOf = (
  { brand }: MailSettings,
  locale: Locale,
  { title, line, shop, url }: Notice,
): MailContent => ({
  subject: title,
  preview: line,
  merchantName: singleLine(shop, nameLengthMax),
  url: webUrl(url).href,
  replyTo: null,
  sentBy: "noticeSentOnlyBy",
  brand,
  locale,
});

/** A change that is already in force. */
type DoneChange = {
  kind: "mail" | "shop" | "owner" | "endpoint" | "key" | "wallet";
  subject: string;
  createdBy: string;
};

const toldTitles = {
  mail: "toldMail",
  shop: "toldShop",
  owner: "toldOwner",
  endpoint: "toldEndpoint",
  key: "toldKey",
  wallet: "toldWallet",
} as const satisfies Record<DoneChange["kind"], TextKey>;

/** Tells owners and former owners that somebody else may be notified from now on, or that new money goes elsewhere. */
export function toldMessage(
  settings: MailSettings,
  { change, shop, url }: { change: DoneChange; shop: string; url: string },
): Written {
  const locale = speak(settings.language);
  const { say } = locale;
  const by = singleLine(change.createdBy, nameLengthMax) || say("development");
  const title = say(toldTitles[change.kind], { name: isolate(by) });
  const line = say("toldText");
  const content = noticeOf(settings, locale, { title, line, shop, url });
  return Blocks.mailOf(content, [
    Blocks.heading({ above: [], title, below: line }, [title, "", line, ""]),
    Tables.facts(locale, [[say("toldSubject"), singleLine(change.subject, nameLengthMax) || null]]),
    Blocks.action(content, say("toldOpen"), null),
    Blocks.prose(say("toldAdvice")),
  ]);
}
