import { createApiKey, isKeyName } from "../../http/access/access.ts";
import type { HttpDeps } from "../../http/deps.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";
import type { Gate, Visit } from "../gate.ts";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { confirmPage } from "../parts/form/confirm-page.tsx";
import { DeskForm, FaultSummary, type FormFault, TextField } from "../parts/form/form.tsx";
import { ProofField } from "../parts/form/proof.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Empty } from "../parts/list.tsx";
import { idIn } from "../people/people.ts";
import { oncePage } from "./once-page.tsx";

const list = "/desk/settings/keys";
const purpose = "key.create";

type Key = ReturnType<typeof ApiKeyStore.list>[number];

/** The API keys of programs. */
export function keyRoutes({ db, config, now }: HttpDeps, gate: Gate): void {
  const active = () => ApiKeyStore.list(db).filter(({ revokedAt }) => revokedAt === null);
  const keyOf = (visit: Visit) => active().find(({ id }) => id === idIn(visit)) ?? null;
  const isOpenWithoutKeys = !(config.isPublic || config.openApi);
  const backOf = ({ frame: { locale } }: Visit) => ({ href: list, label: locale.say("settingsKeys") });

  function showNew(visit: Visit, name = "", faults: readonly FormFault[] = []): string {
    const { frame } = visit;
    const { locale } = frame;
    const closes = isOpenWithoutKeys && active().length === 0;
    return headedPage({
      frame,
      place: "settings",
      title: locale.say("newKey"),
      back: backOf(visit),
      line: locale.say("newKeyLine"),
      body: (
        <DeskForm frame={frame} action={`${list}/new`} className="form form-alone">
          <FaultSummary locale={locale} faults={faults} />
          {closes && <p>{locale.say("firstKeyCloses")}</p>}
          <TextField
            locale={locale}
            name="name"
            label={locale.say("keyName")}
            hint={locale.say("keyNameHint")}
            value={name}
            faults={faults}
            extra={{ autocomplete: "off", maxlength: "100" }}
          />
          <ProofField locale={locale} proof={gate.proving.ask(visit, purpose)} faults={faults} />
          <div class="actions">
            <SubmitButton text={locale.say("makeKey")} />
          </div>
        </DeskForm>
      ),
    });
  }

  const revokePurpose = ({ id }: Key) => `key.revoke ${id}`;

  function showRevoke(visit: Visit, key: Key, faults: readonly FormFault[] = []): string {
    const { frame } = visit;
    const { locale } = frame;
    const isLast = !config.openApi && active().length === 1;
    return confirmPage({
      frame,
      proof: gate.proving.ask(visit, revokePurpose(key)),
      faults,
      back: backOf(visit),
      question: locale.say("revokeSure", { name: key.name }),
      text: locale.say("revokeText"),
      warning: isLast ? locale.say(config.isPublic ? "revokeLast" : "revokeOpens") : undefined,
      action: `${list}/${key.id}/revoke`,
      keep: locale.say("revokeKeep"),
      confirm: locale.say("revokeNow"),
    });
  }

  gate.page(list, "manage", ({ frame }) => keysPage({ frame, keys: active().reverse() }));
  gate.page(`${list}/new`, "manage", (visit) => showNew(visit));
  gate.action(`${list}/new`, "manage", "key.create", async (visit, form) => {
    const { frame } = visit;
    const { locale } = frame;
    const name = (form.get("name") ?? "").trim();
    const fault = isKeyName(name)
      ? await gate.proving.check(visit, purpose, form)
      : { field: "name", message: locale.say("keyNameWanted") };
    if (fault) return showNew(visit, name, [fault]);
    const html = oncePage({
      frame,
      back: backOf(visit),
      title: locale.say("keyReady", { name }),
      text: locale.say("keyReadyText"),
      secret: createApiKey(db, name, now()).key,
    });
    return { kind: "shown", html, subject: name };
  });
  gate.page(`${list}/:id/revoke`, "manage", (visit) => {
    const key = keyOf(visit);
    return key && showRevoke(visit, key);
  });
  gate.action(`${list}/:id/revoke`, "manage", "key.revoke", async (visit, form) => {
    const key = keyOf(visit);
    if (key === null) return null;
    const fault = await gate.proving.check(visit, revokePurpose(key), form);
    if (fault) return showRevoke(visit, key, [fault]);
    if (!ApiKeyStore.revoke(db, key.id, now())) return null;
    return { kind: "done", to: list, did: "didRevokeKey", subject: key.name };
  });
}

/** The keys with which programs use the API. */
function keysPage({ frame, keys }: { frame: DeskFrame; keys: readonly Key[] }): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsKeys"),
    back: "settings",
    line: locale.say("keysLine"),
    actions: keys.length > 0 && <MakeKey frame={frame} />,
    body:
      keys.length === 0 ? (
        <Empty icon="key" title={locale.say("noKeys")} text={locale.say("noKeysText")}>
          <MakeKey frame={frame} />
        </Empty>
      ) : (
        <section class="people-list">
          <ul class="people">
            {keys.map((key) => (
              <KeyItem frame={frame} row={key} />
            ))}
          </ul>
        </section>
      ),
  });
}

function MakeKey({ frame: { locale } }: { frame: DeskFrame }) {
  return <ButtonLink href="/desk/settings/keys/new" icon="plus" text={locale.say("newKey")} />;
}

function KeyItem({ frame: { locale, when }, row }: { frame: DeskFrame; row: Key }) {
  const { id, name, createdAt, lastUsedAt } = row;
  return (
    <li>
      <span class="face">
        <DeskIcon name="key" />
      </span>
      <span class="who">
        <span>
          <strong>
            <bdi>{name}</bdi>
          </strong>
        </span>
        <span class="soft small">
          {lastUsedAt === null
            ? locale.say("keyNeverUsed", { time: when.momentInText(createdAt) })
            : locale.say("keyUsed", {
                made: when.momentInText(createdAt),
                used: when.momentInText(lastUsedAt),
              })}
        </span>
      </span>
      <a
        class="button button-plain button-small"
        href={`/desk/settings/keys/${id}/revoke`}
        aria-label={locale.say("revokeNamed", { name })}
      >
        {locale.say("revoke")}
      </a>
    </li>
  );
}
