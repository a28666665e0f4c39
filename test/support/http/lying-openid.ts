import { createHmac, createPublicKey, type KeyObject, sign } from "node:crypto";
import { client, newKeys } from "./openid.ts";

/** What it says that an honest provider would not. */
export type Lies = {
  /** Of itself. */
  discovery?: Record<string, unknown>;
  /** In the token; a value that is undefined is left out. */
  claims?: Record<string, unknown>;
  alg?: "none" | "HS256 with the public key" | "HS256 with the secret" | "another key";
  userinfo?: Record<string, unknown>;
  /** Instead of the answer of a path. */
  instead?: { path: string; answer: () => Response | Promise<Response> };
};

export type LyingOpenId = {
  readonly issuer: string;
  /** The secret as it came with the last code. */
  readonly authorization: string | null;
  /** What it is asked for the next sign-in, and where it sends the browser at `url`. */
  signIn(url: string): URL;
  lie(lies: Lies): void;
  stop(): Promise<void>;
};

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A provider of OpenID Connect that tells the truth, but for its lies. */
export function startLyingOpenId(): LyingOpenId {
  const keys = newKeys();
  const others = newKeys();
  let lies: Lies = {};
  let nonce: string | null = null;
  let authorization: string | null = null;
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  const issuer = `http://127.0.0.1:${server.port}`;

  function answer(request: Request): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === lies.instead?.path) return lies.instead.answer();
    if (pathname === "/.well-known/openid-configuration")
      return Response.json({ ...known(), ...lies.discovery });
    if (pathname === "/keys")
      return Response.json({
        keys: [{ ...keys.publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }],
      });
    if (pathname === "/me") return Response.json({ sub: "eve", ...lies.userinfo });
    authorization = request.headers.get("authorization");
    const token = { access_token: "access", token_type: "Bearer", id_token: idToken() };
    return Response.json(token);
  }

  const known = () => ({
    issuer,
    authorization_endpoint: `${issuer}/in`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/me`,
    jwks_uri: `${issuer}/keys`,
    id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
    authorization_response_iss_parameter_supported: true,
  });

  function algorithm(): string {
    if (lies.alg === "none") return "none";
    return lies.alg?.startsWith("HS256") ? "HS256" : "RS256";
  }

  function idToken(): string {
    const seconds = Math.floor(Date.now() / 1_000);
    const alg = algorithm();
    const honest = { iss: issuer, sub: "eve", aud: client.id, iat: seconds, exp: seconds + 60, nonce };
    const claims = { ...honest, name: "Eve", groups: ["bosses"], ...lies.claims };
    const body = `${encoded({ alg, kid: "one" })}.${encoded(claims)}`;
    return `${body}.${signed(body)}`;
  }

  function signed(body: string): string {
    const rsa = (key: KeyObject) => sign("RSA-SHA256", Buffer.from(body), key).toString("base64url");
    const mac = (key: string | Buffer) => createHmac("sha256", key).update(body).digest("base64url");
    switch (lies.alg) {
      case "none":
        return "";
      case "another key":
        return rsa(others.privateKey);
      case "HS256 with the public key":
        return mac(createPublicKey(keys.privateKey).export({ type: "spki", format: "pem" }));
      case "HS256 with the secret":
        return mac(client.secret);
      default:
        return rsa(keys.privateKey);
    }
  }

  return {
    issuer,
    get authorization() {
      return authorization;
    },
    signIn(url) {
      const asked = new URL(url).searchParams;
      nonce = asked.get("nonce");
      const back = new URL(asked.get("redirect_uri") ?? "");
      back.search = String(
        new URLSearchParams({ code: "code", state: asked.get("state") ?? "", iss: issuer }),
      );
      return back;
    },
    lie(next) {
      lies = next;
    },
    stop: () => server.stop(true),
  };
}
