import { expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { Glob } from "bun";
import { routes } from "../../src/http/routes.ts";
import type { Reading } from "../../src/invoicing/request/validation.ts";
import { type Fault, sayFault, sayWhy, why } from "../../src/language/faults.ts";
import * as Text from "../../src/lib/text/text.ts";

const src = new URL("../../src/", import.meta.url).pathname;

test("a fault is said with its values, and without those of others", () => {
  const fault: Fault = { field: "expires_at", ...why("time_past", { now: "2026-01-01T00:00:00.000Z" }) };
  expect(sayFault(fault)).toEqual({
    field: "expires_at",
    message: "must be in the future; it is 2026-01-01T00:00:00.000Z now",
  });
  expect(sayWhy(why("pieces", { quantity: 2, each: "5.00", max: "{each}", unit: "USDC" }))).toBe(
    "must be lower: 2 × 5.00 USDC is more than {each} USDC",
  );
});

test("a value that is missing, left over or misspelt does not compile, nor does an unknown code", () => {
  // @ts-expect-error nothing for {now}
  why("time_past");
  // @ts-expect-error nothing for {now}
  why("time_past", {});
  // @ts-expect-error its sentence names no {later}
  why("time_past", { now: "now", later: "later" });
  // @ts-expect-error its sentence names nothing
  why("required", { now: "now" });
  // @ts-expect-error no such code
  why("time_passed", { now: "now" });
  // @ts-expect-error a fault that is put together by hand is held to the same
  const fault: Fault = { field: "expires_at", code: "time_past", values: { later: "later" } };
  // @ts-expect-error and has no values where its sentence names none
  const other: Fault = { field: "expires_at", code: "required", values: { now: "now" } };
  // @ts-expect-error what the domain says is held to it where a parser passes it on
  const reading: Reading<string> = Text.faulty("too_long");
  expect([fault, other, reading]).toHaveLength(3);
});

test("what the text of a person lacks is a code of its own", () => {
  const codes = ["\ud800", "\u0000", "a\nb", "\u202e", " "].map((text) =>
    Text.fault(text, { lineBreaks: false }),
  );
  expect(codes).toEqual(["surrogate", "controls", "several_lines", "reversing", "blank"]);
});

test("every code is used", async () => {
  const dictionary = await Bun.file(`${src}language/faults.ts`).text();
  const codes = [...dictionary.matchAll(/^ {2}(\w+):/gm)].map(([, code = ""]) => code);
  expect(codes.length).toBeGreaterThan(80);
  const files = [...new Glob("{lib,domain,invoicing,http,settle}/**/*.ts").scanSync(src)];
  const code = (await Promise.all(files.map((file) => Bun.file(src + file).text()))).join("\n");
  expect(codes.filter((each) => !code.includes(`"${each}"`))).toEqual([]);
});

test("every part of a body and of a query says what it wants, as the fault of a wrong shape repeats it", () => {
  const silent = (name: string, schema: TSchema): string[] => {
    const { properties = {}, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
    const parts = Object.entries(properties).flatMap(([part, of]) => silent(`${name}.${part}`, of));
    const isSilent = typeof schema["wants"] !== "string";
    return [
      ...(isSilent ? [name] : []),
      ...parts,
      ...(items === undefined ? [] : silent(`${name}[]`, items)),
    ];
  };
  const asked = routes.flatMap(({ method, path, body, query }) => [
    ...(body === undefined ? [] : silent(`${method} ${path}`, body)),
    // A query is always an object.
    ...Object.entries(query?.properties ?? {}).flatMap(([name, of]) => silent(`${path}?${name}`, of)),
  ]);
  expect(asked).toEqual([]);
});
