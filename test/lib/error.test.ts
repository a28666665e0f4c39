import { expect, test } from "bun:test";
import { messageOf } from "../../src/lib/error.ts";
import { ownPort } from "../support/http/port.ts";

test("says that nothing listens without the question that fetch adds", async () => {
  const refused = await fetch(`http://127.0.0.1:${ownPort()}`).catch((thrown: unknown) => thrown);
  const message = messageOf(new Error("the node did not answer", { cause: refused }));
  expect(message).toMatch(/^the node did not answer: .*Unable to connect$/);
});

test("names the causes, and whatever else was thrown", () => {
  const thrown = new Error("a", { cause: new Error("b", { cause: "c" }) });
  expect(messageOf(thrown)).toBe("a: b: c");
  expect(messageOf(7)).toBe("7");
  expect(messageOf(new Error("Nothing was saved.", { cause: new Error("disk is full") }))).toBe(
    "Nothing was saved: disk is full",
  );
});
