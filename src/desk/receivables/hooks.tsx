import type { Receivable } from "../../domain/receivable/receivable.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { TextKey } from "../../language/locale.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import * as WebhookHistoryStore from "../../store/tables/outbox/webhook-history.ts";
import { ActionButton } from "../parts/button.tsx";
import { type DeskFrame, mayHere } from "../parts/page/desk-frame.ts";
import { Part } from "../parts/page/head.tsx";
import { receivableHref } from "../parts/place.ts";

/** The newest ones. */
const hooksMax = 50;

/** Sends a form's event again, if it belongs to this deposit. */
export function redeliver(
  { db, now, onEventDue }: HttpDeps,
  { deposit }: Pick<Receivable, "deposit">,
  form: URLSearchParams,
): void {
  const id = form.get("event") ?? "";
  const isOwn = WebhookHistoryStore.list(db, deposit.index).some((event) => event.id === id);
  if (isOwn && WebhookEventStore.redeliver(db, id, now())) onEventDue();
}

/** Returns the subject of a webhook: its event's type, or the status in the contract's form. */
function nameOf({ body, status }: WebhookHistoryStore.QueuedEvent): string {
  const { type } = JSON.parse(body) as { type?: unknown };
  return typeof type === "string" ? type : status;
}

const states = {
  pending: "hookWaiting",
  delivered: "hookDelivered",
  failed: "givenUp",
  ended: "webhookEnded",
} as const satisfies Record<WebhookHistoryStore.QueuedEvent["state"], TextKey>;

type Props = { deps: HttpDeps; frame: DeskFrame; receivable: Receivable };

/** Webhooks sent to the merchant's own system, with every attempt, and a button to send each again. */
export function Hooks({ deps, frame, receivable }: Props) {
  const { locale } = frame;
  const { deposit, webhookUrl: url } = receivable;
  const hooks = WebhookHistoryStore.list(deps.db, deposit.index, hooksMax).reverse();
  if (hooks.length === 0) return "";
  return (
    <Part id="hooks" title={locale.say("webhooks")} isLive>
      {url !== null && <p class="soft small">{locale.say("webhooksText", { url })}</p>}
      <ul class="hooks">
        {hooks.map((hook) => (
          <HookRow frame={frame} href={receivableHref(receivable)} hook={hook} />
        ))}
      </ul>
    </Part>
  );
}

type RowProps = { frame: DeskFrame; href: string; hook: WebhookHistoryStore.QueuedEvent };

function HookRow({ frame, hook, href }: RowProps) {
  const { locale, when } = frame;
  return (
    <li>
      <div>
        <code>{nameOf(hook)}</code>
        {hook.endpointId !== null && (
          <p class="soft small">
            <bdi>{new URL(hook.url).host}</bdi>
          </p>
        )}
        <p class={hook.state === "failed" ? "small late" : "soft small"}>{locale.say(states[hook.state])}</p>
        {hook.attempts.length > 0 && (
          <details>
            <summary class="small">{locale.say("attempts", { count: hook.attempts.length })}</summary>
            <ol>
              {hook.attempts.map(({ startedAt, durationMs, httpStatus, reason }) => (
                <li class="small soft">
                  <span>{when.moment(startedAt)}</span>
                  <span>
                    {httpStatus === null ? (reason ?? "") : locale.say("hookAnswer", { status: httpStatus })}
                  </span>
                  <span>{locale.say("hookDuration", { ms: durationMs })}</span>
                </li>
              ))}
            </ol>
          </details>
        )}
      </div>
      {mayHere(frame, "issue") && !hook.isGone && (
        <ActionButton
          frame={frame}
          action={`${href}/redeliver`}
          className="hook-again"
          field={["event", hook.id]}
          kind="quiet small"
          text={locale.say("sendAgain")}
        />
      )}
    </li>
  );
}
