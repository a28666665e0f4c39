import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isLoopbackHost } from "../lib/net/host.ts";
import { world } from "../lib/world.ts";
import { UpdateRefused } from "./refused.ts";

/** A place with the files of one release. Everything from there is hostile until its checksum was found signed. */
export type Place = {
  /** Its name for people, without what a URL may hide. */
  name: string;
  /** A whole small file. Throws an UpdateRefused when it is longer. */
  read(name: string, bytesMax: number): Promise<Buffer>;
  /** A file in pieces, and how many bytes it says to have. */
  open(name: string): Promise<{ bytes: number | null; chunks: AsyncIterable<Uint8Array> }>;
};

const redirectsMax = 5;
/**
 * The time until an answer begins and a small file has come, and that between two parts of a download. `signal` ends the
 * reading of small files.
 */
export type Patience = { answerMs?: number; silentMs?: number; signal?: AbortSignal };

/**
 * The place that `from` names, a URL or a directory with the files in it (or one of these files), or that of a version,
 * the newest for null, below `releases`, as GitHub serves them. Throws an UpdateRefused when nobody says where.
 */
export function placeOf(
  from: string | null,
  version: string | null,
  releases: string | null,
  patience: Patience = {},
): Place {
  if (from !== null && !/^https?:/i.test(from)) return directoryPlace(from);
  const folder = version === null ? "latest/download" : `download/v${version}`;
  const url = from ?? (releases === null ? null : `${releases.replace(/\/$/, "")}/${folder}`);
  if (url === null)
    throw new UpdateRefused(
      "This build of Till does not know where its releases are: name the place, a URL or a directory, with --from.",
    );
  return webPlace(url, patience);
}

function directoryPlace(path: string): Place {
  const full = resolve(path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) throw new UpdateRefused(`There is no ${full}.`);
  const directory = stat.isDirectory() ? full : dirname(full);
  const file = (name: string) => {
    const there = join(directory, name);
    if (!existsSync(there)) throw new UpdateRefused(`${directory} has no ${basename(name)}.`);
    return Bun.file(there);
  };
  return {
    name: directory,
    read: (name, bytesMax) => collect(file(name).stream(), name, bytesMax),
    open: async (name) => ({ bytes: file(name).size, chunks: file(name).stream() }),
  };
}

function webPlace(url: string, { answerMs = 30_000, silentMs = 60_000, signal: ended }: Patience): Place {
  const base = URL.canParse(url) ? new URL(url.endsWith("/") ? url : `${url}/`) : null;
  if (base === null) throw new UpdateRefused("--from is not a URL that can be read.");
  const { protocol, host, pathname } = base;
  return {
    name: `${protocol}//${host}${pathname}`,
    async read(name, bytesMax) {
      const signal = AbortSignal.any([world.timeout(answerMs), ...(ended ? [ended] : [])]);
      const response = await ask(new URL(name, base), signal);
      return await collect(response.body ?? [], name, bytesMax);
    },
    async open(name) {
      const stopped = new AbortController();
      const late = () => stopped.abort(new UpdateRefused("The download stopped: nothing more came."));
      let timer = world.setTimeout(late, answerMs);
      const response = await ask(new URL(name, base), stopped.signal);
      const length = Number(response.headers.get("content-length") ?? Number.NaN);
      async function* chunks() {
        try {
          for await (const chunk of response.body ?? []) {
            world.clearTimeout(timer);
            timer = world.setTimeout(late, silentMs);
            yield chunk;
          }
        } finally {
          world.clearTimeout(timer);
          stopped.abort();
        }
      }
      return { bytes: Number.isFinite(length) ? length : null, chunks: chunks() };
    },
  };
}

/** Follows redirects, but never from https to http, and to http only on this machine. */
async function ask(first: URL, signal: AbortSignal): Promise<Response> {
  let url = first;
  for (let hops = 0; hops <= redirectsMax; hops++) {
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.hostname)))
      throw new UpdateRefused(
        `${url.protocol}//${url.host} is not https, and Till reads no release from there.`,
      );
    const response = await world.fetch(url.href, {
      signal,
      redirect: "manual",
      headers: { "accept-encoding": "identity", "user-agent": "Till" },
    });
    const next = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && next !== null && URL.canParse(next, url.href)) {
      await response.body?.cancel();
      const to = new URL(next, url);
      if (url.protocol === "https:" && to.protocol !== "https:")
        throw new UpdateRefused(`${url.host} sends on from https to ${to.protocol}//${to.host}.`);
      url = to;
      continue;
    }
    if (response.ok) return response;
    await response.body?.cancel();
    if (response.status === 404)
      throw new UpdateRefused(`There is no release at ${first.host}${first.pathname}.`);
    throw new UpdateRefused(`${url.host} answers with HTTP ${response.status}.`);
  }
  throw new UpdateRefused(`${first.host} sends on more than ${redirectsMax} times.`);
}

async function collect(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  name: string,
  bytesMax: number,
) {
  const all: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new UpdateRefused(`${name} has more than ${bytesMax} bytes, and is not read.`);
    all.push(chunk);
  }
  return Buffer.concat(all);
}
