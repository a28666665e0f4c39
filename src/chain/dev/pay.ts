import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  http,
  parseAbi,
} from "viem";
import { type LocalAccount, mnemonicToAccount } from "viem/accounts";
import type { Usdc } from "../../domain/usdc.ts";
import type { Address } from "../../domain/wallet/address.ts";
import type { Hex } from "../../lib/crypto.ts";
import { messageOf } from "../../lib/error.ts";
import type { typedDataOf } from "../contract/authorization.ts";
import { anvilChainId } from "./anvil.ts";
import { NotADevChain } from "./dev-chain.ts";

const mnemonic = "test test test test test test test test test test test junk";
const erc20 = parseAbi([
  "function transfer(address to, uint256 value) returns (bool)",
  "error AccountBlacklisted(address account)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
]);

const receiptTimeoutMs = 30_000;
const receiptPollMs = 50;

type DevPayment = {
  rpcUrl: string;
  usdcAddress: Address;
  to: Address;
  amount: Usdc;
  /** Index of the dev chain's payer; the first by default. */
  payerIndex?: number;
};

/**
 * Pays on a development chain from one of its payers, and waits for the block. Payments by one payer must be made one
 * after another. Throws a NotADevChain on any other chain and a PaymentFailed if the payment fails.
 */
export async function pay({
  rpcUrl,
  usdcAddress,
  to,
  amount,
  payerIndex = 0,
}: DevPayment): Promise<{ txHash: Hex; blockNumber: bigint }> {
  const transport = http(rpcUrl);
  const client = createPublicClient({ transport, pollingInterval: receiptPollMs });
  const chainId = await client.getChainId().catch((error: unknown) => {
    // The outer error repeats the whole request.
    throw error instanceof BaseError ? error.walk() : error;
  });
  if (chainId !== anvilChainId) throw new NotADevChain(new URL(rpcUrl).host, chainId);

  const account = payerAccount(payerIndex);
  const wallet = createWalletClient({ account, transport });
  const transfer = {
    address: usdcAddress,
    abi: erc20,
    functionName: "transfer",
    args: [to, amount],
  } as const;
  try {
    // A settlement may empty the address in between, and then the transfer costs more than estimated.
    const gas = 2n * (await client.estimateContractGas({ ...transfer, account }));
    const txHash = await wallet.writeContract({ ...transfer, chain: null, gas });
    const receipt = await client.waitForTransactionReceipt({ hash: txHash, timeout: receiptTimeoutMs });
    if (receipt.status !== "success") throw new PaymentFailed(`transaction ${txHash} was reverted`);
    return { txHash, blockNumber: receipt.blockNumber };
  } catch (error) {
    if (error instanceof PaymentFailed) throw error;
    throw new PaymentFailed(reasonOf(error), { cause: error });
  }
}

/**
 * Signs an authorisation as a payer of the development chain. Throws a NotADevChain for any other chain, as the keys
 * are public.
 */
export async function signAsPayer(typed: ReturnType<typeof typedDataOf>): Promise<Hex> {
  if (typed.domain.chainId !== anvilChainId) throw new NotADevChain("TILL_BASE_URL", typed.domain.chainId);
  return await payerAccount(0).signTypedData(typed as never);
}

const accounts = new Map<number, LocalAccount>();

/** Deriving an account from the words takes some 30 ms of CPU time. */
function payerAccount(index: number): LocalAccount {
  const account = accounts.get(index) ?? mnemonicToAccount(mnemonic, { addressIndex: index });
  accounts.set(index, account);
  return account;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) return messageOf(error);
  const revert = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  const name = revert instanceof ContractFunctionRevertedError ? revert.data?.errorName : undefined;
  if (name === "ERC20InsufficientBalance") return "the payer does not have that much USDC";
  if (name === "AccountBlacklisted") return "the payer or the address is blacklisted";
  // viem's full message repeats the whole request; its first sentence says what happened.
  return error.shortMessage;
}

/** The test payment was not made: too little test USDC, a blacklisted address, no block in time. */
export class PaymentFailed extends Error {
  override readonly name = "PaymentFailed";
  constructor(reason: string, options?: ErrorOptions) {
    super(`The payment was not made: ${reason}`, options);
  }
}
