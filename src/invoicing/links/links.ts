import * as Event from "../../domain/event/event.ts";
import type { Link } from "../../domain/link/link.ts";
import type { ReusableLink } from "../../domain/link/reusable-link.ts";
import * as Closing from "../../domain/receivable/closing.ts";
import type * as Usdc from "../../domain/usdc.ts";
import type { Db } from "../../store/database.ts";
import { stored } from "../../store/group-commit.ts";
import { placeOf } from "../../store/secrets.ts";
import * as LinkStore from "../../store/tables/invoicing/link.ts";
import * as ReceivableStore from "../../store/tables/invoicing/receivable.ts";
import * as ReusableStore from "../../store/tables/invoicing/reusable-link.ts";
import * as MailStore from "../../store/tables/outbox/mail.ts";
import { type Close, createClosings } from "../close.ts";
import { createCommenting } from "../comment.ts";
import { openedWallet } from "../next-deposit.ts";
import type { Caller, Once } from "../once.ts";
import { done, existing, invalid, type Outcome, type Refused } from "../outcome.ts";
import { type PriceTotal, payable } from "../price.ts";
import { parseVoidRequest } from "../request/closing.ts";
import type { RequestRules } from "../request/fields.ts";
import { type ParsedLinkRequest, parseLinkRequest } from "../request/link/link.ts";
import { type CreateLinkDeps, createLinkCreator } from "./create-link.ts";
import type { LinkQuotes } from "./quote-again.ts";
import {
  createPaymentBeginner,
  createReusableLinkCreator,
  createReusableLinkVoider,
  type PaymentStart,
} from "./reusable-link.ts";

/** A link that is paid once, or a reusable one. */
export type AnyLink<Reusable = ReusableLink> =
  | { kind: "once"; link: Link }
  | { kind: "again"; link: Reusable };

/** The webhook's secret, shown only this once; null without a webhook. */
export type MadeLink = AnyLink & { webhookSecret: string | null };

type LinkWithTotals = NonNullable<ReturnType<typeof ReusableStore.bySlugWithTotals>>;

/** The use cases of payment links, for every interface; see `Invoices`. */
export type Links = {
  make(input: unknown, by: Caller & LinkStore.Origin): Promise<Outcome<MadeLink>>;
  /** Checks a request without creating anything. */
  check(input: unknown, merchant?: Caller["merchant"]): Extract<ParsedLinkRequest, { ok: true }> | Refused;
  /** A reusable link takes no more payments; those begun continue. */
  void(target: AnyLink, input: unknown, by: Caller): Promise<Outcome<AnyLink<LinkWithTotals>>>;
  mark(link: Link, input: unknown, by: Caller): Promise<Outcome<Link>>;
  comment(link: Link, input: unknown, by: Caller): ReturnType<ReturnType<typeof createCommenting>>;
  /** Prices a choice of a reusable link in USDC. May take as long as the exchanges do. */
  priceOf(reusable: ReusableLink, billed: Usdc.Billed): Promise<Outcome<PriceTotal>>;
  /** Makes the link of one payment from a reusable one. */
  begin(start: PaymentStart): Promise<void>;
  /**
   * For somebody about to pay: quotes the link again if its price has ended, and waits for that, but not long. Null if
   * there is nothing to wait for. Never throws.
   */
  quote(link: Link): Promise<unknown> | null;
  find(slug: string): AnyLink<LinkWithTotals> | null;
};

type LinksDeps = CreateLinkDeps & {
  once: Once;
  close: Close;
  rules: (merchant?: Caller["merchant"]) => RequestRules;
  quotes: LinkQuotes;
};

export function createLinks(deps: LinksDeps): Links {
  const { db, once } = deps;
  const create = createLinkCreator(deps);
  const createReusable = createReusableLinkCreator(deps);
  const begin = createPaymentBeginner(deps);
  const voidReusable = createReusableLinkVoider(deps);
  const close = createClosings(deps);
  const comment = createCommenting(deps);

  function check(input: unknown, merchant: Caller["merchant"] = null): ReturnType<Links["check"]> {
    const parsed = parseLinkRequest(input, deps.rules(merchant));
    return parsed.ok ? parsed : invalid(parsed.faults);
  }

  function find(slug: string): ReturnType<Links["find"]> {
    const link = LinkStore.bySlug(db, slug);
    if (link) return { kind: "once", link };
    const reusable = ReusableStore.bySlugWithTotals(db, slug);
    return reusable && { kind: "again", link: reusable };
  }

  async function made(slug: string): Promise<MadeLink> {
    const found = existing(find(slug));
    const { vault } = await openedWallet(deps.wallet);
    if (found.kind === "once") {
      const sealed = ReceivableStore.sealedSecret(db, found.link.deposit.index);
      return {
        ...found,
        webhookSecret: sealed && vault.open(sealed, placeOf.deposit(found.link.deposit.index)),
      };
    }
    const sealed = ReusableStore.sealedSecret(db, found.link.id);
    return { ...found, webhookSecret: sealed && vault.open(sealed, placeOf.reusableLink(slug)) };
  }

  const closing = (kind: "void" | "mark", { slug, deposit }: Link, input: unknown, { key }: Caller) =>
    close(
      kind,
      { kind: "link", depositIndex: deposit.index, name: "The payment link" },
      { input, key, read: () => existing(LinkStore.bySlug(db, slug)) },
    );

  return {
    check,
    find,

    make: (input, { key, merchant, ...origin }) =>
      once<MadeLink>(
        key,
        ["link", input],
        async (claim) => {
          const checked = check(input, merchant);
          if (!checked.ok) return checked;
          return payable<MadeLink>(
            async () => {
              if (checked.kind === "link")
                return done({ kind: "once", ...(await create(checked.request, claim, origin)) });
              const { reusable, webhookSecret } = await createReusable(checked.request, claim);
              return done({ kind: "again", link: reusable, webhookSecret });
            },
            (code) => {
              if (checked.request.currency?.rate) return "rate";
              if (Object.hasOwn(Object(input), "line_items")) return "line_items";
              const isChosen = checked.kind === "reusable" && checked.request.price.kind === "chosen";
              if (!isChosen) return "amount";
              return code === "quoted_high" ? "amount_min" : "amount_max";
            },
          );
        },
        made,
      ),

    async void(target, input, by) {
      if (target.kind === "once") {
        const outcome = await closing("void", target.link, input, by);
        return outcome.ok ? { ...outcome, value: { kind: "once", link: outcome.value } } : outcome;
      }
      const { slug } = target.link;
      return once(
        by.key,
        ["void", slug, input],
        async (claim) => {
          const parsed = parseVoidRequest(input);
          if (!parsed.ok) return invalid(parsed.faults);
          await voidReusable(slug, parsed.value.reason, claim);
          return done(existing(find(slug)));
        },
        () => existing(find(slug)),
      );
    },

    mark: (...call) => closing("mark", ...call),
    comment: ({ deposit }, input, by) => comment({ kind: "link", depositIndex: deposit.index }, input, by),
    priceOf: ({ merchantEmail, currency }, billed) =>
      payable(
        async () => done(await deps.price({ merchantEmail, billed, currency })),
        () => "amount",
      ),
    begin,
    quote: deps.quotes.ofLink,
  };
}

/**
 * Stores the address for the receipt of a link's payer, replacing an earlier one. If the link is paid, the receipt is
 * queued at once. `sent`: it was sent before, or may have been, and goes nowhere else. `unknown`: there is no such link
 * that money could pay. Throws a StorageFailed.
 */
export function noteReceiptAddress(
  db: Db,
  { slug, email, now: createdAt }: { slug: string; email: string; now: number },
): Promise<"noted" | "sent" | "unknown"> {
  return stored(db, () => {
    const link = LinkStore.bySlug(db, slug);
    if (!link || Event.closedAt(link) !== null) return "unknown";
    const depositIndex = link.deposit.index;
    if (MailStore.mayHaveGone(db, depositIndex, "receipt")) return "sent";
    LinkStore.setPayerEmail(db, link.id, email);
    MailStore.removeUnsent(db, depositIndex, "receipt");
    if (Closing.isPaidByMoney({ ...link, ...link.deposit }))
      MailStore.insertOnce(db, { depositIndex, kind: "receipt", createdAt });
    return "noted";
  });
}
