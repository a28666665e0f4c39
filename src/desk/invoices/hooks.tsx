import type { TextKey } from "../../language/locale.ts";
import { DeskForm } from "../parts/form/form.tsx";
import type { DetailProps, Hook } from "./detail-page.tsx";

type Props = {
  props: Pick<DetailProps, "frame" | "hooks"> & {
    can: Pick<DetailProps["can"], "issue">;
    webhookUrl: string | null;
    /** Where the desk shows what the webhooks are of. */
    href: string;
  };
};

const states = {
  pending: "hookWaiting",
  delivered: "hookDelivered",
  failed: "givenUp",
} as const satisfies Record<Hook["state"], TextKey>;

/** What the merchant's own system was told, with every attempt, and the way to tell it once more. */
export function Hooks({ props }: Props) {
  const { frame, hooks, webhookUrl } = props;
  const { locale } = frame;
  return (
    <section class="part" id="hooks" data-live>
      <div class="part-head">
        <h2>{locale.say("webhooks")}</h2>
      </div>
      <p class="soft small">{locale.say("webhooksText", { url: webhookUrl ?? "" })}</p>
      <ul class="hooks">
        {hooks.map((hook) => (
          <HookRow props={props} hook={hook} />
        ))}
      </ul>
    </section>
  );
}

function HookRow({ props, hook }: Props & { hook: Hook }) {
  const { frame, href, can } = props;
  const { locale, when } = frame;
  return (
    <li>
      <div>
        <code>{hook.name}</code>
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
      {can.issue && (
        <DeskForm frame={frame} action={`${href}/redeliver`} className="hook-again">
          <input type="hidden" name="event" value={hook.id} />
          <button type="submit" class="button button-quiet button-small">
            {locale.say("sendAgain")}
          </button>
        </DeskForm>
      )}
    </li>
  );
}
