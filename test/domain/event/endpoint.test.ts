import { describe, expect, test } from "bun:test";
import * as Endpoint from "../../../src/domain/event/endpoint.ts";

const hourMs = 3_600_000;
const endpoint: Endpoint.Endpoint = {
  id: "endpoint_1",
  format: "till",
  url: "https://shop.example/till",
  types: null,
  description: null,
  merchantEmail: null,
  createdAt: 0,
  ...Endpoint.fresh,
  ...Endpoint.ofNoStore,
};
const failed = (from: Endpoint.Endpoint, at: number) =>
  Endpoint.attempted(from, { failure: "answered 500", isGone: false, at });

describe("attempted", () => {
  test("counts of a gap no more than the longest pause between attempts", () => {
    const now = failed(failed(failed(endpoint, 0), 1_000 * hourMs), 2_000 * hourMs);
    expect(now.pausedAt).toBe(null);
    expect(now.failingMs).toBeLessThan(60 * hourMs);
  });

  test("takes nothing off for a clock that goes back", () => {
    const now = failed(failed(failed(endpoint, 50 * hourMs), 60 * hourMs), 10 * hourMs);
    expect(now).toMatchObject({ failingMs: 10 * hourMs, failingSince: 10 * hourMs });
  });

  test("keeps why it was paused first", () => {
    const paused = Endpoint.changed(endpoint, { status: "paused" }, 5);
    const gone = Endpoint.attempted(paused, { failure: "answered 410 Gone", isGone: true, at: 6 });
    expect(gone).toMatchObject({ pausedAt: 5, pauseCause: "merchant", failedAt: 6 });
  });
});

describe("changed", () => {
  test("forgets failures when it is resumed or moved, and not for another description", () => {
    const failing = failed(endpoint, 1);
    expect(Endpoint.changed(failing, { description: "Shop" }, 2)).toEqual({
      ...failing,
      description: "Shop",
    });
    expect(Endpoint.changed(failing, { url: endpoint.url }, 2)).toEqual(failing);
    expect(Endpoint.changed(failing, { status: "active" }, 2)).toEqual(failing);
    expect(Endpoint.changed(failing, { url: "https://new.example/" }, 2).failingSince).toBe(null);
    const paused = Endpoint.changed(failing, { status: "paused" }, 2);
    expect(paused).toEqual({ ...failing, pausedAt: 2, pauseCause: "merchant" });
    expect(Endpoint.changed(paused, { status: "active" }, 3)).toEqual(endpoint);
  });
});

test("the id of a webhook follows from its endpoint and its event", () => {
  const id = Endpoint.webhookId("endpoint_1", "evt_1");
  expect(id).toMatch(/^evt_[a-z2-9]{26}$/);
  expect(Endpoint.webhookId("endpoint_1", "evt_1")).toBe(id);
  expect(
    new Set([id, Endpoint.webhookId("endpoint_2", "evt_1"), Endpoint.webhookId("endpoint_1", "evt_2")]).size,
  ).toBe(3);
});

test("secrets that were replaced sign for a day each, and only a few of them", () => {
  let secrets = { secret: "s0", oldSecrets: [] as { sealed: string; until: number }[] };
  for (let n = 1; n <= 6; n++)
    secrets = { secret: `s${n}`, oldSecrets: Endpoint.oldSecrets(secrets, n * hourMs) };
  expect(secrets.oldSecrets.map(({ sealed }) => sealed)).toEqual(["s5", "s4", "s3", "s2"]);
  expect(Endpoint.oldSecrets(secrets, 29 * hourMs).map(({ sealed }) => sealed)).toEqual(["s6", "s5"]);
});
