import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as BackupStore from "../../../src/store/tables/installation/backup.ts";
import { startTestTill } from "../../support/till/till.ts";

type Rule = { alert: string; expr: string; for?: string };
const handbook = readFileSync(join(import.meta.dir, "../../../docs/health.md"), "utf8");
const rulesText = /```yaml\n(groups:[\s\S]*?)```/.exec(handbook)?.[1] ?? "";
const { groups } = Bun.YAML.parse(rulesText) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const named = (expr: string) => expr.match(/till_\w+/g) ?? [];

describe("the alert rules of the handbook", () => {
  test("ask for metrics that there are", async () => {
    await using till = await startTestTill({ rpcUrl: "http://127.0.0.1:9" });
    BackupStore.note(till.db, Date.now(), true);
    const text: string = (await till.api("GET", "/metrics")).body;
    const names = [...new Set(rules.flatMap(({ expr }) => named(expr)))];
    expect(names).toContain("till_backup_age_seconds");
    expect(names.filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([]);
  });

  test("also tell that Till itself is down, of which no metric of its own can", () => {
    expect(rules.some(({ expr }) => expr === 'up{job="till"} == 0')).toBe(true);
  });
});

// Prometheus' own checker, where it is installed.
const promtool = Bun.which("promtool");
describe.if(promtool !== null)("to Prometheus, those rules", () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "till-alerts-"));
    writeFileSync(join(dir, "till.yml"), rulesText);
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  /** Which of them fire after ten minutes of these values. */
  function firing(values: Record<string, string>) {
    const alert_rule_test = rules.map(({ alert }) => ({
      eval_time: "10m",
      alertname: alert,
      exp_alerts: [] as unknown[],
    }));
    const input_series = Object.entries(values).map(([series, value]) => ({ series, values: value }));
    const tests = [{ interval: "1m", input_series, alert_rule_test }];
    const file = join(dir, "test.yml");
    writeFileSync(file, JSON.stringify({ rule_files: ["till.yml"], tests }));
    const { exitCode, stdout, stderr } = Bun.spawnSync([promtool ?? "", "test", "rules", file]);
    const said = `${stdout}${stderr}`;
    const found = rules.map(({ alert }) => alert).filter((alert) => said.includes(`alertname: ${alert},`));
    expect([said, exitCode === 0]).toEqual([said, found.length === 0]);
    return found;
  }
  const well = {
    'up{job="till"}': "1x10",
    till_ready: "1x10",
    till_webhook_oldest_pending_seconds: "0x10",
    till_mail_oldest_queued_seconds: "0x10",
    'till_transfers_total{state="lost"}': "0x10",
    till_relay_fees_day_wei: "0x10",
    till_relay_budget_wei: "1000x10",
    till_backup_age_seconds: "86400x10",
  };

  test("are rules, and silent while all is well", () => {
    expect(Bun.spawnSync([promtool ?? "", "check", "rules", join(dir, "till.yml")]).exitCode).toBe(0);
    expect(firing(well)).toEqual([]);
  });

  test.each([
    ["TillNotReady", { till_ready: "0x10" }],
    ["TillWebhooksWait", { till_webhook_oldest_pending_seconds: "3601x10" }],
    ["TillMailsWait", { till_mail_oldest_queued_seconds: "3601x10" }],
    ["TillPaymentLost", { 'till_transfers_total{state="lost"}': "0x5 1x5" }],
    ["TillRelayFeesHigh", { till_relay_fees_day_wei: "901x10" }],
    ["TillBackupOld", { till_backup_age_seconds: "172801x10" }],
    ["TillBackupOld", { till_backup_age_seconds: "-172801x10" }],
  ])("make %s fire for its own fault alone: %o", (alert, fault) => {
    expect(firing({ ...well, ...fault })).toEqual([alert]);
  });

  test("make TillDown fire when Till is gone, and every other metric with it", () => {
    expect(firing({ 'up{job="till"}': "0x10" })).toEqual(["TillDown"]);
  });
});
