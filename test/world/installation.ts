import { rmSync } from "node:fs";
import { createKeystore } from "../../src/chain/account/keystore.ts";
import { openWallet } from "../../src/chain/account/wallet.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { tokenHash } from "../../src/lib/crypto.ts";
import { closeDatabase, openDatabase } from "../../src/store/database.ts";
import { walletFile } from "../../src/store/files/data-dir.ts";
import * as AllowedAddressStore from "../../src/store/tables/desk/allowed-address.ts";
import * as PersonStore from "../../src/store/tables/desk/person.ts";
import * as SessionStore from "../../src/store/tables/desk/session.ts";
import * as WalletStore from "../../src/store/tables/installation/wallet.ts";
import * as PartyStore from "../../src/store/tables/invoicing/party.ts";
import { password } from "../support/desk/desk.ts";
import { cheap, passphrase } from "../support/till/data-dir.ts";
import { invoiceRequest } from "../support/till/till.ts";
import { makeDir } from "./disk.ts";

const words = "test test test test test test test test test test test junk";

/** Of the password of the tests, and the same each time. */
const passwordHash =
  "$argon2id$v=19$m=8,t=1,p=1$Y6gIeBmX0cWOLPw+YKF/KK343yJDlEC9EqfkH7lbLME$R1itwaMMFr35vaELzndOwHhL1ffzkRxAEd8PJ96pbCo";

/** The owner at the desk: how they sign in and where they withdraw to. */
export const owner = {
  password,
  token: Buffer.alloc(32, 7).toString("base64url"),
  addresses: Array.from({ length: 40 }, (_, n) =>
    Address.checksum(`0x${(0xa000 + n).toString(16).repeat(10)}`),
  ),
};

export type Installation = {
  dir: string;
  /** The only merchant's account in Till's wallet, in lower case. */
  wallet: string;
};

/** The data of an installation that has never been used, with a wallet that is the same each time, and an owner. */
async function make(startMs: number): Promise<Installation> {
  const dir = makeDir();
  const db = openDatabase(dir);
  const input = { file: walletFile(dir), passphrase };
  await createKeystore({ ...input, secret: words, cost: cheap });
  const { gasAddress, merchantAddress } = await openWallet(input);
  WalletStore.setGasAddress(db, gasAddress);
  const createdAt = startMs - 86_400_000;
  const personId = PersonStore.insert(db, {
    name: "Mara",
    role: "owner",
    handle: "mara",
    passwordHash,
    createdAt,
  });
  const session = { personId, tokenHash: tokenHash(owner.token), device: "Firefox", passkeyId: null };
  SessionStore.insert(db, { ...session, startedAt: startMs });
  for (const [n, address] of owner.addresses.entries())
    AllowedAddressStore.allow(db, { address, name: `Wallet ${n}`, createdAt });
  // Its account is the first, whatever power cuts lose.
  const account = PartyStore.accountIndex(db, invoiceRequest.merchant_email);
  closeDatabase(db);
  process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
  return { dir, wallet: merchantAddress(account).toLowerCase() };
}

let made: Promise<Installation> | null = null;

/** Made once for the process. */
export function installation(startMs: number): Promise<Installation> {
  made ??= make(startMs);
  return made;
}
