import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { download } from "../../src/update/executable.ts";
import { nameHere } from "../../src/update/machine.ts";
import { placeOf } from "../../src/update/place.ts";
import { look, type ReleaseQuery, update } from "../../src/update/update.ts";
import { makeCertificates } from "../support/http/certificates.ts";
import { newSigner } from "./signer.ts";
import { fakeTill, makeStand, quiet, releaseOf, type Stand } from "./stand.ts";

type Answers = Record<string, (request: Request) => Response>;

let stand: Stand;
let answers: Answers;
let asked: string[];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch(request) {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    return answers[pathname]?.(request) ?? new Response("not here", { status: 404 });
  },
});
const origin = server.url.origin;
const executable = fakeTill({ version: "1.2.3" });
const exe = nameHere();

beforeEach(() => {
  stand = makeStand();
  asked = [];
  answers = {};
});
afterEach(() => stand.remove());
afterAll(() => server.stop(true));

/** Serves a release as GitHub does. */
function serveRelease(folder: string, version = "1.2.3", signer = stand.signer): void {
  for (const [name, content] of Object.entries(releaseOf(signer, { version, executable })))
    answers[`/releases/${folder}/${name}`] = () => new Response(content);
}

const wish = (changes: Partial<ReleaseQuery> = {}) =>
  stand.wish({ from: null, releases: `${origin}/releases`, ...changes });

const why = (work: Promise<unknown>) =>
  work.then(
    () => "it was not refused",
    (thrown: Error) => `${thrown.name}: ${thrown.message}`,
  );

/** Why the release at these answers is refused; nothing is changed by it. */
async function refusal(changes: Partial<ReleaseQuery> = {}): Promise<string> {
  const said = await why(look("1.0.0", wish(changes)).then((offer) => update(stand.target(), offer, quiet)));
  expect(stand.installed()).toBe("1.0.0");
  expect(stand.beside().filter((name) => !name.startsWith(".till.update-lock"))).toEqual(["till"]);
  expect(stand.copies()).toEqual([]);
  return said;
}

/** Answers everybody with this header and the beginning of a body. */
const raw = (header: string) =>
  Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        socket.end(`HTTP/1.1 200 OK\r\n${header}\r\n\r\nbeginning`);
      },
    },
  });

/** Pieces without end, or until `count`; then silence, if `goesOn`. */
function pieces(count = Number.POSITIVE_INFINITY, goesOn = false): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent++ < count) controller.enqueue(new Uint8Array(65_536));
      else if (goesOn) return new Promise<void>(() => {});
      else controller.close();
      return undefined;
    },
  });
}

describe("releases at a URL", () => {
  test("are looked for where the newest is, and taken from where that version is", async () => {
    serveRelease("latest/download");
    serveRelease("download/v1.2.3");
    const offer = await look("1.0.0", wish());
    await update(stand.target(), offer, quiet);
    expect(stand.installed()).toBe("1.2.3");
    expect(asked).toEqual([
      "/releases/latest/download/SHA256SUMS.minisig",
      "/releases/latest/download/SHA256SUMS",
      `/releases/download/v1.2.3/${exe}`,
    ]);
  });

  test("are taken by name, and from another place", async () => {
    serveRelease("download/v1.2.3");
    expect((await look("1.0.0", wish({ version: "1.2.3" }))).release.version).toBe("1.2.3");
    const from = `${origin}/releases/download/v1.2.3`;
    expect((await look("1.0.0", wish({ from }))).place.name).toBe(`${from}/`);
    expect(
      await look("1.0.0", wish({ from: `${origin}/elsewhere` })).catch((e: Error) => e.message),
    ).toContain("There is no release at 127.0.0.1");
  });

  test("are told of without what their URL may hide", async () => {
    const secret = "hunter2";
    for (const from of [
      `http://user:${secret}@127.0.0.1:9/x?token=${secret}`,
      `${origin}/x/?token=${secret}`,
    ]) {
      const said = await refusal({ from });
      expect(said).toStartWith("UpdateRefused: ");
      expect(said).not.toContain(secret);
    }
  });

  test("are reached by redirects, as GitHub has them", async () => {
    serveRelease("download/v1.2.3");
    for (const name of ["SHA256SUMS", "SHA256SUMS.minisig"])
      answers[`/releases/latest/download/${name}`] = () =>
        Response.redirect(`/releases/download/v1.2.3/${name}`, 302);
    expect((await look("1.0.0", wish())).release.version).toBe("1.2.3");
  });

  test("are refused when a redirect leads to http elsewhere, or round and round", async () => {
    serveRelease("latest/download");
    const at = "/releases/latest/download/SHA256SUMS.minisig";
    answers[at] = () => Response.redirect("http://mirror.example/SHA256SUMS.minisig", 302);
    expect(await refusal()).toContain("http://mirror.example is not https");
    answers[at] = () => Response.redirect("file:///etc/passwd", 302);
    expect(await refusal()).toContain("file:// is not https");
    answers[at] = () => Response.redirect(at, 302);
    expect(await refusal()).toContain("sends on more than 5 times");
    expect(await refusal({ from: "http://mirror.example/" })).toContain("http://mirror.example is not https");
  });

  test("are refused when a proxy answers with its own page, or an error", async () => {
    const page = "<!doctype html><title>Sign in</title>";
    answers["/releases/latest/download/SHA256SUMS.minisig"] = () =>
      new Response(page, { headers: { "content-type": "text/html" } });
    answers["/releases/latest/download/SHA256SUMS"] = () => new Response(page);
    expect(await refusal()).toContain("perhaps a proxy or a login page answered instead");
    answers["/releases/latest/download/SHA256SUMS.minisig"] = () => new Response("", { status: 503 });
    expect(await refusal()).toContain("answers with HTTP 503");
    serveRelease("latest/download");
    answers[`/releases/download/v1.2.3/${exe}`] = () => new Response(page);
    expect(await refusal()).toContain(`${exe} is not the file that the release signed`);
  });

  test("are refused when the signature is wrong, or of another key", async () => {
    serveRelease("latest/download", "1.2.3", newSigner());
    expect(await refusal()).toContain("which this Till does not know");
    serveRelease("latest/download");
    answers["/releases/latest/download/SHA256SUMS"] = () => new Response(`${"0".repeat(64)}  ${exe}\n`);
    expect(await refusal()).toContain("its checksums were changed");
    const { "SHA256SUMS.minisig": signature = "" } = releaseOf(stand.signer, {
      version: "1.2.3",
      executable,
    });
    serveRelease("latest/download");
    answers["/releases/latest/download/SHA256SUMS.minisig"] = () =>
      new Response(String(signature).replace("till 1.2.3", "till 1.2.4"));
    expect(await refusal()).toContain("its version was changed");
  });

  test("are not read without end", async () => {
    for (const name of ["SHA256SUMS", "SHA256SUMS.minisig"]) {
      serveRelease("latest/download");
      answers[`/releases/latest/download/${name}`] = () => new Response(pieces());
      expect(await refusal()).toContain(`${name} has more than`);
    }
    const place = placeOf(`${origin}/`, null, null);
    answers[`/${exe}`] = () => new Response(pieces());
    expect(await why(download(place, exe, "", stand.file, 1_000_000))).toContain("more than 1000000 bytes");
    using large = raw("content-length: 1000000000000000");
    const other = placeOf(`http://127.0.0.1:${large.port}/`, null, null);
    expect(await why(download(other, exe, "", stand.file))).toContain("There is no room");
    expect(stand.beside()).toEqual(["till"]);
  });

  test("are refused when the download stops", async () => {
    const place = placeOf(`${origin}/`, null, null, { answerMs: 5_000, silentMs: 200 });
    answers[`/${exe}`] = () => new Response(pieces(3, true));
    expect(await why(download(place, exe, "", stand.file))).toContain("nothing more came");
    using broken = raw("content-length: 1000");
    const cut = placeOf(`http://127.0.0.1:${broken.port}/`, null, null);
    expect(await why(download(cut, exe, "", stand.file))).toMatch(/cannot be read: .*(closed|reset|short)/i);
    const nobody = placeOf("http://127.0.0.1:9/", null, null);
    expect(await why(nobody.read("SHA256SUMS", 10))).toMatch(/Unable to connect|ECONNREFUSED/);
    expect(stand.beside()).toEqual(["till"]);
  });

  test("tell of the clock when a certificate is not of this time", async () => {
    const certificates = makeCertificates();
    const servers = [certificates.issueOld("localhost", -1), certificates.issueOld("localhost", 48, -1)].map(
      (tls) => Bun.serve({ hostname: "127.0.0.1", port: 0, tls, fetch: () => new Response("") }),
    );
    const code = `import { look } from "./src/update/update.ts";
      for (const port of [${servers.map(({ port }) => port)}]) {
        const wish = { from: "https://localhost:" + port, version: null, releases: null, keys: [1] };
        await look("1.0.0", wish).catch((thrown) => console.log(thrown.message));
      }`;
    const child = Bun.spawn([process.execPath, "-e", code], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificates.caFile },
    });
    const lines = (await new Response(child.stdout).text()).trim().split("\n");
    const clock = / This machine's clock says 20\d\d-.*Z: if that is wrong, set it\.$/;
    expect(lines).toEqual([expect.stringMatching(clock), expect.stringMatching(clock)]);
    expect(lines.join()).toMatch(/expired.*not yet valid/);
    for (const each of servers) await each.stop(true);
    certificates.remove();
  });
});

describe("releases in a directory", () => {
  test("need no network: the directory, or a file in it", async () => {
    stand.publish({ version: "1.2.3", executable });
    for (const from of [stand.releaseDir, join(stand.releaseDir, exe)])
      expect(await look("1.0.0", stand.wish({ from }))).toMatchObject({ isWanted: true });
    expect(asked).toEqual([]);
  });

  test("have to be whole", async () => {
    const empty = join(stand.dir, "empty");
    mkdirSync(empty);
    expect(await refusal({ from: join(empty, "none") })).toContain(`There is no ${join(empty, "none")}`);
    expect(await refusal({ from: empty })).toContain("has no SHA256SUMS.minisig");
    writeFileSync(join(empty, "SHA256SUMS.minisig"), "x".repeat(10_000));
    expect(await refusal({ from: empty })).toContain("SHA256SUMS.minisig has more than 8192 bytes");
  });
});
