import { type Certificate, certificateOf, openLogin } from "./connection.ts";
import { parseSmtpUrl } from "./smtp-url.ts";

const verifyTimeoutMs = 10_000;

/**
 * Connects to the mail server and logs in as for a mail, and sends none. Returns why that fails, without the
 * credentials, or null when it does not; and the certificate. Throws an InvalidSmtpUrlError.
 */
export function verifyLogin(
  smtpUrl: string,
): Promise<{ reason: string | null; certificate: Certificate | null }> {
  const login = openLogin(parseSmtpUrl(smtpUrl), { timeoutMs: verifyTimeoutMs });
  return new Promise((resolve, reject) => {
    const end = (reason: string | null, certificate: Certificate | null = null) => {
      login.close();
      resolve({ reason, certificate });
    };
    login.start({
      ready: (connection) => end(null, certificateOf(connection)),
      failed: ({ reason }) => end(reason),
      broken: reject,
    });
  });
}
