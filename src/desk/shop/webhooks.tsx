import { checkWebhookUrl } from "../../domain/event/webhook-url.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Locale } from "../../language/locale.ts";
import type { DeliveryOutcome } from "../../outbox/webhook/post.ts";
import { sendTestEvent } from "../../outbox/webhook-sender.ts";
import * as WebhookReport from "../../store/reports/desk/webhooks.ts";
import * as ReceivableStore from "../../store/tables/invoicing/receivable.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import type { Gate } from "../gate.ts";
import { ActionButton, ButtonLink, SubmitButton } from "../parts/button.tsx";
import { line } from "../parts/form/controls.tsx";
import { DeskForm, FaultSummary, type FormFault } from "../parts/form/form.tsx";
import { formOf, type Row } from "../parts/form/rows.ts";
import { Cell, Empty, Sub, Table } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import { Kinds, Pager } from "../parts/page/list-page.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { placeIn, placeText } from "../parts/place.ts";
import { Pill, State, type StateName } from "../parts/state.tsx";

const rowsOfPage = 30;
const base = "/desk/settings/webhooks";

/** Webhooks sent, sending one again, and a test. */
export function webhookRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config } = deps;

  function page({ frame, query }: Visit): string {
    const isFailing = query.get("state") === "failing";
    const before = placeIn(query.get("before"), ["event"]);
    const { rows, next } = WebhookReport.list(db, { isFailing, before, limit: rowsOfPage });
    const filter = isFailing ? "state=failing&" : "";
    return webhooksPage({
      frame,
      isFailing,
      rows,
      nameOf: (depositIndex) => ReceivableStore.nameOf(db, depositIndex),
      next: next && `${base}?${filter}before=${placeText(WebhookReport.placeOf(next))}`,
    });
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
    const result = { isTaken, text: testResultText(outcome, locale), secret, body };
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

/** Describes a receiver's response to a test. */
export function testResultText(outcome: DeliveryOutcome, locale: Locale): string {
  const { httpStatus, durationMs: ms } = outcome;
  if (outcome.kind === "acknowledged") return locale.say("testAnswered", { status: outcome.httpStatus, ms });
  if (outcome.kind === "gone") return locale.say("testGone");
  return httpStatus === null
    ? locale.say("testFailed", { ms, reason: outcome.reason })
    : locale.say("testAnswered", { status: httpStatus, ms });
}

/** Returns the event in a body: `event` in one form, `type` in the other. */
function typeOf(body: string): string {
  const { type, event }: { type?: string; event?: string } = JSON.parse(body);
  return type ?? event ?? "";
}

export type HooksProps = {
  frame: DeskFrame;
  rows: readonly WebhookReport.WebhookDelivery[];
  /** Returns the owner of a deposit address. */
  nameOf(depositIndex: number): ReturnType<typeof ReceivableStore.nameOf>;
  /** Target of the form that names a webhook in `event`; by default, the webhook's own path. */
  again?: string;
};

const looks = {
  delivered: { state: "paid", word: "webhookDelivered" },
  waiting: { state: "open", word: "webhookWaiting" },
  retrying: { state: "late", word: "webhookRetrying" },
  failed: { state: "late", word: "givenUp" },
  ended: { state: "void", word: "webhookEnded" },
} as const satisfies Record<ReturnType<typeof stateOf>, { state: StateName; word: string }>;

function stateOf({ state, attempts, isHeld }: WebhookReport.WebhookDelivery) {
  if (state !== "pending") return state;
  return attempts === 0 || isHeld ? "waiting" : "retrying";
}

/** The outcome of a webhook. */
export function DeliveryState({ locale, row }: { locale: Locale; row: WebhookReport.WebhookDelivery }) {
  const { state, word } = looks[stateOf(row)];
  return <State name={state} word={locale.say(word)} />;
}

type WebhooksPageProps = HooksProps & { isFailing: boolean; next: string | null };

/** Webhooks sent to other programs. */
function webhooksPage({ next, isFailing, ...props }: WebhooksPageProps): string {
  const { frame, rows } = props;
  const { locale } = frame;
  const kinds = [
    { href: base, isHere: !isFailing, text: locale.say("all") },
    { href: `${base}?state=failing`, isHere: isFailing, text: locale.say("webhooksFailing") },
  ];
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsWebhooks"),
    back: "settings",
    line: locale.say("webhooksLine"),
    actions: (
      <>
        <ButtonLink href="/desk/settings/endpoints" kind="quiet" text={locale.say("settingsEndpoints")} />
        <ButtonLink href={`${base}/test`} kind="quiet" text={locale.say("webhooksTest")} />
      </>
    ),
    body: (
      <>
        <Kinds label={locale.say("settingsWebhooks")} kinds={kinds} />
        <div id="hooks" data-live>
          {rows.length > 0 && <Hooks {...props} />}
          {rows.length === 0 && isFailing && (
            <Empty
              icon="check"
              title={locale.say("webhooksNoneFail")}
              text={locale.say("webhooksNoneFailText")}
            />
          )}
          {rows.length === 0 && !isFailing && (
            <Empty icon="hook" title={locale.say("webhooksEmpty")} text={locale.say("webhooksEmptyText")} />
          )}
        </div>
        <Pager locale={locale} newest={null} older={next} />
      </>
    ),
  });
}

/** Webhooks with their latest response, and a button to send each again. */
export function Hooks({ frame, rows, nameOf, again }: HooksProps) {
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
          <Cell kind="main">
            <strong translate="no">{typeOf(row.body)}</strong>
            <span class="sub">
              <Owner locale={locale} name={nameOf(row.depositIndex)} />
            </span>
          </Cell>
          <Cell kind="quiet whole hook-url">
            <bdi title={row.url}>{row.url}</bdi>
          </Cell>
          <Cell kind="whole">
            <Answer frame={frame} row={row} />
          </Cell>
          <Cell kind="quiet under">{when.moment(row.createdAt)}</Cell>
          <Cell kind="end hook-again">
            {!row.isGone && (
              <ActionButton
                frame={frame}
                action={again ?? `${base}/${row.id}/redeliver`}
                {...(again !== undefined && { field: ["event", row.id] as const })}
                kind={row.state === "delivered" ? "small plain" : "small quiet"}
                text={locale.say("sendAgain")}
              />
            )}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

/** The owner: an invoice's number or a link's slug, with a link to its page. */
function Owner({ locale, name }: { locale: Locale; name: ReturnType<HooksProps["nameOf"]> }) {
  if (name === null) return locale.say("webhookNoOwner");
  if ("link" in name) return <a href={`/desk/links/${name.link}`}>{name.link}</a>;
  return <a href={`/desk/invoices/${encodeURIComponent(name.invoice)}`}>{name.invoice}</a>;
}

function Answer({ frame: { locale, when }, row }: { frame: DeskFrame; row: WebhookReport.WebhookDelivery }) {
  const { attempts, httpStatus, reason, nextAttemptAt, isHeld } = row;
  const more = [
    httpStatus === null ? reason : locale.say("hookAnswer", { status: httpStatus }),
    attempts > 1 ? locale.say("attempts", { count: attempts }) : null,
    nextAttemptAt === null || isHeld
      ? null
      : locale.say("webhookNext", { when: when.momentInText(nextAttemptAt) }),
  ].filter((each) => each !== null);
  return (
    <>
      <DeliveryState locale={locale} row={row} />
      <Sub>{more.join(" · ")}</Sub>
    </>
  );
}

/** The target URL. */
export const urlRow = {
  label: "testUrl",
  hint: "testUrlHint",
  control: line({ type: "url", autocomplete: "off", maxlength: "2048", dir: "ltr" }),
  fault: "linkFaultWebhook",
} as const satisfies Row;

const testForm = formOf({ url: urlRow });

/** The result of a test. */
export type Tested = { isTaken: boolean; text: string };
type TestResult = Tested & { secret: string; body: string };

export const TestAnswer = ({ locale, result: { isTaken, text } }: { locale: Locale; result: Tested }) => (
  <>
    <p>
      <Pill name={isTaken ? "paid" : "late"} word={locale.say(isTaken ? "testTaken" : "testNotTaken")} />
    </p>
    <p dir="auto">{text}</p>
  </>
);

type WebhookTestPageProps = {
  frame: DeskFrame;
  url: string;
  faults: readonly FormFault[];
  result: TestResult | null;
};

/** The form for a test event without meaning, and its result. */
function webhookTestPage({ frame, url, faults, result }: WebhookTestPageProps): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("testTitle"),
    back: { href: base, label: locale.say("settingsWebhooks") },
    line: locale.say("testLine"),
    body: (
      <>
        <DeskForm frame={frame} action={`${base}/test`} className="form form-alone">
          <FaultSummary locale={locale} faults={faults} />
          {testForm.fields({ frame, typed: { url }, faults })("url")}
          <p>
            <SubmitButton text={locale.say("testSend")} />
          </p>
        </DeskForm>
        {result !== null && (
          <section class="part story" role="status" id="result">
            <TestAnswer locale={locale} result={result} />
            <p class="soft">{locale.say("testSigned")}</p>
            <pre class="command" dir="ltr" tabindex="0">
              {result.secret}
            </pre>
            <p class="soft">{locale.say("testBody")}</p>
            <pre class="command" dir="ltr" tabindex="0">
              {result.body}
            </pre>
          </section>
        )}
      </>
    ),
  });
}
