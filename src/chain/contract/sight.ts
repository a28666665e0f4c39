import { encodeFunctionData, parseAbi } from "viem";
import { type Address, zero } from "../../domain/wallet/address.ts";
import { isWord } from "../../lib/crypto.ts";
import { isContract, readNonce } from "../account/account.ts";
import { BadAnswer } from "../node/block.ts";
import { createMulticall } from "../node/multicall.ts";
import { type Rpc, RpcError } from "../node/rpc.ts";
import { balanceCall, blockedCall } from "./token.ts";

/** `blocked`: the token accepts no payment to it. `contract`: a contract that does not answer like a wallet. */
export type Sight = "blocked" | "contract" | "unused" | "used";

const abi = parseAbi([
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
  "function onERC721Received(address, address, uint256, bytes) returns (bytes4)",
]);

/**
 * A signature of nobody: the key behind it follows from what is signed. r is the generator's x, so that it is valid for
 * some key.
 */
const signature =
  `0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798${"1".padStart(64, "0")}1b` as const;

/** Smart wallets check signatures (ERC-1271) and accept collectibles (ERC-721); some refuse to check a stranger's. */
const walletCalls = [
  encodeFunctionData({
    abi,
    functionName: "isValidSignature",
    args: [`0x${"1".repeat(64)}`, signature],
  }),
  encodeFunctionData({ abi, functionName: "onERC721Received", args: [zero, zero, 0n, "0x"] }),
];

/**
 * Reads what the chain knows of an account to which the token is to be sent. Throws when the node fails or answers
 * nonsense.
 */
export async function readSight(rpc: Rpc, token: Address, account: Address): Promise<Sight> {
  const { read } = createMulticall(rpc);
  const [[balance, blocked], ofWallet, hasContract, nonce] = await Promise.all([
    read(
      [
        { target: token, callData: balanceCall(account) },
        { target: token, callData: blockedCall(account) },
      ],
      "latest",
    ),
    // Separate, as a contract whose answer never ends must not hide the token's answers.
    read(
      walletCalls.map((callData) => ({ target: account, callData })),
      "latest",
    ).catch((thrown) => {
      if (thrown instanceof RpcError || thrown instanceof BadAnswer) return [];
      throw thrown;
    }),
    isContract(rpc, account),
    readNonce(rpc, account),
  ]);
  if (!isWord(balance)) throw new BadAnswer(rpc.host, `${balance} where a balance of ${token} belongs`);
  // A token may have no blacklist.
  if (isWord(blocked) && BigInt(blocked) === 1n) return "blocked";
  if (hasContract) return ofWallet.some(isWord) ? "used" : "contract";
  return nonce === 0 && BigInt(balance) === 0n ? "unused" : "used";
}
