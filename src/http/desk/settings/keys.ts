import { confirmPage } from "../../../pages/desk/parts/form/confirm-page.tsx";
import type { FormFault } from "../../../pages/desk/parts/form/form.tsx";
import { keysPage, newKeyPage } from "../../../pages/desk/settings/keys-page.tsx";
import { oncePage } from "../../../pages/desk/settings/once-page.tsx";
import * as ApiKeyStore from "../../../store/tables/installation/api-key.ts";
import { createApiKey, isKeyName } from "../../access/api-key.ts";
import type { HttpDeps } from "../../deps.ts";
import type { Gate, Visit } from "../gate.ts";
import { idIn } from "./rows.ts";

const list = "/desk/settings/keys";
const purpose = "key.create";

/** The API keys of programs. */
export function keyRoutes({ db, config, now }: HttpDeps, gate: Gate): void {
  const active = () => ApiKeyStore.list(db).filter(({ revokedAt }) => revokedAt === null);
  const keyOf = (visit: Visit) => active().find(({ id }) => id === idIn(visit)) ?? null;
  const isOpenWithoutKeys = !(config.isPublic || config.openApi);
  const backOf = ({ frame: { locale } }: Visit) => ({ href: list, label: locale.say("settingsKeys") });

  function showNew(visit: Visit, name = "", faults: readonly FormFault[] = []): string {
    const closes = isOpenWithoutKeys && active().length === 0;
    return newKeyPage({ frame: visit.frame, name, proof: gate.proving.ask(visit, purpose), faults, closes });
  }

  type Key = NonNullable<ReturnType<typeof keyOf>>;
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
