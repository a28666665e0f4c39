import type { Wallet } from "../chain/account/wallet.ts";
import { isChat, shownOf } from "../domain/event/chat.ts";
import * as Endpoint from "../domain/event/endpoint.ts";
import type { Store } from "../domain/party/store.ts";
import { newId } from "../lib/crypto.ts";
import type { Db } from "../store/database.ts";
import { stored } from "../store/group-commit.ts";
import { noteChange } from "../store/reports/owners.ts";
import { newSecret, openSecrets, placeOf } from "../store/secrets.ts";
import * as ApiKeyStore from "../store/tables/installation/api-key.ts";
import type { Claim } from "../store/tables/installation/idempotency.ts";
import * as IdempotencyStore from "../store/tables/installation/idempotency.ts";
import * as EndpointStore from "../store/tables/outbox/endpoint.ts";
import * as WebhookEventStore from "../store/tables/outbox/webhook-event.ts";
import { openedWallet } from "./next-deposit.ts";
import type { Caller, Once } from "./once.ts";
import { done, existing, invalid, type Outcome, refused } from "./outcome.ts";
import { parseEndpoint, parseEndpointChange } from "./request/endpoint.ts";
import type { RequestRules } from "./request/fields.ts";
import type { Parsed } from "./request/validation.ts";

/** The secret is shown only this once. Null for a chat: its owner gave the address, and nobody is shown it again. */
type WithSecret = { endpoint: Endpoint.Endpoint; secret: string | null };

/** A webhook as a shop's plugin requests it. */
export type StoreWebhook = {
  url: unknown;
  types: readonly string[] | null;
  isEnabled: boolean;
  /** Null for one that Till creates, or the existing one. */
  secret: string | null;
};

/**
 * Revokes a key, and with the last key of a shop's plugins the webhooks of their store, within the caller's
 * transaction. Returns false if there is no active key with this id.
 */
export function endKey(db: Db, id: number, at: number): boolean {
  if (!ApiKeyStore.revoke(db, id, at)) return false;
  const ended = ApiKeyStore.list(db).find((key) => key.id === id)?.storeId ?? null;
  // Another plugin may use the same store.
  if (ended !== null && !ApiKeyStore.anyActiveOfStore(db, ended))
    for (const { id, storeId } of EndpointStore.list(db))
      if (storeId === ended) EndpointStore.remove(db, id, at);
  WebhookEventStore.endSome(db);
  return true;
}

/** The use cases of webhook endpoints, for every interface; see `Invoices`. Ids must exist. */
export type Endpoints = {
  /** Checks a request, for a new endpoint or to change one, without doing anything. */
  check(input: unknown, endpoint?: Endpoint.Endpoint | null): Outcome<unknown>;
  make(input: unknown, by: Caller): Promise<Outcome<WithSecret>>;
  change(id: string, input: unknown, by: Caller): Promise<Outcome<Endpoint.Endpoint>>;
  /** Replaces its secret; the previous one also signs for a day. */
  rotate(id: string, by: Caller): Promise<Outcome<WithSecret>>;
  /** The same for a store's plugin. */
  makeOfStore(store: Pick<Store, "id" | "name">, webhook: StoreWebhook): Promise<Outcome<WithSecret>>;
  changeOfStore(id: string, webhook: StoreWebhook): Promise<Outcome<Endpoint.Endpoint>>;
  /** Its waiting events are never sent. */
  remove(id: string, by: Pick<Caller, "who">): Promise<void>;
  /** The secrets that sign its events now. */
  secretsOf(id: string): Promise<ReturnType<typeof openSecrets>>;
};

type EndpointsDeps = {
  db: Db;
  now: () => number;
  once: Once;
  rules: () => RequestRules;
  wallet: Promise<Wallet>;
  onEventDue: () => void;
  onMailDue: () => void;
};

const shownSecret = ({ format }: Endpoint.Endpoint, secret: string) => (isChat(format) ? null : secret);

/** The settings that decide which events it receives. */
const hearing = ({ url, types, merchantEmail, pausedAt }: Endpoint.Endpoint) =>
  JSON.stringify([url, types, merchantEmail, pausedAt !== null]);

export function createEndpoints(deps: EndpointsDeps): Endpoints {
  const { db, now, once, rules, wallet, onEventDue, onMailDue } = deps;
  const vault = async () => (await openedWallet(wallet)).vault;
  const found = (id: string) => existing(EndpointStore.find(db, id));
  /** Changes an endpoint, in one transaction with the request's claim; refused if it was deleted meanwhile. */
  async function onto<T>(
    id: string,
    claim: Claim | null,
    work: (at: number) => T | null,
  ): Promise<Outcome<T>> {
    const changed = await stored(db, () => {
      const at = now();
      const value = work(at);
      if (claim && value !== null) IdempotencyStore.insert(db, claim, id, at);
      return { value };
    });
    return changed.value === null ? refused({ kind: "endpoint_gone" }) : done(changed.value);
  }

  /**
   * Records that another program, or none, receives the events; a shop's plugin receives only its own orders' events.
   */
  function tell({ storeId, url }: Endpoint.Endpoint, { who = "" }: Pick<Caller, "who">, at: number): void {
    if (storeId === null) noteChange(db, { kind: "endpoint", subject: new URL(url).host }, who, at);
  }

  async function secretsOf(id: string) {
    return openSecrets(await vault(), id, existing(EndpointStore.secretsOf(db, id)), now());
  }
  async function withSecret(id: string): Promise<WithSecret | null> {
    const endpoint = EndpointStore.find(db, id);
    return endpoint && { endpoint, secret: shownSecret(endpoint, (await secretsOf(id)).secret) };
  }

  const outcomeOf = <T>(parsed: Parsed<T>) => (parsed.ok ? done(parsed.value) : invalid(parsed.faults));
  const readNew = (input: unknown) => outcomeOf(parseEndpoint(input, rules()));
  const readChange = (input: unknown, { format }: Endpoint.Endpoint) =>
    outcomeOf(parseEndpointChange(input, rules(), format));

  /** Each store has its own limit. */
  async function insert(
    settings: Omit<Endpoint.Endpoint, "id" | "createdAt" | keyof typeof Endpoint.fresh>,
    secret: string,
    claim: Claim | null,
    by: Pick<Caller, "who">,
  ): Promise<Outcome<WithSecret>> {
    const { seal } = await vault();
    const endpoint = { ...settings, id: newId("endpoint"), createdAt: now(), ...Endpoint.fresh };
    const { storeId } = settings;
    const became = await stored(db, () => {
      // The store's last key may have been revoked since the request, and with it every endpoint for its orders.
      if (storeId !== null && !ApiKeyStore.anyActiveOfStore(db, storeId)) return "endpoint_gone";
      const others = EndpointStore.list(db).filter((other) => other.storeId === storeId);
      if (others.length >= Endpoint.countMax) return "too_many_endpoints";
      if (claim) IdempotencyStore.insert(db, claim, endpoint.id, endpoint.createdAt);
      EndpointStore.insert(db, endpoint, seal(secret, placeOf.endpoint(endpoint.id)));
      tell(endpoint, by, endpoint.createdAt);
      return null;
    });
    onMailDue();
    return became === null
      ? done({ endpoint, secret: shownSecret(endpoint, secret) })
      : refused({ kind: became });
  }

  async function makeOfStore(
    { id: storeId, name: description }: Pick<Store, "id" | "name">,
    { url, types, isEnabled, secret }: StoreWebhook,
  ) {
    const checked = readNew({ url });
    if (!checked.ok) return checked;
    const made = await insert(
      { ...checked.value, description, storeId, storeTypes: types },
      secret ?? newSecret(),
      null,
      {},
    );
    if (!made.ok || isEnabled) return made;
    const paused = await changed(made.value.endpoint.id, { status: "paused" }, null, {});
    return paused.ok ? done({ ...made.value, endpoint: paused.value }) : paused;
  }

  async function changeOfStore(id: string, { url, types, isEnabled, secret }: StoreWebhook) {
    const checked = readNew({ url });
    if (!checked.ok) return checked;
    if (secret !== null) {
      const sealed = (await vault()).seal(secret, placeOf.endpoint(id));
      await onto(
        id,
        null,
        () => EndpointStore.setSecrets(db, id, { secret: sealed, oldSecrets: [] }) ?? true,
      );
    }
    const status = isEnabled ? ("active" as const) : ("paused" as const);
    return changed(id, { url: checked.value.url, storeTypes: types, status }, null, {});
  }

  /** `address`: its new URL; of a chat it becomes the secret. */
  async function changed(
    id: string,
    { url: address, ...rest }: Endpoint.Change,
    claim: Claim | null,
    by: Pick<Caller, "who">,
  ) {
    const { seal } = await vault();
    const outcome = await onto(id, claim, (at) => {
      const before = EndpointStore.find(db, id);
      const isNewChat = before !== null && isChat(before.format) && address !== undefined;
      const change = address === undefined ? rest : { ...rest, url: isNewChat ? shownOf(address) : address };
      const after = before && Endpoint.changed(before, change, at);
      if (after !== null) EndpointStore.update(db, after);
      if (isNewChat)
        EndpointStore.setSecrets(db, id, { secret: seal(address, placeOf.endpoint(id)), oldSecrets: [] });
      if (before && after && (isNewChat || hearing(before) !== hearing(after))) tell(before, by, at);
      if (before?.pausedAt && after?.pausedAt === null) WebhookEventStore.makeDue(db, id, at);
      return after;
    });
    onEventDue();
    onMailDue();
    return outcome;
  }

  return {
    check: (input, endpoint = null) => (endpoint ? readChange(input, endpoint) : readNew(input)),
    secretsOf,
    makeOfStore,
    changeOfStore,

    make: (input, { key, ...by }) =>
      once<WithSecret>(
        key,
        ["endpoint", input],
        async (claim) => {
          const checked = readNew(input);
          if (!checked.ok) return checked;
          const settings = { ...checked.value, ...Endpoint.ofNoStore };
          return isChat(settings.format)
            ? insert({ ...settings, url: shownOf(settings.url) }, settings.url, claim, by)
            : insert(settings, newSecret(), claim, by);
        },
        withSecret,
      ),

    change: (id, input, { key, ...by }) =>
      once(
        key,
        ["change endpoint", id, input],
        async (claim) => {
          const checked = readChange(input, found(id));
          return checked.ok ? changed(id, checked.value, claim, by) : checked;
        },
        (name) => EndpointStore.find(db, name),
      ),

    rotate: (id, { key, ...by }) =>
      once<WithSecret>(
        key,
        ["rotate endpoint", id],
        async (claim) => {
          if (isChat(found(id).format)) return refused({ kind: "no_secret" });
          const secret = newSecret();
          const { seal } = await vault();
          const outcome = await onto(id, claim, (at) => {
            const before = EndpointStore.secretsOf(db, id);
            if (before === null) return null;
            // After a day its receiver rejects what it cannot verify.
            tell(found(id), by, at);
            EndpointStore.setSecrets(db, id, {
              secret: seal(secret, placeOf.endpoint(id)),
              oldSecrets: Endpoint.oldSecrets(before, at),
            });
            return { endpoint: found(id), secret };
          });
          onMailDue();
          return outcome;
        },
        withSecret,
      ),

    async remove(id, by) {
      await stored(db, () => {
        const endpoint = EndpointStore.find(db, id);
        if (endpoint !== null) tell(endpoint, by, now());
        EndpointStore.remove(db, id, now());
        WebhookEventStore.endSome(db);
      });
      onEventDue();
      onMailDue();
    },
  };
}
