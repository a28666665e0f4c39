import type { Values } from "../../../lib/text/english.ts";
import type { ClientKey } from "../../text.ts";

/** A wallet's connection to this page (EIP-1193). */
export type Provider = { request(call: { method: string; params?: unknown }): Promise<unknown> };

export type WalletPayment = {
  chainId: number;
  /** The payer's name for it: "Base". */
  network: string;
  usdc: string;
  to: string;
  micro: bigint;
};

/** Time limit for wallet requests that move no money yet; the owner may have to find and unlock the wallet. */
const answerMsMax = 120_000;

/** A payment with too low a fee waits for minutes. */
const verdictPollMs = 2_000;
const verdictMsMax = 300_000;

/** Error codes: EIP-1193 section "Provider Errors", EIP-3085, and JSON-RPC's for "resource unavailable". */
const userRejected = 4001;
const unauthorized = 4100;
const unknownChain = 4902;
const requestPending = -32002;

/** The public chains that can be added to a wallet, with the host prefixes of their node and explorer. */
const publicChains: Readonly<Record<number, [node: string, explorer: string]>> = {
  8453: ["mainnet", ""],
  84532: ["sepolia", "sepolia."],
};

/**
 * Asks a browser wallet for the USDC transfer. Returns its hash, or throws a `PaymentRefused`, as `requireDue` does if
 * something else is due by the time the wallet was found, unlocked and switched.
 */
export async function payWith(
  provider: Provider,
  request: WalletPayment,
  requireDue: () => void,
): Promise<string> {
  const from = await connect(provider, request);
  requireDue();
  return send(provider, request, from);
}

/**
 * Returns the wallet's response, or throws a `PaymentRefused` after `answerMsMax`; a later response is ignored. Not for
 * sending: it would be unclear whether the wallet still waits, and sending again would pay twice.
 */
export async function askInTime(
  provider: Provider,
  call: Parameters<Provider["request"]>[0],
): Promise<unknown> {
  const silence = (_: unknown, reject: (reason: PaymentRefused) => void) =>
    setTimeout(() => reject(new PaymentRefused("requestPending")), answerMsMax);
  return Promise.race([provider.request(call), new Promise(silence)]);
}

/** Returns the wallet's account, on the right network and with enough USDC; throws a `PaymentRefused` otherwise. */
export async function connect(provider: Provider, request: WalletPayment): Promise<string> {
  try {
    const from = await firstAccount(provider);
    await switchChain(provider, request);
    await requireBalance(provider, request, from);
    return from;
  } catch (thrown) {
    throw refusalOf(thrown);
  }
}

/** True if the wallet's account has nothing to pay fees with, as far as the wallet tells without asking its owner. */
export async function isWithoutEther(provider: Provider, chainId: number): Promise<boolean> {
  const accounts = await askInTime(provider, { method: "eth_accounts" });
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof first !== "string") return false;
  return (await isOn(provider, chainId)) && hasNoEther(provider, first);
}

const send = (provider: Provider, { usdc, to, micro, network }: WalletPayment, from: string) =>
  sendCall(provider, { to: usdc, data: transferCall(to, micro) }, from, network);

export type Call = { to: string; data: string };

/**
 * Has the wallet send a call of a contract. Returns the transaction's hash, or throws a `PaymentRefused`. `network` is
 * one on which fees are paid in ether, else empty.
 */
export async function sendCall(
  provider: Provider,
  call: Call,
  from: string,
  network: string,
): Promise<string> {
  const transaction = { from, ...call, value: "0x0" };
  try {
    return String(await provider.request({ method: "eth_sendTransaction", params: [transaction] }));
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    // Only checked now: some wallets have their fees paid by others, and need no ether.
    if (refusal.reason === "walletFailed" && network && (await hasNoEther(provider, from)))
      throw new PaymentRefused("noFee", { network });
    throw refusal;
  }
}

async function hasNoEther(provider: Provider, account: string): Promise<boolean> {
  return /^0x0*$/.test(String(await tryAsking(provider, "eth_getBalance", [account, "latest"])));
}

/** Returns a wallet's response, which may not be a promise; null if it fails. */
async function tryAsking(provider: Provider, method: string, params: unknown): Promise<unknown> {
  try {
    return await askInTime(provider, { method, params });
  } catch {
    return null;
  }
}

/**
 * Waits for the network's verdict on a sent payment. Returns false if it was carried out, or if nothing is known about
 * it for `verdictMsMax`: a few wallets return hashes that belong to no transaction.
 */
export async function wasReverted(provider: Provider, hash: string): Promise<boolean> {
  const deadline = performance.now() + verdictMsMax;
  while (performance.now() < deadline) {
    const receipt = await tryAsking(provider, "eth_getTransactionReceipt", [hash]);
    const status =
      typeof receipt === "object" && receipt !== null && "status" in receipt ? receipt.status : "";
    // Some nodes return pending transactions, with a null status.
    if (/^(0x)?0*[01]$/.test(String(status))) return Number(status) === 0;
    await new Promise((resolve) => setTimeout(resolve, verdictPollMs));
  }
  return false;
}

async function firstAccount(provider: Provider): Promise<string> {
  const accounts = await askInTime(provider, { method: "eth_requestAccounts" });
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof first !== "string") throw new PaymentRefused("noAccount");
  return first;
}

async function isOn(provider: Provider, chainId: number): Promise<boolean> {
  return Number(await askInTime(provider, { method: "eth_chainId" })) === chainId;
}

async function switchChain(provider: Provider, { chainId, network }: WalletPayment): Promise<void> {
  const wanted = `0x${chainId.toString(16)}`;
  if (await isOn(provider, chainId)) return;
  const change = () =>
    askInTime(provider, { method: "wallet_switchEthereumChain", params: [{ chainId: wanted }] });
  try {
    await change();
  } catch (thrown) {
    if (codeOf(thrown) !== unknownChain) throw thrown;
    const hosts = publicChains[chainId];
    if (!hosts) throw new PaymentRefused("unknownNetwork", { network, chainId });
    // EIP-3085.
    const chain = {
      chainId: wanted,
      chainName: network,
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: [`https://${hosts[0]}.base.org`],
      blockExplorerUrls: [`https://${hosts[1]}basescan.org`],
    };
    await askInTime(provider, { method: "wallet_addEthereumChain", params: [chain] });
    // A wallet may switch to an added chain by itself (EIP-3085), but some do not.
    if (!(await isOn(provider, chainId))) await change();
  }
  if (!(await isOn(provider, chainId))) {
    throw new PaymentRefused("otherNetwork", { network });
  }
}

/** Otherwise the wallet would show a transaction that fails, without saying why. */
async function requireBalance(provider: Provider, request: WalletPayment, owner: string): Promise<void> {
  const call = { to: request.usdc, data: balanceCall(owner) };
  const balance = await askInTime(provider, { method: "eth_call", params: [call, "latest"] });
  if (typeof balance !== "string" || !/^0x[0-9a-fA-F]{64}$/.test(balance)) return;
  if (BigInt(balance) < request.micro) {
    throw new PaymentRefused("tooLittle", { network: request.network });
  }
}

/** Some wallets nest the meaningful code inside another error. */
function codeOf(thrown: unknown): number | null {
  if (typeof thrown !== "object" || thrown === null) return null;
  if (
    "data" in thrown &&
    typeof thrown.data === "object" &&
    thrown.data !== null &&
    "originalError" in thrown.data
  ) {
    return codeOf(thrown.data.originalError);
  }
  return "code" in thrown && typeof thrown.code === "number" ? thrown.code : null;
}

/** Turns an error thrown by a wallet into words. */
export function refusalOf(thrown: unknown): PaymentRefused {
  if (thrown instanceof PaymentRefused) return thrown;
  switch (codeOf(thrown)) {
    case userRejected:
      return new PaymentRefused("declined");
    case unauthorized:
      return new PaymentRefused("unauthorized");
    case requestPending:
      return new PaymentRefused("requestPending");
    default:
      return new PaymentRefused("walletFailed");
  }
}

/** The payment did not happen. The reason is the key of a text for the payer, unless Till wrote the `sentence`. */
export class PaymentRefused extends Error {
  constructor(
    readonly reason: ClientKey,
    readonly values: Values = {},
    readonly sentence?: string,
  ) {
    super(reason);
  }
}

/** ABI-encoded calls of an ERC-20 token (EIP-20). Selectors are the first 4 bytes of the signature's keccak-256. */
const transferSelector = "a9059cbb";
const balanceOfSelector = "70a08231";
const allowanceSelector = "dd62ed3e";

/** Length of an ABI word, in hex digits. */
const wordDigits = 64;

const addressForm = /^0x[0-9a-fA-F]{40}$/;
const uint256End = 1n << 256n;

/** Encodes `transfer(to, amount)`, the amount in the token's smallest unit. Throws a RangeError for invalid values. */
export function transferCall(to: string, amount: bigint): string {
  if (amount <= 0n || amount >= uint256End) throw new RangeError(`Not an amount: ${amount}`);
  return `0x${transferSelector}${addressWord(to)}${amount.toString(16).padStart(wordDigits, "0")}`;
}

/** Returns whether `spender` may take that much of the owner's USDC; false if the wallet does not tell. */
export async function isAllowed(
  provider: Provider,
  { usdc, micro }: WalletPayment,
  owner: string,
  spender: string,
): Promise<boolean> {
  const data = `0x${allowanceSelector}${addressWord(owner)}${addressWord(spender)}`;
  const allowed = await tryAsking(provider, "eth_call", [{ to: usdc, data }, "latest"]);
  return typeof allowed === "string" && /^0x[0-9a-fA-F]{64}$/.test(allowed) && BigInt(allowed) >= micro;
}

/** Encodes `balanceOf(owner)`. Throws a RangeError if the owner is not an address. */
export function balanceCall(owner: string): string {
  return `0x${balanceOfSelector}${addressWord(owner)}`;
}

function addressWord(address: string): string {
  if (!addressForm.test(address)) throw new RangeError(`Not an address: ${address}`);
  return address.slice(2).toLowerCase().padStart(wordDigits, "0");
}
