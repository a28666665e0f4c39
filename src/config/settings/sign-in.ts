import { isLoopbackHost } from "../../lib/net/host.ts";
import { url } from "../parse.ts";

/** Parses values separated by commas, at least one. */
function values(text: string): string[] | undefined {
  const listed = text.split(",").flatMap((value) => value.trim() || []);
  return listed.length > 0 ? listed : undefined;
}

/** Whoever is on the way of plain http could let anybody in. */
function issuer(text: string): string | undefined {
  const parsed = url(["https:", "http:"])(text);
  if (parsed === undefined) return undefined;
  const { protocol, hostname, search, hash, username } = new URL(parsed);
  const isPrivate = protocol === "https:" || isLoopbackHost(hostname);
  return isPrivate && !search && !hash && !username ? parsed : undefined;
}

const valuesOf = (who: string) => ({
  default: null,
  meaning: `values of that claim, separated by commas, that make somebody ${who} at the desk`,
  parse: values,
  wants: "one value or several, separated by commas",
});

/** Signing in at the desk with an account of another service, by OpenID Connect. */
export const signInSettings = {
  OIDC_ISSUER: {
    default: null,
    meaning: "the issuer URL of the OpenID Connect provider whose accounts may sign in at the desk",
    parse: issuer,
    wants: "an https URL such as https://auth.example.com; http only on this machine",
  },
  OIDC_CLIENT_ID: { default: null, meaning: "the client id that Till has there" },
  OIDC_CLIENT_SECRET: { default: null, meaning: "its client secret", isSecret: true },
  OIDC_CLIENT_SECRET_FILE: { default: null, meaning: "a file with that secret" },
  OIDC_NAME: {
    default: null,
    otherwise: "the host of the issuer",
    meaning: "what people call the provider: the button reads `Sign in with …`",
  },
  OIDC_ROLES_CLAIM: {
    default: "groups",
    meaning: "the claim that says what somebody may do at the desk: a text or a list",
  },
  OIDC_OWNERS: valuesOf("an owner"),
  OIDC_STAFF: valuesOf("staff"),
  OIDC_ACCOUNTANTS: valuesOf("an accountant"),
} as const;
