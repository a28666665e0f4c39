import { openLogin } from "./connection.ts";
import { parseSmtpUrl } from "./smtp-url.ts";

const verifyTimeoutMs = 10_000;

/**
 * Connects to the mail server and logs in as for a mail, and sends none. Returns why that fails, without the
 * credentials; null when it does not. Throws an InvalidSmtpUrlError.
 */
export function verifyLogin(smtpUrl: string): Promise<string | null> {
  const login = openLogin(parseSmtpUrl(smtpUrl), { timeoutMs: verifyTimeoutMs });
  return new Promise((resolve, reject) => {
    const end = (reason: string | null) => {
      login.close();
      resolve(reason);
    };
    login.start({ ready: () => end(null), failed: ({ reason }) => end(reason), broken: reject });
  });
}
