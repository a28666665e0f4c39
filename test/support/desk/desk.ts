import type { Environment } from "../../../src/config/config.ts";
import type { Role } from "../../../src/domain/party/person.ts";
import { makeEntryLink } from "../../../src/people/entry.ts";
import { createPasswords } from "../../../src/people/password.ts";
import { beginSession, formTokenOf } from "../../../src/people/sessions.ts";
import * as PersonStore from "../../../src/store/tables/desk/person.ts";
import * as PreferenceStore from "../../../src/store/tables/desk/preference.ts";
import { ownPort } from "../http/port.ts";
import { startTestTill, type TestTill, type TestTillOptions } from "../till/till.ts";

/** Nobody listens there: the desk does not wait for a node. */
const noNode = { rpcUrl: "http://127.0.0.1:9" };

/**
 * A Till whose desk asks people to sign in, at http://localhost unless told. Unless it `isNew`, somebody has said where the
 * money goes.
 */
export async function startDesk(
  changes: Environment = {},
  { isNew = false, ...options }: TestTillOptions & { isNew?: boolean } = {},
): Promise<TestTill> {
  const port = String(ownPort());
  const till = await startTestTill(
    noNode,
    { TILL_PORT: port, TILL_BASE_URL: `http://localhost:${port}`, ...changes },
    { ...options, isDev: false },
  );
  if (!isNew) PreferenceStore.setWalletChosen(till.db, Date.now());
  return till;
}

/** The address of a one-time link: for somebody new with a role, or for who is there. */
export function entryUrl(
  till: TestTill,
  guest: { role: Role; name?: string } | { personId: number },
  { now = Date.now(), lastsMs = 300_000 }: { now?: number; lastsMs?: number } = {},
): string {
  const person = "personId" in guest ? PersonStore.byId(till.db, guest.personId) : null;
  if (person !== null) return till.baseUrl + makeEntryLink(till.db, { person }, { by: null, now, lastsMs });
  const { role, name = null } = guest as { role: Role; name?: string };
  return till.baseUrl + makeEntryLink(till.db, { person: null, role, name }, { by: null, now, lastsMs });
}

export const password = "correct horse battery";

/** The hash says what trying the password costs: next to nothing, not 80 ms of processor each time. */
let cheapHash: string | undefined;

/** Somebody at the desk, with a password; `hash` is one that costs more. */
export async function addPerson(till: TestTill, name: string, role: Role, hash?: string): Promise<number> {
  cheapHash ??= await createPasswords({ memoryCost: 8, timeCost: 1 }).hash(password);
  const passwordHash = hash ?? cheapHash;
  const handle = crypto.randomUUID();
  return PersonStore.insert(till.db, { name, role, handle, passwordHash, createdAt: Date.now() });
}

export type Visitor = {
  /** What its cookie holds; null before it is signed in. */
  cookie: string | null;
  formToken: string;
  /** A header that is empty is left out. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Sends a form of the desk as a browser does: with the session's token, from the same origin. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
};

/** A browser without scripts, signed in as somebody unless it is nobody. It follows no redirect. */
export function visitor(till: TestTill, personId: number | null = null): Visitor {
  const token =
    personId === null ? null : beginSession(till.db, { personId, device: "Test", now: Date.now() }).token;
  const isTls = till.baseUrl.startsWith("https:");
  const cookies = new Map<string, string>();
  if (token !== null) cookies.set(isTls ? "__Host-till" : "till", token);
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    for (const [name, value] of [...headers]) if (value === "") headers.delete(name);
    if (cookies.size > 0 && !headers.has("cookie"))
      headers.set("cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
    const response = await fetch(new URL(path, till.localUrl), { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const { name, value, maxAge } = Bun.Cookie.parse(line);
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const session = () => cookies.get(isTls ? "__Host-till" : "till") ?? null;
  return {
    get cookie() {
      return session();
    },
    get formToken() {
      return formTokenOf(session() ?? "");
    },
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, fields = {}, headers = {}) =>
      send(path, {
        method: "POST",
        body: new URLSearchParams({ form: formTokenOf(session() ?? ""), ...fields }),
        headers: { origin: till.baseUrl, "sec-fetch-site": "same-origin", ...headers },
      }),
  };
}
