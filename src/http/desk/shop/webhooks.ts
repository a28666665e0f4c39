import { checkWebhookUrl } from "../../../domain/event/webhook-url.ts";
import type { Locale } from "../../../language/locale.ts";
import type { DeliveryOutcome } from "../../../outbox/webhook/post.ts";
import { sendTestEvent } from "../../../outbox/webhook/test-event.ts";
import { webhookTestPage } from "../../../pages/desk/shop/webhook-test-page.tsx";
import { type HookRow, webhooksPage } from "../../../pages/desk/shop/webhooks-page.tsx";
import * as WebhookReport from "../../../store/reports/desk/webhooks.ts";
import * as DepositStore from "../../../store/tables/invoicing/deposit.ts";
import * as WebhookEventStore from "../../../store/tables/outbox/webhook-event.ts";
import type { HttpDeps } from "../../deps.ts";
import type { FormOutcome, Gate, Visit } from "../gate.ts";

const rowsOfPage = 30;
const base = "/desk/settings/webhooks";

/** Webhooks sent, sending one again, and a test. */
export function webhookRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config } = deps;

  function page({ frame, query }: Visit): string {
    const { locale } = frame;
    const isFailing = query.get("state") === "failing";
    const range = { before: placeOf(query.get("before")), limit: rowsOfPage + 1 };
    const deliveries = isFailing ? WebhookReport.listFailing(db, range) : WebhookReport.list(db, range);
    const last = deliveries[rowsOfPage - 1];
    const filter = isFailing ? "state=failing&" : "";
    return webhooksPage({
      frame,
      isFailing,
      rows: deliveries.slice(0, rowsOfPage).map((delivery) => rowOf(delivery, locale)),
      next:
        deliveries.length > rowsOfPage && last
          ? `${base}?${filter}before=${last.createdAt}-${last.position}`
          : null,
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

const placeForm = /^(\d{1,15})-(\d{1,15})$/;

function placeOf(text: string | null): WebhookReport.DeliveryCursor | null {
  const [, createdAt, position] = placeForm.exec(text ?? "") ?? [];
  return position === undefined ? null : { createdAt: Number(createdAt), position: Number(position) };
}
