import { type Format, isChat } from "../../domain/event/chat.ts";
import * as Endpoint from "../../domain/event/endpoint.ts";
import type { TextKey } from "../../language/locale.ts";
import type { WebhookDelivery } from "../../store/reports/desk/webhooks.ts";
import { ActionButton, ButtonLink } from "../parts/button.tsx";
import { provenPage } from "../parts/form/confirm-page.tsx";
import { choices, line } from "../parts/form/controls.tsx";
import type { FormFault } from "../parts/form/form.tsx";
import type { ProofProps } from "../parts/form/proof.tsx";
import { formOf } from "../parts/form/rows.ts";
import { Face, itemsPage, Named } from "../parts/items.tsx";
import { Fact, Menu } from "../parts/menu.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage, Part } from "../parts/page/head.tsx";
import { Rule } from "../parts/setting.tsx";
import { State, type StateName } from "../parts/state.tsx";
import { DeliveryState, Hooks, type HooksProps, TestAnswer, type Tested, urlRow } from "./webhooks.tsx";

/** Returns an endpoint's name for people. */
export const hostOf = ({ url }: Endpoint.Endpoint): string => new URL(url).host;

type Back = { href: string; label: string };
type Row = { endpoint: Endpoint.Endpoint; href: string; last: WebhookDelivery | null };

function stateOf({ frame: { locale }, endpoint }: { frame: DeskFrame; endpoint: Endpoint.Endpoint }): {
  name: StateName;
  word: string;
} {
  const { pausedAt, pauseCause, failingSince } = endpoint;
  if (pausedAt !== null)
    return { name: pauseCause === "merchant" ? "void" : "late", word: locale.say("endpointIsPaused") };
  return failingSince === null
    ? { name: "paid", word: locale.say("endpointActive") }
    : { name: "late", word: locale.say("webhooksFailing") };
}

/** All endpoints, with the last webhook sent to each. */
export function endpointsPage({ frame, rows }: { frame: DeskFrame; rows: readonly Row[] }): string {
  const { say } = frame.locale;
  return itemsPage({
    frame,
    title: say("settingsEndpoints"),
    line: say("endpointsLine"),
    add: <ButtonLink href="/desk/settings/endpoints/new" icon="plus" text={say("endpointNew")} />,
    empty: { icon: "hook", title: say("noEndpoints"), text: say("noEndpointsText") },
    items: rows.map((row) => <EndpointItem frame={frame} {...row} />),
    live: "endpoints",
  });
}

function EndpointItem({ frame, endpoint, href, last }: Row & { frame: DeskFrame }) {
  const { locale, when } = frame;
  return (
    <li>
      <Face icon="hook" />
      <Named
        name={endpoint.description ?? hostOf(endpoint)}
        href={href}
        beside={<State {...stateOf({ frame, endpoint })} />}
        text={
          last === null ? (
            locale.say("endpointNothingYet")
          ) : (
            <>
              {when.moment(last.createdAt)} <DeliveryState locale={locale} row={last} />
            </>
          )
        }
      >
        <span class="soft small">
          <bdi>{endpoint.url}</bdi>
        </span>
      </Named>
    </li>
  );
}

type EndpointProps = Pick<HooksProps, "rows" | "nameOf"> & {
  frame: DeskFrame;
  endpoint: Endpoint.Endpoint;
  href: string;
  back: Back;
  /** The result of a test that was just sent. */
  result: Tested | null;
};

/** One endpoint: its state, its webhooks, and the possible actions. */
export function endpointPage({ frame, endpoint, href, back, result, ...props }: EndpointProps): string {
  const { locale, when } = frame;
  const isPaused = endpoint.pausedAt !== null;
  // An endpoint of a shop's plugin is changed by the plugin.
  const isOwn = endpoint.storeId === null;
  const { name, word } = stateOf({ frame, endpoint });
  return headedPage({
    frame,
    place: "settings",
    title: endpoint.description ?? hostOf(endpoint),
    back,
    actions: (
      <>
        {isPaused && (
          <ActionButton
            frame={frame}
            className=""
            action={`${href}/resume`}
            text={locale.say("endpointResume")}
          />
        )}
        {isOwn && (
          <ActionButton
            frame={frame}
            className=""
            action={`${href}/test`}
            kind="quiet"
            text={locale.say("webhooksTest")}
          />
        )}
        <Menu
          frame={frame}
          entries={[
            isOwn && { text: locale.say("change"), href: `${href}/edit` },
            !isPaused && { text: locale.say("endpointPause"), href: `${href}/pause`, as: "dialog" },
            isOwn &&
              !isChat(endpoint.format) && {
                text: locale.say("endpointRotate"),
                href: `${href}/rotate`,
                as: "dialog",
              },
            { text: locale.say("endpointDelete"), href: `${href}/delete`, as: "dialog", isDanger: true },
          ]}
        />
      </>
    ),
    body: (
      <>
        <PauseNotice frame={frame} endpoint={endpoint} />
        {result !== null && (
          <section class="part story" role="status" id="result">
            <TestAnswer locale={locale} result={result} />
          </section>
        )}
        <dl class="rules" id="endpoint" data-live>
          <Fact label={locale.say("endpointState")}>
            <State name={name} word={word} />
          </Fact>
          {endpoint.failingSince !== null && (
            <Rule
              frame={frame}
              label={locale.say("webhooksFailing")}
              value={locale.say("endpointFailingSince", {
                when: when.momentInText(endpoint.failingSince),
                reason: endpoint.failure ?? "",
              })}
            />
          )}
          <Rule
            frame={frame}
            label={locale.say("endpointFormat")}
            value={locale.say(formatTexts[endpoint.format])}
          />
          <Rule frame={frame} label={locale.say("endpointUrl")} value={endpoint.url} />
          <Rule
            frame={frame}
            label={locale.say("endpointEvents")}
            value={(endpoint.storeTypes ?? endpoint.types)?.join(", ") ?? locale.say("endpointEveryEvent")}
          />
          {endpoint.merchantEmail !== null && (
            <Rule frame={frame} label={locale.say("endpointMerchant")} value={endpoint.merchantEmail} />
          )}
        </dl>
        <Part id="hooks" title={locale.say("endpointDeliveries")} isLive>
          {props.rows.length === 0 ? (
            <p class="soft">{locale.say("endpointNothingYet")}</p>
          ) : (
            <Hooks frame={frame} again={`${href}/redeliver`} {...props} />
          )}
        </Part>
      </>
    ),
  });
}

const pauseTexts = {
  merchant: "endpointPausedMerchant",
  failing: "endpointPausedFailing",
  gone: "endpointPausedGone",
} as const;

type PauseNoticeProps = { frame: DeskFrame; endpoint: Endpoint.Endpoint };

function PauseNotice({ frame: { locale, when }, endpoint }: PauseNoticeProps) {
  const { pausedAt, pauseCause } = endpoint;
  if (pausedAt === null || pauseCause === null) return "";
  return (
    <p class={pauseCause === "merchant" ? "notice" : "notice notice-late"}>
      <span>
        <strong>{locale.say(pauseTexts[pauseCause], { when: when.momentInText(pausedAt) })}</strong>{" "}
        {locale.say("endpointMissed", { call: "GET /api/events" })}
      </span>
    </p>
  );
}

const descriptionMax = 200;

const formatTexts = {
  till: "endpointFormatTill",
  ntfy: "chatNtfy",
  telegram: "chatTelegram",
  slack: "chatSlack",
  discord: "chatDiscord",
} as const satisfies Record<Format, TextKey>;

export const endpointForm = formOf({
  format: {
    label: "endpointFormat",
    control: choices([
      ["till", formatTexts.till, "endpointFormatTillHint"],
      ["ntfy", formatTexts.ntfy, "chatNtfyHint"],
      ["telegram", formatTexts.telegram, "chatTelegramHint"],
      ["slack", formatTexts.slack, "chatSlackHint"],
      ["discord", formatTexts.discord, "chatDiscordHint"],
    ]),
  },
  url: {
    ...urlRow,
    label: "endpointUrl",
    hint: "endpointUrlHint",
    of: ["types"],
    fault: ({ say }, { code }) => say(code === "url_chat" ? "chatFault" : "linkFaultWebhook"),
  },
  description: {
    label: "endpointDescription",
    hint: "endpointDescriptionHint",
    optional: true,
    control: line({ autocomplete: "off", maxlength: String(descriptionMax), dir: "auto" }),
    fault: ({ say }) => say("profileFaultLine", { max: descriptionMax }),
  },
});

/** The form as typed. */
export type Typed = typeof endpointForm.empty & { types: readonly string[] };

type EndpointFormProps = {
  frame: DeskFrame;
  /** Null for a new one. */
  endpoint: Endpoint.Endpoint | null;
  action: string;
  back: Back;
  proof: ProofProps;
  typed: Typed;
  faults: readonly FormFault[];
};

/** The form of an endpoint. */
export function endpointFormPage({ endpoint, ...form }: EndpointFormProps): string {
  const { typed } = form;
  const { locale } = form.frame;
  const field = endpointForm.fields(form);
  const isKept = endpoint !== null && isChat(endpoint.format);
  return provenPage({
    ...form,
    title: endpoint === null ? locale.say("endpointNew") : hostOf(endpoint),
    children: (
      <>
        {endpoint === null && field("format")}
        {field("url", isKept ? { hint: locale.say("chatUrlKept") } : {})}
        {field("description")}
        <p class="soft">
          {locale.say("endpointTypesHint")} {endpoint === null && locale.say("endpointTypesChat")}
        </p>
        {(
          [
            ["invoice", "invoices"],
            ["link", "navLinks"],
          ] as const
        ).map(([kind, title]) => (
          <fieldset>
            <legend>{locale.say(title)}</legend>
            {Endpoint.types
              .filter((type) => type.startsWith(`${kind}.`))
              .map((type) => (
                <label class="check">
                  <input type="checkbox" name="types" value={type} checked={typed.types.includes(type)} />
                  <code translate="no">{type}</code>
                </label>
              ))}
          </fieldset>
        ))}
      </>
    ),
    submit: { text: locale.say(endpoint === null ? "endpointMake" : "save") },
  });
}
