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

test("says that no file may be opened, whatever a connection that needs one is said to fail of", async () => {
  const program = `
    import { openSync } from "node:fs";
    import { messageOf } from ${JSON.stringify(`${import.meta.dir}/../../src/lib/error.ts`)};
    const ask = (host) => fetch("http://" + host + ":${ownPort()}/").catch(messageOf);
    const before = await ask("localhost");
    try { for (;;) openSync("/dev/null"); } catch {}
    console.log(JSON.stringify([before, await ask("127.0.0.1"), await ask("localhost")]));
    process.exit(0);`;
  const child = Bun.spawn(["sh", "-c", 'ulimit -n 64; exec "$@"', "sh", process.execPath, "-e", program], {
    stdout: "pipe",
  });
  const [before, byAddress, byName] = JSON.parse(await child.stdout.text());
  expect(before).not.toContain("as many files");
  for (const message of [byAddress, byName])
    expect(message).toBe("Till has as many files and connections open as the system allows it");
});
