import type { Authorization } from "../../../chain/contract/authorization.ts";
import { NotADevChain, payers } from "../../../chain/dev/dev-chain.ts";
import { PaymentFailed, pay as payOnChain, signAsPayer } from "../../../chain/dev/pay.ts";
import { readSettings } from "../../../config/config.ts";
import { faces } from "../../../domain/receivable/faces.ts";
import * as Usdc from "../../../domain/usdc.ts";
import * as Address from "../../../domain/wallet/address.ts";
import { networks } from "../../../domain/wallet/network.ts";
import { messageOf } from "../../../lib/error.ts";
import { sleep } from "../../../lib/loop.ts";
import type { Client } from "../../api/client.ts";
import { apiPath, findTarget, nameOf, standingOf, type Target, targetHelp } from "../../api/target.ts";
import { command, type ExitCode, json, UsageError } from "../../command.ts";
import { runningDev } from "../../local/data-dir.ts";
import { amountText } from "../../records/format.ts";
import { answer } from "../../terminal/output.ts";

export const pay = command({
  calls: ["INVOICE [AMOUNT] [--json]", "INVOICE --sign [--json]"],
  words: [
    ["INVOICE", `an invoice or payment link: ${targetHelp}`],
    ["AMOUNT", "in USDC, such as 750.00 (default: what is left to pay)"],
  ],
  flags: {
    sign: { text: "sign the payment and let Till send it, like a wallet without ETH" },
    json,
  },
  about: `Works only on the local chain of till dev, with test money. It finds a till dev started in the same directory; otherwise set TILL_BASE_URL or give the address of a page. For a deposit address, TILL_RPC_URL names the chain.`,
  examples: ["till pay INV-0001", "till pay http://127.0.0.1:3000/i/7kq2m4xw9dfh3npz 750.00"],

  async run(values, [target, decimal, ...more]) {
    if (target === undefined || more.length > 0)
      throw new UsageError("give an invoice and, if you like, an amount.");
    const wanted = decimal === undefined ? null : Usdc.parse(decimal);
    if (decimal !== undefined && !wanted) {
      throw new UsageError(`${JSON.stringify(decimal)} is not an amount of USDC such as 750.00.`);
    }
    if (values.sign) {
      if (wanted !== null) throw new UsageError("a signature pays what is due: leave the amount out.");
      return await sign(target, values.json);
    }
    const { to, remaining, onTheWay, chainUrl } = await findDeposit(target);
    const amount = wanted ?? remaining;
    if (amount === null)
      throw new UsageError("say how much to pay to this address, for example: till pay 0x… 750.00");
    if (amount === 0n) {
      const unconfirmed = onTheWay > 0n ? ` beside the ${Usdc.formatExact(onTheWay)} USDC on the way` : "";
      throw new UsageError(`nothing remains to be paid${unconfirmed}. Give an amount to pay more anyway.`);
    }
    const [named] = readSettings(process.env, (value) => value("RPC_URL", []));
    const rpcUrl = named ?? chainUrl ?? runningDev(process.env)?.rpc_url ?? chainUrlDefault;
    const payment = { rpcUrl, usdcAddress: networks.anvil.usdc, to, amount };
    const { txHash, blockNumber } = await payOnChain(payment).catch((thrown: unknown) => {
      throw new Error(reasonOf(thrown, rpcUrl));
    });
    const paid = Usdc.formatExact(amount);
    return answer(
      values.json,
      { tx_hash: txHash, block_number: Number(blockNumber), to, amount: paid },
      `Paid ${amountText(paid)} USDC to ${to} in block ${blockNumber} (${txHash}).`,
    );
  },
});

async function sign(word: string, isJson: boolean): Promise<ExitCode> {
  if (Address.parse(word).ok)
    throw new UsageError("a signature pays an invoice or a link: name it by its number, slug or page.");
  const { client, target } = await findTarget(word);
  const paid = await paySigned(client, target);
  const { tx_hash, block_number, to, amount } = paid;
  const text = `Paid ${amountText(amount)} USDC to ${to} by a signature in block ${block_number} (${tx_hash}).`;
  return answer(isJson, { ...paid, signed: true }, text);
}

const chainUrlDefault = "http://127.0.0.1:8545";

function reasonOf(thrown: unknown, rpcUrl: string): string {
  if (thrown instanceof PaymentFailed || thrown instanceof NotADevChain) return thrown.message;
  const at = URL.canParse(rpcUrl) ? new URL(rpcUrl).host : rpcUrl;
  return `the local chain does not answer at ${at} (${messageOf(thrown)}). Is till dev running? It says where its chain is; TILL_RPC_URL chooses it.`;
}

/** Finds the payment due, and the chain's URL from its `till dev`. For a bare address, only that is known. */
async function findDeposit(word: string) {
  const parsed = Address.parse(word);
  if (parsed.ok) return { to: parsed.address, remaining: null, onTheWay: Usdc.zero, chainUrl: null };
  if (parsed.why.code === "address_mistyped")
    throw new UsageError("this address fails its checksum: a character may be wrong. Copy it again.");
  if (parsed.why.code === "address_unchecked") {
    throw new UsageError(
      `this address has no checksum; compare it with the invoice, then write it as ${parsed.why.values.expected}.`,
    );
  }
  const { client, target } = await findTarget(word);
  const chain = await client.find<{ rpc_url: string | null }>("/dev/chain");
  if (chain?.rpc_url === null && !process.env["TILL_RPC_URL"])
    throw new UsageError("this Till keeps its node's address to itself: set TILL_RPC_URL as it has it.");
  const deposit = Address.parse(target.record.deposit_address);
  const standing = standingOf(target.record);
  if (!deposit.ok || standing === null) throw new Error("Till gave an answer that makes no sense.");
  const { data } = await client.get<Payments>(`${apiPath(target)}/payments`);
  const unconfirmed = data.filter(({ confirmed }) => !confirmed);
  const onTheWay = Usdc.sum(unconfirmed.map(({ amount }) => Usdc.parseExact(amount) ?? Usdc.zero));
  const remaining = Usdc.remaining(standing.due, onTheWay);
  return { to: deposit.address, remaining, onTheWay, chainUrl: chain?.rpc_url };
}

type TypedData = Parameters<typeof signAsPayer>[0];
type Payments = {
  data: { tx_hash: string; from: string | null; block_number: number; amount: string; confirmed: boolean }[];
};
type Timeline = { data: { type: string; summary: string }[] };

const waitMs = 60_000;
const pollMs = { min: 50, max: 1_000 };

/** The result of a signed payment. */
type SignedPayment = { tx_hash: string; block_number: number; to: Authorization["to"]; amount: string };

/**
 * Pays the amount due like a wallet on the page: signs, submits, and waits for the payment. Throws a NotADevChain, an
 * Error if it fails or takes longer than a minute, and what the client throws.
 */
async function paySigned(client: Client, target: Target): Promise<SignedPayment> {
  const { slug } = target.record;
  const page = `${faces[target.kind].page}${slug}`;
  const payer = payers[0];
  const failures = async () => {
    const { data } = await client.get<Timeline>(`${apiPath(target)}/timeline`);
    return data.filter(({ type }) => type === "signature_failed");
  };
  const payments = async () => (await client.get<Payments>(`${apiPath(target)}/payments`)).data;
  const before = {
    failed: (await failures()).length,
    paid: (await payments()).map(({ tx_hash }) => tx_hash),
  };

  const typed = await client.post<TypedData>(`${page}/authorization`, { payer });
  const signature = await signAsPayer(typed);
  await client.post(`${page}/relay`, { authorization: typed.message, signature });
  const end = performance.now() + waitMs;
  for (let delay = pollMs.min; performance.now() < end; delay = Math.min(pollMs.max, 2 * delay)) {
    await sleep(delay);
    const paid = (await payments()).find(
      ({ tx_hash, from }) => from === payer && !before.paid.includes(tx_hash),
    );
    if (paid) {
      const { tx_hash, block_number, amount } = paid;
      return { tx_hash, block_number, to: typed.message.to, amount };
    }
    const [failed] = (await failures()).slice(before.failed);
    if (failed) throw new Error(failed.summary);
  }
  throw new Error(
    `the payment was signed and is not in a block after ${waitMs / 1_000} s. till show ${nameOf(target)} tells what becomes of it.`,
  );
}
