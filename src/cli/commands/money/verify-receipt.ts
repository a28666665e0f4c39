import { checkOnChain } from "../../../chain/transfer/receipt-check.ts";
import { readSettings } from "../../../config/config.ts";
import { readAttachedProof } from "../../../document/receipt/receipt-document.ts";
import * as ReceiptProof from "../../../domain/receipt/receipt-proof.ts";
import * as ReceiptVerdict from "../../../domain/receipt/receipt-verdict.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { knownNetwork, networks } from "../../../domain/wallet/network.ts";
import { messageOf } from "../../../lib/error.ts";
import { command, json, onlyWord, parseAddress, UsageError } from "../../command.ts";
import { namedNode } from "../../local/installation.ts";
import { timeText } from "../../records/format.ts";
import { answer } from "../../terminal/output.ts";

/** Ample: a receipt of 200 transfers and 30 lines has 0.3 MB. */
const fileBytesMax = 8 * 1_048_576;

export const verifyReceipt = command({
  calls: ["FILE [FLAGS]"],
  words: [["FILE", "a receipt: its PDF, or the JSON of its proof; - for standard input"]],
  flags: {
    "rpc-url": { value: "URL", text: "the node to ask, from any operator (default TILL_RPC_URL)" },
    wallet: { value: "ADDRESS", text: "the merchant's wallet, which the deposit address must pay" },
    token: { value: "ADDRESS", text: "the USDC contract, if it is not Circle's on Base" },
    json,
  },
  about: `Recomputes the deposit address, and asks the node for every transfer. Exits with 0 if the receipt holds, 1 if it does not, 2 if the file is no receipt or the node does not answer.

A receipt that holds proves how much USDC this address received, if the node tells the truth. It does not prove who the merchant is: names, numbers and items are the file's own words. Use --wallet to compare with a wallet that you know is the merchant's.`,
  examples: ["till verify-receipt INV-0001-receipt.pdf \\", "  --rpc-url https://mainnet.base.org"],

  async run(values, words) {
    const file = onlyWord(words, "name one receipt: its PDF, or its JSON.");
    const wallet = values.wallet === undefined ? null : parseAddress(values.wallet, "--wallet");
    const proof = await readProof(file);
    const network = knownNetwork(proof.chain_id);
    const token =
      values.token === undefined ? (network?.usdc ?? null) : parseAddress(values.token, "--token");
    const rpc = namedNode(nodeUrl(values["rpc-url"]));
    const { confirmations } = network ?? networks.base;
    // A missing response is not a mismatch: a script must not confuse the two.
    const chain = await checkOnChain(rpc, proof, { token: token ?? proof.token, confirmations }).catch(
      (thrown: unknown) => {
        throw new UsageError(`${messageOf(thrown)}.`);
      },
    );
    const verdict = ReceiptVerdict.judge(proof, chain, { token, wallet });
    return answer(values.json, record(proof, verdict), report(proof, verdict), verdict.ok);
  },
});

function nodeUrl(named: string | undefined): string {
  const [url] = named === undefined ? readSettings(process.env, (value) => value("RPC_URL", [])) : [named];
  if (url !== undefined) return url;
  throw new UsageError("name a node of its chain, such as --rpc-url https://mainnet.base.org for Base.");
}

async function readProof(file: string): Promise<ReceiptProof.ReceiptProof> {
  const text = await readText(file);
  try {
    return ReceiptProof.read(JSON.parse(text));
  } catch (thrown) {
    if (thrown instanceof ReceiptProof.NotAReceipt) throw new UsageError(`${thrown.message}.`);
    throw new UsageError(`${file} is no PDF, and cannot be read as JSON: ${messageOf(thrown)}.`);
  }
}

async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  if (!Buffer.from(bytes.subarray(0, 1_024)).includes("%PDF-")) return new TextDecoder().decode(bytes);
  let attached: string | null;
  try {
    attached = await readAttachedProof(bytes);
  } catch (thrown) {
    throw new UsageError(`${file} is damaged: ${messageOf(thrown)}.`);
  }
  if (attached !== null) return attached;
  throw new UsageError(`${file} carries no proof: it is not a receipt of Till, or was printed anew.`);
}

async function readBytes(file: string): Promise<Uint8Array> {
  const source = file === "-" ? Bun.stdin : Bun.file(file);
  try {
    if (file !== "-" && source.size > fileBytesMax)
      throw new Error(`it is longer than ${fileBytesMax} bytes`);
    return await source.bytes();
  } catch (thrown) {
    throw new UsageError(`${file} cannot be read: ${messageOf(thrown)}.`);
  }
}

function record(
  proof: ReceiptProof.ReceiptProof,
  { ok, checks, payoutWallet, sum }: ReceiptVerdict.ReceiptVerdict,
) {
  return {
    ok,
    invoice_number: proof.invoice_number,
    link: proof.link,
    total_amount: proof.total_amount,
    proved_amount: Usdc.formatExact(sum),
    deposit_address: proof.deposit_address,
    payout_wallet: payoutWallet,
    checks: checks.map(({ txHash, ...check }) => ({ ...check, tx_hash: txHash })),
  };
}

function report(proof: ReceiptProof.ReceiptProof, verdict: ReceiptVerdict.ReceiptVerdict): string {
  const { merchant, invoice_number: number, link, total_amount, paid_at } = proof;
  const what = number === undefined ? `payment link ${link ?? "?"}` : `invoice ${number}`;
  const mark = { true: "✓", false: "✗", null: "?" } as const;
  return [
    `The file says: ${word(what)} of ${word(merchant.name)}, ${total_amount} USDC, paid ${timeText(word(paid_at))}.`,
    "",
    ...verdict.checks.map(({ ok, text }) => `  ${mark[`${ok}`]} ${text}`),
    "",
    ...(verdict.ok ? conclusion(proof, verdict) : ["This receipt does not hold: do not rely on it."]),
  ].join("\n");
}

function conclusion(
  { deposit_address, merchant }: ReceiptProof.ReceiptProof,
  verdict: ReceiptVerdict.ReceiptVerdict,
): string[] {
  const { payoutWallet, sum } = verdict;
  const whose = payoutWallet === null ? "" : `, from where it can only go to ${payoutWallet}`;
  return [
    `This receipt holds: ${Usdc.formatExact(sum)} USDC was paid to ${deposit_address}${whose}.`,
    `It does not prove that this is ${word(merchant.name)}'s, nor what was bought: compare the wallet with one that you know (--wallet). And the node may lie: ask a second one.`,
  ];
}

/** Puts a file's own claims on one line, so that they do not look like verified results. */
const word = (text: string) => text.replace(/\s+/g, " ").slice(0, 200);
