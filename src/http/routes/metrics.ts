import { Elysia } from "elysia";
import * as Prometheus from "../../lib/prometheus.ts";
import * as Statistics from "../../store/statistics.ts";
import type { HttpDeps } from "../deps.ts";

/** For Prometheus. Asks for an API key where the API does. */
export function metricsRoutes(deps: HttpDeps) {
  const { db, version, chainHead, rpcRequests, problems, gasBalance } = deps;
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
  return new Elysia().get("/metrics", () => {
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
      byLabel("till_invoices", "Invoices by status.", "status", Statistics.invoicesByStatus(db)),
      byLabel("till_links", "Payment links by status.", "status", Statistics.linksByStatus(db)),
      byLabel("till_webhook_events", "Webhook events by state.", "state", Statistics.eventsByState(db)),
      byLabel("till_mails", "Mails by state.", "state", Statistics.mailsByState(db)),
      byLabel(
        "till_settlements",
        "Settlements of a deposit: settled, pending (on their way), failed (tried again later).",
        "state",
        Statistics.settlementsByState(db),
      ),
      gauge(
        "till_unsettled_usdc",
        "USDC that is confirmed and not moved to the payout wallets yet.",
        Number(Statistics.unsettledMicro(db)) / 1e6,
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
      gauge("process_resident_memory_bytes", "Resident memory.", process.memoryUsage.rss()),
    ];
    return new Response(Prometheus.format(metrics), { headers: { "content-type": Prometheus.mediaType } });
  });
}
