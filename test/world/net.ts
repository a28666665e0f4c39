import { EventEmitter } from "node:events";
import type { ClientRequest } from "node:http";
import type { Random } from "../support/random.ts";
import type { Life, Time } from "./time.ts";

/** What comes back over the network, after so long; null is nothing, ever. */
export type Answer =
  | { afterMs: number; status: number; text: string }
  | { afterMs: number; error: string }
  | null;

export type Asked = { url: URL; headers: Record<string, string>; body: string };

export type Host = {
  /** Answers what was asked just now. */
  answer?: (asked: Asked) => Answer;
  /** Takes a WebSocket; false refuses it. */
  accept?: (socket: HostSocket) => boolean;
};

/** A WebSocket as the host sees it. */
export type HostSocket = {
  send(text: string): void;
  close(): void;
  onText: (text: string) => void;
  isOpen: boolean;
};

export type Net = ReturnType<typeof createNet>;

/** The network: hosts by their names. */
export function createNet(time: Time, random: Random) {
  const hosts = new Map<string, Host>();
  const delayMs = () => random.between(1, 25);

  /** The network as one Till has it: when that is dead, nothing comes back. */
  function of(life: Life) {
    function ask(
      url: URL,
      asked: Omit<Asked, "url">,
      come: (answer: NonNullable<Answer>) => void,
    ): { cancel(): void } {
      let pending: { cancel(): void } = time.after(
        delayMs(),
        () => {
          const host = hosts.get(url.host);
          const answer: Answer = host?.answer
            ? host.answer({ url, ...asked })
            : { afterMs: 0, error: "ECONNREFUSED" };
          if (answer !== null) pending = time.after(answer.afterMs + delayMs(), () => come(answer), life);
        },
        life,
      );
      return { cancel: () => pending.cancel() };
    }

    return {
      fetch(address: string, { body, headers, signal }: RequestInit = {}): Promise<Response> {
        const { promise, resolve, reject } = Promise.withResolvers<Response>();
        if (signal?.aborted) return Promise.reject(signal.reason);
        const asked = { headers: headers as Record<string, string>, body: String(body) };
        const asking = ask(new URL(address), asked, (answer) => {
          signal?.removeEventListener("abort", stop);
          if ("error" in answer) return reject(new TypeError(answer.error));
          const { status, text } = answer;
          async function* chunks() {
            yield Buffer.from(text);
          }
          // All that Till uses of a response.
          resolve({
            status,
            ok: status >= 200 && status < 300,
            headers: new Headers(),
            body: chunks(),
          } as unknown as Response);
        });
        function stop(): void {
          asking.cancel();
          reject(signal?.reason);
        }
        signal?.addEventListener("abort", stop, { once: true });
        return promise;
      },

      request(url: URL, { headers }: { headers?: unknown }): ClientRequest {
        const request = new EventEmitter();
        let asking: { cancel(): void } | null = null;
        return Object.assign(request, {
          end(body?: Uint8Array) {
            const text = Buffer.from(body ?? []).toString();
            asking = ask(url, { headers: headers as Record<string, string>, body: text }, (answer) => {
              if ("error" in answer) {
                request.emit("error", Object.assign(new Error(answer.error), { code: answer.error }));
                return;
              }
              const response = Object.assign(new EventEmitter(), { statusCode: answer.status });
              request.emit("response", response);
              if (answer.text !== "") response.emit("data", Buffer.from(answer.text));
              response.emit("end");
            });
          },
          destroy: () => asking?.cancel(),
        }) as unknown as ClientRequest;
      },

      webSocket(address: string): WebSocket {
        let isOpen = true;
        const closers = () => {
          if (!isOpen) return;
          isOpen = false;
          host.isOpen = false;
          time.soon(() => client.onclose?.(), life);
        };
        const client = {
          onopen: null as (() => void) | null,
          onclose: null as (() => void) | null,
          onerror: null as (() => void) | null,
          onmessage: null as ((event: { data: string }) => void) | null,
          send(text: string) {
            time.after(delayMs(), () => host.isOpen && host.onText(text), life);
          },
          close: closers,
        };
        let lastAt = 0;
        const host: HostSocket = {
          isOpen: false,
          onText: () => {},
          send(text) {
            // What is sent later comes later.
            lastAt = Math.max(lastAt, time.now() + delayMs());
            time.after(lastAt - time.now(), () => isOpen && client.onmessage?.({ data: text }), life);
          },
          close: closers,
        };
        time.after(
          delayMs(),
          () => {
            if (!isOpen) return;
            const accepted = hosts.get(new URL(address).host)?.accept?.(host) ?? false;
            host.isOpen = accepted;
            if (accepted) client.onopen?.();
            else closers();
          },
          life,
        );
        return client as unknown as WebSocket;
      },
    };
  }

  return { hosts, of };
}
