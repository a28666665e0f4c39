import { parseConfig } from "../../../config/config.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import * as Text from "../../../lib/text/text.ts";
import { instant } from "../../../lib/time.ts";
import { destinationRefusal } from "../../../settle/withdraw.ts";
import * as AllowedAddressStore from "../../../store/tables/desk/allowed-address.ts";
import * as WalletStore from "../../../store/tables/installation/wallet.ts";
import { command, type ExitCode, json, UsageError } from "../../command.ts";
import { parseAddress } from "../../flags.ts";
import {
  dataDirOf,
  dataFlags,
  environmentOf,
  readDatabase,
  withKnownDatabase,
} from "../../local/data-dir.ts";
import { answer, say, sayTable, timeText } from "../../terminal/output.ts";

const nameLengthMax = 60;

/** Controls where the desk may send the managed wallets' money. No session of the desk can change it. */
export const allow = command({
  calls: ["ADDRESS --name NAME [FLAGS]", "ADDRESS --remove [FLAGS]", "--list [FLAGS]"],
  words: [["ADDRESS", "an address of your own, in checksum form"]],
  flags: {
    name: { value: "NAME", text: "what you call it, such as Ledger" },
    list: { text: "list the allowed addresses" },
    remove: { text: "stop allowing this address" },
    json,
    ...dataFlags,
  },
  about: `The desk withdraws only to these addresses, so an intruder there cannot send your money away. The list does not restrict commands. Changes apply at once, even while the server runs.`,
  examples: ["till wallet allow 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed --name Ledger"],

  async run(values, [text, ...more]) {
    if (more.length > 0) throw new UsageError("one address at a time.");
    if (values.list) {
      if (text !== undefined || values.remove || values.name !== undefined)
        throw new UsageError("--list stands alone.");
      return await list(values);
    }
    if (text === undefined) throw new UsageError("say which address: till wallet allow ADDRESS --name NAME.");
    const address = parseAddress(text, "the address");
    if (values.remove) return await remove(values, address);
    const { name } = values;
    if (name === undefined || name.trim() === "")
      throw new UsageError("say what you call it: --name NAME. The desk shows it beside the address.");
    const fault = Text.refusal(name, { lineBreaks: false });
    if (fault !== null) throw new UsageError(`--name ${fault}.`);
    if (name.length > nameLengthMax)
      throw new UsageError(`--name must have at most ${nameLengthMax} characters.`);
    const { usdc } = parseConfig(environmentOf(values), { needs: [] }).network;
    return await withKnownDatabase(dataDirOf(environmentOf(values)), (db) => {
      const gasAccount = WalletStore.gasAddress(db);
      const refusal = destinationRefusal(db, address, { usdc, gasAccount });
      if (refusal !== null) throw new UsageError(`${address} ${refusal}.`);
      AllowedAddressStore.allow(db, { address, name: name.trim(), createdAt: Date.now() });
      const text = `The desk may withdraw to ${address}, which it calls ${name.trim()}.`;
      return answer(values.json, { address, name: name.trim() }, text);
    });
  },
});

type Where = Parameters<typeof environmentOf>[0] & { json: boolean };

function remove(values: Where, address: Address): Promise<ExitCode> {
  return withKnownDatabase(dataDirOf(environmentOf(values)), (db) => {
    if (!AllowedAddressStore.remove(db, address))
      throw new Error(`${address} was not allowed; till wallet allow --list shows what is.`);
    return answer(values.json, { ok: true }, `The desk may no longer withdraw to ${address}.`);
  });
}

function list(values: Where): Promise<ExitCode> {
  return readDatabase(dataDirOf(environmentOf(values)), (db) => {
    const allowed = AllowedAddressStore.list(db).map(({ address, name, createdAt }) => ({
      address,
      name,
      allowed_at: instant(createdAt),
    }));
    const none = "The desk may withdraw to no address. Allow one with: till wallet allow ADDRESS --name NAME";
    const rows = allowed.map(({ address, name, allowed_at }) => [address, timeText(allowed_at), name]);
    return answer(values.json, allowed, () =>
      rows.length === 0 ? say(none) : sayTable(["ADDRESS", "ALLOWED", "NAME"], rows),
    );
  });
}
