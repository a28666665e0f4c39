import { compose, InvalidAddressError, parseSender } from "./compose.ts";
import type { Certificate } from "./connection.ts";
import { type DeliveryOptions, deliver } from "./deliver.ts";
import type { Lookup } from "./dial.ts";
import type { Message } from "./message.ts";
import type { MailOutcome } from "./outcome.ts";
import { parseSmtpUrl } from "./smtp-url.ts";

/** How long one mail may take, from looking the server up to its last answer. */
const sendTimeoutMs = 30_000;

type SendOptions = Partial<Pick<DeliveryOptions, "timeoutMs" | "contentWithinMs" | "onContent">>;

export type Transport = {
  /**
   * Sends one mail to one recipient and says what became of it: a failure is a value. `timeoutMs` bounds all of
   * it (default 30 s). Rejects for a mistake in Till, such as a malformed Message-ID, and for what `onContent` throws.
   */
  send(message: Message, sending?: SendOptions): Promise<MailOutcome>;
  /** Refuses what comes later. What is being sent is broken off after `finishMs` (default 0), with its outcome. */
  close(finishMs?: number): void;
};

/** The mail server's certificate at the last mail; null before, and when none was checked. */
export type CertificateSeen = { certificate(): Certificate | null };

/**
 * A way to the mail server at `smtpUrl` for mails from `from` (`Till <till@example.com>`). Connects only when
 * there is something to send. Throws an InvalidSmtpUrlError or an InvalidSenderError.
 */
export function createTransport(settings: {
  smtpUrl: string;
  from: string;
  resolve?: Lookup;
}): Transport & CertificateSeen {
  const server = parseSmtpUrl(settings.smtpUrl);
  const sender = parseSender(settings.from);
  let certificate: Certificate | null = null;
  const onCertificate = (found: Certificate | null) => {
    certificate = found;
  };
  const closed = new AbortController();
  const broken = new AbortController();
  return {
    async send(message, { timeoutMs = sendTimeoutMs, contentWithinMs, onContent = () => {} } = {}) {
      const stopping = closed.signal.aborted ? closed.signal : broken.signal;
      try {
        const mail = await compose(message, sender);
        const { resolve } = settings;
        const limits = { timeoutMs, contentWithinMs };
        return await deliver(mail, server, { ...limits, stopping, onContent, onCertificate, resolve });
      } catch (thrown) {
        if (!(thrown instanceof InvalidAddressError)) throw thrown;
        return { kind: "rejected", permanent: true, reason: thrown.message };
      }
    },
    certificate: () => certificate,
    close(finishMs = 0) {
      closed.abort();
      if (finishMs > 0) setTimeout(() => broken.abort(), finishMs).unref();
      else broken.abort();
    },
  };
}
