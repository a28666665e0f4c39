import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import * as AuditStore from "../../src/store/tables/desk/audit.ts";
import * as PreferenceStore from "../../src/store/tables/desk/preference.ts";
import * as SettingStore from "../../src/store/tables/installation/setting.ts";
import { addPerson, password, startDesk, visitor } from "../support/desk/desk.ts";
import { owner, till, useDesk } from "../support/desk/setup.ts";
import { callTill } from "../support/till/run-till.ts";
import { type TestTill, until } from "../support/till/till.ts";

const free = { TILL_SMTP_URL: "", TILL_MAIL_FROM: "", TILL_MAIL_ATTACH_PDF: "" };

useDesk(() => startDesk(free));

const field = (html: string, name: string) =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1];

/** What the form of a page holds now, as a browser would send it, with some fields changed. */
async function save(page: string, changes: Record<string, string | null>, by = owner, at = till) {
  const html = await (await by.get(`/desk/settings/${page}`)).text();
  const [form = ""] = /<form[^>]*form-alone.*?<\/form>/s.exec(html) ?? [];
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1] ?? "";
    const isChosen = !/type="(radio|checkbox)"/.test(input) || / checked/.test(input);
    if (isChosen && name !== "" && !input.includes('type="file"'))
      fields[name] = (/ value="([^"]*)"/.exec(input)?.[1] ?? "")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">");
  }
  for (const [select, name = ""] of form.matchAll(/<select[^>]*name="([^"]*)".*?<\/select>/gs))
    fields[name] = /<option value="([^"]*)" selected/.exec(select)?.[1] ?? "";
  for (const [name, value] of Object.entries({ proof: password, ...changes }))
    if (value === null) delete fields[name];
    else fields[name] = value;
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  if (page !== "look") return by.post(`/desk/settings/${page}`, fields);
  return fetch(new URL(`/desk/settings/${page}`, at.localUrl), {
    ...{ method: "POST", body, redirect: "manual" },
    headers: { cookie: `till=${by.cookie}`, origin: at.baseUrl, "sec-fetch-site": "same-origin" },
  });
}

const saved = (response: Response) =>
  expect([response.status, response.headers.get("location")?.split("?")[1]]).toEqual([303, "did=SaveBooks"]);

async function refused(response: Response, sentence: string): Promise<void> {
  expect(response.status).toBe(422);
  expect(await response.text()).toContain(sentence);
}

/** A PNG of one colour: a signature, the header, the pixels and an end, each with its checksum. */
function png(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(Bun.hash.crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2], 8);
  const rows = Buffer.alloc(side * (side * 3 + 1), 0x55);
  for (let row = 0; row < side; row += 1) rows[row * (side * 3 + 1)] = 0;
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}

const storedLogo = () => SettingStore.list(till.db).find(({ name }) => name === "BRAND_LOGO")?.value;

async function sendLogo(file: Uint8Array<ArrayBuffer>, name: string) {
  const body = new FormData();
  body.append("form", owner.formToken);
  body.append("seen", field(await (await owner.get("/desk/settings/look")).text(), "seen") ?? "");
  body.append("BRAND_COLOR", "#0f766e");
  body.append("LANGUAGE", "en");
  body.append("BRAND_NAME", "Kestrel Coffee");
  body.append("BRAND_LOGO", new File([file], name));
  return fetch(new URL("/desk/settings/look", till.localUrl), {
    ...{ method: "POST", body, redirect: "manual" },
    headers: { cookie: `till=${owner.cookie}`, origin: till.baseUrl, "sec-fetch-site": "same-origin" },
  });
}

describe("the look", () => {
  test("is on the payer's page at once: name, colour, and the language of those that have none", async () => {
    const invoice = await till.createInvoice();
    const page = () =>
      fetch(invoice["invoice_url"] ?? "", { headers: { "accept-language": "xx" } }).then((r) => r.text());
    const before = await page();
    saved(await save("look", { BRAND_NAME: "Kestrel Coffee", BRAND_COLOR: "#0f766e", LANGUAGE: "de" }));
    const after = await page();
    expect([before.includes("#0f766e"), after.includes("#0f766e")]).toEqual([false, true]);
    expect(after).toContain('lang="de"');
    expect(after).toContain("Kestrel Coffee");
    const desk = await (await owner.get("/desk")).text();
    const style = /href="(\/desk\/assets\/[^"]*css)"/.exec(desk)?.[1] ?? "";
    expect(await (await owner.get(style)).text()).toContain("#0f766e");
    expect(AuditStore.list(till.db, { before: null, limit: 1 })[0]).toMatchObject({
      ...{ action: "settings.save", personName: "Mara", outcome: "done", subject: null },
      changes: [
        { name: "BRAND_NAME", before: "", after: "Kestrel Coffee" },
        { name: "BRAND_COLOR", before: "", after: "#0f766e" },
        { name: "LANGUAGE", before: "en", after: "de" },
      ],
    });
    saved(await save("look", { LANGUAGE: "en" }));
    const stored = SettingStore.list(till.db).map(({ name, value }) => [name, value]);
    expect(stored).toEqual([
      ["BRAND_COLOR", "#0f766e"],
      ["BRAND_NAME", "Kestrel Coffee"],
      ["LANGUAGE", null],
    ]);
  });

  test("takes a colour of one's own, and offers a darker one for what is too light", async () => {
    await refused(
      await save("look", { BRAND_COLOR: "own", BRAND_COLOR_own: "#ffd400" }),
      "is the same colour, dark enough",
    );
    saved(await save("look", { BRAND_COLOR: "own", BRAND_COLOR_own: "#0F766E" }));
  });

  test("takes no logo by its path: nothing of the machine is read for a form", async () => {
    const path = `${till.config.dataDir}/logo.png`;
    await Bun.write(path, png(64));
    await refused(await save("look", { BRAND_LOGO: path }), "logo");
    await refused(await save("look", { BRAND_LOGO_chosen: path }), "logo");
    expect(SettingStore.list(till.db).some(({ name }) => name === "BRAND_LOGO")).toBe(false);
  });

  test("takes a logo, says what is wrong with a file, and lets it go", async () => {
    const large = await sendLogo(new Uint8Array(150 * 1024).fill(1), "large.png");
    await refused(large, "at most 100 KB");
    await refused(await sendLogo(new Uint8Array(png(8).subarray(0, 60)), "cut.png"), "Choose a whole PNG");
    await refused(await sendLogo(new TextEncoder().encode("GIF89a"), "a.gif"), "Choose a whole PNG");
    saved(await sendLogo(new Uint8Array(png(8)), "logo.png"));
    const link = await till.api("POST", "/api/links", {
      business_name: "Kestrel Coffee",
      expected_amount: "1.00",
      merchant_email: "a@b.example",
      wallet_type: "managed",
    });
    const page = await (await fetch(`${till.localUrl}/pay/${link.body.slug}`)).text();
    expect(page).toContain('class="logo"');
    const preview = async () =>
      (await (await owner.get("/desk/settings/look")).text()).split('class="preview"')[1];
    expect(await preview()).not.toContain("Hosted by");
    // A shop of another name has the logo at the foot of its invoices, and the preview says so.
    const before = PreferenceStore.profile(till.db);
    PreferenceStore.setProfile(till.db, { ...before, name: "Kestrel Coffee GmbH" }, Date.now());
    expect(await preview()).toMatch(/monogram.*Kestrel Coffee GmbH.*class="logo".*Hosted by/s);
    PreferenceStore.setProfile(till.db, before, Date.now());
    // A fault elsewhere costs nobody what they chose: another logo, or none.
    const tooLight = { BRAND_COLOR: "own", BRAND_COLOR_own: "#ffd400" };
    const dark = { BRAND_COLOR: "own", BRAND_COLOR_own: "#0f766e" };
    const logoBeside = async (fault: Response) => {
      const html = await fault.text();
      return [
        /<img src="([^";]*)/.exec(html.split("logo-row")[1] ?? "")?.[1],
        field(html, "BRAND_LOGO_chosen"),
      ];
    };
    const other = `data:;base64,${btoa("<svg></svg>")}`;
    const beside = await logoBeside(await save("look", { ...tooLight, BRAND_LOGO: other }));
    expect(beside).toEqual(["data:image/svg+xml", other]);
    saved(await save("look", { ...dark, BRAND_LOGO_chosen: other }));
    expect(storedLogo()).toBe(other);
    const without = await logoBeside(await save("look", { ...tooLight, BRAND_LOGO_gone: "true" }));
    expect(without).toEqual([undefined, ""]);
    saved(await save("look", { ...dark, BRAND_LOGO_chosen: "" }));
    expect(storedLogo()).toBe(null);
    saved(await save("look", { BRAND_LOGO: other }));
    saved(await save("look", { BRAND_LOGO_gone: "true" }));
    expect(await (await fetch(`${till.localUrl}/pay/${link.body.slug}`)).text()).not.toContain(
      'class="logo"',
    );
  });
});

describe("the mail server", () => {
  const server = () => {
    const { port } = new URL(till.mail.smtpUrl);
    return { SMTP_URL: "127.0.0.1", port, security: "none", MAIL_FROM: "Kestrel <shop@kestrel.example>" };
  };

  test("takes a proof, works at once and after a restart, and its password is read nowhere", async () => {
    const typed = { ...server(), user: "shop", password: "sesame-9" };
    await refused(await save("mail", { ...typed, proof: "wrong" }), "password");
    expect(till.mail.list()).toHaveLength(0);
    saved(await save("mail", typed));
    const row = SettingStore.list(till.db).find(({ name }) => name === "SMTP_URL");
    expect(row?.value).not.toContain("sesame");
    const page = await (await owner.get("/desk/settings/mail")).text();
    expect(page).toContain('value="shop"');
    expect(page).not.toContain("sesame");
    expect(JSON.stringify(till.logged)).not.toContain("sesame");

    await owner.post("/desk/settings/mail/test", { to: "mara@kestrel.example" });
    const tests = () => till.mail.list().filter(({ subject }) => subject === "A test email from Till");
    const [first] = await until(tests, (mails) => mails.length === 1);
    expect(first?.from).toContain("shop@kestrel.example");
    await till.pause();
    await till.resume();
    await owner.post("/desk/settings/mail/test", { to: "mara@kestrel.example" });
    await until(tests, (mails) => mails.length === 2);
  });

  test("keeps its password for the same server and user, and gives it to no other", async () => {
    const look = async () => new URL(await smtpUrlOf(till)).password;
    saved(await save("mail", { ...server(), user: "shop", MAIL_FROM: "Kestrel <orders@kestrel.example>" }));
    expect(await look()).toBe("sesame-9");
    saved(await save("mail", { ...server(), SMTP_URL: "localhost", user: "shop" }));
    expect(await look()).toBe("");
  });

  test("is refused where it is none, and the password that was typed is asked for again", async () => {
    const wrong = await save("mail", { ...server(), SMTP_URL: "smtp://x/y", password: "new" });
    await refused(wrong, "Enter the password again");
    await refused(await save("mail", { ...server(), port: "99999" }), "a port from 1 to 65535");
  });
});

async function smtpUrlOf({ db, config }: TestTill): Promise<string> {
  const { openWallet } = await import("../../src/chain/account/wallet.ts");
  const { readStored } = await import("../../src/till/settings.ts");
  const { walletFile } = await import("../../src/store/files/data-dir.ts");
  const wallet = await openWallet({ file: walletFile(config.dataDir), passphrase: config.walletPassphrase });
  return readStored(db, wallet.vault).stored.SMTP_URL ?? "";
}

describe("numbers", () => {
  test("are chosen before the first, must not meet, and stay then", async () => {
    const shop = await startDesk(free);
    const mara = visitor(shop, await addPerson(shop, "Mara", "owner"));
    const inShop = (changes: Record<string, string>) => save("documents", changes, mara, shop);
    await refused(await inShop({ INVOICE_NUMBER: "2026" }), "Put zeros in braces");
    await refused(await inShop({ INVOICE_NUMBER: "CN-{000}" }), "must differ around the braces");
    saved(await inShop({ INVOICE_NUMBER: "K-{000}", TIMEZONE: "Pacific/Kiritimati", PAPER: "letter" }));
    const today = () =>
      new Intl.DateTimeFormat("en-CA", { timeZone: "Pacific/Kiritimati" }).format(new Date());
    const before = today();
    const { invoice_id: id } = await shop.createInvoice();
    const { body } = await shop.api("GET", `/api/invoices/${id}`);
    expect(body.invoice_number).toBe("K-001");
    expect([before, today()]).toContain(body.issue_date);
    const page = await (await mara.get("/desk/settings/documents")).text();
    expect(page).toContain("Numbers have already been issued with it");
    await refused(
      await inShop({ INVOICE_NUMBER: "L-{000}" }),
      'role="alert">Numbers have already been issued with it',
    );
    await shop.pause();
    await shop.resume();
    const next = await shop.createInvoice();
    expect((await shop.api("GET", `/api/invoices/${next["invoice_id"]}`)).body.invoice_number).toBe("K-002");
    const env = { TILL_DATA_DIR: shop.config.dataDir, TILL_CHAIN: "anvil" };
    const { stdout } = await callTill(["settings", "--json"], { env });
    expect(JSON.parse(stdout).find((row: { name: string }) => row.name === "TILL_INVOICE_NUMBER")).toEqual({
      ...{ name: "TILL_INVOICE_NUMBER", value: "K-{000}", source: "desk", changed_by: "Mara" },
    });
    await shop.stop();
  });
});

describe("what is set", () => {
  test("by the environment wins, is shown as that, and no form changes it", async () => {
    const shop = await startDesk({ ...free, TILL_BRAND_NAME: "Fixed", TILL_PAPER: "letter" });
    const mara = visitor(shop, await addPerson(shop, "Mara", "owner"));
    const html = await (await mara.get("/desk/settings/look")).text();
    expect(html).toContain("TILL_BRAND_NAME");
    expect(html).not.toContain('name="BRAND_NAME"');
    await save("look", { BRAND_NAME: "Other" }, mara, shop);
    expect(SettingStore.list(shop.db)).toEqual([]);
    await shop.stop();
  });

  test("and cannot hold does not keep Till from starting: the desk, health and till doctor say it", async () => {
    const shop = await startDesk(free);
    const mara = visitor(shop, await addPerson(shop, "Mara", "owner"));
    for (const [name, value] of [
      ["TIMEZONE", "Mars/Olympus"],
      ["PAPER", "letter"],
      ["SMTP_URL", "not sealed"],
      ["GONE", "1"],
    ] as const)
      SettingStore.set(shop.db, name, value, "Mara", Date.now());
    await shop.pause();
    await shop.resume();
    const page = await (await mara.get("/desk/settings/health")).text();
    expect(page).toContain("TILL_TIMEZONE is");
    expect(page).toContain("TILL_SMTP_URL was set at the desk with another wallet");
    expect(await (await mara.get("/desk/settings/documents")).text()).toContain('value="letter" selected');
    const { stdout } = await callTill(["doctor"], {
      env: {
        TILL_DATA_DIR: shop.config.dataDir,
        TILL_CHAIN: "anvil",
        TILL_RPC_URL: "http://127.0.0.1:9",
        TILL_WALLET_PASSPHRASE: shop.config.walletPassphrase,
      },
    });
    expect(stdout).toContain("A setting of the desk is left out");
    saved(await save("mail", { SMTP_URL: "localhost", MAIL_FROM: "a@kestrel.example" }, mara, shop));
    expect(await (await mara.get("/desk/settings/health")).text()).not.toContain("another wallet");
    await shop.stop();
  });

  test("meanwhile by somebody else is not overwritten unseen", async () => {
    const page = await (await owner.get("/desk/settings/rates")).text();
    saved(await save("rates", { TOLERANCE: "0.50" }));
    const late = await owner.post("/desk/settings/rates", {
      seen: field(page, "seen") ?? "",
      proof: password,
      TOLERANCE: "0.10",
      RATES: "kraken",
    });
    await refused(late, "Mara saved this page while you had it open");
    const { body } = await till.api("POST", "/api/links", {
      business_name: "K",
      expected_amount: "20.00",
      merchant_email: "a@b.example",
      wallet_type: "managed",
    });
    expect(
      till.db.query("SELECT tolerance_amount FROM receivable ORDER BY created_at DESC, 1").get(),
    ).toEqual({
      tolerance_amount: 500_000n,
    });
    expect(body.slug).toBeString();
    await refused(
      await save("rates", { BOOKKEEPING_CURRENCY: "CHF" }),
      "take the rates of the European Central Bank",
    );
    saved(await save("rates", { BOOKKEEPING_CURRENCY: "CHF", BOOKKEEPING_RATES: "ecb" }));
  });
});

describe("the log", () => {
  const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
  const newest = async () => {
    const html = await (await owner.get("/desk/settings/audit")).text();
    return /<ul class="people audit">.*?<\/li>/s.exec(html)?.[0] ?? "";
  };

  test("says a setting by its own name, before and after, and takes it back by its form", async () => {
    saved(await save("documents", { TIMEZONE: "Europe/Berlin", PAPER: "letter" }));
    const deed = await newest();
    expect(textOf(deed)).toContain("Time zone: UTC → Europe/Berlin");
    expect(textOf(deed)).toContain("Paper: A4 → US Letter");
    expect(deed).not.toContain("TIMEZONE");
    const [, back = ""] = /href="\/desk\/settings\/(documents\?back=\d+)"/.exec(deed) ?? [];
    const page = await (await owner.get(`/desk/settings/${back}`)).text();
    expect(page).toContain("Save to restore them.");
    const chosen = async () =>
      [
        ...(await (await owner.get("/desk/settings/documents")).text()).matchAll(/value="([^"]*)" selected/g),
      ].map(([, value]) => value);
    expect(await chosen()).toEqual(["Europe/Berlin", "letter"]);
    saved(await save(back, {}));
    expect(await chosen()).toEqual(["UTC", "a4"]);
    expect(textOf(await newest())).toContain("Paper: US Letter → A4");
  });

  test("has neither a password nor an image, and then offers nothing to take back", async () => {
    const secret = "hunter2hunter2";
    saved(
      await save("mail", {
        provider: "",
        SMTP_URL: "mail.shop.example",
        port: "587",
        user: "me",
        password: secret,
      }),
    );
    const deed = await newest();
    expect(textOf(deed)).toContain("→ mail.shop.example:587");
    expect(deed).not.toContain("?back=");
    await sendLogo(new Uint8Array(png(3)), "logo.png");
    expect(textOf(await newest())).toContain("Logo: Not set → Set");
    const rows = JSON.stringify(till.db.query("SELECT subject, changes FROM audit").all());
    for (const left of [secret, "base64", "smtp:"]) expect(rows).not.toContain(left);
    // Of another page, or of no such deed, nothing is taken.
    for (const id of ["1", "999999", "x"])
      expect((await owner.get(`/desk/settings/rates?back=${id}`)).status).toBe(200);
    saved(await save("mail", { provider: "", SMTP_URL: "", port: "", user: "" }));
  });
});

test.each([
  ["smtp.gmail.com", "465", "tls"],
  ["smtp.office365.com", "587", "starttls"],
])("a provider of the list says all of its server: %s", async (provider, port, security) => {
  saved(
    await save("mail", {
      provider,
      SMTP_URL: "left.over.example",
      port: "25",
      security: "none",
      user: "shop",
    }),
  );
  const page = await (await owner.get("/desk/settings/mail")).text();
  expect(page).toContain(`<option value="${provider}" selected`);
  expect([field(page, "SMTP_URL"), field(page, "port")]).toEqual([provider, port]);
  expect(page).toContain(`<option value="${security}" selected`);
  saved(await save("mail", { provider: "", SMTP_URL: "", port: "", user: "" }));
});
