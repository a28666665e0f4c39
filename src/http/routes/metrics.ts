import { Elysia } from "elysia";
import * as Prometheus from "../../lib/prometheus.ts";
import type { Db } from "../../store/database.ts";
import * as Statistics from "../../store/statistics.ts";
import type { HttpDeps } from "../deps.ts";
import type { HttpMetrics } from "../http-metrics.ts";

/** How long counts are shown before the rows are counted again. */
const countsAgeMsMax = 5_000;

/** Rows by status or state, counted at most every few seconds and by one request at a time. */
function createCounts(db: Db) {
  const count = async () => ({
    invoice: await Statistics.countRows(db, "invoice"),
    link: await Statistics.countRows(db, "link"),
    webhook_event: await Statistics.countRows(db, "webhook_event"),
    mail: await Statistics.countRows(db, "mail"),
    settlement: await Statistics.countRows(db, "settlement"),
    unsettledMicro: Statistics.unsettledMicro(db),
  });
  let latest: ReturnType<typeof count> | null = null;
  return () => {
    if (latest) return latest;
    const counting = count();
    latest = counting;
    const forget = () => {
      if (latest === counting) latest = null;
    };
    counting.then(() => setTimeout(forget, countsAgeMsMax).unref(), forget);
    return counting;
  };
}

/** For Prometheus. Asks for an API key where the API does. */
export function metricsRoutes(deps: HttpDeps, http: HttpMetrics) {
  const { db, version, chainHead, rpcRequests, problems, gasBalance } = deps;
  const counts = createCounts(db);
  const gauge = (name: string, help: string, value: number): Prometheus.Metric => ({
    name,
    help,
    type: "gauge",
    samples: [{ value }],
  });
  const byLabel = (
    name: string,
    help: string,
    label: string,
    counts: Statistics.Count[],
  ): Prometheus.Metric => ({
    name,
    help,
    type: "gauge",
    samples: counts.map((found) => ({ labels: { [label]: found.label }, value: found.count })),
  });
  return new Elysia().get("/metrics", async () => {
    const counted = await counts();
    const balance = gasBalance();
    const metrics: Prometheus.Metric[] = [
      {
        name: "till_info",
        help: "The version.",
        type: "gauge",
        samples: [{ labels: { version }, value: 1 }],
      },
      gauge("till_ready", "1 when /health/ready says so.", problems().length === 0 ? 1 : 0),
      gauge("till_chain_head_block", "The highest block that was read.", chainHead() ?? 0),
      {
        name: "till_rpc_requests_total",
        help: "Calls to the nodes since the start.",
        type: "counter",
        samples: [...rpcRequests()].map(([method, value]) => ({ labels: { method }, value })),
      },
      byLabel("till_invoices", "Invoices by status.", "status", counted.invoice),
      byLabel("till_links", "Payment links by status.", "status", counted.link),
      byLabel("till_webhook_events", "Webhook events by state.", "state", counted.webhook_event),
      byLabel("till_mails", "Mails by state.", "state", counted.mail),
      byLabel(
        "till_settlements",
        "Settlements of a deposit: settled, pending (on their way), failed (tried again later).",
        "state",
        counted.settlement,
      ),
      gauge(
        "till_unsettled_usdc",
        "USDC that is confirmed and not moved to the payout wallets yet.",
        Number(counted.unsettledMicro) / 1e6,
      ),
      ...(balance === null
        ? []
        : [
            gauge(
              "till_gas_account_eth",
              "ETH of the gas account when it was last looked at.",
              Number(balance) / 1e18,
            ),
          ]),
      ...http.metrics(),
      gauge("process_resident_memory_bytes", "Resident memory.", process.memoryUsage.rss()),
    ];
    return new Response(Prometheus.format(metrics), { headers: { "content-type": Prometheus.mediaType } });
  });
}
