import { createHmac } from "node:crypto";
import type { ClientAuth, Configuration, CustomFetch } from "openid-client";
import { messageOf } from "../error.ts";
import { world } from "../world.ts";
import { boundedText } from "./bounded-text.ts";
import { isLoopbackHost } from "./host.ts";

/** A provider of OpenID Connect, and who we are there. */
export type Provider = { issuer: string; clientId: string; clientSecret: string };

/** What a provider says of itself, for one sign-in: asked for anew each time, as its keys change. */
export type Discovered = { config: Configuration; library: typeof import("openid-client") };

/** The account that signed in. */
export type SignedIn = {
  issuer: string;
  subject: string;
  /** What it may be called, the best first: anything, of any length. */
  names: string[];
  /** The values of the claim that was asked for. */
  values: string[];
};

/** A browser waits for all that is asked for one page. */
const answersMaxMs = 10_000;
/** Real ones have some kilobytes. */
const answerBytesMax = 256 * 1_024;
/** OpenID Connect Core, section 2. */
const subjectLengthMax = 255;

/** Asks a provider what it says of itself. Throws when it does not answer in time, or is not the one that was meant. */
export async function discover({ issuer, clientId, clientSecret }: Provider): Promise<Discovered> {
  // Loaded by whoever signs in this way.
  const library = await import("openid-client");
  const auth: ClientAuth = (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const isBasic = methods?.includes("client_secret_basic") ?? true;
    const by = isBasic ? library.ClientSecretBasic : library.ClientSecretPost;
    by(clientSecret)(server, ...request);
  };
  const isPlain = new URL(issuer).protocol === "http:";
  const config = await library.discovery(new URL(issuer), clientId, undefined, auth, {
    [library.customFetch]: boundedFetch(),
    execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
  });
  // The library makes exceptions, for one by which everybody's accounts there could sign in.
  const said = config.serverMetadata().issuer;
  if (new URL(said).href !== new URL(issuer).href) throw new Error(`it says that it is ${said}`);
  return { config, library };
}

/** Follows no redirect, reads no endless answer, and goes to plain http on this machine alone. */
function boundedFetch(): CustomFetch {
  const signal = world.timeout(answersMaxMs);
  return async (url, { method, headers, body }) => {
    const { protocol, hostname, host } = new URL(url);
    if (protocol !== "https:" && !isLoopbackHost(hostname)) throw new Error(`${host} is not https`);
    const init = { method, headers, signal, redirect: "manual" } as const;
    const response = await world.fetch(url, body === undefined ? init : { ...init, body });
    const text = await boundedText(response, answerBytesMax);
    return new Response(text || null, { status: response.status, headers: response.headers });
  };
}

/** What a sign-in is recognised by, from a secret that only the browser has that began it. */
const markOf = (secret: string, name: "state" | "nonce" | "verifier") =>
  createHmac("sha256", secret).update(name).digest("base64url");

/** Whether a provider's answer, the query of the URL where it sent the browser, belongs to what this browser began. */
export const isAnswerTo = (secret: string, answer: URLSearchParams): boolean =>
  answer.get("state") === markOf(secret, "state");

/** Where a browser with this secret signs in. `claim` has its own scope at some providers. */
export async function signInUrl(
  { config, library }: Discovered,
  { secret, redirectUri, claim }: { secret: string; redirectUri: string; claim: string },
): Promise<URL> {
  const offered = config.serverMetadata().scopes_supported ?? [];
  return library.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: ["openid", "profile", ...(offered.includes(claim) ? [claim] : [])].join(" "),
    state: markOf(secret, "state"),
    nonce: markOf(secret, "nonce"),
    code_challenge: await library.calculatePKCECodeChallenge(markOf(secret, "verifier")),
    code_challenge_method: "S256",
  });
}

/** The account that a provider's answer proves, at the URL where it sent the browser. Throws when it proves none. */
export async function accountFrom(
  { config, library }: Discovered,
  { secret, url, claim }: { secret: string; url: URL; claim: string },
): Promise<SignedIn> {
  const tokens = await library.authorizationCodeGrant(config, url, {
    expectedState: markOf(secret, "state"),
    expectedNonce: markOf(secret, "nonce"),
    pkceCodeVerifier: markOf(secret, "verifier"),
    idTokenExpected: true,
  });
  const token = tokens.claims();
  if (token === undefined || token.sub.length > subjectLengthMax) throw new Error("it names no account");
  // Some providers say little in the token itself.
  const isAll = token[claim] !== undefined && token["name"] !== undefined;
  const asksMore = !isAll && config.serverMetadata().userinfo_endpoint !== undefined;
  const more = asksMore ? await library.fetchUserInfo(config, tokens.access_token, token.sub) : {};
  const claims: Record<string, unknown> = { ...more, ...token };
  // At many providers anybody may call any mail address theirs.
  const isProven = claim !== "email" || claims["email_verified"] === true;
  return {
    issuer: token.iss,
    subject: token.sub,
    names: textsOf([claims["name"], claims["preferred_username"], token.sub]),
    values: isProven ? textsOf([claims[claim]].flat()) : [],
  };
}

const textsOf = (values: unknown[]): string[] => values.filter((value) => typeof value === "string");

const reasonLengthMax = 300;

/** Why no account was proven, for a log: without what the answer held. */
export function openIdFault(thrown: unknown): string {
  const code = thrown instanceof Error && "error" in thrown ? ` (${thrown.error})` : "";
  return `${messageOf(thrown)}${code}`.slice(0, reasonLengthMax);
}
