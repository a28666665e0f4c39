import type { Page } from "playwright-core";
import { createWalletClient, http } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import type { TestChain } from "../chain/chain.ts";
import type { Signer } from "../chain/signer.ts";

type Call = { method: string; params?: readonly unknown[] };

export type BrowserWallet = {
  /** What the page asked, in order. */
  readonly asked: readonly Call[];
  methods(): string[];
  /** From now on it is another one, of the same name, with another account, network and owner, and nothing asked yet. */
  become(options?: Omit<WalletOptions, "name">): void;
};

export type WalletOptions = {
  name?: string;
  /** Which account of the chain's mnemonic it holds. */
  accountIndex?: number;
  /** Whose key signs in its place, and has no ETH to send anything with. */
  signer?: Signer;
  /** Whether its owner has let the page see the account before. */
  isConnected?: boolean;
  /** The chain that it is on at first; the test's own when not given. */
  chainId?: number;
  /** Other chains that it can be switched to, by the id under which the page knows each. */
  others?: Readonly<Record<number, TestChain>>;
  /** Whether it knows the test's chain. One that does not learns it by wallet_addEthereumChain. */
  knowsChain?: boolean;
  /** Answers with an error of EIP-1193, once for each, in this order, before it does what it is asked. */
  refusals?: Record<string, readonly number[]>;
  /** Is awaited before it answers. */
  before?: (call: Call) => Promise<void>;
};

const mnemonic = "test test test test test test test test test test test junk";
/**
 * More than a transfer takes, and than Circle's contracts do: a wallet that estimated would find out before it sends that
 * a transfer fails.
 */
const gas = 600_000n;

/**
 * Announces a wallet (EIP-6963) in every document of the page from now on. It has a key of its own, signs with it and
 * sends to the chain; what it only relays it asks the node.
 */
export async function giveWallet(
  page: Page,
  chain: TestChain,
  { name = "Test Wallet", ...first }: WalletOptions = {},
): Promise<BrowserWallet> {
  const ownChainId = Number(await chain.rpc("eth_chainId"));
  const asked: Call[] = [];
  let owned = owner(first);
  function owner({
    accountIndex = 0,
    knowsChain = true,
    chainId = ownChainId,
    refusals = {},
    others = {},
    isConnected = false,
    before = async () => {},
    signer,
  }: WalletOptions) {
    const account = mnemonicToAccount(mnemonic, { addressIndex: accountIndex });
    const chains: Readonly<Record<number, TestChain>> = { ...others, [ownChainId]: chain };
    const left = new Map(Object.entries(refusals).map(([method, codes]) => [method, [...codes]]));
    const address = signer?.address ?? account.address;
    return { account, address, chains, left, knowsChain, chainId, isConnected, before, signer };
  }

  async function answer({ method, params = [] }: Call): Promise<unknown> {
    const { account, address, chains, signer } = owned;
    const [first] = params as [Record<string, string>];
    switch (method) {
      case "eth_requestAccounts":
        return [address];
      case "eth_accounts":
        return owned.isConnected ? [address] : [];
      case "eth_signTypedData_v4": {
        const [who, typed] = params as [string, string];
        if (who !== address || JSON.parse(typed).domain.chainId !== owned.chainId)
          throw { code: -32602, message: "Provided chainId must match the active chainId" };
        return (signer?.key ?? account).signTypedData(JSON.parse(typed));
      }
      case "eth_chainId":
        return `0x${owned.chainId.toString(16)}`;
      case "wallet_switchEthereumChain":
        if (!owned.knowsChain) throw { code: 4902, message: "Unrecognized chain" };
        owned.chainId = Number(first["chainId"]);
        return null;
      case "wallet_addEthereumChain":
        owned.knowsChain = true;
        return null;
      case "eth_sendTransaction": {
        const { to, data } = first as { to: `0x${string}`; data: `0x${string}` };
        if (signer) throw { code: -32000, message: "insufficient funds for gas" };
        const on = chains[owned.chainId];
        if (!on) throw { code: 4901, message: "Not connected to that chain" };
        const client = createWalletClient({ account, transport: http(on.rpcUrl) });
        return await client.sendTransaction({ chain: null, to, data, gas });
      }
      default:
        return (chains[owned.chainId] ?? chain).rpc(method, params);
    }
  }

  const bridge = `wallet${first.accountIndex ?? 0}`;
  await page.exposeFunction(bridge, async (call: Call) => {
    asked.push(call);
    await owned.before(call);
    const code = owned.left.get(call.method)?.shift();
    try {
      if (code !== undefined) throw { code, message: "refused" };
      return { result: await answer(call) };
    } catch (thrown) {
      const { code = -32000, message = "" } = thrown as { code?: number; message?: string };
      return { error: { code, message } };
    }
  });
  await page.addInitScript(`{
    const request = async (call) => {
      const { result, error } = await window.${bridge}(call);
      if (error) throw error;
      return result;
    };
    const icon = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
    const info = Object.freeze({ uuid: "${bridge}", name: ${JSON.stringify(name)}, icon, rdns: "example.wallet" });
    const detail = Object.freeze({ info, provider: { request } });
    const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
    addEventListener("eip6963:requestProvider", announce);
    announce();
  }`);
  return {
    asked,
    methods: () => asked.map(({ method }) => method),
    become(options = {}) {
      owned = owner(options);
      asked.length = 0;
    },
  };
}
