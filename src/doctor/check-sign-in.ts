import type { Config } from "../config/config.ts";
import { discover, openIdFault } from "../lib/net/openid.ts";
import { type OnFinding, reporter } from "./finding.ts";

/** Checks that the provider of sign-ins at the desk answers as the one that is configured, if there is one. */
export async function checkSignIn({ openId }: Config, onFinding: OnFinding): Promise<void> {
  if (openId === null) return;
  const report = reporter("sign-in", onFinding);
  try {
    await discover(openId);
    report.ok(`${openId.name} answers as the provider of sign-ins.`);
  } catch (thrown) {
    report.warning(
      `${openId.name} does not answer as a provider of sign-ins: ${openIdFault(thrown)}.`,
      "Check TILL_OIDC_ISSUER: it is what the provider itself calls its issuer, to the last slash. Passkeys, passwords and " +
        "till login work meanwhile.",
    );
  }
}
