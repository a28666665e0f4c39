import { afterEach } from "bun:test";
import { postEvent, type WebhookRequest } from "../../src/outbox/webhook/post.ts";
import { until } from "../support/till/till.ts";
import type { Receiver } from "./receivers.ts";

export const body = '{"event":"invoice.paid","note":"Grüße 💶"}';

/** Far longer than any delivery here, so that a busy machine changes no outcome. */
export const limitMs = 30_000;

export function post(url: string, more: Partial<WebhookRequest> = {}) {
  return postEvent({ url, headers: {}, body, publicOnly: false, limitMs, ...more });
}

/** Gives a function that keeps a receiver until the test that started it has ended. */
export function stopAfterEach(): (receiver: Promise<Receiver>) => Promise<Receiver> {
  const started: Receiver[] = [];
  afterEach(() => {
    for (const receiver of started.splice(0)) receiver.stop();
  });
  return async (receiver) => {
    started.push(await receiver);
    return receiver;
  };
}

/** Waits until all connections to the receiver are gone. */
export const allClosed = (receiver: Receiver) => until(receiver.open, (open) => open === 0);
