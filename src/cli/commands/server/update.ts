import type { Environment } from "../../../config/config.ts";
import { version as here } from "../../../config/version.ts";
import { hasData } from "../../../update/data.ts";
import { beforeUpdate, mustBeReplaceable } from "../../../update/executable.ts";
import { dataDirIn, otherWay, serviceOf } from "../../../update/machine.ts";
import { dataDirAt } from "../../../update/owner.ts";
import { builtKeys, builtReleases } from "../../../update/release.ts";
import {
  type Back,
  finish,
  goBack,
  isUnfinished,
  look,
  type Offer,
  type Outcome,
  ownFile,
  update as replaceBy,
  type Target,
} from "../../../update/update.ts";
import { command, json, notA } from "../../command.ts";
import { answer, patiently, sayAside } from "../../terminal/output.ts";
import { agreed, refuseUnasked } from "../../terminal/prompt.ts";

const systemctl = "systemctl";
const waitMs = 60_000;

export const update = command({
  calls: ["[FLAGS]", "--check", "--back"],
  flags: {
    check: { text: "only say whether there is a newer release, and whether it fixes a security hole" },
    version: { value: "X", text: "this version, such as 1.2.3, also an older one that can read the data" },
    from: { value: "PLACE", text: "a URL or a directory that has the release's files" },
    back: { text: "go back to the executable from before the last update" },
    "data-dir": { value: "DIR", text: "where Till keeps its data (default: as the service has it)" },
    yes: { text: "do not ask, for scripts" },
    json,
  },
  about: `Takes only a release that is signed by a key that this executable knows. Shows what will happen and asks first. Copies the data beside the database, replaces the executable, restarts the service of systemd that runs it, and waits a minute, or ten if it upgrades the data, until it is as well as before; if it is not, Till goes back by itself. Without such a service, restart Till yourself.

Needs the right to replace the executable, usually root's. Nothing but this command, and TILL_UPDATE_CHECK, looks for releases.`,
  examples: ["sudo till update", "till update --check", "sudo till update --from ./download/"],

  async run(values) {
    if (values.version !== undefined && !/^\d+\.\d+\.\d+$/.test(values.version))
      throw notA("--version", values.version, "a version such as 1.2.3");
    if (values.back) return await back(values);
    const offer = await patiently(
      "Looking for a release …",
      look(here, {
        from: values.from ?? null,
        version: values.version ?? null,
        releases: builtReleases,
        keys: builtKeys(),
      }),
    );
    if (values.check) return answer(values.json, recordOf(offer), newsOf(offer));
    const target = targetOf(values["data-dir"]);
    if (!offer.isWanted) {
      if (!isUnfinished(target))
        return answer(values.json, recordOf(offer), `${newsOf(offer)}${stoppedOf(target)}`);
      refuseUnasked(values.yes, "restart");
      const question = `${target.service?.unit} still runs the version before. Restart it?`;
      if (!(await agreed(values.yes, question, "Nothing was done."))) return 1;
      return tell(target, offer, await finish(target, sayAside), values.json);
    }
    const other = otherWay(target.file, offer.release.version);
    if (other !== null) {
      answer(values.json, { ...recordOf(offer), instead: other }, `${newsOf(offer)}\n${other}`);
      return 1;
    }
    refuseUnasked(values.yes, "update");
    mustBeReplaceable(target.file);
    sayAside(preview(target, offer));
    if (!(await agreed(values.yes, "Update?", "Nothing was changed."))) return 1;
    return tell(target, offer, await replaceBy(target, offer, sayAside), values.json);
  },
});

async function back(values: { "data-dir": string | undefined; yes: boolean; json: boolean }): Promise<0 | 1> {
  const target = targetOf(values["data-dir"]);
  refuseUnasked(values.yes, "go back");
  if (!(await agreed(values.yes, "Go back to the version before the last update?", "Nothing was changed.")))
    return 1;
  const done = await goBack(target, sayAside);
  return answer(
    values.json,
    backRecord(done),
    wayBack(target, done),
    done.kind === "back" && done.isStanding !== false,
  );
}

function targetOf(dataDir: string | undefined): Target {
  const file = ownFile();
  const service = serviceOf(file, systemctl);
  const environment: Environment =
    dataDir === undefined ? (service?.environment ?? process.env) : { TILL_DATA_DIR: dataDir };
  const isOfService = dataDir === undefined && service?.environment != null;
  const cwd = isOfService ? service.cwd : process.cwd();
  const found = dataDirAt(dataDirIn(environment, cwd));
  // Of a service systemd knows the user. What its environment names, that user chose.
  const data = isOfService ? { ...found, owner: service.user } : found;
  return { file, version: here, data, service, systemctl, waitMs };
}

function recordOf({ release, isWanted, isUrgent }: Offer) {
  return {
    installed: here,
    release: release.version,
    safe_from: release.safeFrom,
    newer: isWanted,
    security: isUrgent,
  };
}

function newsOf({ release, isWanted, isUrgent }: Offer): string {
  const hole = isUrgent
    ? ` Till ${here} has a security hole that is known: versions from ${release.safeFrom} on do not.`
    : "";
  if (!isWanted) return `Till ${here} is up to date: the release found is ${release.version}.${hole}`;
  return `Till ${release.version} is out; this is ${here}.${hole}`;
}

/** One that was ended while it went back leaves the service stopped. */
const stoppedOf = ({ service }: Target) =>
  service?.pid === 0
    ? ` ${service.unit} does not run. To start it: sudo systemctl start ${service.unit}`
    : "";

function preview(target: Target, offer: Offer): string {
  const { release, place, isUrgent } = offer;
  const { service, data } = target;
  const lines = [
    `Update Till ${here} to ${release.version}`,
    isUrgent && `  fixes    a security hole that is known of ${here}`,
    `  from     ${place.name}, signed`,
    `  replaces ${target.file}, which is kept beside it as till.before-update`,
    hasData(data)
      ? `  copies   the data in ${data.path}`
      : `  copies   nothing: there is no data in ${data.path} (--data-dir names another place)`,
    restartLine(service),
  ];
  return lines.filter(Boolean).join("\n");
}

function restartLine(service: Target["service"]): string {
  if (service === null) return "  restart  by you: no service of systemd runs it";
  return service.pid === 0 ? `  restart  none: ${service.unit} does not run` : `  restarts ${service.unit}`;
}

function tell(target: Target, { release }: Offer, outcome: Outcome, isJson: boolean): 0 | 1 {
  const { version } = release;
  const record = {
    outcome: outcome.kind,
    version,
    copy: outcome.copy,
    ...(outcome.kind === "failed" ? { back: backRecord(outcome.back) } : {}),
  };
  const copied =
    outcome.copy === null ? "There is no copy of the data." : `The data of before is in ${outcome.copy}.`;
  const text = {
    runs: () => `Till ${version} runs. ${copied} To go back: till update --back`,
    replaced: () =>
      `Till ${version} is in place. ${restartOf(target)} ${copied} To go back: till update --back`,
    failed: () =>
      outcome.kind === "failed"
        ? `Till ${version} was not well in time. ${wayBack(target, outcome.back)}`
        : "",
  }[outcome.kind];
  return answer(isJson, record, text(), outcome.kind !== "failed");
}

const backRecord = (back: Back) =>
  back.kind === "back"
    ? { outcome: "back", version: back.version, well: back.isStanding, data_put_back: back.replaced }
    : { outcome: "left", version: back.version, came_since: back.came, copy: back.copy };

const restartOf = ({ service }: Target) =>
  service?.environment ? `Restart it: sudo systemctl restart ${service.unit}` : "Restart Till.";

function wayBack(target: Target, back: Back): string {
  const { service, file } = target;
  const log = service === null ? "its log" : `journalctl -u ${service.unit} -n 50`;
  if (back.kind === "left")
    return (
      `Nothing was taken back: Till ${back.version} cannot read what the newer one wrote, and ` +
      (back.copy === null
        ? "no copy is left."
        : `the copy does not have what came since: ${back.came.join(", ")}.`) +
      ` See ${log}. To go back all the same and lose that, stop Till, then ` +
      `mv ${beforeUpdate(file)} ${file} and, as the user that Till runs as, ` +
      `till restore ${back.copy ?? "FILE"} --force`
    );
  const data = back.replaced ? " Its data is as it was before: nothing had come since." : "";
  if (back.isStanding === null) return `Till ${back.version} is in place again. ${restartOf(target)}${data}`;
  return back.isStanding
    ? `Till ${back.version} runs again.${data} What was wrong: ${log}`
    : `Till ${back.version} is in place again, but is not well either.${data} See ${log}, and till doctor.`;
}
