import { Type } from "@sinclair/typebox";
import { backupAgeMs, unmadeMs } from "../../doctor/database-findings.ts";
import { relaySums } from "../../doctor/relay-state.ts";
import { world } from "../../lib/world.ts";
import type { Db } from "../../store/database.ts";
import { countRows, type Tally } from "../../store/reports/statistics.ts";
import * as BalanceStore from "../../store/tables/watch/balance.ts";
import * as CheckpointStore from "../../store/tables/watch/checkpoint.ts";
import * as OpinionStore from "../../store/tables/watch/opinion.ts";
import * as TransferStore from "../../store/tables/watch/transfer.ts";
import type { HttpDeps } from "../route/deps.ts";
import { type Route, route } from "../route/route.ts";
import type { Metric } from "./request-log.ts";

type Labelled = Iterable<readonly [label: string, value: number]>;

const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: "gauge",
  samples: [{ value }],
});

const byLabel = (
  type: "counter" | "gauge",
  name: string,
  help: string,
  label: string,
  values: Labelled,
): Metric => ({
  name,
  help,
  type,
  samples: [...values].map(([of, value]) => ({ labels: { [label]: of }, value })),
});

const rowsBy = (name: string, help: string, label: string, tallies: readonly Tally[]) =>
  byLabel(
    "gauge",
    name,
    help,
    label,
    tallies.map((tally) => [tally.label, tally.count]),
  );

/** For Prometheus. */
export const metricsRoute: Route = route({
  method: "get",
  path: "/metrics",
  scope: "metrics",
  summary: "Read the figures of this Till, for Prometheus",
  gives: Type.String(),
  does: (deps) => {
    const counts = createCounts(deps.db);
    return async () => {
      const { invoice, link, webhook_event, mail, settlement, deposit, relay } = await counts();
      const oldestSeconds = (tallies: readonly Tally[], label: string) => {
        const oldest = tallies.find((tally) => tally.label === label)?.oldestAt;
        return oldest === undefined ? 0 : Math.max(0, (deps.now() - oldest) / 1000);
      };
      const metrics: Metric[] = [
        byLabel("gauge", "till_info", "The version.", "version", [[deps.version, 1]]),
        gauge("till_ready", "1 when /health/ready says so.", deps.problems().length === 0 ? 1 : 0),
        ...chainMetrics(deps),
        rowsBy("till_invoices", "Invoices by status.", "status", invoice),
        rowsBy("till_links", "Payment links by status.", "status", link),
        rowsBy("till_webhook_events", "Webhook events by state.", "state", webhook_event),
        gauge(
          "till_webhook_oldest_pending_seconds",
          "Age of the oldest webhook event that no receiver has taken yet; 0 when there is none.",
          oldestSeconds(webhook_event, "pending"),
        ),
        rowsBy("till_mails", "Mails by state.", "state", mail),
        gauge(
          "till_mail_oldest_queued_seconds",
          "Age of the oldest mail in the outbox; 0 when it is empty.",
          oldestSeconds(mail, "queued"),
        ),
        rowsBy(
          "till_settlements",
          "Settlements of a deposit: settled, pending (on their way), failed (tried again later).",
          "state",
          settlement,
        ),
        gauge(
          "till_unsettled_deposits",
          "Deposit addresses with confirmed USDC that is not moved to the payout wallet yet.",
          deposit[0]?.count ?? 0,
        ),
        gauge(
          "till_unsettled_usdc",
          "Confirmed USDC at deposit addresses that is not settled yet.",
          Number(deposit[0]?.amountMicro ?? 0n) / 1e6,
        ),
        ...gasMetrics(deps.gasBalance()),
        ...backupMetrics(deps),
        ...relayMetrics(deps, relay),
        ...deps.httpMetrics.metrics(),
        ...processMetrics(),
      ];
      return new Response(format(metrics), { headers: { "content-type": mediaType } });
    };
  },
});

function chainMetrics(deps: HttpDeps): Metric[] {
  const head = deps.chainHead() ?? 0;
  const read = CheckpointStore.latest(deps.db)?.number ?? head;
  return [
    gauge("till_chain_head_block", "The highest block that is known.", head),
    gauge(
      "till_chain_lag_blocks",
      "Blocks below it that are still to be read.",
      Math.max(0, head - 1 - read),
    ),
    gauge(
      "till_chain_lag_seconds",
      "How long the newest block should have been reached; 0 when nothing is due.",
      deps.chainLagMs() / 1000,
    ),
    byLabel(
      "counter",
      "till_transfers_total",
      "Transfers since the start: seen, confirmed, or lost again in a reorganisation after they were confirmed.",
      "state",
      Object.entries(deps.transfers()),
    ),
    gauge(
      "till_transfers_unconfirmed",
      "Transfers that wait for confirmations.",
      TransferStore.countUnconfirmed(deps.db),
    ),
    byLabel(
      "gauge",
      "till_payments_doubtful",
      "Payments that nodes contradict each other about, that count on the word of one, or that wait for a second.",
      "state",
      Object.entries(OpinionStore.tally(deps.db, deps.now())),
    ),
    gauge(
      "till_missing_usdc",
      "USDC that was credited, is not at its address, and was not moved from there.",
      Number(BalanceStore.listUnexplained(deps.db, "missing", 1).total) / 1e6,
    ),
    byLabel(
      "counter",
      "till_rpc_requests_total",
      "Calls to the nodes since the start.",
      "method",
      deps.rpcRequests(),
    ),
  ];
}

/** Empty until the gas account was first read. */
function gasMetrics(balance: bigint | null): Metric[] {
  if (balance === null) return [];
  const help = "ETH of the gas account when it was last looked at.";
  return [gauge("till_gas_account_eth", help, Number(balance) / 1e18)];
}

/** Empty before the first backup, until that is missed. */
function backupMetrics({ db, now, config }: HttpDeps): Metric[] {
  const ageMs = backupAgeMs(db, now()) ?? unmadeMs(db, now(), config.network);
  const help = "Age of the newest backup; while one is missed, of the first invoice or link.";
  return ageMs === null ? [] : [gauge("till_backup_age_seconds", help, ageMs / 1000)];
}

/** Signed payments. */
function relayMetrics({ config, db, now, relayer }: HttpDeps, states: readonly Tally[]): Metric[] {
  const obstacle = relayer()?.glance() ?? null;
  const { fees } = relaySums(db, config.network.chainId, now());
  return [
    rowsBy(
      "till_relays",
      "Payments by a signature: accepted, sent, mined (in a block), confirmed, failed.",
      "state",
      states,
    ),
    gauge("till_relay_offered", "1 while payers can pay by a signature.", relayer() && !obstacle ? 1 : 0),
    byLabel(
      "gauge",
      "till_relay_obstacle",
      "Why they cannot just now: off, node, reserve, fees or budget.",
      "reason",
      obstacle === null ? [] : [[obstacle, 1]],
    ),
    gauge("till_relay_fees_day_wei", "What their fees took in 24 hours.", Number(fees)),
    gauge("till_relay_budget_wei", "The most that they may take in 24 hours.", Number(config.relay.budget)),
  ];
}

function processMetrics(): Metric[] {
  const { user, system } = process.cpuUsage();
  const cpu = gauge("process_cpu_seconds_total", "Processor time since the start.", (user + system) / 1e6);
  return [
    { ...cpu, type: "counter" },
    gauge("process_resident_memory_bytes", "Resident memory.", process.memoryUsage.rss()),
    gauge(
      "process_start_time_seconds",
      "When the process started, in Unix time.",
      performance.timeOrigin / 1000,
    ),
  ];
}

/** Minimum time between two counts. */
const freshMsMin = 5_000;

/** The pause is at least this many times the duration of a count, so that a large database is not always counted. */
const restFactor = 20;

const counted = ["invoice", "link", "webhook_event", "mail", "settlement", "deposit", "relay"] as const;

type Counts = Record<(typeof counted)[number], Tally[]>;

/** Like `setTimeout`, without keeping the process alive. */
const laterDefault = (ms: number, work: () => void): void => {
  world.setTimeout(work, ms).unref();
};

/** Counts rows by status or state from time to time, one count at a time. */
export function createCounts(db: Db, later = laterDefault): () => Promise<Counts> {
  const count = async () => {
    const tallies = {} as Counts;
    for (const what of counted) tallies[what] = await countRows(db, what);
    return tallies;
  };
  let latest: Promise<Counts> | null = null;
  return () => {
    if (latest) return latest;
    const startedAt = world.uptime();
    const counting = count();
    latest = counting;
    const forget = () => {
      if (latest === counting) latest = null;
    };
    const forgetLater = () => later(Math.max(freshMsMin, restFactor * (world.uptime() - startedAt)), forget);
    counting.then(forgetLater, forget);
    return counting;
  };
}

const mediaType = "text/plain; version=0.0.4; charset=utf-8";

function format(metrics: readonly Metric[]): string {
  return metrics
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(
        ({ suffix = "", labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}`,
      ),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

function escapeValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
