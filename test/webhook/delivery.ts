import { afterEach } from "bun:test";
import { type Delivery, postEvent } from "../../src/webhook/post.ts";
import type { Receiver } from "./receivers.ts";

export const body = '{"event":"invoice.paid","note":"Grüße 💶"}';

export function post(url: string, more: Partial<Delivery> = {}) {
  return postEvent({ url, headers: {}, body, publicOnly: false, limitMs: 3_000, ...more });
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

/** Whether all connections to the receiver are gone within a second. */
export async function closedSoon(receiver: Receiver): Promise<boolean> {
  for (let waitedMs = 0; receiver.open() > 0 && waitedMs < 1_000; waitedMs += 5) await Bun.sleep(5);
  return receiver.open() === 0;
}
