import { instant } from "../../lib/time.ts";
import * as Outcome from "../payment/outcome.ts";
import * as Usdc from "../usdc.ts";
import type * as Address from "../wallet/address.ts";
import { NotAProof, verify } from "../wallet/deposit-proof.ts";
import { knownNetwork, networks } from "../wallet/network.ts";
import type { ProvedTransfer, ReceiptProof } from "./receipt-proof.ts";

/** The chain's answer about one transfer of a receipt. `fault`: why it does not count; null if it does. */
export type TransferCheck = ProvedTransfer & {
  fault: string | null;
  /** How many blocks deep it is; null when it is not on the chain. */
  confirmations: number | null;
  /** Its block's time, in Unix milliseconds; null when it is not on the chain. */
  blockMs: number | null;
};

/** A node's answers about a receipt. */
export type ChainCheck = {
  /** Display name. */
  node: string;
  chainId: number;
  /**
   * The wallet that the contract at the deposit address can pay; null when there is no contract yet, or another one.
   */
  payoutWallet: Address.Address | null;
  /** Empty if the node is on another chain than the receipt. */
  transfers: readonly TransferCheck[];
};

/** `ok` null: could not be checked. `text` is a sentence for people. */
type ReceiptCheck = {
  name: "chain" | "token" | "address" | "wallet" | "transfer" | "sum" | "date";
  ok: boolean | null;
  text: string;
  txHash?: string;
};

export type ReceiptVerdict = {
  /** No check failed, and the transfers add up to the amount. */
  ok: boolean;
  checks: readonly ReceiptCheck[];
  /** The only wallet that the deposit address can pay; null if unknown. */
  payoutWallet: Address.Address | null;
  /** The sum of the valid transfers. */
  sum: Usdc.Usdc;
};

type VerdictOptions = {
  /** The USDC contract on the receipt's chain; null if unknown. */
  token: Address.Address | null;
  /** The wallet that must be paid; null for any. */
  wallet: Address.Address | null;
};

/** Judges a receipt by what can be computed and what a node answered. */
export function judge(
  proof: ReceiptProof,
  chain: ChainCheck,
  { token, wallet }: VerdictOptions,
): ReceiptVerdict {
  const { check: address, payoutWallet } = checkAddress(proof, chain);
  const held = chain.transfers.filter(({ fault }) => fault === null);
  const sum = Usdc.sum(held.map(({ amount }) => amountOf(amount)));
  const isRightChain = chain.chainId === proof.chain_id;
  const checks: ReceiptCheck[] = [
    checkOf(
      "chain",
      isRightChain,
      isRightChain
        ? `The node at ${chain.node} is of chain ${chain.chainId}, ${chainName(chain.chainId)}.`
        : `The node at ${chain.node} is of chain ${chain.chainId}, and the receipt of chain ${proof.chain_id}: nothing was looked up.`,
    ),
    checkToken(proof, token),
    address,
    ...(wallet === null ? [] : [checkWallet(payoutWallet, wallet)]),
    ...chain.transfers.map(checkTransfer),
    ...(isRightChain ? [checkSum(proof, sum, held.length === proof.transfers.length)] : []),
    ...checkDate(proof, held),
  ];
  return { ok: checks.every(({ ok }) => ok !== false), checks, payoutWallet, sum };
}

const checkOf = (name: ReceiptCheck["name"], ok: boolean | null, text: string): ReceiptCheck => ({
  name,
  ok,
  text,
});

function chainName(chainId: number): string {
  const network = knownNetwork(chainId);
  if (!network) return "which Till does not know";
  return network === networks.base ? network.label : `${network.label}, a test network: its USDC is no money`;
}

function checkToken({ token: named, chain_id }: ReceiptProof, token: Address.Address | null): ReceiptCheck {
  if (token === null)
    return checkOf("token", false, `Till does not know which token is USDC on chain ${chain_id}.`);
  return named === token
    ? checkOf("token", true, `The token is USDC, ${token}.`)
    : checkOf("token", false, `The receipt is of the token ${named}, and USDC is ${token}.`);
}

function checkAddress(
  proof: ReceiptProof,
  { payoutWallet: onChain }: ChainCheck,
): { check: ReceiptCheck; payoutWallet: Address.Address | null } {
  const address = proof.deposit_address;
  const pays = (wallet: Address.Address, why: string) => ({
    check: checkOf("address", true, `What arrives at ${address} can only ever go to ${wallet}: ${why}.`),
    payoutWallet: wallet,
  });
  const fails = (text: string) => ({ check: checkOf("address", false, text), payoutWallet: null });
  if (proof.deposit_proof !== undefined) {
    try {
      const verdict = verify(proof);
      if (verdict.ok) return pays(verdict.payoutWallet, "computed from its derivation");
      const wrong = verdict.checks.filter(({ ok }) => !ok).map((each) => each.name);
      return fails(`${address} does not come of its derivation: ${wrong.join(", ")} differs.`);
    } catch (thrown) {
      if (thrown instanceof NotAProof) return fails(`Its deposit_proof cannot be used. ${thrown.message}.`);
      throw thrown;
    }
  }
  if (onChain !== null) return pays(onChain, "the contract there says so by its code");
  const text = `Whose ${address} is was not checked: the file has no derivation, as the merchant's copy does, and no contract is there yet.`;
  return { check: checkOf("address", null, text), payoutWallet: null };
}

function checkWallet(payoutWallet: Address.Address | null, wallet: Address.Address): ReceiptCheck {
  if (payoutWallet === wallet) return checkOf("wallet", true, "That is the wallet that was asked for.");
  const finding = payoutWallet === null ? "Which wallet it pays is not known" : `It pays ${payoutWallet}`;
  return checkOf("wallet", false, `${finding}; ${wallet} was asked for.`);
}

function checkTransfer(transfer: TransferCheck): ReceiptCheck {
  const { amount, from, tx_hash: txHash, fault, block_number, confirmations, blockMs } = transfer;
  const when = blockMs === null ? "" : ` of ${timeOf(blockMs)}`;
  const text =
    fault === null
      ? `${txHash} paid it ${amount} USDC from ${from}, in block ${block_number}${when}, ${confirmations} deep.`
      : `${txHash} does not count: ${fault}.`;
  return { ...checkOf("transfer", fault === null, text), txHash };
}

function checkSum(proof: ReceiptProof, sum: Usdc.Usdc, areAllHeld: boolean): ReceiptCheck {
  const total = amountOf(proof.total_amount);
  const received = amountOf(proof.received_amount);
  // The file may claim any tolerance, but Till allows a tenth at most.
  const tolerance = Outcome.toleranceOf(total, amountOf(proof.tolerance));
  const outcome = Outcome.compare({ expected: total, received: sum, tolerance });
  const shown = `${Usdc.formatExact(sum)} USDC`;
  if (outcome === "none" || outcome === "partial") {
    const marked =
      proof.marked_paid_at === undefined
        ? ""
        : ` The merchant says that the rest was paid in another way, which no chain can show.`;
    return checkOf(
      "sum",
      false,
      `What holds comes to ${shown}, and ${proof.total_amount} were to pay.${marked}`,
    );
  }
  if (areAllHeld && proof.other_transfers === 0 && received !== sum)
    return checkOf(
      "sum",
      false,
      `The transfers come to ${shown}, and the receipt says ${proof.received_amount}.`,
    );
  const short =
    sum < total
      ? `: short by ${Usdc.formatExact(Usdc.remaining(total, sum))}, within the tolerance of ${proof.tolerance} that the receipt names`
      : "";
  const back =
    proof.return_amount === undefined
      ? ""
      : ` The receipt says that the merchant owes ${proof.return_amount} of it.`;
  const others =
    proof.other_transfers === 0 ? "" : ` ${proof.other_transfers} smaller ones are not in the file.`;
  const text = `Together that is ${shown}, and ${proof.total_amount} were to pay${short}.${others}${back}`;
  return checkOf("sum", true, text);
}

/** Tolerated difference between dates, as a Till whose clock is late dates by that clock. */
const clockSkewMsMax = 3_600_000;

/**
 * Checks that it was completed when the receipt says. Returns no check if these transfers do not complete it, or not on
 * their own.
 */
function checkDate(proof: ReceiptProof, held: readonly TransferCheck[]): ReceiptCheck[] {
  const total = amountOf(proof.total_amount);
  const enough = total - Outcome.toleranceOf(total, amountOf(proof.tolerance));
  const inOrder = held.toSorted((a, b) => a.block_number - b.block_number || a.log_index - b.log_index);
  let sum = 0n;
  const last = inOrder.find(({ amount }) => {
    sum += amountOf(amount);
    return sum >= enough;
  });
  if (proof.other_transfers > 0 || last === undefined || last.blockMs === null) return [];
  const ok = Math.abs(Date.parse(proof.paid_at) - last.blockMs) <= clockSkewMsMax;
  const at = timeOf(last.blockMs);
  const text = ok
    ? `It was complete in the block of ${at}, when the receipt says.`
    : `It was complete in the block of ${at}, and the receipt says ${timeOf(Date.parse(proof.paid_at))}.`;
  return [checkOf("date", ok, text)];
}

const timeOf = (ms: number) => `${instant(ms).slice(0, 19).replace("T", " ")} UTC`;

/** `read` has validated the amount. */
function amountOf(text: string): Usdc.Usdc {
  return Usdc.parseExact(text) ?? Usdc.zero;
}
