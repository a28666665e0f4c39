import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import * as Address from "../../../src/domain/wallet/address.ts";
import { type OtherChain, otherChains } from "../../../src/domain/wallet/elsewhere.ts";
import { startTestChain, type TestChain } from "./chain.ts";
import { encode, send } from "./evm.ts";

/** Anvil's own accounts sign for its own chain only. */
const payer = Address.checksum(`0x${"9a".repeat(20)}`);
const plenty = "0xffffffffffff";

export type OtherTestChain = TestChain & { chain: OtherChain; send: SendUsdc };

/** One of the chains beside `anvil`, with a payer who has USDC there. */
export async function startOtherChain(nth: 0 | 1): Promise<OtherTestChain> {
  const chain = otherChains("anvil")[nth];
  if (!chain) throw new Error(`There is no chain ${nth} beside anvil`);
  const anvil = await startTestChain();
  await anvil.rpc("anvil_setChainId", [chain.chainId]);
  await anvil.giveEth(payer);
  await anvil.rpc("anvil_dealERC20", [payer, anvil.usdc, plenty]);
  await anvil.rpc("anvil_impersonateAccount", [payer]);
  const pay: SendUsdc = async (to, micro) => {
    const { status } = await send(anvil, {
      from: payer,
      to: anvil.usdc,
      data: encode(usdcArtifact.abi, "transfer", [to, micro]),
    });
    if (status !== "success") throw new Error("USDC was not sent");
  };
  return { ...anvil, chain, send: pay };
}

/** An amount in micro-USDC. */
type SendUsdc = (to: Address.Address, micro: bigint) => Promise<void>;
