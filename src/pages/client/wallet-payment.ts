import type { ClientKey } from "../language/client-words.ts";
import type { Values } from "../language/fill.ts";
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
    const data = transferCall(request.to, request.micro);
    const transaction = { from, to: request.usdc, data, value: "0x0" };
    return String(await provider.request({ method: "eth_sendTransaction", params: [transaction] }));
  } catch (thrown) {
    throw thrown instanceof PaymentRefused ? thrown : new PaymentRefused(reasonOf(thrown));
  }
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
  try {
    await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId: wanted }] });
  } catch (thrown) {
    if (codeOf(thrown) !== unknownChain) throw thrown;
    const chain = publicChains[chainId];
    if (!chain) {
      throw new PaymentRefused("unknownNetwork", { network, chainId });
    }
    await provider.request({ method: "wallet_addEthereumChain", params: [{ chainId: wanted, ...chain }] });
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
