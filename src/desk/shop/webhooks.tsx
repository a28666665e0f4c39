import { checkWebhookUrl } from "../../domain/event/webhook-url.ts";
import type { HttpDeps } from "../../http/deps.ts";
import type { Locale } from "../../language/locale.ts";
import type { DeliveryOutcome } from "../../outbox/webhook/post.ts";
import { sendTestEvent } from "../../outbox/webhook/test-event.ts";
import * as WebhookReport from "../../store/reports/desk/webhooks.ts";
import * as DepositStore from "../../store/tables/invoicing/deposit.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import type { FormOutcome, Gate, Visit } from "../gate.ts";
import { ButtonLink } from "../parts/button.tsx";
import { DeskForm } from "../parts/form/form.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { Empty, Kinds, Pager, Table } from "../parts/list.tsx";
import { placeIn, placeText } from "../parts/place.ts";
import { State, type StateName } from "../parts/state.tsx";
import { webhookTestPage } from "./webhook-test-page.tsx";

const rowsOfPage = 30;
const base = "/desk/settings/webhooks";

/** Webhooks sent, sending one again, and a test. */
export function webhookRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config } = deps;

  function page({ frame, query }: Visit): string {
    const { locale } = frame;
    const isFailing = query.get("state") === "failing";
    const before = placeIn(query.get("before"), ["event"]);
    const { rows, next } = WebhookReport.list(db, { isFailing, before, limit: rowsOfPage });
    const filter = isFailing ? "state=failing&" : "";
    return webhooksPage({
      frame,
      isFailing,
      rows: rows.map((delivery) => rowOf(delivery, locale)),
      next: next && `${base}?${filter}before=${placeText(WebhookReport.placeOf(next))}`,
    });
  }

  function rowOf(delivery: WebhookReport.WebhookDelivery, locale: Locale): HookRow {
    const { state, attempts, httpStatus, reason } = delivery;
    const name = DepositStore.nameOf(db, delivery.depositIndex);
    return {
      id: delivery.id,
      type: typeOf(delivery.body),
      owner:
        name === null
          ? null
          : "link" in name
            ? { name: name.link, href: `/desk/links/${name.link}` }
            : { name: name.invoice, href: `/desk/invoices/${encodeURIComponent(name.invoice)}` },
      url: delivery.url,
      state: state !== "pending" ? state : attempts === 0 ? "waiting" : "retrying",
      attempts,
      answer: httpStatus === null ? reason : locale.say("webhookAnswered", { status: httpStatus }),
      nextAt: delivery.nextAttemptAt,
      createdAt: delivery.createdAt,
    };
  }

  async function test({ frame, now }: Visit, form: URLSearchParams): Promise<FormOutcome> {
    const { locale } = frame;
    const url = (form.get("url") ?? "").trim();
    const checked = checkWebhookUrl(url, { publicOnly: config.publicWebhooksOnly });
    if (!checked.ok) {
      const faults = [{ field: "url", message: locale.say("linkFaultWebhook") }];
      return webhookTestPage({ frame, url, faults, result: null });
    }
    const publicOnly = config.publicWebhooksOnly;
    const { secret, body, outcome } = await sendTestEvent({ url: checked.url, publicOnly, now });
    const isTaken = outcome.kind === "acknowledged";
    const result = { isTaken, text: told(outcome, locale), secret, body };
    return {
      kind: "shown",
      html: webhookTestPage({ frame, url, faults: [], result }),
      subject: new URL(checked.url).host,
    };
  }

  gate.page(base, "manage", page);
  gate.page(`${base}/test`, "manage", ({ frame }) =>
    webhookTestPage({ frame, url: "", faults: [], result: null }),
  );
  gate.action(`${base}/test`, "manage", "webhook.test", test);
  gate.action(`${base}/:id/redeliver`, "manage", "webhook.redeliver", ({ params, now }) => {
    if (!WebhookEventStore.redeliver(db, params["id"] ?? "", now)) return null;
    deps.onEventDue();
    return { kind: "done", to: base, did: "didSendWebhookAgain" };
  });
}

function told(outcome: DeliveryOutcome, locale: Locale): string {
  const { httpStatus, durationMs: ms } = outcome;
  if (outcome.kind === "acknowledged") return locale.say("testAnswered", { status: outcome.httpStatus, ms });
  if (outcome.kind === "gone") return locale.say("testGone");
  return httpStatus === null
    ? locale.say("testFailed", { ms, reason: outcome.reason })
    : locale.say("testAnswered", { status: httpStatus, ms });
}

/** The event in a body: `event` in one form, `type` in the other. */
function typeOf(body: string): string {
  const { type, event }: { type?: string; event?: string } = JSON.parse(body);
  return type ?? event ?? "";
}

/** A webhook event, and what came of its latest attempt. */
type HookRow = {
  id: string;
  type: string;
  /** Whose it is: an invoice's number or a link's slug, and its page. */
  owner: { name: string; href: string } | null;
  url: string;
  state: "delivered" | "waiting" | "retrying" | "failed";
  attempts: number;
  /** What the receiver answered, or why nobody did; null before the first attempt. */
  answer: string | null;
  nextAt: number | null;
  createdAt: number;
};

type HooksProps = {
  frame: DeskFrame;
  isFailing: boolean;
  rows: readonly HookRow[];
  next: string | null;
};

const looks = {
  delivered: { state: "paid", word: "webhookDelivered" },
  waiting: { state: "open", word: "webhookWaiting" },
  retrying: { state: "late", word: "webhookRetrying" },
  failed: { state: "late", word: "givenUp" },
} as const satisfies Record<HookRow["state"], { state: StateName; word: string }>;

/** What other programs were told. */
function webhooksPage({ frame, isFailing, rows, next }: HooksProps): string {
  const { locale } = frame;
  const kinds = [
    { href: "/desk/settings/webhooks", isHere: !isFailing, text: locale.say("all") },
    { href: "/desk/settings/webhooks?state=failing", isHere: isFailing, text: locale.say("webhooksFailing") },
  ];
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsWebhooks"),
    back: "settings",
    line: locale.say("webhooksLine"),
    actions: (
      <ButtonLink href="/desk/settings/webhooks/test" kind="quiet" text={locale.say("webhooksTest")} />
    ),
    body: (
      <>
        <Kinds label={locale.say("settingsWebhooks")} kinds={kinds} />
        <div id="hooks" data-live>
          {rows.length > 0 ? (
            <Hooks frame={frame} rows={rows} />
          ) : isFailing ? (
            <Empty
              icon="check"
              title={locale.say("webhooksNoneFail")}
              text={locale.say("webhooksNoneFailText")}
            />
          ) : (
            <Empty icon="hook" title={locale.say("webhooksEmpty")} text={locale.say("webhooksEmptyText")} />
          )}
        </div>
        <Pager locale={locale} newest={null} older={next} />
      </>
    ),
  });
}

function Hooks({ frame, rows }: Pick<HooksProps, "frame" | "rows">) {
  const { locale, when } = frame;
  const heads = ["webhookColumnEvent", "webhookColumnReceiver", "webhookColumnAnswer", "when"] as const;
  return (
    <Table
      caption={locale.say("webhooksCaption")}
      heads={[...heads.map((head) => locale.say(head)), { hidden: locale.say("sendAgain") }]}
      kind="hooks"
    >
      {rows.map((row) => (
        <tr role="row">
          <td role="cell" class="main">
            <strong translate="no">{row.type}</strong>
            <span class="sub">
              {row.owner === null ? (
                locale.say("webhookNoOwner")
              ) : (
                <a href={row.owner.href}>{row.owner.name}</a>
              )}
            </span>
          </td>
          <td role="cell" class="quiet whole hook-url">
            <bdi title={row.url}>{row.url}</bdi>
          </td>
          <td role="cell" class="whole">
            <Answer frame={frame} row={row} />
          </td>
          <td role="cell" class="quiet under">
            {when.moment(row.createdAt)}
          </td>
          <td role="cell" class="end hook-again">
            <DeskForm frame={frame} action={`/desk/settings/webhooks/${row.id}/redeliver`} className="inline">
              <button
                class={`button button-small ${row.state === "delivered" ? "button-plain" : "button-quiet"}`}
                type="submit"
              >
                {locale.say("sendAgain")}
              </button>
            </DeskForm>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Answer({ frame: { locale, when }, row }: { frame: DeskFrame; row: HookRow }) {
  const { state, word } = looks[row.state];
  const more = [
    row.answer,
    row.attempts > 1 ? locale.say("attempts", { count: row.attempts }) : null,
    row.nextAt === null ? null : locale.say("webhookNext", { when: when.momentInText(row.nextAt) }),
  ].filter((each) => each !== null);
  return (
    <>
      <State name={state} word={locale.say(word)} />
      <span class="sub" dir="auto">
        {more.join(" · ")}
      </span>
    </>
  );
}
