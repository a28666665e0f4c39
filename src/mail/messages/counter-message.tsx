import * as Usdc from "../../domain/usdc.ts";
import { speak } from "../../language/locale.ts";
import { nameLengthMax, singleLine, type Written, webUrl } from "../smtp/message.ts";
import * as Blocks from "./blocks.tsx";
import type { MailContent, MailSettings } from "./mail-layout.tsx";
import * as Tables from "./tables.tsx";

/** A sale's received total at the start and at the end of the day's mail, in micro-USDC. */
type Sale = { slug: string; description: string | null; was: bigint; received: bigint };

/** Maximum sales listed in a mail; it counts the others. */
const shownMax = 20;

const sumOf = (amounts: readonly bigint[]) =>
  Usdc.fromMicro(amounts.reduce((sum, amount) => sum + amount, 0n));

/**
 * Tells a merchant what a day at the counter brought in, and what the chain took back from it or an earlier day. Throws
 * a RangeError if the base URL is not http(s).
 */
export function counterMessage(
  settings: MailSettings,
  { day, sales, business }: { day: string; sales: readonly Sale[]; business: string },
): Written {
  const locale = speak(settings.language);
  const { say } = locale;
  const changes = sales.map(({ slug, description, was, received }) => ({
    name: singleLine(description ?? "", nameLengthMax) || say("linkNamed", { slug }),
    amount: received - was,
  }));
  const came = changes.filter(({ amount }) => amount > 0n);
  const went = changes.filter(({ amount }) => amount < 0n);
  const amountOf = (some: typeof changes) =>
    locale.usdc(Usdc.formatExact(sumOf(some.map(({ amount }) => (amount < 0n ? -amount : amount)))));
  const title = say("counterDayTitle");
  const date = locale.day(day);
  const content: MailContent = {
    subject: say("counterDaySubject", { day: date, amount: amountOf(came) }),
    preview: say("counterDayCount", { count: locale.figure(String(came.length)) }),
    merchantName: singleLine(business, nameLengthMax),
    url: webUrl(`${settings.baseUrl}/desk/links?kind=counter`).href,
    replyTo: null,
    sentBy: "noticeSentOnlyBy",
    brand: settings.brand,
    locale,
  };
  const shown = came.slice(0, shownMax);
  return Blocks.mailOf(content, [
    Blocks.heading({ above: [<bdi>{date}</bdi>], title, below: null }, [date, title, ""]),
    Blocks.figure(locale, {
      label: say("amountReceived"),
      look: "done",
      amount: amountOf(came),
      lines: [
        content.preview,
        ...(went.length === 0 ? [] : [say("counterDayUndone", { amount: amountOf(went) })]),
      ],
    }),
    Tables.sums(
      locale,
      [...shown, ...went].map((sale) => ({
        label: sale.name,
        amount: `${sale.amount < 0n ? "−" : ""}${amountOf([sale])}`,
      })),
    ),
    came.length > shownMax ? Blocks.prose(say("smallerPayments", { count: came.length - shownMax })) : null,
    Blocks.action(content, say("counterDayOpen"), null),
  ]);
}
