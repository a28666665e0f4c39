/** The import rules: one direction, top to bottom. A room imports only rooms below it, never one on its floor. */
const may = {
  cli: [
    "cli",
    "http",
    "worker",
    "service",
    "store",
    "chain",
    "webhook",
    "mail",
    "document",
    "pages",
    "domain",
    "lib",
  ],
  http: ["http", "service", "pages", "store", "document", "domain", "lib"],
  worker: ["worker", "service", "store", "chain", "webhook", "mail", "domain", "lib"],
  service: ["service", "store", "chain", "document", "mail", "domain", "lib"],
  store: ["store", "domain", "lib"],
  chain: ["chain", "domain", "lib"],
  webhook: ["webhook", "domain", "lib"],
  mail: ["mail", "domain", "lib"],
  document: ["document", "domain", "lib"],
  pages: ["pages", "domain", "lib"],
  domain: ["domain", "lib"],
  lib: ["lib"],
};

/** Rooms that read the one frozen configuration. */
const configured = ["cli", "http", "worker", "service"];

/** Each vendor library lives in one room. */
const vendors = {
  "@clack": ["cli"],
  elysia: ["http"],
  "@sinclair/typebox": ["http"],
  "bun:sqlite": ["store"],
  viem: ["chain"],
  "@scure/bip39": ["chain"],
  nodemailer: ["mail"],
  "smtp-server": ["mail"],
  "postal-mime": ["mail"],
  "@pdfme": ["document"],
  qrcode: ["document"],
  "bidi-js": ["document"],
  fontkit: ["document"],
  "@elysiajs/html": ["pages", "mail"],
  "@noble/hashes": ["lib"],
};

const rooms = Object.entries(may).map(([room, below]) => ({
  name: `${room}-imports-only-what-is-below`,
  severity: "error",
  from: { path: `^src/${room}/` },
  to: {
    path: "^src/",
    pathNot: [
      ...below.map((name) => `^src/${name}/`),
      ...(configured.includes(room) ? ["^src/(config|settings|log-events)\\.ts$"] : []),
    ],
  },
}));

const libraries = Object.entries(vendors).map(([library, homes]) => ({
  name: `${library}-lives-in-${homes.join("-and-")}`,
  severity: "error",
  from: { path: "^src/", pathNot: homes.map((room) => `^src/${room}/`) },
  to: { path: `(^|node_modules/)${library}(/|$)` },
}));

module.exports = {
  forbidden: [
    ...rooms,
    ...libraries,
    {
      name: "config-imports-only-domain-and-lib",
      severity: "error",
      from: { path: "^src/(config|config-files|config-reader|settings|log-events)\\.ts$" },
      to: {
        path: "^src/",
        pathNot: ["^src/(config-files|config-reader|settings)\\.ts$", "^src/domain/", "^src/lib/"],
      },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^(bun(:|$)|nodemailer/lib/)" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    builtInModules: { add: ["bun", "bun:sqlite", "bun:ffi"] },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".json"] },
    exclude: { path: "^src/pages/client/" },
  },
};
