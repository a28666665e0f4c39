import { basename, dirname } from "node:path";
import manifest from "../../package.json";
import { type Entry, tarOf } from "./tar.ts";

const assets = "assets/debian";

/** Debian's names of the platforms that have a package. */
export const debianPlatforms = { "linux-x64": "amd64", "linux-arm64": "arm64" } as const;

/** Where each file goes. The settings are the administrator's, once installed. */
const installed = {
  "usr/lib/systemd/system/till.service": "till.service",
  "usr/share/lintian/overrides/till": "lintian-overrides",
  "etc/till/till.env": "till.env",
};

const control = (architecture: string, kilobytes: number) => `Package: till
Version: ${manifest.version}
Architecture: ${architecture}
Maintainer: The Till authors <till@users.noreply.github.com>
Installed-Size: ${kilobytes}
Depends: adduser, libc6 (>= 2.17)
Section: net
Priority: optional
Description: ${manifest.description.replace("Self", "self")}
 Till issues invoices and payment links in USDC, a digital dollar, watches the
 Base network until they are paid, and tells your shop. It keeps everything in
 one SQLite database on your own server.
`;

const copyright = (
  licence: string,
) => `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Till
Comment: till.cdx.json, among the files of each release, lists everything inside with its licence.

Files: *
Copyright: 2026 the Till authors
License: Expat
${licence.split("\n\n").slice(2).join("\n\n").trimEnd().replace(/^/gm, " ").replace(/^ $/gm, " .")}
`;

const changelog = (timeSec: number) => `till (${manifest.version}) unstable; urgency=medium

  * See CHANGELOG.md of the project.

 -- The Till authors <till@users.noreply.github.com>  ${new Date(timeSec * 1000).toUTCString().replace("GMT", "+0000")}
`;

const gzip = (data: string | Uint8Array<ArrayBuffer>) =>
  Bun.gzipSync(data, { level: 9, library: "libdeflate" });

/**
 * Makes the Debian package of an executable. Written here rather than by dpkg-deb, of which each version compresses in its
 * own way: the same executable and time give the same bytes on every machine.
 */
export async function packageOf(
  executable: string,
  architecture: string,
  timeSec: number,
): Promise<Uint8Array> {
  const read = (file: string) => Bun.file(file).bytes();
  const files: Entry[] = [
    { path: "usr/bin/till", mode: 0o755, content: await read(executable) },
    { path: "usr/share/doc/till/changelog.gz", mode: 0o644, content: gzip(changelog(timeSec)) },
    {
      path: "usr/share/doc/till/copyright",
      mode: 0o644,
      content: Buffer.from(copyright(await Bun.file("LICENSE").text())),
    },
    { path: "usr/share/man/man1/till.1.gz", mode: 0o644, content: gzip(await read(`${assets}/till.1`)) },
  ];
  for (const [path, name] of Object.entries(installed))
    files.push({ path, mode: 0o644, content: await read(`${assets}/${name}`) });
  files.sort((a, b) => (a.path < b.path ? -1 : 1));

  const bytes = files.reduce((total, { content }) => total + (content?.length ?? 0), 0);
  const about: Entry[] = [
    { path: "./conffiles", mode: 0o644, content: Buffer.from("/etc/till/till.env\n") },
    { path: "./control", mode: 0o644, content: Buffer.from(control(architecture, Math.ceil(bytes / 1024))) },
    { path: "./md5sums", mode: 0o644, content: Buffer.from(files.map(md5Line).join("")) },
  ];
  for (const name of ["postinst", "postrm", "prerm"])
    about.push({ path: `./${name}`, mode: 0o755, content: await read(`${assets}/${name}`) });

  return archiveOf(
    {
      "debian-binary": Buffer.from("2.0\n"),
      "control.tar.gz": gzip(tarOf(about, timeSec)),
      "data.tar.gz": gzip(tarOf(withDirectories(files), timeSec)),
    },
    timeSec,
  );
}

const md5Line = ({ path, content = new Uint8Array() }: Entry) =>
  `${new Bun.CryptoHasher("md5").update(content).digest("hex")}  ${path}\n`;

/** The files, each after the directories that it lies in. */
function withDirectories(files: readonly Entry[]): Entry[] {
  const made = new Set<string>();
  const directories = (path: string): Entry[] => {
    if (made.has(path)) return [];
    made.add(path);
    const above = path === "." ? [] : directories(dirname(path));
    return [...above, { path: path === "." ? "./" : `./${path}/`, mode: 0o755 }];
  };
  return files.flatMap((file) => [...directories(dirname(file.path)), { ...file, path: `./${file.path}` }]);
}

/** An archive as ar writes it. */
function archiveOf(members: Record<string, Uint8Array>, timeSec: number): Uint8Array {
  const parts = Object.entries(members).flatMap(([name, content]) => {
    const header = [
      basename(name).padEnd(16),
      `${timeSec}`.padEnd(12),
      "0".padEnd(6),
      "0".padEnd(6),
      "100644".padEnd(8),
      `${content.length}`.padEnd(10),
      "`\n",
    ];
    return [Buffer.from(header.join("")), content, Buffer.from(content.length % 2 === 0 ? "" : "\n")];
  });
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}
