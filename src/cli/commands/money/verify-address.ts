import { predict } from "../../../chain/contract/factory.ts";
import type * as Address from "../../../domain/wallet/address.ts";
import {
  type ClaimCheck,
  NotAProof,
  type ProofVerdict,
  verify,
} from "../../../domain/wallet/deposit-proof.ts";
import { messageOf } from "../../../lib/error.ts";
import { findTarget, ownView } from "../../api/target.ts";
import { command, json, parseAddress, UsageError } from "../../command.ts";
import { namedNode } from "../../local/installation.ts";
import { answer } from "../../terminal/output.ts";

const proofBytesMax = 1_048_576;

export const verifyAddress = command({
  calls: ["INVOICE|LINK|ADDRESS|FILE.json [FLAGS]", "--proof FILE|- [FLAGS]"],
  words: [
    [
      "INVOICE",
      "the id, number, slug or page of an invoice, the slug or page of a link, or the deposit address itself; asks a running Till for its deposit_proof (TILL_BASE_URL, TILL_API_KEY)",
    ],
  ],
  flags: {
    proof: {
      value: "FILE|-",
      text: "a file, or - for standard input: a deposit_proof, or the record of an invoice or a link with one inside",
    },
    wallet: { value: "ADDRESS", text: "the wallet that the address must pay" },
    "rpc-url": { value: "URL", text: "also ask the factory on this chain" },
    json,
  },
  about: `Recomputes the deposit address, shows every step, and compares. With a file it asks nobody. Exits with 0 if everything matches, 1 if something does not, 2 if there is nothing to compare.`,
  examples: ["till verify-address INV-0001 \\", "  --wallet 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],

  async run(values, words) {
    const wallet = values.wallet === undefined ? null : parseAddress(values.wallet, "--wallet");
    const verdict = judge(await readProof(values.proof, words));
    const onChain = values["rpc-url"] === undefined ? undefined : await askChain(values["rpc-url"], verdict);
    const rightWallet = wallet === null || wallet === verdict.payoutWallet;
    const ok = verdict.ok && rightWallet && (onChain == null || onChain === verdict.address);
    const { payoutWallet: payout_wallet, creationCode: creation_code, ...rest } = verdict;
    const prediction = onChain === undefined ? {} : { predicted_on_chain: onChain };
    const paragraphs = [
      explain(verdict),
      ...(onChain === null ? ["The factory is not on that chain yet, so it cannot be asked."] : []),
      ...(onChain ? [`The factory on the chain says ${onChain}${mark(onChain === verdict.address)}`] : []),
      conclusion(verdict, ok, rightWallet ? null : wallet),
    ];
    const record = { ...rest, payout_wallet, creation_code, ...prediction, ok };
    return answer(values.json, record, paragraphs.join("\n\n"), ok);
  },
});

async function readProof(file: string | undefined, [target, ...more]: readonly string[]): Promise<unknown> {
  if ((file === undefined) === (target === undefined) || more.length > 0)
    throw new UsageError("give one invoice, or one file with --proof.");
  if (file === undefined && target !== undefined && !target.endsWith(".json"))
    return await orNothing(findRecord(target));
  const name = file ?? target ?? "-";
  const source = name === "-" ? Bun.stdin : Bun.file(name);
  try {
    if (source.size > proofBytesMax && name !== "-")
      throw new Error(`it is longer than ${proofBytesMax} bytes`);
    return JSON.parse(await source.text());
  } catch (thrown) {
    throw new UsageError(`${name} cannot be read as JSON: ${messageOf(thrown)}.`);
  }
}

/** Returns the record with its proof. A link's is not public, so the list is read, with a key. */
async function findRecord(word: string): Promise<object> {
  const { client, target } = await findTarget(word);
  return await ownView(client, target);
}

function judge(value: unknown): ProofVerdict {
  try {
    return verify(value);
  } catch (thrown) {
    if (thrown instanceof NotAProof) throw new UsageError(`${thrown.message}.`);
    throw thrown;
  }
}

async function askChain(url: string, verdict: ProofVerdict): Promise<Address.Address | null> {
  return await orNothing(predict(namedNode(url), verdict.payoutWallet, verdict.salt));
}

/** A missing response is not a mismatch: a script must not confuse the two. */
async function orNothing<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    throw new UsageError(messageOf(thrown));
  }
}

function explain({ payoutWallet, salt, creationCode, preimage, checks }: ProofVerdict): string {
  const line = (name: ClaimCheck["name"], title: string) => {
    const check = checks.find((each) => each.name === name);
    if (!check) return [];
    const wrong = check.ok ? [] : [`     claimed         ${check.claimed}`];
    return [`     ${title.padEnd(14)}  ${check.computed}${mark(check.ok)}`, ...wrong];
  };
  return [
    "  1. The factory: the deterministic deployer creates it from its own code (CREATE2)",
    ...line("deployer", "deployer"),
    ...line("factory_salt", "salt"),
    ...line("factory_bytecode_hash", "keccak-256"),
    ...line("factory", "factory"),
    "  2. What every deposit address delegates to: the first contract that the factory creates (CREATE, nonce 1)",
    ...line("implementation", "implementation"),
    "  3. The code of the deposit address: a clone (EIP-1167) that ends with the payout wallet",
    `     payout wallet   ${payoutWallet}`,
    `     creation code   ${creationCode}`,
    ...line("bytecode_hash", "keccak-256"),
    "  4. The deposit address: the last 20 bytes of keccak-256(0xff, factory, salt, hash of the code) (CREATE2)",
    `     salt            ${salt}`,
    `     preimage        ${preimage}`,
    ...line("address", "address"),
  ].join("\n");
}

function mark(ok: boolean): string {
  return ok ? "  ✓" : "  ✗ differs";
}

function conclusion(verdict: ProofVerdict, ok: boolean, otherWallet: Address.Address | null): string {
  if (otherWallet) return `It pays ${verdict.payoutWallet}, not ${otherWallet}. Do not use this address.`;
  if (!ok) return "Something differs: it is not known where its money would go. Do not use this address.";
  return `It matches: what arrives at ${verdict.address} can only ever go to ${verdict.payoutWallet}.`;
}
