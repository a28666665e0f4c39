import { describe, expect, test } from "bun:test";
import { ConfigError, parseConfig } from "../../src/config/config.ts";

const minimal = { TILL_RPC_URL: "https://node.example", TILL_WALLET_PASSPHRASE: "a long passphrase" };

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.faults;
    throw thrown;
  }
  return [];
}

describe("parseConfig", () => {
  test("needs a node and a passphrase; everything else has a default", () => {
    const config = parseConfig(minimal);
    expect(config.network.chainId).toBe(8453);
    expect(config.confirmations).toEqual({ ms: 10_000 });
    expect(config.port).toBe(3000);
    expect(config.isPublic).toBe(false);
  });

  test("asks for no node and reads no passphrase where nobody needs them, and still tells of a wrong one", () => {
    const config = parseConfig({ TILL_WALLET_PASSPHRASE_FILE: "/nowhere" }, { needs: [] });
    expect([config.rpcUrls, config.walletPassphrase]).toEqual([[], ""]);
    expect(() => parseConfig({ TILL_RPC_URL: "node" }, { needs: ["WALLET_PASSPHRASE"] })).toThrow(
      ConfigError,
    );
  });

  test("takes a node that is given twice for one, which is no second opinion", () => {
    const twice = {
      ...minimal,
      TILL_RPC_URL: "https://node.example, https://NODE.example/,https://node.example:443",
    };
    expect(parseConfig(twice).rpcUrls).toHaveLength(1);
    expect(faultsOf({ ...twice, TILL_SECOND_OPINION: "strict" }).join()).toContain("two nodes or more");
  });

  test("keeps books in currencies that those who are asked know", () => {
    const books = (TILL_BOOKKEEPING_CURRENCY: string, rates = {}) =>
      faultsOf({ ...minimal, TILL_BOOKKEEPING_CURRENCY, ...rates }).join();
    expect(books("EUR")).toBe("");
    expect(books("GBP")).toContain("EUR or USD, or TILL_BOOKKEEPING_RATES must be ecb");
    expect(books("GBP", { TILL_BOOKKEEPING_RATES: "ecb" })).toBe("");
    expect(faultsOf({ ...minimal, TILL_BOOKKEEPING_RATES: "ecb" }).join()).toContain(
      "TILL_BOOKKEEPING_CURRENCY is missing",
    );
    expect(books("JPY", { TILL_BOOKKEEPING_RATES: "ecb" })).toBe("");
    expect(books("DEM", { TILL_BOOKKEEPING_RATES: "ecb" })).toContain("a currency of ISO 4217");
  });

  test("keeps numbers of invoices and of credit notes apart", () => {
    const faults = (invoice: string, note: string) =>
      faultsOf({ ...minimal, TILL_INVOICE_NUMBER: invoice, TILL_CREDIT_NOTE_NUMBER: note }).join();
    for (const [invoice, note] of [
      ["R-{0000}", "r-{00}"],
      ["20{00}", "2026{0000}"],
    ] as const)
      expect(faults(invoice, note)).toContain("TILL_CREDIT_NOTE_NUMBER must differ");
    const apart = { TILL_INVOICE_NUMBER: "{0000}", TILL_CREDIT_NOTE_NUMBER: "{0000}-CN" };
    expect(parseConfig({ ...minimal, ...apart }).creditNoteNumber.after).toBe("-CN");
  });

  test("reports every fault at once, with the variable, what it got and what it wants", () => {
    const faults = faultsOf({
      TILL_PORT: "70000",
      TILL_CHAIN: "solana",
      TILL_CONFIRMATIONS: "0",
      TILL_TIMEZONE: "Mars/Olympus",
      TILL_SETTLE: "sometimes",
      TILL_SETTLE_MIN: "0.001",
      TILL_BASE_URL: "pay.example.com",
      TILL_LOG_LEVEL: "loud",
      TILL_PROT: "3000",
    });
    const expected = [
      "PORT",
      "CHAIN",
      "CONFIRMATIONS",
      "TIMEZONE",
      "SETTLE",
      "SETTLE_MIN",
      "BASE_URL",
      "LOG_LEVEL",
      "PROT",
      "RPC_URL",
    ];
    for (const name of [...expected, "WALLET_PASSPHRASE"]) {
      expect(faults.filter((fault) => fault.startsWith(`TILL_${name} `))).toHaveLength(1);
    }
    expect(faults).toHaveLength(11);
    expect(faults).toContain('TILL_PORT is "70000"; it must be a port, 0 to 65535.');
  });

  test("does not repeat what may be a secret", () => {
    const faults = faultsOf({ TILL_RPC_URL: "node.example/s3cret", TILL_SMTP_URL: "//user:s3cret@mail" });
    expect(faults.join("\n")).not.toContain("s3cret");
    expect(faults).toHaveLength(3);
  });

  test("takes an address for USDC only with its checksum", () => {
    const address = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    expect(String(parseConfig({ ...minimal, TILL_USDC_ADDRESS: address }).network.usdc)).toBe(address);
    expect(faultsOf({ ...minimal, TILL_USDC_ADDRESS: address.toLowerCase() })).toHaveLength(1);
  });

  test("is public as soon as the bound address or the base URL is not loopback", () => {
    expect(parseConfig({ ...minimal, TILL_HOST: "192.0.2.1" }).isPublic).toBe(true);
    expect(parseConfig({ ...minimal, TILL_BASE_URL: "https://pay.example.com/" }).isPublic).toBe(true);
    expect(
      parseConfig({ ...minimal, TILL_HOST: "::1", TILL_BASE_URL: "http://localhost:3000" }).isPublic,
    ).toBe(false);
  });

  test("wants a base URL when every address is bound, for a link to 0.0.0.0 leads nowhere", () => {
    for (const host of ["0.0.0.0", "::"]) {
      const [fault, ...more] = faultsOf({ ...minimal, TILL_HOST: host });
      expect(fault).toStartWith("TILL_BASE_URL is missing.");
      expect(more).toEqual([]);
      expect(faultsOf({ ...minimal, TILL_HOST: host, TILL_BASE_URL: "https://pay.example" })).toEqual([]);
    }
  });

  test("wants a sender once there is a mail server", () => {
    expect(faultsOf({ ...minimal, TILL_SMTP_URL: "smtp://mail.example" })[0]).toStartWith(
      "TILL_MAIL_FROM is missing",
    );
  });

  describe("with a provider of sign-ins", () => {
    const provider = {
      ...minimal,
      TILL_OIDC_ISSUER: "https://auth.acme.example/realms/acme",
      TILL_OIDC_CLIENT_ID: "till",
      TILL_OIDC_CLIENT_SECRET: "secret",
      TILL_OIDC_STAFF: "sales, till staff,",
    };
    const faults = (changes: Record<string, string | undefined>) =>
      faultsOf({ ...provider, ...changes }).join();

    test("takes one of them, with the values that mean something", () => {
      expect(parseConfig(minimal).openId).toBeNull();
      expect(parseConfig(provider).openId).toEqual({
        issuer: "https://auth.acme.example/realms/acme",
        clientId: "till",
        clientSecret: "secret",
        name: "auth.acme.example",
        claim: "groups",
        roles: { owner: [], staff: ["sales", "till staff"], accountant: [] },
      });
    });

    test("names what is missing, and repeats no secret", () => {
      expect(faults({ TILL_OIDC_ISSUER: undefined })).toContain("TILL_OIDC_ISSUER is missing");
      expect(faults({ TILL_OIDC_CLIENT_ID: undefined })).toContain("TILL_OIDC_CLIENT_ID is missing");
      expect(faults({ TILL_OIDC_CLIENT_SECRET: undefined })).toContain("TILL_OIDC_CLIENT_SECRET is missing");
      expect(faults({ TILL_OIDC_STAFF: undefined })).toContain('the values of the claim "groups"');
      expect(faults({ TILL_OIDC_STAFF: " , " })).toContain("one value or several");
      const both = faults({ TILL_OIDC_CLIENT_SECRET_FILE: "/nowhere" });
      expect(both).toContain("TILL_OIDC_CLIENT_SECRET_FILE are both set");
      expect(both).not.toContain("secret;");
    });

    test("reads the secret from a file, for whom has to know it", () => {
      const fromFile = { ...provider, TILL_OIDC_CLIENT_SECRET: "" };
      const file = { ...fromFile, TILL_OIDC_CLIENT_SECRET_FILE: import.meta.path };
      expect(parseConfig(file).openId?.clientSecret).toContain("for whom has to know it");
      const unread = { ...fromFile, TILL_OIDC_CLIENT_SECRET_FILE: "/nowhere" };
      expect(faultsOf(unread).join()).toContain("TILL_OIDC_CLIENT_SECRET_FILE cannot be read");
      expect(parseConfig(unread, { needs: [] }).openId?.clientSecret).toBe("");
    });

    test("takes no issuer whose answers anybody on the way could write", () => {
      for (const issuer of [
        "http://auth.acme.example",
        "ftp://x",
        "https://a:b@x.example",
        "https://x.example?y",
      ])
        expect(faults({ TILL_OIDC_ISSUER: issuer })).toContain("TILL_OIDC_ISSUER is");
      for (const issuer of ["http://localhost:9000", "http://127.0.0.1:9000/", "https://x.example/"])
        expect(faults({ TILL_OIDC_ISSUER: issuer })).toBe("");
    });
  });

  test("takes an address or a name to listen on, and no port or half an address with it", () => {
    for (const host of ["localhost", "till.internal", "192.0.2.1", "::1", "2001:db8::1", "server-1"])
      expect(faultsOf({ ...minimal, TILL_HOST: host, TILL_BASE_URL: "https://pay.example" })).toEqual([]);
    for (const host of [
      "192.0.2.1:80",
      "256.1.1.1",
      "0",
      "127.1",
      "0x7f",
      "a..b",
      "::::",
      "-1",
      "fe80::1%eth0",
    ])
      expect(faultsOf({ ...minimal, TILL_HOST: host }).join()).toContain("without a port");
  });

  test("takes one WebSocket, not a list of them", () => {
    expect(faultsOf({ ...minimal, TILL_RPC_WS_URL: "wss://a.example,wss://b.example" })).toEqual([
      "TILL_RPC_WS_URL is not a URL that starts with ws:// or wss://.",
    ]);
  });

  test("takes no mail server whose encryption is asked for in a way that would be passed over", () => {
    const mail = (query: string) =>
      faultsOf({ ...minimal, TILL_SMTP_URL: `smtp://mail.example/?${query}`, TILL_MAIL_FROM: "a@b.example" });
    expect(mail("requireTLS=true&ignoreTLS=false&tls.rejectUnauthorized=false&name=till.example")).toEqual(
      [],
    );
    for (const query of ["requireTLS=yes", "requireTls=true", "secure=true", "ignoreTLS"])
      expect(mail(query).join()).toContain(
        "TILL_SMTP_URL is not a URL that starts with smtp:// or smtps://, with",
      );
  });

  test("takes no mail settings with which no mail could go out", () => {
    const faults = faultsOf({ ...minimal, TILL_SMTP_URL: "smtp:foo", TILL_MAIL_FROM: "billing@acme" });
    expect(faults).toHaveLength(2);
    expect(faults[0]).toStartWith("TILL_SMTP_URL is not a URL");
    expect(faults[1]).toStartWith('TILL_MAIL_FROM is "billing@acme"; it must be a mailbox');
  });
});

describe("limits", () => {
  test("are for a public Till, but for those that are set", () => {
    const loopback = parseConfig({ ...minimal, TILL_LIMIT_WRITES: "7" }).limits;
    expect(loopback.WRITES).toBe(7);
    expect(Object.values(loopback).filter((count) => count > 0)).toEqual([7]);
    const open = { ...minimal, TILL_BASE_URL: "https://pay.example.com", TILL_LIMIT_READS: "0" };
    expect(parseConfig(open).limits).toEqual({
      FAILED_KEYS: 10,
      WRITES: 120,
      SIGN_INS: 10,
      READS: 0,
      PDFS: 20,
      PDFS_AT_ONCE: 2,
      MAILS_MERCHANT: 0,
      MAILS_INVOICE: 0,
      RECEIPTS: 10,
      RELAYS: 30,
      PAYMENTS_HOUR: 10,
      PAYMENTS_DAY: 50,
      UNPAID: 5000,
    });
    const anybody = parseConfig({ ...open, TILL_OPEN_API: "true" }).limits;
    expect([anybody.MAILS_MERCHANT, anybody.MAILS_INVOICE]).toEqual([100, 5]);
  });

  test("and trusted proxies are refused when they cannot be read", () => {
    expect(
      faultsOf({ ...minimal, TILL_LIMIT_READS: "-1", TILL_LIMIT_READ: "1", TILL_TRUST_PROXY: "yes" }),
    ).toHaveLength(3);
  });
});
