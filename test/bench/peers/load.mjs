/** What load.lua does for wrk, for machines without it. */
import { readFileSync } from "node:fs";
import autocannon from "autocannon";

const [url, connections, seconds] = process.argv.slice(2);
const body = process.env.BENCH_BODY;
const paths = readFileSync(process.env.BENCH_PATHS, "utf8").trim().split("\n");
const requests = paths.map((path) =>
  body ? { method: "POST", path, body, headers: { "content-type": "application/json" } } : { path },
);
const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  requests,
});
const failed = result.errors + result.timeouts + result.non2xx;
const perSecond = result.requests.total / result.duration;
console.log(JSON.stringify({ perSecond, p99Ms: result.latency.p99, failed }));
