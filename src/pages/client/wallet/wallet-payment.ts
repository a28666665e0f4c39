import type { Values } from "../../../lib/text/fill.ts";
import type { ClientKey } from "../../client-texts.ts";
import { balanceCall, transferCall } from "./calldata.ts";

/** A wallet's connection to this page (EIP-1193). */
export type Provider = { request(call: { method: string; params?: unknown }): Promise<unknown> };

export type PaymentRequest = {
  chainId: number;
  /** As a payer knows it: "Base". */
  network: string;
  usdc: string;
  to: string;
  micro: bigint;
};

/** A block of Base takes 2 s; a payment with too low a fee waits for minutes. */
const verdictPollMs = 2_000;
const verdictMsMax = 300_000;

/** Error codes: EIP-1193 section "Provider Errors", EIP-3085, and the JSON-RPC one for "resource unavailable". */
const userRejected = 4001;
const unauthorized = 4100;
const unknownChain = 4902;
const requestPending = -32002;

/** What a wallet has to be told about a public chain that it does not know (EIP-3085). */
const ether = { name: "Ether", symbol: "ETH", decimals: 18 };
const publicChains: Readonly<Record<number, object>> = {
  8453: {
    chainName: "Base",
    nativeCurrency: ether,
    rpcUrls: ["https://mainnet.base.org"],
    blockExplorerUrls: ["https://basescan.org"],
  },
  84532: {
    chainName: "Base Sepolia",
    nativeCurrency: ether,
    rpcUrls: ["https://sepolia.base.org"],
    blockExplorerUrls: ["https://sepolia.basescan.org"],
  },
};

/**
 * Asks a browser wallet for the USDC transfer. Returns the transaction's hash. Throws `PaymentRefused` with the
 * reason when nothing was sent.
 */
export async function payWith(provider: Provider, request: PaymentRequest): Promise<string> {
  try {
    const from = await firstAccount(provider);
    await switchChain(provider, request);
    await requireBalance(provider, request, from);
    return await send(provider, request, from);
  } catch (thrown) {
    throw thrown instanceof PaymentRefused ? thrown : new PaymentRefused(reasonOf(thrown));
  }
}

async function send(provider: Provider, request: PaymentRequest, from: string): Promise<string> {
  const data = transferCall(request.to, request.micro);
  const transaction = { from, to: request.usdc, data, value: "0x0" };
  try {
    return String(await provider.request({ method: "eth_sendTransaction", params: [transaction] }));
  } catch (thrown) {
    const reason = reasonOf(thrown);
    // Only now: some wallets have their fees paid by others, and need no ether.
    if (reason === "walletFailed" && (await hasNoEther(provider, from)))
      throw new PaymentRefused("noFee", { network: request.network });
    throw new PaymentRefused(reason);
  }
}

async function hasNoEther(provider: Provider, account: string): Promise<boolean> {
  const asked = provider.request({ method: "eth_getBalance", params: [account, "latest"] });
  return /^0x0*$/.test(String(await asked.catch(() => "")));
}

/**
 * Waits for the network's verdict on a payment that was sent. Returns false when it was carried out, or when nothing
 * is known about it for `verdictMsMax`: a few wallets give hashes that are no transaction's.
 */
export async function wasReverted(provider: Provider, hash: string): Promise<boolean> {
  const deadline = performance.now() + verdictMsMax;
  while (performance.now() < deadline) {
    const asked = provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    const receipt = await asked.catch(() => null);
    if (typeof receipt === "object" && receipt !== null && "status" in receipt)
      return Number(receipt.status) === 0;
    await new Promise((resolve) => setTimeout(resolve, verdictPollMs));
  }
  return false;
}

async function firstAccount(provider: Provider): Promise<string> {
  const accounts = await provider.request({ method: "eth_requestAccounts" });
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof first !== "string") throw new PaymentRefused("noAccount");
  return first;
}

async function switchChain(provider: Provider, { chainId, network }: PaymentRequest): Promise<void> {
  const wanted = `0x${chainId.toString(16)}`;
  const isWanted = async () => Number(await provider.request({ method: "eth_chainId" })) === chainId;
  if (await isWanted()) return;
  const change = () =>
    provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId: wanted }] });
  try {
    await change();
  } catch (thrown) {
    if (codeOf(thrown) !== unknownChain) throw thrown;
    const chain = publicChains[chainId];
    if (!chain) {
      throw new PaymentRefused("unknownNetwork", { network, chainId });
    }
    await provider.request({ method: "wallet_addEthereumChain", params: [{ chainId: wanted, ...chain }] });
    // A wallet may switch by itself to what it has added (EIP-3085), and some do not.
    if (!(await isWanted())) await change();
  }
  if (!(await isWanted())) {
    throw new PaymentRefused("otherNetwork", { network });
  }
}

/** Without this the wallet would show a transaction that fails, and not say why. */
async function requireBalance(provider: Provider, request: PaymentRequest, owner: string): Promise<void> {
  const call = { to: request.usdc, data: balanceCall(owner) };
  const balance = await provider.request({ method: "eth_call", params: [call, "latest"] });
  if (typeof balance !== "string" || !/^0x[0-9a-fA-F]{64}$/.test(balance)) return;
  if (BigInt(balance) < request.micro) {
    throw new PaymentRefused("tooLittle", { network: request.network });
  }
}

/** Some wallets put the code that says it inside of another error. */
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

function reasonOf(thrown: unknown): ClientKey {
  switch (codeOf(thrown)) {
    case userRejected:
      return "declined";
    case unauthorized:
      return "unauthorized";
    case requestPending:
      return "requestPending";
    default:
      return "walletFailed";
  }
}

/** The payment did not happen; the reason is a text for the payer. */
export class PaymentRefused extends Error {
  override readonly name = "PaymentRefused";
  constructor(
    readonly reason: ClientKey,
    readonly values: Values = {},
  ) {
    super(reason);
  }
}
