import { parseConfig, withStored } from "../../../config/config.ts";
import { type DeskSettingName, defaultOf, deskSettingNames, isSecret } from "../../../config/settings.ts";
import * as SettingStore from "../../../store/tables/installation/setting.ts";
import { readStored } from "../../../till/settings.ts";
import { command, json } from "../../command.ts";
import { dataDirOf, dataFlags, environmentOf, readDatabase } from "../../local/data-dir.ts";
import { answer, sayAside } from "../../terminal/output.ts";
import { sayList } from "../../terminal/table.ts";

export const settings = command({
  calls: [""],
  flags: { json, ...dataFlags },
  about:
    "Lists what can be set at the desk, and where each value comes from: the environment wins, then what was set at the desk, then the default. The other variables are those of till serve --help.",
  examples: ["till settings", "till settings --json"],

  async run(values) {
    const environment = environmentOf(values);
    const config = parseConfig(environment, { needs: [] });
    return await readDatabase(dataDirOf(environment), (db) => {
      const { stored } = readStored(db, null);
      const changes = new Map(
        SettingStore.list(db).flatMap(({ value, ...setting }) =>
          value === null ? [] : [[setting.name, { value, ...setting }] as const],
        ),
      );
      for (const { sentence } of withStored(config, stored).faults) sayAside(`Left out: ${sentence}`);
      const list = deskSettingNames.map((name) => {
        const fixed = config.fixed[name];
        const change = fixed === undefined ? changes.get(name) : undefined;
        const set = fixed ?? change?.value;
        return {
          name: `TILL_${name}`,
          value: set === undefined ? plain(defaultOf(name)) : shownValue(name, set),
          source: sourceOf(fixed, change),
          changed_by: change?.changedBy ?? null,
        };
      });
      return answer(values.json, list, () =>
        sayList(list, [
          ["Setting", "name"],
          [{ cut: "Value" }, "value"],
          ["From", ({ source, changed_by: by }) => (by ? `${source}, ${by}` : source)],
        ]),
      );
    });
  },
});

function sourceOf(fixed: string | undefined, change: unknown): "environment" | "desk" | "default" {
  if (fixed !== undefined) return "environment";
  return change === undefined ? "default" : "desk";
}

/** The words of the handbook, without their marks. */
const plain = (text: string) => text.replaceAll("`", "");

function shownValue(name: DeskSettingName, value: string): string {
  if (isSecret(name)) return "…";
  // A logo is long.
  return value.startsWith("data:") ? `${value.slice(0, value.indexOf(","))},…` : value;
}
