import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Provider } from "oidc-provider";
import type { Environment } from "../../../src/config/config.ts";

export type OpenIdProvider = {
  readonly issuer: string;
  /** The groups of each login. */
  readonly groups: Map<string, string[]>;
  /** Signs in at `url` as a browser does that has never been there, and returns where it is sent in the end. */
  signIn(url: string, login: string): Promise<URL>;
  /** From now on it signs with another key, and knows nothing of what came before. */
  rotate(): void;
  stop(): Promise<void>;
};

export const client = { id: "till", secret: "a secret: with+special%characters" };

/** The settings of a Till that lets accounts of a provider in. */
export const signInAt = (issuer: string): Environment => ({
  TILL_OIDC_ISSUER: issuer,
  TILL_OIDC_CLIENT_ID: client.id,
  TILL_OIDC_CLIENT_SECRET: client.secret,
  TILL_OIDC_NAME: "Acme ID",
  TILL_OIDC_OWNERS: "bosses, founders",
  TILL_OIDC_STAFF: "shop",
  TILL_OIDC_ACCOUNTANTS: "books",
});

const ttlSec = 3_600;

/** The library warns that this is not Node.js, and of what a production would need. */
function quietly(): Disposable {
  const { warn } = console;
  console.warn = () => {};
  return { [Symbol.dispose]: () => void Object.assign(console, { warn }) };
}

async function load() {
  using _ = quietly();
  return await import("oidc-provider");
}

export const newKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

/** A real provider of OpenID Connect, whose groups are said by its userinfo endpoint alone. Whoever gives a login is in. */
export async function startOpenIdProvider(redirectUri: string): Promise<OpenIdProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const groups = new Map<string, string[]>();
  const library = await load();
  let provider = make(newKeys().privateKey);

  function make(key: KeyObject): Provider {
    using _ = quietly();
    return new library.Provider(issuer, {
      clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
      claims: { openid: ["sub"], profile: ["name"], groups: ["groups"] },
      cookies: { keys: ["of a test"] },
      // It tells of each that it has to choose itself.
      ttl: { AccessToken: ttlSec, Grant: ttlSec, IdToken: ttlSec, Interaction: ttlSec, Session: ttlSec },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      jwks: { keys: [{ ...key.export({ format: "jwk" }), kid: crypto.randomUUID(), use: "sig" }] as never },
      findAccount: (_, id) => ({
        accountId: id,
        claims: () => ({ sub: id, name: id.toUpperCase(), groups: groups.get(id) ?? [] }),
      }),
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({ accountId: oidc.session?.accountId, clientId: client.id });
        grant.addOIDCScope("openid profile groups");
        await grant.save();
        return grant;
      },
    });
  }

  server.on("request", async (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return provider.callback()(request, response);
    if (request.method === "GET") {
      response.setHeader("content-type", "text/html");
      return response.end('<form method="post"><input name="login"><button>Continue</button></form>');
    }
    const accountId = new URLSearchParams(await textOf(request)).get("login") ?? "";
    await provider.interactionFinished(request, response, { login: { accountId } });
  });

  return {
    issuer,
    groups,
    async signIn(url, login) {
      const cookies = new Map<string, string>();
      let next = new URL(url);
      while (next.origin === issuer) {
        const isForm = next.pathname.startsWith("/interaction/");
        const response = await fetch(next, {
          redirect: "manual",
          headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
          ...(isForm && { method: "POST", body: new URLSearchParams({ login }) }),
        });
        for (const line of response.headers.getSetCookie()) {
          const { name, value } = Bun.Cookie.parse(line);
          cookies.set(name, value);
        }
        const to = response.headers.get("location");
        if (to === null) throw new Error(`${next.pathname}: ${response.status} ${await response.text()}`);
        next = new URL(to, next);
      }
      return next;
    },
    rotate() {
      provider = make(newKeys().privateKey);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}
