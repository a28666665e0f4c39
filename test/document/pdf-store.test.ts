import { describe, expect, test } from "bun:test";
import { createPdfStore } from "../../src/document/worker/pdf-store.ts";
import { RenderError } from "../../src/document/worker/renderer.ts";
import { sample } from "./sample.ts";

const sizeOfEach = 100;

/** Writes the number of a document, not its PDF, in as many bytes for each; fails for one whose number says so. */
const renderer = {
  async render({ number }: { number: string | null }) {
    if (number === "FAIL") throw new RenderError({ reason: "failed", detail: "it is too long" });
    return new TextEncoder().encode(number?.padEnd(sizeOfEach));
  },
  waiting: () => 0,
  stop: async () => {},
};

/** Makes the sample and counts how often it was asked to. */
function counted(number = sample.number) {
  const make = () => {
    make.calls++;
    return { ...sample, number };
  };
  make.calls = 0;
  return make;
}

describe("createPdfStore", () => {
  test("writes a document once, whether callers come at the same time or later", async () => {
    const store = createPdfStore(renderer);
    const make = counted();
    const [first, second] = await Promise.all([store.get("a", make), store.get("a", make)]);
    expect(await store.get("a", make)).toBe(first);
    expect(second).toBe(first);
    expect(make.calls).toBe(1);
  });

  test("keeps the documents of different invoices apart", async () => {
    const store = createPdfStore(renderer);
    const [a, b] = await Promise.all([
      store.get("a", counted("INV-0001")),
      store.get("b", counted("INV-0002")),
    ]);
    expect(Buffer.compare(a, b)).not.toBe(0);
  });

  test("drops the document that was asked for least recently when there are too many", async () => {
    const store = createPdfStore(renderer, { entries: 2, bytes: 1_000_000 });
    const [a, b] = [counted(), counted()];
    await store.get("a", a);
    await store.get("b", b);
    await store.get("a", a);
    await store.get("c", counted());
    await store.get("a", a);
    await store.get("b", b);
    expect([a.calls, b.calls]).toEqual([1, 2]);
  });

  test("keeps no more bytes than allowed", async () => {
    const store = createPdfStore(renderer, { entries: 10, bytes: sizeOfEach * 1.5 });
    const [a, b] = [counted(), counted()];
    for (const [id, make] of [
      ["a", a],
      ["b", b],
      ["b", b],
      ["a", a],
    ] as const)
      await store.get(id, make);
    expect([a.calls, b.calls]).toEqual([2, 1]);
  });

  test("does not keep a failure", async () => {
    const store = createPdfStore(renderer);
    const fail = () => {
      throw new Error("no such invoice");
    };
    await expect(store.get("a", fail)).rejects.toThrow("no such invoice");
    await expect(store.get("b", counted("FAIL"))).rejects.toThrow("could not be written");
    for (const id of ["a", "b"]) expect((await store.get(id, counted())).byteLength).toBe(sizeOfEach);
  });
});
