import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificates } from "../http/certificates.ts";
import { ownPort } from "../http/port.ts";
import { type Received, startSmtpServer } from "../mail/smtp-server.ts";
import { makeDataDir, passphrase } from "./data-dir.ts";
import { blocks, project } from "./handbook.ts";
import { startProcess, type TillProcess } from "./process.ts";
import { until } from "./till.ts";

/** Whom Till runs as: nobody, who owns nothing but the data directory. */
const till = { uid: 65_534, gid: 65_534 };

/** The names that the handbook uses, all of this machine. */
const names = [
  "pay.acme.example",
  "mail.example",
  "your-node.example",
  "second-node.example",
  "shop.example",
];

export type Production = {
  /** Where everybody reaches Till: nginx with TLS. */
  readonly baseUrl: string;
  readonly webhookUrl: string;
  /** Where nginx listens without TLS. */
  readonly plainPort: number;
  readonly dataDir: string;
  /** Every mail that the mail server took, as it came. */
  readonly mails: readonly Received[];
  /** Starts the executable as Till's own user in an empty directory, with the settings of the handbook. */
  start(args: readonly string[], env?: Record<string, string>): TillProcess;
  /** The same to its end, and what it wrote to standard output; fails unless the exit code is 0. */
  run(args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Asks a path of Till's through nginx, with an API key; its body. Without `request` it is a GET. */
  ask(path: string, key: string, request?: { method: "POST" | "PUT"; body: object }): Promise<string>;
  stop(): Promise<void>;
};

export type ProductionParts = {
  /** Where the nodes really are; the second one may lie. */
  nodes: { rpcUrl: string; wsUrl: string; secondRpcUrl: string };
  /** Where webhooks end up. */
  receiverUrl: string;
};

/**
 * A server as the handbook sets one up, on loopback: names instead of addresses, TLS everywhere with a certificate of
 * a CA of its own, the handbook's nginx in front, a mail server that wants a password, two nodes, another user. The
 * names are known only to the processes started here, which see a /etc/hosts of their own; that takes root or user
 * namespaces.
 */
export async function startProduction({ nodes, receiverUrl }: ProductionParts): Promise<Production> {
  const dir = makeDataDir();
  const inDir = (name: string) => join(dir.path, name);
  chmodSync(dir.path, 0o755);
  const certificates = makeCertificates();
  for (const name of names) {
    const { cert, key } = certificates.issue(name);
    writeFileSync(inDir(`${name}.pem`), cert);
    writeFileSync(inDir(`${name}.key`), key);
  }
  const caFile = inDir("ca.pem");
  copyFileSync(certificates.caFile, caFile);
  certificates.remove();
  writeFileSync(inDir("hosts"), `127.0.0.1 localhost\n127.0.0.1 ${names.join(" ")}\n`);

  const mailServer = await startSmtpServer({
    secure: true,
    authOptional: false,
    key: await Bun.file(inDir("mail.example.key")).text(),
    cert: await Bun.file(inDir("mail.example.pem")).text(),
    onAuth({ username, password }, _session, done) {
      if (username === "user" && password === "password") done(null, { user: username });
      else done(new Error("wrong user or password"));
    },
  });
  const [tillPort, publicPort, plainPort, nodePort, secondNodePort, shopPort] = [
    ownPort(),
    ownPort(),
    ownPort(),
    ownPort(),
    ownPort(),
    ownPort(),
  ];
  const nginx = await startNginx(dir.path, {
    site: handbookSite({ tillPort, publicPort, plainPort, dir: dir.path }),
    others: [
      tlsSite(dir.path, "your-node.example", nodePort, nodes.rpcUrl, nodes.wsUrl),
      tlsSite(dir.path, "second-node.example", secondNodePort, nodes.secondRpcUrl),
      tlsSite(dir.path, "shop.example", shopPort, receiverUrl),
    ],
  });

  const home = inDir("till");
  const dataDir = join(home, "data");
  const alone = join(home, "alone");
  for (const path of [home, dataDir, alone]) {
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, till.uid, till.gid);
  }
  const executable = inDir("till-executable");
  copyFileSync(join(project, "dist/till"), executable);
  chmodSync(executable, 0o755);
  const passphraseFile = inDir("passphrase");
  writeFileSync(passphraseFile, `${passphrase}\n`, { mode: 0o640 });
  chownSync(passphraseFile, 0, till.gid);

  const baseUrl = `https://pay.acme.example:${publicPort}`;
  const settings = {
    ...handbookSettings(),
    TILL_BASE_URL: baseUrl,
    TILL_TAX_RATES: "off",
    TILL_RPC_URL: `https://your-node.example:${nodePort},https://second-node.example:${secondNodePort}`,
    TILL_RPC_WS_URL: `wss://your-node.example:${nodePort}`,
    TILL_SMTP_URL: `smtps://user:password@mail.example:${mailServer.port}`,
    TILL_DATA_DIR: dataDir,
    TILL_WALLET_PASSPHRASE_FILE: passphraseFile,
    TILL_PORT: `${tillPort}`,
    // The shop is on this machine, too.
    TILL_ALLOW_PRIVATE_WEBHOOKS: "true",
    NODE_EXTRA_CA_CERTS: caFile,
    HOME: home,
  };
  const start = (args: readonly string[], env: Record<string, string> = {}) =>
    startProcess([...withHosts(inDir("hosts")), ...asUser(till), executable, ...args], {
      cwd: alone,
      env: { ...settings, ...env },
    });
  return {
    baseUrl,
    webhookUrl: `https://shop.example:${shopPort}/hook`,
    plainPort,
    dataDir,
    mails: mailServer.received,
    start,
    async run(args, env) {
      const child = start(args, env);
      const exitCode = await child.exited;
      if (exitCode !== 0)
        throw new Error(`till ${args.join(" ")} ended with ${exitCode}:\n${child.output()}`);
      return child.stdout();
    },
    async ask(path, key, request) {
      const headers = { host: `pay.acme.example:${publicPort}`, authorization: `Bearer ${key}` };
      // To the address, in the name of the host: the name resolves for Till alone.
      const answer = await fetch(`https://127.0.0.1:${publicPort}${path}`, {
        ...(request === undefined
          ? { headers }
          : {
              method: request.method,
              headers: { ...headers, "content-type": "application/json" },
              body: JSON.stringify(request.body),
            }),
        tls: { ca: Bun.file(caFile), serverName: "pay.acme.example" },
      });
      return answer.text();
    },
    async stop() {
      await nginx.end("SIGTERM");
      await mailServer.stop();
      dir.remove();
    },
  };
}

/** The settings file of the handbook's service. */
function handbookSettings(): Record<string, string> {
  const file = blocks("sh").find((code) => code.includes("/etc/till/till.env <<"));
  const lines = file?.match(/^TILL_\w+=.*$/gm) ?? [];
  if (lines.length < 5) throw new Error("The handbook has no settings for a service any more");
  return Object.fromEntries(
    lines.map((line) => [line.split("=", 1)[0] ?? "", line.slice(line.indexOf("=") + 1)]),
  );
}

/** The handbook's nginx site, with ports of our own. */
function handbookSite({
  tillPort,
  publicPort,
  plainPort,
  dir,
}: {
  tillPort: number;
  publicPort: number;
  plainPort: number;
  dir: string;
}): string {
  const [site = ""] = blocks("nginx");
  const changes = {
    "listen 443 ssl;": `listen 127.0.0.1:${publicPort} ssl; ${certificateOf(dir, "pay.acme.example")}`,
    "listen [::]:443 ssl;": `listen [::1]:${publicPort} ssl;`,
    "listen 80;": `listen 127.0.0.1:${plainPort};`,
    "listen [::]:80;": `listen [::1]:${plainPort};`,
    "http://127.0.0.1:3000": `http://127.0.0.1:${tillPort}`,
  };
  const places = Object.keys(changes);
  // Looked for before there are ports of our own in it, which may have any digits.
  const left = places.reduce((text, place) => text.replace(place, ""), site);
  if (!places.every((place) => site.includes(place)) || /443|80;|:3000|\[::\]/.test(left))
    throw new Error("The handbook's nginx site has changed");
  return Object.entries(changes).reduce((text, [place, own]) => text.replace(place, own), site);
}

/** TLS in front of a plain server on loopback, and of another one for WebSockets. */
function tlsSite(
  dir: string,
  name: (typeof names)[number],
  port: number,
  target: string,
  wsTarget = target,
): string {
  return `server {
    listen 127.0.0.1:${port} ssl; ${certificateOf(dir, name)}
    client_max_body_size 4m;
    location / {
      set $target ${new URL(target).host};
      if ($http_upgrade) { set $target ${new URL(wsTarget).host}; }
      proxy_pass http://$target;
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
    }
  }`;
}

const certificateOf = (dir: string, name: (typeof names)[number]) =>
  `ssl_certificate ${join(dir, name)}.pem; ssl_certificate_key ${join(dir, name)}.key;`;

async function startNginx(
  dir: string,
  { site, others }: { site: string; others: string[] },
): Promise<TillProcess> {
  const own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(dir, name)};`,
  );
  writeFileSync(
    join(dir, "nginx.conf"),
    `daemon off; worker_processes 1; pid ${join(dir, "nginx.pid")}; error_log stderr;
    events {}
    http {
      access_log off; ${own.join(" ")}
      map $http_upgrade $connection_upgrade { default upgrade; "" close; }
      ${site}
      ${others.join("\n")}
    }`,
  );
  const nginx = startProcess(["/usr/sbin/nginx", "-e", "stderr", "-c", join(dir, "nginx.conf")]);
  await answers(nginx, join(dir, "nginx.pid"));
  return nginx;
}

/** Waits until nginx has opened its ports: then it writes its process id. */
async function answers(nginx: TillProcess, pidFile: string): Promise<void> {
  await until(
    async () => existsSync(pidFile),
    (there) => there,
  );
  if (nginx.output() !== "") throw new Error(`nginx: ${nginx.output()}`);
}

/** Runs what follows in a mount namespace where the names of this file resolve. */
function withHosts(file: string): string[] {
  const user = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const script = 'mount --bind "$1" /etc/hosts && shift && exec "$@"';
  return ["unshare", "--mount", ...user, "sh", "-c", script, "sh", file];
}

/** As another user when that is possible: as root it is. */
function asUser({ uid, gid }: { uid: number; gid: number }): string[] {
  if (process.getuid?.() !== 0) return [];
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
}
