import * as Endpoint from "../../domain/event/endpoint.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { sendTestTo } from "../../http/events/endpoints.ts";
import type { Locale } from "../../language/locale.ts";
import * as WebhookReport from "../../store/reports/desk/webhooks.ts";
import * as ReceivableStore from "../../store/tables/invoicing/receivable.ts";
import * as EndpointStore from "../../store/tables/outbox/endpoint.ts";
import * as WebhookEventStore from "../../store/tables/outbox/webhook-event.ts";
import type { Gate } from "../gate.ts";
import { confirmPage } from "../parts/form/confirm-page.tsx";
import type { FormFault } from "../parts/form/form.tsx";
import { oncePage } from "../parts/page/once-page.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { endpointPage, endpointsPage, hostOf, type Typed, wishForm, wishPage } from "./endpoint-pages.tsx";
import { type Tested, told } from "./webhooks.tsx";

const list = "/desk/settings/endpoints";
const deliveriesMax = 20;

/** Webhook endpoints: their list, one of them, and all that is done with it. */
export function endpointRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, endpoints } = deps;
  const endpointOf = ({ params }: Visit) => EndpointStore.find(db, params["id"] ?? "");
  const hrefOf = ({ id }: Endpoint.Endpoint) => `${list}/${id}`;
  const backOf = ({ frame: { locale } }: Visit, endpoint: Endpoint.Endpoint | null) =>
    endpoint === null
      ? { href: list, label: locale.say("settingsEndpoints") }
      : { href: hrefOf(endpoint), label: hostOf(endpoint) };
  /** By an event of this endpoint, what became of the newest ones. */
  const deliveriesOf = ({ id: endpoint }: Endpoint.Endpoint, limit = deliveriesMax) =>
    WebhookReport.list(db, { isFailing: false, endpoint, before: null, limit }).rows;

  /** What a shop's plugin made, it changes itself: its secret is in the shop. */
  const isHere = (path: string, { storeId }: Endpoint.Endpoint) =>
    storeId === null || !["/edit", "/test", "/rotate"].includes(path);

  /** A page or form of one endpoint. */
  type Of<Answer> = (visit: Visit, endpoint: Endpoint.Endpoint, form: URLSearchParams) => Answer;
  const page = (path: string, show: Of<string>) =>
    gate.page(`${list}/:id${path}`, "manage", (visit) => {
      const endpoint = endpointOf(visit);
      return endpoint && isHere(path, endpoint) ? show(visit, endpoint, visit.query) : null;
    });
  const action = (path: string, deed: string, does: Of<Promise<FormOutcome | null>>) =>
    gate.action(`${list}/:id${path}`, "manage", deed, async (visit, form) => {
      const endpoint = endpointOf(visit);
      return endpoint && isHere(path, endpoint) ? does(visit, endpoint, form) : null;
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

  const showWish = (
    visit: Visit,
    endpoint: Endpoint.Endpoint | null,
    typed: Typed = typedOf(endpoint),
    faults: readonly FormFault[] = [],
  ) =>
    wishPage({
      frame: visit.frame,
      endpoint,
      action: endpoint === null ? `${list}/new` : `${hrefOf(endpoint)}/edit`,
      back: backOf(visit, endpoint),
      proof: gate.proving.ask(visit, purposeOf(endpoint)),
      typed,
      faults,
    });

  /** Makes an endpoint as it was typed, or changes one. */
  async function save(
    visit: Visit,
    endpoint: Endpoint.Endpoint | null,
    form: URLSearchParams,
  ): Promise<FormOutcome | null> {
    const { frame } = visit;
    const typed: Typed = { ...wishForm.read(form, frame.locale), types: form.getAll("types") };
    const again = (faults: readonly FormFault[]) => showWish(visit, endpoint, typed, faults);
    const asked = {
      url: typed.url,
      types: typed.types.length === 0 ? null : typed.types,
      description: typed.description === "" ? null : typed.description,
    };
    const checked = endpoints.check(asked);
    if (!checked.ok) {
      const faults = checked.refusal.kind === "invalid" ? checked.refusal.faults : [];
      return again(wishForm.faults(faults, frame.locale));
    }
    const fault = await gate.proving.check(visit, purposeOf(endpoint), form);
    if (fault) return again([fault]);
    if (endpoint !== null) {
      const changed = await endpoints.change(endpoint.id, asked, byOf(visit));
      return changed.ok
        ? { kind: "done", to: hrefOf(endpoint), did: "didSaveEndpoint", subject: hostOf(changed.value) }
        : null;
    }
    const made = await endpoints.make(asked, byOf(visit));
    if (!made.ok) {
      const message = frame.locale.say("endpointsTooMany", { max: Endpoint.countMax });
      return again([{ field: "url", message }]);
    }
    return showSecret(visit, made.value, "endpointReadyText");
  }

  function showSecret(
    visit: Visit,
    { endpoint, secret }: { endpoint: Endpoint.Endpoint; secret: string },
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
  gate.page(`${list}/new`, "manage", (visit) => showWish(visit, null));
  gate.action(`${list}/new`, "manage", "endpoint.create", (visit, form) => save(visit, null, form));
  page("", (visit, endpoint) => show(visit, endpoint));
  page("/edit", (visit, endpoint) => showWish(visit, endpoint));
  action("/edit", "endpoint.change", save);

  action("/test", "webhook.test", async (visit, endpoint) => {
    const { outcome } = await sendTestTo(deps, endpoint);
    const result = { isTaken: outcome.kind === "acknowledged", text: told(outcome, visit.frame.locale) };
    return { kind: "shown", html: show(visit, endpoint, result), subject: hostOf(endpoint) };
  });
  action("/redeliver", "webhook.redeliver", async (visit, endpoint, form) => {
    const id = form.get("event") ?? "";
    if (!WebhookEventStore.redeliver(db, id, visit.now, { endpoint: endpoint.id })) return null;
    deps.onEventDue();
    return { kind: "done", to: hrefOf(endpoint), did: "didSendWebhookAgain", subject: hostOf(endpoint) };
  });
  action("/resume", "endpoint.resume", async (visit, endpoint) => {
    const changed = await endpoints.change(endpoint.id, { status: "active" }, byOf(visit));
    const did = "didResumeEndpoint";
    return changed.ok ? { kind: "done", to: hrefOf(endpoint), did, subject: hostOf(endpoint) } : null;
  });

  type Deed = {
    path: "/pause" | "/rotate" | "/delete";
    deed: string;
    /** The question, what it means, what leaves it as it is, and what does it. */
    words: (say: Locale["say"], host: string) => [string, string, string, string];
    does: Of<Promise<FormOutcome | null>>;
  };
  /** A question, and what its form does: who hears of money that leaves is changed with a proof alone. */
  function proven({ path, deed, words, does }: Deed): void {
    const purpose = ({ id }: Endpoint.Endpoint) => `${deed} ${id}`;
    const ask = (visit: Visit, endpoint: Endpoint.Endpoint, faults: readonly FormFault[] = []) => {
      const [question, text, keep, confirm] = words(visit.frame.locale.say, hostOf(endpoint));
      return confirmPage({
        ...{ frame: visit.frame, back: backOf(visit, endpoint), question, text, keep, confirm, faults },
        proof: gate.proving.ask(visit, purpose(endpoint)),
        action: `${hrefOf(endpoint)}${path}`,
        isDanger: path === "/delete",
      });
    };
    page(path, (visit, endpoint) => ask(visit, endpoint));
    action(path, deed, async (visit, endpoint, form) => {
      const fault = await gate.proving.check(visit, purpose(endpoint), form);
      return fault ? ask(visit, endpoint, [fault]) : does(visit, endpoint, form);
    });
  }

  proven({
    path: "/pause",
    deed: "endpoint.pause",
    words: (say, host) => [
      say("endpointPauseSure", { host }),
      say("endpointMissed", { call: "GET /api/events" }),
      say("cancel"),
      say("endpointPause"),
    ],
    async does(visit, endpoint) {
      const changed = await endpoints.change(endpoint.id, { status: "paused" }, byOf(visit));
      const did = "didPauseEndpoint";
      return changed.ok ? { kind: "done", to: hrefOf(endpoint), did, subject: hostOf(endpoint) } : null;
    },
  });
  proven({
    path: "/rotate",
    deed: "endpoint.rotate",
    words: (say, host) => [
      say("endpointRotateSure", { host }),
      say("endpointRotateText"),
      say("endpointKeepSecret"),
      say("endpointRotate"),
    ],
    async does(visit, { id }) {
      const rotated = await endpoints.rotate(id, byOf(visit));
      return rotated.ok ? showSecret(visit, rotated.value, "endpointRotatedText") : null;
    },
  });
  proven({
    path: "/delete",
    deed: "endpoint.delete",
    words: (say, host) => [
      say("endpointDeleteSure", { host }),
      say("endpointDeleteText"),
      say("revokeKeep"),
      say("endpointDelete"),
    ],
    async does(visit, endpoint) {
      await endpoints.remove(endpoint.id, byOf(visit));
      return { kind: "done", to: list, did: "didDeleteEndpoint", subject: hostOf(endpoint) };
    },
  });
}

const byOf = ({ who }: Visit) => ({ key: null, who: who.name });

const typedOf = (endpoint: Endpoint.Endpoint | null): Typed => ({
  url: endpoint?.url ?? "",
  description: endpoint?.description ?? "",
  types: endpoint?.types ?? [],
});
