import { readSettings } from "../../../config/config.ts";
import { isEveryAddress, localUrl } from "../../../lib/net/host.ts";
import { type Guest, linkMs, makeEntryLink } from "../../../people/entry.ts";
import type { Db } from "../../../store/database.ts";
import * as PersonStore from "../../../store/tables/desk/person.ts";
import { command, json, UsageError } from "../../command.ts";
import { dataDirOf, dataFlags, environmentOf, runningDev, withKnownDatabase } from "../../local/data-dir.ts";
import { answer, say, sayAside } from "../../terminal/output.ts";

const minutes = linkMs / 60_000;

export const login = command({
  calls: ["[--name NAME] [FLAGS]"],
  flags: {
    name: { value: "NAME", text: "who to let in (default: the owner, if there is only one)" },
    json,
    "data-dir": dataFlags["data-dir"],
  },
  about: `Prints a link to the desk that works once, for ${minutes} minutes: for the first owner while nobody can sign in, and later for somebody who lost their passkey or password. Whoever opens it sets up a new one. Invite other people at the desk. You can run it while the server runs. The desk of till dev needs no sign-in.`,
  examples: ["till login", "till login --name Mara"],

  async run(values) {
    const environment = environmentOf({ "data-dir": values["data-dir"], dev: false });
    const dataDir = dataDirOf(environment);
    const dev = runningDev(environment);
    if (dev !== null) throw new Error(`the desk of till dev asks nobody to sign in: ${dev.base_url}/desk`);
    const baseUrl = baseUrlOf(environment);
    return await withKnownDatabase(dataDir, (db) => {
      const guest = guestOf(db, values.name);
      const url = `${baseUrl}${makeEntryLink(db, guest, { by: null, now: Date.now(), lastsMs: linkMs })}`;
      const name = guest.person?.name ?? null;
      const aside = `It lets ${name ?? "the first owner"} in, once, within ${minutes} minutes. Who has it comes in: show it to nobody else.`;
      return answer(values.json, { url, name }, () => {
        say(url);
        sayAside(aside);
      });
    });
  },
});

/** Whom the link is for. */
function guestOf(db: Db, name: string | undefined): Guest {
  const people = PersonStore.listActive(db);
  if (people.length === 0) {
    if (name !== undefined)
      throw new UsageError("nobody is at the desk yet: the first owner gives a name there.");
    return { person: null, role: "owner", name: null };
  }
  const named = name === undefined ? null : PersonStore.byName(db, name.normalize("NFKC").trim());
  if (named !== null) return { person: named };
  const names = people.map((person) => JSON.stringify(person.name)).join(", ");
  if (name !== undefined)
    throw new UsageError(`nobody at the desk is called ${JSON.stringify(name)}. There are: ${names}.`);
  const [owner, other] = people.filter(({ role }) => role === "owner");
  if (owner === undefined || other !== undefined)
    throw new UsageError(`say who is to be let in, with --name: ${names}.`);
  return { person: owner };
}

/** The running server's address, by its own account. */
function baseUrlOf(environment: Record<string, string | undefined>): string {
  return readSettings(environment, (value) => {
    const host = value("HOST");
    return value("BASE_URL") ?? localUrl(isEveryAddress(host) ? "localhost" : host, value("PORT"));
  });
}
