import { describe, expect, test } from "bun:test";
import { speak } from "../../../src/language/locale.ts";
import { fill } from "../../../src/lib/text/english.ts";
import {
  PaymentRefused,
  payWith,
  transferCall,
  wasReverted,
} from "../../../src/pages/client/wallet/wallet-payment.ts";
import { depositAddress } from "../sample.ts";

const account = "0x1111111111111111111111111111111111111111";
const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const request = { chainId: 8453, network: "Base", usdc, to: depositAddress, micro: 1_500_000_000n };
const isDue = () => {};
const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;

type Answer = (params: unknown) => unknown;

/** A wallet on Base with 2000.00 USDC whose user agrees, less what the test says; it remembers what it was asked. */
function wallet(changes: Record<string, Answer> = {}) {
  const asked: { method: string; params?: unknown }[] = [];
  const answers: Record<string, Answer> = {
    eth_requestAccounts: () => [account],
    eth_chainId: () => "0x2105",
    eth_call: () => word(2_000_000_000n),
    eth_sendTransaction: () => "0xabc",
    ...changes,
  };
  return {
    asked,
    methods: () => asked.map(({ method }) => method),
    async request(call: { method: string; params?: unknown }) {
      asked.push(call);
      const answer = answers[call.method];
      if (!answer) throw { code: -32601, message: `${call.method} is not supported` };
      return answer(call.params);
    },
  };
}

function fail(code: number, extra: object = {}): Answer {
  return () => {
    throw { code, message: "as the wallet says it", ...extra };
  };
}

async function refusal(changes: Record<string, Answer>) {
  const provider = wallet(changes);
  const thrown = await payWith(provider, request, isDue).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof PaymentRefused)) throw new Error("The payment was not refused");
  return {
    sentence: fill(speak("en").texts[thrown.reason], thrown.values),
    sent: provider.methods().includes("eth_sendTransaction"),
  };
}

describe("payWith", () => {
  test("asks for exactly the USDC transfer, and returns its hash", async () => {
    const provider = wallet();
    expect(await payWith(provider, request, isDue)).toBe("0xabc");
    expect(provider.methods()).not.toContain("wallet_switchEthereumChain");
    expect(provider.asked.at(-1)).toEqual({
      method: "eth_sendTransaction",
      params: [{ from: account, to: usdc, data: transferCall(depositAddress, 1_500_000_000n), value: "0x0" }],
    });
  });

  test("switches a wallet that is on another network", async () => {
    let chain = "0x1";
    const provider = wallet({
      eth_chainId: () => chain,
      wallet_switchEthereumChain: (params) => {
        expect(params).toEqual([{ chainId: "0x2105" }]);
        chain = "0x2105";
        return null;
      },
    });
    expect(await payWith(provider, request, isDue)).toBe("0xabc");
  });

  test.each([fail(4902), fail(-32603, { data: { originalError: { code: 4902 } } })])(
    "adds Base to a wallet that does not know it, then switches there, though the wallet does not by itself",
    async (unknown) => {
      let [chain, isKnown] = ["0x1", false];
      const provider = wallet({
        eth_chainId: () => chain,
        wallet_switchEthereumChain(params) {
          if (!isKnown) return unknown(params);
          chain = "0x2105";
          return null;
        },
        wallet_addEthereumChain() {
          isKnown = true;
          return null;
        },
      });
      expect(await payWith(provider, request, isDue)).toBe("0xabc");
      const changes = provider.asked.filter(({ method }) => method.startsWith("wallet_"));
      expect(changes).toMatchObject([
        { method: "wallet_switchEthereumChain" },
        { method: "wallet_addEthereumChain", params: [{ chainId: "0x2105", chainName: "Base" }] },
        { method: "wallet_switchEthereumChain" },
      ]);
    },
  );

  test("error: a local chain that the wallet does not know is named, not added", async () => {
    const provider = wallet({ wallet_switchEthereumChain: fail(4902) });
    const local = { ...request, chainId: 31337, network: "the local chain" };
    await expect(payWith(provider, local, isDue)).rejects.toMatchObject({
      reason: "unknownNetwork",
      values: { network: "the local chain", chainId: 31337 },
    });
    expect(provider.methods()).not.toContain("wallet_addEthereumChain");
  });

  test("error: nothing is sent while the wallet stays on another network", async () => {
    const { sentence, sent } = await refusal({
      eth_chainId: () => "0x1",
      wallet_switchEthereumChain: () => null,
    });
    expect(sentence).toBe("The wallet is on another network. Switch it to Base and try again.");
    expect(sent).toBe(false);
  });

  test("error: an account with too little USDC is told before the wallet is asked to pay", async () => {
    const { sentence, sent } = await refusal({ eth_call: () => word(1_499_999_999n) });
    expect(sentence).toContain("does not have enough USDC on Base");
    expect(sent).toBe(false);
  });

  test("error: a declined payment is said in words", async () => {
    expect((await refusal({ eth_sendTransaction: fail(4001) })).sentence).toBe(
      "Declined in the wallet. Nothing was sent.",
    );
    expect((await refusal({ eth_requestAccounts: fail(-32002) })).sentence).toContain(
      "A request is already waiting in your wallet.",
    );
    expect((await refusal({ eth_requestAccounts: fail(4100) })).sentence).toContain(
      "Allow access in the wallet and try again.",
    );
    expect((await refusal({ eth_requestAccounts: () => [] })).sentence).toContain("no account");
  });

  test("error: a wallet whose answers are no promises is refused in words, too", async () => {
    const answers: Record<string, unknown> = {
      eth_requestAccounts: [account],
      eth_chainId: "0x2105",
      eth_call: word(2_000_000_000n),
      eth_getBalance: "0x0",
    };
    const provider = {
      request({ method }: { method: string }) {
        if (method in answers) return answers[method];
        throw { code: -32000, message: "insufficient funds" };
      },
    };
    const refused = payWith(provider as never, request, isDue);
    expect(await refused.catch((thrown) => thrown.reason)).toBe("noFee");
  });

  test("error: what is not known is not called unsent", async () => {
    const { sentence } = await refusal({ eth_sendTransaction: fail(-32000) });
    expect(sentence).toContain("Check in the wallet that nothing was sent");
  });
});

describe("wasReverted", () => {
  const verdict = (...statuses: unknown[]) =>
    wasReverted(
      wallet({
        eth_getTransactionReceipt: () => (statuses.length > 0 ? { status: statuses.shift() } : null),
      }),
      "0xabc",
    );

  test("believes a status of zero, and takes none that is empty for one: it may still be carried out", async () => {
    expect(await verdict("0x0")).toBe(true);
    expect(await verdict("0x1")).toBe(false);
    expect(await Promise.all([null, "", undefined, []].map((none) => verdict(none, "0x1")))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
