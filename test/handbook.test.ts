import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import * as Invoice from "../src/domain/bill/invoice.ts";
import { announcedTypes, fullTypesOf, quietTypes } from "../src/domain/event/event.ts";
import * as Link from "../src/domain/link/link.ts";
import { webhookDocsAt } from "../src/http/docs/webhook-docs.ts";
import { listLimitDefault, listLimitMax } from "../src/http/fields/list-limit.ts";
import { headersFor } from "../src/outbox/webhook/signature.ts";
import { newSecret } from "../src/store/secrets.ts";
import { collectsAsWith } from "./bench/server.ts";
import { ownPort } from "./support/http/port.ts";
import { makeDataDir } from "./support/till/data-dir.ts";
import { blocks, shellLines } from "./support/till/handbook.ts";
import { linkRequest, startTestTill, type TestTill, until } from "./support/till/till.ts";

let till: TestTill;
const dir = makeDataDir();

beforeAll(async () => {
  till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
});
afterAll(async () => {
  await till.stop();
  dir.remove();
});

/** Prints whether each delivery of the file in the first argument is from Till, as JSON. */
const drivers = {
  js: {
    file: "verify.cjs",
    command: ["node"],
    constantTime: "timingSafeEqual(",
    code: `for (const { hex, signature, secret } of JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"))) {
      const headers = signature === null ? {} : { "x-service-signature": signature };
      console.log(isFromTill(Buffer.from(hex, "hex"), headers, secret));
    }`,
  },
  python: {
    file: "verify.py",
    command: ["python3"],
    constantTime: "hmac.compare_digest(",
    code: `
import json, sys
for sent in json.load(open(sys.argv[1])):
    headers = {} if sent["signature"] is None else {"X-Service-Signature": sent["signature"]}
    print(str(is_from_till(bytes.fromhex(sent["hex"]), headers, sent["secret"])).lower())
`,
  },
  php: {
    file: "verify.php",
    command: ["php"],
    constantTime: "hash_equals(",
    code: `foreach (json_decode(file_get_contents($argv[1])) as $sent) {
      $server = $sent->signature === null ? [] : ['HTTP_X_SERVICE_SIGNATURE' => $sent->signature];
      echo is_from_till(hex2bin($sent->hex), $server, $sent->secret) ? "true\\n" : "false\\n";
    }`,
  },
  go: {
    file: "verify.go",
    command: ["go", "run"],
    constantTime: "hmac.Equal(",
    code: `
func main() {
	var all []struct{ Hex, Secret string; Signature *string }
	text, _ := os.ReadFile(os.Args[1])
	if err := json.Unmarshal(text, &all); err != nil { panic(err) }
	for _, sent := range all {
		body, _ := hex.DecodeString(sent.Hex)
		header := http.Header{}
		if sent.Signature != nil { header.Set("X-Service-Signature", *sent.Signature) }
		fmt.Println(isFromTill(body, header, sent.Secret))
	}
}`,
  },
};

const secret = newSecret();
const body = Buffer.from('{"event":"invoice.paid","note":"Grüße \\u20ac \\n"}\n\xff', "latin1");
const signatureOf = (body: Buffer) =>
  headersFor({ secret, eventId: "evt_1", timestampSec: 1, body })["X-Service-Signature"] ?? "";
const genuine = signatureOf(body);
const hex = body.toString("hex");
const examples = webhookDocsAt("https://pay.example").map(({ example }) => Buffer.from(example));

const deliveries = [
  { hex, secret, signature: genuine, isGenuine: true },
  ...examples.map((body) => {
    return { hex: body.toString("hex"), secret, signature: signatureOf(body), isGenuine: true };
  }),
  { hex: `${hex}0a`, secret, signature: genuine, isGenuine: false },
  { hex, secret: newSecret(), signature: genuine, isGenuine: false },
  { hex, secret, signature: genuine.slice(0, -1), isGenuine: false },
  { hex, secret, signature: genuine.replace("sha256=", ""), isGenuine: false },
  { hex, secret, signature: "", isGenuine: false },
  { hex, secret, signature: null, isGenuine: false },
];

describe("the handbook's check of a webhook", () => {
  for (const [language, { file, command, constantTime, code }] of Object.entries(drivers)) {
    const isHere = Bun.which(command[0] ?? "") !== null;
    test(`in ${language} ${isHere ? "tells what is genuine" : "names the header and compares in constant time"}`, async () => {
      const [snippet = "", ...more] = blocks(language);
      expect(more).toEqual([]);
      expect(snippet.toLowerCase().replaceAll("_", "-")).toContain("x-service-signature");
      expect(snippet).toContain(constantTime);
      if (!isHere) return;
      const program = join(dir.path, file);
      const list = join(dir.path, "deliveries.json");
      const imports = language === "go" ? '"encoding/json"\n"fmt"\n"os"\n"net/http"' : "";
      writeFileSync(program, `${snippet.replace('"net/http"', imports || "$&")}\n${code}`);
      writeFileSync(list, JSON.stringify(deliveries));
      const ran = Bun.spawnSync([...command, program, list], { stdio: ["ignore", "pipe", "inherit"] });
      expect(ran.stdout.toString().trim().split("\n")).toEqual(
        deliveries.map(({ isGenuine }) => String(isGenuine)),
      );
    });
  }
});

describe("the handbook's receiver", () => {
  const port = ownPort();
  const url = `http://127.0.0.1:${port}/till`;
  const reference = "1042";
  const home = join(dir.path, "receiver");
  let receiver: Subprocess;
  let endpoint: { id: string; secret: string };

  /** Of second `sec`; what it changes of the headers, an attacker has changed. */
  const post = (eventId: string, status: string, sec: number, changed: Record<string, string> = {}) => {
    const timestamp = new Date(sec * 1000).toISOString();
    const body = JSON.stringify({
      type: "link.…",
      timestamp,
      data: { link: { slug: "a", reference, status } },
    });
    const signed = headersFor({ secret: endpoint.secret, eventId, timestampSec: Date.now() / 1000, body });
    return fetch(url, { method: "POST", body, headers: { ...signed, ...changed } }).then(
      (answer) => answer.status,
    );
  };
  const bills = () => {
    const db = new Database(join(home, "shop.db"), { readonly: true });
    const rows = db.query("SELECT reference, is_paid FROM bill").values();
    db.close();
    return rows;
  };

  beforeAll(async () => {
    const [code = "", ...more] = blocks("ts receiver");
    expect(more).toEqual([]);
    mkdirSync(home);
    writeFileSync(join(home, "receiver.ts"), code);
    endpoint = (await till.api("POST", "/api/webhook-endpoints", { url })).body;
    receiver = Bun.spawn([process.execPath, "receiver.ts"], {
      cwd: home,
      env: { ...process.env, WEBHOOK_SECRET: endpoint.secret, PORT: String(port) },
      stdio: ["ignore", "ignore", "inherit"],
    });
    await until(
      () =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      (isUp) => isUp,
    );
  });
  afterAll(async () => {
    receiver.kill();
    await receiver.exited;
  });

  test("takes what Till sends it", async () => {
    const { body: answer } = await till.api("POST", `/api/webhook-endpoints/${endpoint.id}/test`);
    expect(answer).toMatchObject({ ok: true, http_status: 200 });
  });

  test("goes by the bill, whatever of it Till tells", async () => {
    const { body: link } = await till.api("POST", "/api/links", { ...linkRequest, reference: "1043" });
    await till.api("POST", `/api/links/${link.slug}/mark`, { as: "paid" });
    const invoice = await till.createInvoice({ reference: "1044", send_now: false });
    await till.api("POST", `/api/invoices/${invoice["invoice_id"]}/mark`, { as: "paid" });
    await until(bills, (all) => all.length === 2 && all.every(([, isPaid]) => isPaid === 1));
    await till.api("PATCH", `/api/invoices/${invoice["invoice_id"]}`, { reference: "1045" });
    await until(bills, (all) => all.some(([named]) => named === "1045"));
    expect(bills()).toEqual([
      ["1043", 1],
      ["1045", 1],
    ]);
    const db = new Database(join(home, "shop.db"));
    db.run("DELETE FROM bill");
    db.close();
  });

  test("fulfils an order once, however often and by however many events it is told", async () => {
    const told = [];
    for (const [id, status, sec] of [
      ["evt_1", "partial", 1],
      ["evt_2", "confirmed", 2],
      ["evt_2", "confirmed", 2],
      ["evt_3", "excess", 3],
    ] as const)
      told.push([await post(id, status, sec), bills()]);
    expect(told).toEqual([0, 1, 1, 1].map((isPaid) => [200, [[reference, isPaid]]]));
  });

  test("holds an order whose payment left the chain, whatever older news comes after that", async () => {
    expect([await post("evt_5", "error", 5), bills()]).toEqual([200, [[reference, 0]]]);
    expect([await post("evt_4", "confirmed", 4), bills()]).toEqual([200, [[reference, 0]]]);
    expect([await post("evt_2", "confirmed", 9), bills()]).toEqual([200, [[reference, 0]]]);
    expect([await post("evt_6", "confirmed", 6), bills()]).toEqual([200, [[reference, 1]]]);
  });

  test("believes neither another id nor another time, and no post without a signature", async () => {
    const refused = [
      await post("evt_7", "void", 7, { "webhook-id": "evt_8" }),
      await post("evt_7", "void", 7, { "webhook-timestamp": "1" }),
      await post("evt_7", "void", 7, { "webhook-signature": "" }),
      (await fetch(url, { method: "POST", body: "{}" })).status,
    ];
    expect([refused, bills()]).toEqual([[400, 400, 400, 400], [[reference, 1]]]);
  });
});

describe("the handbook's commands", () => {
  test("are whole: a shell can read each block", () => {
    const all = blocks("sh");
    expect(all.length).toBeGreaterThan(20);
    for (const code of all) {
      const { stderr } = Bun.spawnSync(["sh", "-n"], { stdin: Buffer.from(code), stderr: "pipe" });
      expect(stderr.toString()).toBe("");
    }
  });
});

describe("the handbook's requests", () => {
  test("are taken as they stand", async () => {
    const requests = [
      ...blocks("sh")
        .join("\n")
        .matchAll(/^curl http:\/\/127\.0\.0\.1:3000(\S+) .* -d '([^']+)'$/gm),
    ];
    expect(requests).toHaveLength(6);
    for (const [, path = "", json = ""] of requests) {
      const { status, body: answer } = await till.api("POST", path, json);
      expect([status, answer.reusable ?? /^0x/.test(answer.deposit_address)]).toEqual([201, true]);
    }
  });

  test("are taken from the command line as they stand", async () => {
    const lines = shellLines.filter((line) => /^till (invoice|link) --[bm]/.test(line));
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const child = Bun.spawn(["sh", "-c", `till() { "$TILL_BUN" "$TILL_MAIN" "$@"; }\n${line}`], {
        env: {
          PATH: process.env["PATH"] ?? "",
          HOME: dir.path,
          TILL_BUN: process.execPath,
          TILL_MAIN: join(import.meta.dir, "../src/main.ts"),
          TILL_BASE_URL: till.baseUrl,
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
      expect(JSON.parse(await new Response(child.stdout).text())).toHaveProperty("deposit_address");
    }
  });
});

test("the handbook's way through lists reads every entry once, from the newest", async () => {
  const page = await Bun.file(new URL("../docs/api.md", import.meta.url)).text();
  const [, section = ""] = /\n## Read lists\n(.*?)\n## /s.exec(page) ?? [];
  expect(section).toContain(`its ${listLimitDefault} newest entries, or up to ${listLimitMax} `);
  for (let count = 0; count < 3; count++) {
    await till.createInvoice({ vendor_email: `${count}@globex.example`, send_now: false });
    await till.api("POST", "/api/links", linkRequest);
  }
  for (const [list, named] of Object.entries({
    invoices: "id",
    links: "slug",
    customers: "email",
    events: "id",
  })) {
    const whole = (await till.api("GET", `/api/${list}?limit=${listLimitMax}`)).body;
    const namesOf = ({ data }: typeof whole) => data.map((entry: Record<string, string>) => entry[named]);
    const read: string[] = [];
    for (let after = "", hasMore = true; hasMore; ) {
      const { body } = await till.api("GET", `/api/${list}?limit=2${after && `&starting_after=${after}`}`);
      read.push(...namesOf(body));
      after = read.at(-1) ?? "";
      hasMore = body.has_more;
    }
    expect([list, read.length > 2, read]).toEqual([list, true, namesOf(whole)]);
  }
});

test("the handbook's service uses as little memory as the container, which is measured", () => {
  expect(collectsAsWith("docs/run.md")).toBe(collectsAsWith("Dockerfile"));
});

test("the handbook's page of webhooks names every event", async () => {
  const page = await Bun.file(new URL("../docs/webhooks.md", import.meta.url)).text();
  const missing = [...fullTypesOf(announcedTypes), ...quietTypes].filter(
    (type) => !page.includes(`\`${type}\``),
  );
  expect(missing.filter((type) => type !== "link.marked_paid" && type !== "link.marked_unpaid")).toEqual([]);
});

test("the handbook's table of statuses names every status", async () => {
  const page = await Bun.file(new URL("../docs/integrate.md", import.meta.url)).text();
  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  const named = (column: number) =>
    rows.flatMap((row) => /^ `(\w+)` $/.exec(row.split("|")[column] ?? "")?.[1] ?? []).toSorted();
  expect([named(1), named(2)]).toEqual([Invoice.statuses.toSorted(), Link.statuses.toSorted()]);
});
