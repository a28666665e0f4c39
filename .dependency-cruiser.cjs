/**
 * The import rules: one direction, top to bottom. A room imports only rooms below it, never one on its floor.
 * The features (watch, settle, outbox, invoicing, people, doctor, books, update) meet in the database, not in each other.
 */
const ground = ["domain", "lib"];
/** The parts that speak to people. */
const speaking = ["mail", "document", "pages"];
const parts = ["store", "chain", "rates", "mail", "document", "pages"];
const features = ["watch", "settle", "outbox", "invoicing", "people", "doctor", "books", "update"];

const may = {
  cli: ["cli", "till", "http", "pay", "config", ...features, ...parts, "language", ...ground],
  till: ["till", "desk", "pay", "http", "config", ...features, ...parts, "language", ...ground],
  desk: ["desk", "pay", "http", "config", ...features, "pages", "store", "document", "language", ...ground],
  pay: ["pay", "http", "config", ...features, "pages", "store", "document", "language", ...ground],
  http: ["http", "config", ...features, "pages", "store", "document", "language", ...ground],
  ...Object.fromEntries(
    features.map((name) => [
      name,
      [name, "config", "store", "chain", "rates", "mail", "document", "language", ...ground],
    ]),
  ),
  ...Object.fromEntries(
    parts.map((name) => [name, [name, ...(speaking.includes(name) ? ["language"] : []), ...ground]]),
  ),
  config: ["config", "language", ...ground],
  language: ["language", ...ground],
  domain: ground,
  lib: ["lib"],
};

/** The rooms of each vendor library. */
const vendors = {
  "@clack": ["cli"],
  elysia: ["till", "desk", "pay", "http"],
  "@sinclair/typebox": ["http", "invoicing"],
  "@modelcontextprotocol": ["http"],
  "bun:sqlite": ["store"],
  viem: ["chain"],
  "@scure/bip39": ["chain"],
  "age-encryption": ["chain"],
  "@noble/ciphers": ["chain"],
  "@simplewebauthn": ["people"],
  nodemailer: ["mail"],
  "smtp-server": ["mail"],
  "postal-mime": ["mail"],
  "@pdfme": ["document"],
  qrcode: ["document"],
  "bidi-js": ["document"],
  fontkit: ["document"],
  "@elysiajs/html": ["lib", "pages"],
  "@streamparser/json": ["lib"],
  "openid-client": ["lib"],
  "@kitajs/html": ["lib"],
  "@noble/hashes": ["lib"],
  "ipaddr.js": ["lib"],
};

const rooms = Object.entries(may).map(([room, below]) => ({
  name: `${room}-imports-only-what-is-below`,
  severity: "error",
  from: { path: `^src/${room}/` },
  to: {
    path: "^src/",
    pathNot: below.map((name) => `^src/${name}/`),
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
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true },
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
