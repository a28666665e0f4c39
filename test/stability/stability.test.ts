import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { broken, keptDirectory, type Promises, promisesNow } from "./promises.ts";

let now: Promises;
beforeAll(async () => {
  now = await promisesNow();
});

const files = readdirSync(keptDirectory).sort();

test("every earlier 1.x has its promises here, and this version keeps them", async () => {
  const minors = Array.from(
    { length: Number(manifest.version.split(".")[1]) + 1 },
    (_, minor) => `1.${minor}.json`,
  );
  expect(files).toEqual(minors.sort());
  for (const file of files) {
    const kept: Promises = await Bun.file(join(keptDirectory, file)).json();
    expect([file, broken(kept, now)]).toEqual([file, []]);
  }
});

describe("somebody is let down by", () => {
  const changes: [what: string, change: (promises: Promises) => void, fault: string][] = [
    ["a setting that is gone", ({ settings }) => delete settings["PORT"], "settings: PORT is gone"],
    ["another default", ({ settings }) => (settings["PORT"] = 80), "settings: PORT has another default"],
    ["a command that is gone", ({ commands }) => delete commands["rescan"], "commands: rescan is gone"],
    [
      "a flag that is gone",
      ({ commands }) => commands["rescan"]?.shift(),
      "commands rescan: --from VALUE is gone",
    ],
    [
      "a field that is gone",
      ({ output }) => output["health"]?.pop(),
      "output health: warnings[]: string is gone",
    ],
    [
      "columns in another order",
      ({ exports }) => exports["taxes"]?.reverse(),
      "exports: taxes does not begin with",
    ],
    [
      "a column before others",
      ({ exports }) => exports["taxes"]?.unshift("new"),
      "exports: taxes does not begin with",
    ],
    ["an export that is gone", ({ exports }) => delete exports["xero"], "exports: xero does not begin with"],
    [
      "a metric of another kind",
      ({ metrics }) => (metrics[0] = "till_info counter"),
      "metrics: till_info gauge is gone",
    ],
    ["a log event that is gone", ({ logEvents }) => logEvents.pop(), "logEvents: http.request is gone"],
    ["a log field that is gone", ({ logFields }) => logFields.shift(), "logFields: reason is gone"],
  ];

  test.each(changes)("%s", (_, change, fault) => {
    const changed = structuredClone(now);
    change(changed);
    expect(broken(now, changed).join("\n")).toContain(fault);
  });
});

test("what is added lets nobody down", () => {
  const changed = structuredClone(now);
  changed.settings["NEW"] = null;
  changed.commands["new"] = ["--new"];
  changed.commands["rescan"]?.push("--new");
  changed.exports["taxes"]?.push("new");
  changed.metrics.unshift("till_new gauge");
  expect(broken(now, changed)).toEqual([]);
});
