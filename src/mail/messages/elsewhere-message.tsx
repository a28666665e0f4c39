import type { Receivable } from "../../domain/receivable/receivable.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { OtherChain } from "../../domain/wallet/elsewhere.ts";
import { speak } from "../../language/locale.ts";
import { isolate, type Written, webUrl } from "../smtp/message.ts";
import * as Blocks from "./blocks.tsx";
import type { MailContent, MailSettings } from "./mail-layout.tsx";
import { namesOf } from "./payment-message.tsx";

type ElsewhereMail = {
  about: Receivable;
  amount: Usdc.Usdc;
  chain: OtherChain;
  /** The page at the desk that moves it. */
  url: string;
};

/** Tells the merchant of USDC that came on another chain. Throws a RangeError if the URL is not http(s). */
export function elsewhereMessage(
  settings: MailSettings,
  { about, chain, url, ...found }: ElsewhereMail,
): Written {
  const locale = speak(settings.language);
  const { say } = locale;
  const { merchantName, what } = namesOf(about, locale);
  const { brand, network } = settings;
  const amount = locale.usdc(Usdc.formatExact(found.amount));
  const title = say("cameElsewhere", { amount, chain: chain.label, network: network.label });
  const below = say("elsewhereMailText");
  const content: MailContent = {
    subject: title,
    preview: below,
    merchantName,
    url: webUrl(url).href,
    replyTo: null,
    sentBy: "noticeSentOnlyBy",
    brand,
    locale,
  };
  return Blocks.mailOf(content, [
    Blocks.heading({ above: [<bdi>{what}</bdi>], title, below }, [isolate(what), title, "", below, ""]),
    Blocks.action(content, say("elsewhereShow"), null),
  ]);
}
