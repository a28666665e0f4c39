import type { BrowserContext, CDPSession, Page } from "playwright-core";

export type Authenticator = {
  cdp: CDPSession;
  id: string;
  credentials(): Promise<Credential[]>;
};

export type Credential = {
  credentialId: string;
  isResidentCredential: boolean;
  rpId?: string;
  privateKey: string;
  userHandle?: string;
  signCount: number;
};

/** A device that holds passkeys and confirms at once, in place of a fingerprint reader. */
export async function addAuthenticator(
  page: Page,
  context: BrowserContext = page.context(),
): Promise<Authenticator> {
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId: id } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    cdp,
    id,
    credentials: async () =>
      (await cdp.send("WebAuthn.getCredentials", { authenticatorId: id })).credentials as Credential[],
  };
}
