import { setDefaultTimeout } from "bun:test";

/** Tests here start real chains, servers and browsers, on machines that may be busy. */
setDefaultTimeout(60_000);
