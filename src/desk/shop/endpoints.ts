import { isChat } from "../../domain/event/chat.ts";
import * as Endpoint from "../../domain/event/endpoint.ts";
import { sendTestTo } from "../../http/events/endpoints.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import * as WebhookReport from "../../store/reports/desk/webhooks.ts";
import * as ReceivableStore from "../../store/tables/invoicing/receivable.ts";
import * as EndpointStore from "../../store/tables/outbox/endpoint.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import type { Gate } from "../gate.ts";
import { doneAt, pagesOfOne } from "../one.ts";
import type { FormFault } from "../parts/form/form.tsx";
import type { DoneText } from "../parts/page/desk-frame.ts";
import { oncePage } from "../parts/page/once-page.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import {
  endpointForm,
  endpointFormPage,
  endpointPage,
  endpointsPage,
  hostOf,
  type Typed,
} from "./endpoint-pages.tsx";
import { type Tested, testResultText } from "./webhooks.tsx";

const list = "/desk/settings/endpoints";
const deliveriesMax = 20;

/** Webhook endpoints: their list, each of them, and all actions. */
export function endpointRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, endpoints } = deps;
  const endpointOf = ({ params }: Visit) => EndpointStore.find(db, params["id"] ?? "");
  const hrefOf = ({ id }: Endpoint.Endpoint) => `${list}/${id}`;
  const backOf = ({ frame: { locale } }: Visit, endpoint: Endpoint.Endpoint | null) =>
    endpoint === null
      ? { href: list, label: locale.say("settingsEndpoints") }
      : { href: hrefOf(endpoint), label: hostOf(endpoint) };
  /** Returns the newest deliveries of an endpoint. */
  const deliveriesOf = ({ id: endpoint }: Endpoint.Endpoint, limit = deliveriesMax) =>
    WebhookReport.list(db, { isFailing: false, endpoint, before: null, limit }).rows;

  /** An endpoint of a shop's plugin is changed by the plugin: its secret is in the shop. A chat has none. */
  const isHere = (path: string, { storeId, format }: Endpoint.Endpoint) =>
    storeId === null ? path !== "/rotate" || !isChat(format) : !["/edit", "/test", "/rotate"].includes(path);

  const one = `${list}/:id`;
  const { page, action, confirmed } = pagesOfOne(gate, (visit) => {
    const endpoint = endpointOf(visit);
    const { pathname } = new URL(visit.request.url);
    return endpoint && isHere(pathname.slice(pathname.lastIndexOf("/")), endpoint) ? endpoint : null;
  });

  const show = ({ frame }: Visit, endpoint: Endpoint.Endpoint, result: Tested | null = null) =>
    endpointPage({
      frame,
      endpoint,
      href: hrefOf(endpoint),
      back: { href: list, label: frame.locale.say("settingsEndpoints") },
      rows: deliveriesOf(endpoint),
      nameOf: (depositIndex) => ReceivableStore.nameOf(db, depositIndex),
      result,
    });

  const purposeOf = (endpoint: Endpoint.Endpoint | null) =>
    endpoint === null ? "endpoint.create" : `endpoint.change ${endpoint.id}`;

  const showForm = (
    visit: Visit,
    endpoint: Endpoint.Endpoint | null,
    typed: Typed = typedOf(endpoint),
    faults: readonly FormFault[] = [],
  ) =>
    endpointFormPage({
      frame: visit.frame,
      endpoint,
      action: endpoint === null ? `${list}/new` : `${hrefOf(endpoint)}/edit`,
      back: backOf(visit, endpoint),
      proof: gate.proving.ask(visit, purposeOf(endpoint)),
      typed,
      faults,
    });

  /** Creates or changes an endpoint, as typed. */
  async function save(
    visit: Visit,
    endpoint: Endpoint.Endpoint | null,
    form: URLSearchParams,
  ): Promise<FormOutcome | null> {
    const { frame } = visit;
    const typed: Typed = { ...endpointForm.read(form, frame.locale), types: form.getAll("types") };
    const again = (faults: readonly FormFault[]) => showForm(visit, endpoint, typed, faults);
    const isKept = endpoint !== null && isChat(endpoint.format) && typed.url === "";
    const input = {
      ...(isKept ? {} : { url: typed.url }),
      ...(endpoint === null ? { format: typed.format || "till" } : {}),
      types: typed.types.length === 0 ? null : typed.types,
      description: typed.description === "" ? null : typed.description,
    };
    const checked = endpoints.check(input, endpoint);
    if (!checked.ok) {
      const faults = checked.refusal.kind === "invalid" ? checked.refusal.faults : [];
      return again(endpointForm.faults(faults, frame.locale));
    }
    const fault = await gate.proving.check(visit, purposeOf(endpoint), form);
    if (fault) return again([fault]);
    if (endpoint !== null) {
      const changed = await endpoints.change(endpoint.id, input, byOf(visit));
      return changed.ok
        ? { kind: "done", to: hrefOf(endpoint), did: "didSaveEndpoint", subject: hostOf(changed.value) }
        : null;
    }
    const made = await endpoints.make(input, byOf(visit));
    if (!made.ok) {
      const message = frame.locale.say("endpointsTooMany", { max: Endpoint.countMax });
      return again([{ field: "url", message }]);
    }
    const { secret } = made.value;
    if (secret === null)
      return {
        kind: "done",
        to: hrefOf(made.value.endpoint),
        did: "didSaveEndpoint",
        subject: hostOf(made.value.endpoint),
      };
    return showSecret(visit, made.value.endpoint, secret, "endpointReadyText");
  }

  function showSecret(
    visit: Visit,
    endpoint: Endpoint.Endpoint,
    secret: string,
    text: "endpointReadyText" | "endpointRotatedText",
  ): FormOutcome {
    const { frame } = visit;
    const subject = hostOf(endpoint);
    const title = frame.locale.say("endpointSecret", { host: subject });
    const back = backOf(visit, endpoint);
    return {
      kind: "shown",
      html: oncePage({ frame, back, title, text: frame.locale.say(text), secret }),
      subject,
    };
  }

  gate.page(list, "manage", ({ frame }) =>
    endpointsPage({
      frame,
      rows: EndpointStore.list(db).map((endpoint) => ({
        endpoint,
        href: hrefOf(endpoint),
        last: deliveriesOf(endpoint, 1)[0] ?? null,
      })),
    }),
  );
  gate.page(`${list}/new`, "manage", (visit) => showForm(visit, null));
  gate.action(`${list}/new`, "manage", "endpoint.create", (visit, form) => save(visit, null, form));
  page(one, "manage", (visit, endpoint) => show(visit, endpoint));
  page(`${one}/edit`, "manage", (visit, endpoint) => showForm(visit, endpoint));
  action(`${one}/edit`, "manage", "endpoint.change", save);

  action(`${one}/test`, "manage", "webhook.test", async (visit, endpoint) => {
    const outcome = await sendTestTo(deps, endpoint);
    const result = {
      isTaken: outcome.kind === "acknowledged",
      text: testResultText(outcome, visit.frame.locale),
    };
    return { kind: "shown", html: show(visit, endpoint, result), subject: hostOf(endpoint) };
  });
  action(`${one}/redeliver`, "manage", "webhook.redeliver", async (visit, endpoint, form) => {
    const id = form.get("event") ?? "";
    if (!WebhookEventStore.redeliver(db, id, visit.now, { endpoint: endpoint.id })) return null;
    deps.onEventDue();
    return { kind: "done", to: hrefOf(endpoint), did: "didSendWebhookAgain", subject: hostOf(endpoint) };
  });
  async function turn(
    visit: Visit,
    endpoint: Endpoint.Endpoint,
    status: "active" | "paused",
    did: DoneText,
  ): Promise<FormOutcome | null> {
    const changed = await endpoints.change(endpoint.id, { status }, byOf(visit));
    return changed.ok ? doneAt(hrefOf(endpoint), did, hostOf(endpoint)) : null;
  }
  action(`${one}/resume`, "manage", "endpoint.resume", (visit, endpoint) =>
    turn(visit, endpoint, "active", "didResumeEndpoint"),
  );

  /** Changing who is told about outgoing money needs a proof. */
  const purposeFor = (action: string) => (endpoint: Endpoint.Endpoint) => `${action} ${endpoint.id}`;

  confirmed(`${one}/pause`, "manage", "endpoint.pause", {
    purpose: purposeFor("endpoint.pause"),
    ask(visit, endpoint) {
      const { say } = visit.frame.locale;
      return {
        back: backOf(visit, endpoint),
        question: say("endpointPauseSure", { host: hostOf(endpoint) }),
        text: say("endpointMissed", { call: "GET /api/events" }),
        keep: say("cancel"),
        confirm: say("endpointPause"),
        isDanger: false,
      };
    },
    does: (visit, endpoint) => turn(visit, endpoint, "paused", "didPauseEndpoint"),
  });
  confirmed(`${one}/rotate`, "manage", "endpoint.rotate", {
    purpose: purposeFor("endpoint.rotate"),
    ask(visit, endpoint) {
      const { say } = visit.frame.locale;
      return {
        back: backOf(visit, endpoint),
        question: say("endpointRotateSure", { host: hostOf(endpoint) }),
        text: say("endpointRotateText"),
        keep: say("endpointKeepSecret"),
        confirm: say("endpointRotate"),
        isDanger: false,
      };
    },
    async does(visit, { id }) {
      const rotated = await endpoints.rotate(id, byOf(visit));
      if (!rotated.ok || rotated.value.secret === null) return null;
      return showSecret(visit, rotated.value.endpoint, rotated.value.secret, "endpointRotatedText");
    },
  });
  confirmed(`${one}/delete`, "manage", "endpoint.delete", {
    purpose: purposeFor("endpoint.delete"),
    ask(visit, endpoint) {
      const { say } = visit.frame.locale;
      return {
        back: backOf(visit, endpoint),
        question: say("endpointDeleteSure", { host: hostOf(endpoint) }),
        text: say("endpointDeleteText"),
        keep: say("revokeKeep"),
        confirm: say("endpointDelete"),
      };
    },
    async does(visit, endpoint) {
      await endpoints.remove(endpoint.id, byOf(visit));
      return doneAt(list, "didDeleteEndpoint", hostOf(endpoint));
    },
  });
}

const byOf = ({ who }: Visit) => ({ key: null, who: who.name });

const typedOf = (endpoint: Endpoint.Endpoint | null): Typed => ({
  format: endpoint?.format ?? "till",
  url: endpoint === null || isChat(endpoint.format) ? "" : endpoint.url,
  description: endpoint?.description ?? "",
  types: endpoint?.types ?? [],
});
