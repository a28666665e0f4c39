import { NotADevChain } from "../../../chain/dev/dev-chain.ts";
import { PaymentFailed, pay as payOnChain } from "../../../chain/dev/pay.ts";
import { readSettings } from "../../../config/config.ts";
import * as Usdc from "../../../domain/usdc.ts";
import * as Address from "../../../domain/wallet/address.ts";
import { networks } from "../../../domain/wallet/network.ts";
import { findTarget, standingOf, targetHelp } from "../../api/target.ts";
import { command, type ExitCode, json, UsageError } from "../../command.ts";
import { runningDev } from "../../local/dev-data.ts";
import { amountText, say, sayJson } from "../../terminal/output.ts";
import { paySigned } from "./pay-signed.ts";

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
    const { to, remaining, chainUrl } = await findDeposit(target);
    const amount = wanted ?? remaining;
    if (amount === null)
      throw new UsageError("say how much to pay to this address, for example: till pay 0x… 750.00");
    if (amount === 0n) throw new UsageError("nothing remains to be paid. Give an amount to pay more anyway.");
    const [named] = readSettings(process.env, (value) => value("RPC_URL", []));
    const rpcUrl = named ?? chainUrl ?? runningDev(process.env)?.rpc_url ?? chainUrlDefault;
    const payment = { rpcUrl, usdcAddress: networks.anvil.usdc, to, amount };
    const { txHash, blockNumber } = await payOnChain(payment).catch((thrown: unknown) => {
      throw new Error(reasonOf(thrown, rpcUrl));
    });
    const paid = Usdc.formatExact(amount);
    if (values.json) sayJson({ tx_hash: txHash, block_number: Number(blockNumber), to, amount: paid });
    else say(`Paid ${amountText(paid)} USDC to ${to} in block ${blockNumber} (${txHash}).`);
    return 0;
  },
});

async function sign(word: string, isJson: boolean): Promise<ExitCode> {
  if (Address.parse(word).ok)
    throw new UsageError("a signature pays an invoice or a link: name it by its number, slug or page.");
  const { client, target } = await findTarget(word);
  const { txHash, blockNumber, to, amount } = await paySigned(client, target);
  if (isJson) sayJson({ tx_hash: txHash, block_number: blockNumber, to, amount, signed: true });
  else say(`Paid ${amountText(amount)} USDC to ${to} by a signature in block ${blockNumber} (${txHash}).`);
  return 0;
}

const chainUrlDefault = "http://127.0.0.1:8545";

/** In one sentence: such errors' causes repeat the whole request. */
function reasonOf(thrown: unknown, rpcUrl: string): string {
  if (thrown instanceof PaymentFailed || thrown instanceof NotADevChain) return thrown.message;
  const at = URL.canParse(rpcUrl) ? new URL(rpcUrl).host : rpcUrl;
  return `the local chain does not answer at ${at}. Is till dev running? It says where its chain is; TILL_RPC_URL chooses it.`;
}

type PayTarget = {
  to: Address.Address;
  /** Null for a bare address. */
  remaining: Usdc.Usdc | null;
  /** The chain's URL, from the till dev that wants the payment. */
  chainUrl?: string | undefined;
};

async function findDeposit(word: string): Promise<PayTarget> {
  const parsed = Address.parse(word);
  if (parsed.ok) return { to: parsed.address, remaining: null };
  if (parsed.reason === "mistyped")
    throw new UsageError("this address fails its checksum: a character may be wrong. Copy it again.");
  if (parsed.reason === "unchecked") {
    throw new UsageError(
      `this address has no checksum; compare it with the invoice, then write it as ${parsed.expected}.`,
    );
  }
  const { client, target } = await findTarget(word);
  const chain = await client.find<{ rpc_url: string | null }>("/dev/chain");
  if (chain?.rpc_url === null && !process.env["TILL_RPC_URL"])
    throw new UsageError("this Till keeps its node's address to itself: set TILL_RPC_URL as it has it.");
  const deposit = Address.parse(target.record.deposit_address);
  const standing = standingOf(target);
  if (!deposit.ok || standing === null) throw new Error("Till gave an answer that makes no sense.");
  return { to: deposit.address, remaining: standing.due, chainUrl: chain?.rpc_url ?? undefined };
}
