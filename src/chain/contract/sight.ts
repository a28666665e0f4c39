import { encodeFunctionData, parseAbi } from "viem";
import { type Address, zero } from "../../domain/wallet/address.ts";
import { isWord } from "../../lib/crypto.ts";
import { isContract, readNonce } from "../account/account.ts";
import { BadAnswer } from "../node/block.ts";
import { createMulticall } from "../node/multicall.ts";
import { type Rpc, RpcError } from "../node/rpc.ts";
import { balanceCall, blockedCall } from "./token.ts";

/** `blocked`: the token takes no payment to it. `contract`: one that does not answer as wallets do. */
export type Sight = "blocked" | "contract" | "unused" | "used";

const abi = parseAbi([
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
  "function onERC721Received(address, address, uint256, bytes) returns (bytes4)",
]);

/** Of nobody: the key behind it follows from what is signed. r is the generator's x, so that it is one of some key. */
const signature =
  `0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798${"1".padStart(64, "0")}1b` as const;

/** Smart wallets judge signatures (ERC-1271) and take collectibles (ERC-721); some refuse to judge one of a stranger. */
const walletCalls = [
  encodeFunctionData({
    abi,
    functionName: "isValidSignature",
    args: [`0x${"1".repeat(64)}`, signature],
  }),
  encodeFunctionData({ abi, functionName: "onERC721Received", args: [zero, zero, 0n, "0x"] }),
];

/** What the chain says of an account that the token is to be sent to. Throws when the node fails or answers nonsense. */
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
    // Apart: what a contract answers without end must not hide what the token says of it.
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
  // A token may know no blacklist.
  if (isWord(blocked) && BigInt(blocked) === 1n) return "blocked";
  if (hasContract) return ofWallet.some(isWord) ? "used" : "contract";
  return nonce === 0 && BigInt(balance) === 0n ? "unused" : "used";
}
