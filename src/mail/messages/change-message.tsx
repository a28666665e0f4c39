import * as Usdc from "../../domain/usdc.ts";
import { speak } from "../../language/locale.ts";
import { whenFor } from "../../language/when.ts";
import { isolate, nameLengthMax, singleLine, type Written, webUrl } from "../smtp/message.ts";
import * as Blocks from "./blocks.tsx";
import type { MailContent, MailSite } from "./mail-layout.tsx";

/** What an owner asked for at the desk; `readyAt` in Unix ms. */
type Asked = {
  kind: "address" | "limit";
  address: string | null;
  name: string | null;
  amount: Usdc.Usdc | null;
  createdBy: string;
  createdAt: number;
  readyAt: number;
};

/** Tells an owner of a change that may let money leave Till's wallets, with the page where they stop it. */
export function changeMessage(
  site: MailSite & { timeZone: string },
  { asked, shop, url }: { asked: Asked; shop: string; url: string },
): Written {
  const locale = speak(site.language);
  const { say } = locale;
  const { kind, address, amount, createdAt, readyAt } = asked;
  const by = singleLine(asked.createdBy, nameLengthMax) || say("development");
  const when = whenFor(locale, site.timeZone, createdAt);
  const title = say(kind === "address" ? "changeMailAddress" : "changeMailLimit", { name: isolate(by) });
  const limit = amount === null ? say("limitNone") : locale.usdc(Usdc.formatExact(amount));
  const line =
    readyAt === 0 ? say("limitAtOnce") : say("changeMailText", { when: when.momentInText(readyAt) });
  const content: MailContent = {
    ...{ subject: title, preview: line, merchantName: singleLine(shop, nameLengthMax) },
    ...{ url: webUrl(url).href, replyTo: null, sentBy: "noticeSentOnlyBy", brand: site.brand, locale },
  };
  return Blocks.mailOf(content, [
    Blocks.heading({ above: [], title, below: line }, [title, "", line, ""]),
    Blocks.facts(locale, [
      [say("addressName"), asked.name && singleLine(asked.name, nameLengthMax)],
      [say("addressOn", { network: site.network.label }), address],
      [say("limitTitle"), kind === "limit" ? limit : null],
    ]),
    readyAt === 0 ? null : Blocks.action(content, say("stopOpen"), null),
    Blocks.prose(say("changeMailAdvice")),
  ]);
}
