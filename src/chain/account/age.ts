import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { armor, Decrypter, Encrypter, type Identity, type Recipient, Stanza } from "age-encryption";

/** Parameters for deriving a key from a passphrase: `cost` is the binary logarithm of scrypt's N. */
export type KeystoreHeader = { salt: Uint8Array; cost: number };

/** The age format (age-encryption.org/v1), for a key that scrypt has already derived from a passphrase. */

/** Encrypts a text. Returns the file with ASCII armour. */
export async function seal(
  text: string,
  { key, salt, cost }: KeystoreHeader & { key: Uint8Array },
): Promise<string> {
  const recipient: Recipient = {
    wrapFileKey: (fileKey) => [
      new Stanza(["scrypt", base64(salt), String(cost)], aead(key).encrypt(fileKey)),
    ],
  };
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return armor.encode(await encrypter.encrypt(text));
}

/** Decrypts a file without its armour; null if the key is wrong or the file was changed. */
export async function unseal(sealed: Uint8Array, key: Uint8Array): Promise<string | null> {
  const identity: Identity = {
    unwrapFileKey: ([stanza, ...others]) =>
      stanza && others.length === 0 ? aead(key).decrypt(stanza.body) : null,
  };
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    return await decrypter.decrypt(sealed, "text");
  } catch {
    // The error only says that a tag does not match, as it does for each wrong passphrase.
    return null;
  }
}

/** The key encrypts a single message, so its nonce can be zero (age-encryption.org/v1, "scrypt recipient stanza"). */
function aead(key: Uint8Array) {
  return chacha20poly1305(key, new Uint8Array(12));
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replaceAll("=", "");
}
