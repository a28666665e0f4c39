import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  pad,
  parseAbi,
  parseAbiParameters,
  serializeErc6492Signature,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { newNonce, readDomain, typedDataOf } from "../../../src/chain/contract/authorization.ts";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import type { TestChain } from "./chain.ts";
import { contractsOf, deploy, stranger } from "./evm.ts";
import { mint } from "./settlement.ts";

export type Signed = {
  from: Address.Address;
  to: Address.Address;
  amount: bigint;
  validAfterSec: number;
  validBeforeSec: number;
  nonce: Hex;
};

export type Signer = {
  readonly address: Address.Address;
  /** The key that signs, also that of a smart wallet. */
  readonly key: PrivateKeyAccount;
  /** Signs an authorisation that lasts for five minutes unless told otherwise. */
  sign(auth: Partial<Signed> & Pick<Signed, "to" | "amount">): Promise<{ auth: Signed; signature: Hex }>;
};

const wallets = () => contractsOf(new URL("KeyWallet.sol", import.meta.url));

/** Somebody with USDC (in micro-USDC, out of nothing) and without any ETH. */
export async function newSigner(chain: TestChain, micro: bigint): Promise<Signer> {
  const key = privateKeyToAccount(generatePrivateKey());
  return signerOf(chain, key, Address.checksum(key.address), micro);
}

/** The same with a smart wallet whose signatures are those of a key (ERC-1271). */
export async function newSmartSigner(chain: TestChain, micro: bigint): Promise<Signer> {
  const key = privateKeyToAccount(generatePrivateKey());
  const artifact = (await wallets()).get("KeyWallet");
  const code = `${artifact?.bytecode}${encodeAbiParameters([{ type: "address" }], [key.address]).slice(2)}`;
  return signerOf(chain, key, await deploy(chain, code as Hex), micro);
}

/** The published address of the factory of Coinbase Smart Wallet 1.1. */
export const walletFactory = Address.checksum("0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842");

export const walletFactoryAbi = parseAbi([
  "function createAccount(bytes[] owners, uint256 nonce) returns (address)",
  "function createOther(bytes[] owners, uint256 nonce) returns (address)",
]);

/** Puts a factory of smart wallets there. */
export async function deployWalletFactory(chain: TestChain, at = walletFactory): Promise<void> {
  const artifact = (await wallets()).get("WalletFactory");
  await chain.rpc("anvil_setCode", [at, artifact?.deployedBytecode]);
}

/** A contract that signs everything, and burns all gas when it counts. */
export async function deployTurncoat(chain: TestChain): Promise<Address.Address> {
  const artifact = (await wallets()).get("Turncoat");
  return deploy(chain, artifact?.bytecode as Hex);
}

/** What such a wallet takes from one of its owners. */
export const ownerSignature = (signatureData: Hex, ownerIndex = 0n): Hex =>
  encodeAbiParameters(parseAbiParameters("(uint256 ownerIndex, bytes signatureData)"), [
    { ownerIndex, signatureData },
  ]);

/** Somebody with such a wallet that is not on the chain yet: its signatures say how to put it there (ERC-6492). */
export async function newUndeployedSigner(
  chain: TestChain,
  micro: bigint,
  {
    factory = walletFactory,
    nonce = 0n,
    owners = (key: Address.Address): Hex[] => [pad(key)],
    inner = async (_hash: Hex, own: () => Promise<Hex>) => ownerSignature(await own()),
  } = {},
): Promise<Signer & { data: Hex; bare: Signer }> {
  const key = privateKeyToAccount(generatePrivateKey());
  const args = [owners(Address.checksum(key.address)), nonce] as const;
  const data = encodeFunctionData({ abi: walletFactoryAbi, functionName: "createAccount", args });
  const word = String(await chain.rpc("eth_call", [{ from: stranger, to: factory, data }, "latest"]));
  const address = Address.checksum(`0x${word.slice(26)}`);
  const domain = { name: "Coinbase Smart Wallet", version: "1", verifyingContract: address };
  const types = { CoinbaseSmartWalletMessage: [{ name: "hash", type: "bytes32" }] };
  const signer = await signerOf(chain, key, address, micro, async (typed) => {
    const chainId = Number(await chain.rpc("eth_chainId"));
    const hash = hashTypedData(typed as never);
    const replaySafe = { domain: { ...domain, chainId }, types, message: { hash } };
    const primaryType = "CoinbaseSmartWalletMessage";
    return inner(hashTypedData({ ...replaySafe, primaryType }), () =>
      key.signTypedData({ ...replaySafe, primaryType }),
    );
  });
  return {
    ...signer,
    data,
    bare: signer,
    async sign(wanted) {
      const { auth, signature } = await signer.sign(wanted);
      return { auth, signature: serializeErc6492Signature({ address: factory, data, signature }) };
    },
  };
}

async function signerOf(
  chain: TestChain,
  key: PrivateKeyAccount,
  address: Address.Address,
  micro: bigint,
  signTyped = (typed: unknown): Promise<Hex> => key.signTypedData(typed as never),
): Promise<Signer> {
  const chainId = Number(await chain.rpc("eth_chainId"));
  const domain = await readDomain(createRpc({ url: chain.rpcUrl }), { chainId, token: chain.usdc });
  if (micro > 0n) await mint(chain, address, micro);
  return {
    address,
    key,
    async sign(wanted) {
      const { timestamp } = (await chain.rpc("eth_getBlockByNumber", ["latest", false])) as {
        timestamp: Hex;
      };
      const nowSec = Math.max(Number(timestamp), Math.floor(Date.now() / 1_000));
      const auth: Signed = {
        from: address,
        validAfterSec: 0,
        validBeforeSec: nowSec + 300,
        nonce: newNonce(),
        ...wanted,
      };
      const typed = typedDataOf(domain, { ...auth, chainId, token: chain.usdc });
      return { auth, signature: await signTyped(typed) };
    },
  };
}
