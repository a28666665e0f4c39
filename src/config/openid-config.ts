import type { Role } from "../domain/party/person.ts";
import type { SettingName } from "./settings.ts";
import { type ConfigReader, otherFault, readSecret } from "./variable.ts";

/** The provider of OpenID Connect whose accounts may sign in at the desk. */
export type OpenIdConfig = {
  issuer: string;
  clientId: string;
  /** Empty for commands that read no secret. */
  clientSecret: string;
  /** For people. */
  name: string;
  /** The claim that has somebody's values, and which of them mean what. */
  claim: string;
  roles: Readonly<Record<Role, readonly string[]>>;
};

/** Reads the provider; null without one. A part of one is a fault: somebody believes that it works. */
export function openIdConfigOf(reader: ConfigReader, readsSecret: boolean): OpenIdConfig | null {
  const { faults, read, value } = reader;
  const missing = (name: SettingName, what: string) =>
    faults.push({ name, code: "missing", sentence: `TILL_${name} is missing. It must be ${what}.` });
  const roles = {
    owner: value("OIDC_OWNERS", []),
    staff: value("OIDC_STAFF", []),
    accountant: value("OIDC_ACCOUNTANTS", []),
  };
  const issuer = value("OIDC_ISSUER");
  const clientId = value("OIDC_CLIENT_ID");
  const name = value("OIDC_NAME");
  const claim = value("OIDC_ROLES_CLAIM");
  const clientSecret = readsSecret ? readSecret("OIDC_CLIENT_SECRET", read, faults) : "";
  if (issuer === null) {
    const isBegun = clientId !== null || Object.values(roles).some(({ length }) => length > 0);
    if (isBegun && read("OIDC_ISSUER") === null)
      missing("OIDC_ISSUER", "the issuer URL of the provider that TILL_OIDC_CLIENT_ID belongs to");
    return null;
  }
  if (clientId === null) missing("OIDC_CLIENT_ID", "the client id that Till has at TILL_OIDC_ISSUER");
  if (Object.values(roles).every(({ length }) => length === 0))
    missing(
      "OIDC_OWNERS",
      `the values of the claim ${JSON.stringify(claim)} that make somebody an owner; without this, ` +
        "TILL_OIDC_STAFF and TILL_OIDC_ACCOUNTANTS nobody may sign in",
    );
  if (clientSecret === null)
    faults.push(
      otherFault(
        "TILL_OIDC_CLIENT_SECRET is missing. It must be the secret of TILL_OIDC_CLIENT_ID; TILL_OIDC_CLIENT_SECRET_FILE " +
          "may name a file that holds it.",
      ),
    );
  return {
    issuer,
    clientId: clientId ?? "",
    clientSecret: clientSecret ?? "",
    name: name ?? new URL(issuer).host,
    claim,
    roles,
  };
}
