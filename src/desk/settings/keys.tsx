import { isOver, mayAct, type Scope } from "../../domain/party/api-key.ts";
import { createApiKey } from "../../http/access/api-key.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { endKey } from "../../invoicing/endpoints.ts";
import { parseKeyRequest } from "../../invoicing/request/key.ts";
import type { TextKey } from "../../language/locale.ts";
import { waitMs } from "../../settle/wallet-change.ts";
import { transact } from "../../store/database.ts";
import { newestBilling } from "../../store/reports/desk/billing.ts";
import { noteChange } from "../../store/reports/owners.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";
import type { Gate } from "../gate.ts";
import { doneAt, pagesOfOne } from "../one.ts";
import { ButtonLink } from "../parts/button.tsx";
import { provenPage } from "../parts/form/confirm-page.tsx";
import { choices, line } from "../parts/form/controls.tsx";
import type { FormFault } from "../parts/form/form.tsx";
import { formOf } from "../parts/form/rows.ts";
import { Face, itemsPage, Named } from "../parts/items.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { oncePage } from "../parts/page/once-page.tsx";
import type { Visit } from "../parts/page/visit.ts";
import { idIn } from "./people/people.ts";

const list = "/desk/settings/keys";
const purpose = "key.create";

type Key = ApiKeyStore.ApiKey;

const scopeTexts = [
  ["shop", "keyShop", "keyShopText"],
  ["read", "keyRead", "keyReadText"],
  ["full", "keyFull", "keyFullText"],
  ["metrics", "keyMetrics", "keyMetricsText"],
] as const satisfies readonly (readonly [Scope, TextKey, TextKey])[];

const plain = { autocomplete: "off" };
const keyForm = formOf({
  name: {
    label: "keyName",
    hint: "keyNameHint",
    control: line({ ...plain, maxlength: "100" }),
    fault: "keyNameWanted",
  },
  scope: { label: "keyScope", control: choices(scopeTexts), fault: "keyScope" },
  merchant_email: {
    label: "keyMerchant",
    hint: "keyMerchantHint",
    optional: true,
    control: line({ ...plain, type: "email", dir: "ltr" }),
    fault: "keyMerchantWanted",
  },
  expires_at: {
    label: "keyLastDay",
    hint: "keyLastDayHint",
    optional: true,
    control: line({ ...plain, type: "date" }),
    fault: "keyExpiresWanted",
  },
});
const begun = { ...keyForm.empty, scope: "shop" };

/** API keys for programs. */
export function keyRoutes({ db, config, now, onMailDue }: HttpDeps, gate: Gate): void {
  const active = () => ApiKeyStore.list(db).filter(({ revokedAt }) => revokedAt === null);
  const one = pagesOfOne(gate, (visit) => active().find(({ id }) => id === idIn(visit)) ?? null);
  const isOpenWithoutKeys = !(config.isPublic || config.openApi);
  const backOf = ({ frame: { locale } }: Visit) => ({ href: list, label: locale.say("settingsKeys") });

  function showNew(visit: Visit, typed = begun, faults: readonly FormFault[] = []): string {
    const { frame } = visit;
    const { locale } = frame;
    const field = keyForm.fields({ frame, typed, faults });
    const closes = isOpenWithoutKeys && active().length === 0;
    return provenPage({
      frame,
      faults,
      back: backOf(visit),
      action: `${list}/new`,
      title: locale.say("newKey"),
      line: locale.say("newKeyLine"),
      proof: gate.proving.ask(visit, purpose),
      children: (
        <>
          {closes && <p>{locale.say("firstKeyCloses")}</p>}
          {field("name")}
          {field("scope")}
          {field("merchant_email")}
          {field("expires_at", { extra: { min: frame.when.today } })}
        </>
      ),
      submit: { text: locale.say("makeKey") },
    });
  }

  gate.page(list, "manage", ({ frame, now }) => keysPage({ frame, now, keys: active().reverse() }));
  gate.page(`${list}/new`, "manage", (visit) => showNew(visit));
  gate.action(`${list}/new`, "manage", "key.create", async (visit, form) => {
    const { frame } = visit;
    const { locale } = frame;
    const typed = keyForm.read(form, locale, begun);
    const given = keyForm.names.filter((name) => name === "name" || typed[name] !== "");
    const request = Object.fromEntries(given.map((name) => [name, typed[name]]));
    const parsed = parseKeyRequest(request, { now: now(), timeZone: config.timeZone });
    if (!parsed.ok) return showNew(visit, typed, keyForm.faults(parsed.faults, locale));
    const fault = await gate.proving.check(visit, purpose, form);
    if (fault) return showNew(visit, typed, [fault]);
    const { name, ...grant } = parsed.value;
    const at = now();
    const hasMailServer = config.smtpUrl !== null;
    // Nothing was billed yet, so nobody pays to another wallet than they expect.
    const waits = newestBilling(db) === null ? 0 : waitMs(db, { hasMailServer }, { now: at, headAt: at });
    const walletsFrom = waits === 0 ? 0 : at + waits;
    const { key } = transact(db, () => {
      if (mayAct(grant.scope)) noteChange(db, { kind: "key", subject: name }, visit.who.name, at);
      return createApiKey(db, name, at, { ...grant, walletsFrom });
    });
    onMailDue();
    const text = locale.say("keyReadyText");
    const html = oncePage({
      frame,
      back: backOf(visit),
      title: locale.say("keyReady", { name }),
      text:
        waits === 0 || !mayAct(grant.scope)
          ? text
          : `${text}${locale.marks.gap}${locale.say("keyWallets", { when: frame.when.momentInText(walletsFrom) })}`,
      secret: key,
    });
    return { kind: "shown", html, subject: name };
  });
  one.confirmed(`${list}/:id/revoke`, "manage", "key.revoke", {
    purpose: ({ id }) => `key.revoke ${id}`,
    ask(visit, { name }) {
      const { say } = visit.frame.locale;
      const isLast = !config.openApi && active().length === 1;
      return {
        back: backOf(visit),
        question: say("revokeSure", { name }),
        text: say("revokeText"),
        warning: isLast ? say(config.isPublic ? "revokeLast" : "revokeOpens") : undefined,
        keep: say("revokeKeep"),
        confirm: say("revokeNow"),
      };
    },
    does(_, { id, name }) {
      if (!transact(db, () => endKey(db, id, now()))) return null;
      return doneAt(list, "didRevokeKey", name);
    },
  });
}

/** The keys with which programs use the API. */
function keysPage({ frame, now, keys }: { frame: DeskFrame; now: number; keys: readonly Key[] }): string {
  const { say } = frame.locale;
  return itemsPage({
    frame,
    title: say("settingsKeys"),
    line: say("keysLine"),
    add: <ButtonLink href={`${list}/new`} icon="plus" text={say("newKey")} />,
    empty: { icon: "key", title: say("noKeys"), text: say("noKeysText") },
    items: keys.map((key) => <KeyItem frame={frame} now={now} row={key} />),
  });
}

/** Says when a key was created, and last used. */
export const keyTimes = ({ locale, when }: DeskFrame, { createdAt, lastUsedAt }: Key) =>
  lastUsedAt === null
    ? locale.say("keyNeverUsed", { time: when.momentInText(createdAt) })
    : locale.say("keyUsed", { made: when.momentInText(createdAt), used: when.momentInText(lastUsedAt) });

function KeyItem({ frame, now, row }: { frame: DeskFrame; now: number; row: Key }) {
  const { locale, when } = frame;
  const { id, name, scope, merchant, expiresAt } = row;
  const [, title] = scopeTexts.find(([each]) => each === scope) ?? scopeTexts[0];
  const ends = isOver(row, now) ? "keyExpired" : "keyExpires";
  return (
    <li>
      <Face icon="key" />
      <Named name={name} beside={<span class="tag">{locale.say(title)}</span>} text={keyTimes(frame, row)}>
        {merchant !== null && <span class="small">{locale.say("keyOnlyFor", { merchant })}</span>}
        {/* The last minute of the day: midnight would not be read as its end. */}
        {expiresAt !== null && (
          <span class={ends === "keyExpired" ? "late small" : "small"}>
            {locale.say(ends, { time: when.momentInText(expiresAt - 1) })}
          </span>
        )}
      </Named>
      <ButtonLink
        href={`${list}/${id}/revoke`}
        kind="plain small"
        text={locale.say("revoke")}
        label={locale.say("revokeNamed", { name })}
      />
    </li>
  );
}
