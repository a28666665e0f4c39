import { describe, expect, test } from "bun:test";
import { createLog, type Level, type LogFormat } from "../../src/lib/log.ts";

function lines(
  format: LogFormat,
  level: Level,
  write: (log: ReturnType<typeof createLog>) => void,
): string[] {
  const written: string[] = [];
  write(createLog({ format, level, write: (line) => written.push(line), now: () => new Date(0) }));
  return written;
}

const isUnsafe = (char: string) => char < " " || char === "\u202e";

describe("createLog", () => {
  test("writes one line for a person", () => {
    const [line] = lines("text", "info", (log) =>
      log.info("mail.sent", "a mail was sent", { invoice: "INV-0001", to: "a b", empty: "" }),
    );
    expect(line).toBe(
      '1970-01-01T00:00:00.000Z info  [mail.sent] a mail was sent invoice=INV-0001 to="a b" empty=""',
    );
  });

  test("writes one object for a script", () => {
    const [line] = lines("json", "info", (log) =>
      log.warn("odd", "something is odd", { amount: 5n, missing: undefined }),
    );
    expect(JSON.parse(line ?? "")).toEqual({
      time: "1970-01-01T00:00:00.000Z",
      level: "warn",
      event: "odd",
      message: "something is odd",
      amount: "5",
    });
  });

  test("leaves out what is below its level", () => {
    const written = lines("text", "warn", (log) => {
      log.debug("a", "a");
      log.info("b", "b");
      log.warn("c", "c");
      log.error("d", "d");
    });
    expect(written.map((line) => line.at(-1))).toEqual(["c", "d"]);
  });

  test("lets no value forge a line or reach the terminal's controls", () => {
    const hostile = "a\nb\u001b[31m\u202e\u0000";
    const [line] = lines("text", "info", (log) => log.info("odd", hostile, { name: hostile }));
    expect([...(line ?? "")].filter(isUnsafe)).toEqual([]);
    const [json] = lines("json", "info", (log) => log.info("odd", hostile));
    expect([...(json ?? "")].filter((char) => char < " ")).toEqual([]);
  });
});
