import { expect, test } from "bun:test";
import type * as OpinionStore from "../../../src/store/tables/watch/opinion.ts";
import { judge } from "../../../src/watch/doubt/second-opinion.ts";

test("an hour of silence lets one node's word count, but never when that is how it is set", () => {
  const now = 3_600_000;
  const inquiry = { opinion: "unheard", seenAt: 0, askedAt: 1_000 } as unknown as OpinionStore.Inquiry;
  const answer = { kind: "silent", reason: "it is down", since: 0, until: now } as const;
  const hearing = { inquiry, others: [{ node: "second", answer }], witness: null };
  expect(judge(hearing, "prefer", now)).toMatchObject({ kind: "counts", opinion: "alone" });
  expect(judge(hearing, "strict", now)).toEqual({ kind: "waits", until: null });
});
