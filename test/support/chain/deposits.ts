import type { Hex, TransactionReceipt } from "viem";
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import forwarderArtifact from "../../../assets/contracts/artifacts/Forwarder.json";
import factoryArtifact from "../../../assets/contracts/artifacts/TillFactory.json";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import { startTestChain, type TestChain } from "./chain.ts";
import { balanceOf, contractsOf, deploy, deployFactory, encode, send, stranger } from "./evm.ts";

const { factory, implementation } = DepositAddress;
const secret = new Uint8Array(32).fill(7);

/** As a token: ETH. */
export const eth = Address.zero;

export type Deposit = { payoutWallet: Address.Address; salt: Hex; address: Address.Address };

export type DepositChain = Awaited<ReturnType<typeof startDepositChain>>;

/** A test chain with the factory on it, and the calls that the tests of the contracts make. */
export async function startDepositChain() {
  const chain: TestChain = await startTestChain();
  const hostile = await contractsOf(new URL("../../chain/contract/Hostile.sol", import.meta.url));
  let lastIndex = 0;
  await deployFactory(chain);

  return {
    ...chain,

    /** A deposit nobody has used, for a payout wallet that holds nothing unless one is given. */
    newDeposit(payoutWallet?: Address.Address): Deposit {
      lastIndex += 1;
      const wallet = payoutWallet ?? Address.checksum(`0x${lastIndex.toString(16).padStart(40, "e")}`);
      const salt = DepositAddress.saltFor(secret, lastIndex);
      const address = DepositAddress.derive({ factory, implementation, payoutWallet: wallet, salt });
      return { payoutWallet: wallet, salt, address };
    },

    async balance(token: Address.Address, of: Address.Address): Promise<bigint> {
      if (token === eth) return BigInt(String(await chain.rpc("eth_getBalance", [of, "latest"])));
      return await balanceOf(chain, token, of);
    },

    /** The undecoded answer of a call that changes nothing. */
    async read(to: Address.Address, abi: readonly unknown[], name: string, args: readonly unknown[] = []) {
      return (await chain.rpc("eth_call", [{ to, data: encode(abi, name, args) }, "latest"])) as Hex;
    },

    codeAt: (address: Address.Address) => chain.rpc("eth_getCode", [address, "latest"]),

    mint: (token: Address.Address, to: Address.Address, value: bigint) =>
      send(chain, { to: token, data: encode(usdcArtifact.abi, "mint", [to, value]) }),

    sendEth: (to: Address.Address, value: bigint) => send(chain, { to, value }),

    create: ({ payoutWallet, salt }: Deposit) =>
      send(chain, { to: factory, data: encode(factoryArtifact.abi, "deploy", [payoutWallet, salt]) }),

    flush: (of: Address.Address, token: Address.Address) =>
      send(chain, { to: of, data: encode(forwarderArtifact.abi, "flush", [token]), from: stranger }),

    /** The call that settles these deposits, as Till makes it but for the limit of its gas. */
    settlement(token: Address.Address, deposits: readonly Deposit[]): { to: Address.Address; data: Hex } {
      const { perDeposit } = DepositAddress.settlementGas(deposits.length);
      return { to: factory, data: encode(factoryArtifact.abi, "settle", [token, deposits, perDeposit]) };
    },

    /** A settlement with exactly the gas that Till gives it, unless told. */
    settle(token: Address.Address, deposits: readonly Deposit[], gas?: bigint): Promise<TransactionReceipt> {
      const { limit } = DepositAddress.settlementGas(deposits.length);
      return send(chain, { ...this.settlement(token, deposits), gas: gas ?? limit });
    },

    /** A contract of Hostile.sol. */
    deployHostile: (name: string) => deploy(chain, hostile.get(name)?.bytecode ?? "0x"),
  };
}
