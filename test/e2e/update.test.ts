import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "../../scripts/build.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { startTestChain } from "../support/chain/chain.ts";
import { install, makeDataDir, passphrase } from "../support/till/data-dir.ts";
import { project } from "../support/till/handbook.ts";
import { invoiceRequest, until } from "../support/till/till.ts";
import { newSigner } from "../update/signer.ts";
import { fakeTill, makeStand, releaseOf, type Stand } from "../update/stand.ts";

const built = join(project, "dist/till");

let stand: Stand;
afterEach(() => stand.remove());

/** Runs the executable in place, where `systemctl` is that of the stand. */
async function till(...args: string[]): Promise<{ code: number; out: string; aside: string }> {
  const child = Bun.spawn([stand.file, ...args], {
    env: { ...stand.env, PATH: `${stand.dir}:${process.env["PATH"]}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, aside] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, aside };
}

const versionOf = async () => JSON.parse((await till("--version", "--json")).out).version as string;

describe("the executable", () => {
  test("takes no release as long as it knows no key, asks before it does anything, and can go back", async () => {
    stand = makeStand(undefined, { executable: built, env: {} });
    await install(stand.dataDir);
    const own = await versionOf();
    const signed = stand.wish().keys.length;
    expect(signed).toBe(1);
    stand.publish({ version: "999.0.0", executable: fakeTill({ version: "999.0.0" }) });
    const refused = await till("update", "--yes", "--from", stand.releaseDir);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.aside).toMatch(/knows no key|does not know/);
    expect((await till("update", "--back")).aside).toContain("use --yes");
    expect((await till("update", "--back", "--yes")).aside).toContain("nothing can be taken back");
    const before = join(stand.bin, "till.before-update");
    writeFileSync(before, fakeTill({ version: "0.0.9" }));
    chmodSync(before, 0o755);
    expect(await versionOf()).toBe(own);
    const back = await till("update", "--back", "--yes", "--json");
    expect([back.code, JSON.parse(back.out)]).toEqual([
      0,
      { outcome: "back", version: "0.0.9", well: null, data_put_back: false },
    ]);
    expect(stand.installed()).toBe("0.0.9");
  });
});

describe.skipIf(process.env["TEST_EVERY"] === undefined)("two real versions", () => {
  test("an update while a payment is on its way loses nothing, and can be taken back", async () => {
    const dir = makeDataDir();
    // As GitHub serves releases: the newest, and each by its version.
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 0,
      fetch(request) {
        const { pathname } = new URL(request.url);
        const served = /^\/releases\/(?:latest\/download|download\/v7\.2\.0)\/([\w.-]+)$/;
        const [, name = ""] = served.exec(pathname) ?? [];
        const file = join(stand.releaseDir, name);
        return name !== "" && existsSync(file)
          ? new Response(Bun.file(file))
          : new Response("", { status: 404 });
      },
    });
    const signer = newSigner();
    const releases = `${server.url.origin}/releases`;
    const make = (version: string) =>
      build({ directory: join(dir.path, version), releases, keys: signer.publicKey, version });
    const [old, fresh] = [await make("7.0.0"), await make("7.2.0")];
    const chain = await startTestChain();
    const env = {
      TILL_CHAIN: "anvil",
      TILL_TAX_RATES: "off",
      TILL_RPC_URL: chain.rpcUrl,
      TILL_RPC_WS_URL: chain.wsUrl,
      TILL_WALLET_PASSPHRASE: passphrase,
      TILL_UPDATE_CHECK: "true",
    };
    stand = makeStand({ version: "7.0.0" }, { executable: old, env });
    await install(stand.dataDir);
    const api = async (path: string, body?: object) => {
      const request = body && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      };
      return (await (await fetch(`${stand.url}${path}`, request || {})).json()) as Record<string, string>;
    };
    const isReady = () =>
      fetch(`${stand.url}/health/ready`).then(
        (answer) => answer.ok,
        () => false,
      );
    const publish = (executable: string | Buffer, version: string) => {
      for (const [name, content] of Object.entries(
        releaseOf(signer, { version, safeFrom: "7.1.0", executable }),
      ))
        writeFileSync(join(stand.releaseDir, name), content);
    };
    try {
      stand.start();
      await until(isReady, (ready) => ready, 60_000);
      const invoice = await api("/api/invoices", { ...invoiceRequest, send_now: false });
      publish(readFileSync(fresh), "7.2.0");

      stand.restart();
      const hole = "Till 7.0.0 has a security hole that is known; 7.2.0 does not; run till update";
      const health = async (): Promise<string[]> => {
        const answer = await fetch(`${stand.url}/health/ready`).catch(() => null);
        return ((await answer?.json()) as { warnings?: string[] } | undefined)?.warnings ?? [];
      };
      await until(health, (warnings) => warnings.includes(hole), 60_000);
      const { findings } = JSON.parse((await till("doctor", "--json")).out) as {
        findings: { message: string }[];
      };
      expect(findings.map(({ message }) => message)).toContain(`It says: ${hole}.`);

      const checked = await till("update", "--check", "--json");
      expect(JSON.parse(checked.out)).toEqual({
        installed: "7.0.0",
        release: "7.2.0",
        safe_from: "7.1.0",
        newer: true,
        security: true,
      });
      await until(isReady, (ready) => ready, 60_000);
      const updating = till("update", "--yes");
      await chain.pay(Address.checksum(invoice["deposit_address"] ?? ""), "1500.00");
      const updated = await updating;
      expect(updated).toMatchObject({ code: 0, out: expect.stringContaining("Till 7.2.0 runs.") });
      expect(updated.aside).toContain("fixes    a security hole");
      expect(await versionOf()).toBe("7.2.0");
      const status = async () => (await api(`/api/invoices/${invoice["invoice_id"]}/status`))["status"];
      expect(await until(status, (now) => now === "paid", 60_000)).toBe("paid");
      expect((await till("update", "--yes")).out).toContain("Till 7.2.0 is up to date");

      publish(fakeTill({ version: "7.3.0", does: "process.exit(1)" }), "7.3.0");
      const failed = await till("update", "--yes", "--from", stand.releaseDir);
      expect(failed).toMatchObject({ code: 1, out: expect.stringContaining("Till 7.2.0 runs again.") });
      expect([await versionOf(), await status()]).toEqual(["7.2.0", "paid"]);

      const older = await till("update", "--yes", "--version", "7.0.0", "--from", dirOf(old, signer));
      expect(older).toMatchObject({ code: 0, out: expect.stringContaining("Till 7.0.0 runs.") });
      const back = await till("update", "--back", "--yes");
      expect(back).toMatchObject({ code: 0, out: expect.stringContaining("Till 7.2.0 runs again.") });
      expect([await versionOf(), await status()]).toEqual(["7.2.0", "paid"]);
      stand.stop();
      const upToDate = await till("update", "--yes", "--from", dirOf(old, signer));
      expect(upToDate.out).toContain("till.service does not run. To start it: sudo");
      expect(`${updated.out}${updated.aside}${failed.out}${failed.aside}`).not.toContain(passphrase);
    } finally {
      await chain.stop();
      await server.stop(true);
      dir.remove();
    }
  });
});

/** A release of an executable, in its own directory. */
function dirOf(executable: string, signer: ReturnType<typeof newSigner>): string {
  const directory = join(executable, "..");
  const content = readFileSync(executable);
  for (const [name, bytes] of Object.entries(releaseOf(signer, { version: "7.0.0", executable: content })))
    writeFileSync(join(directory, name), bytes);
  return directory;
}
