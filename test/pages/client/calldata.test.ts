import { describe, expect, test } from "bun:test";
import { encodeFunctionData, erc20Abi, maxUint256 } from "viem";
import { balanceCall, transferCall } from "../../../src/pages/client/wallet/wallet-payment.ts";
import { depositAddress } from "../sample.ts";

describe("transferCall", () => {
  test.each([1n, 1_500_000_000n, maxUint256])("%p is encoded as viem does", (amount) => {
    const expected = encodeFunctionData({
      abi: erc20Abi,
      functionName: "transfer",
      args: [depositAddress, amount],
    });
    expect(transferCall(depositAddress, amount)).toBe(expected);
  });

  test.each([0n, -1n, maxUint256 + 1n])("error: %p cannot be paid", (amount) => {
    expect(() => transferCall(depositAddress, amount)).toThrow(RangeError);
  });

  test.each(["", "0x", depositAddress.slice(0, -1), `${depositAddress}0`, "javascript:alert(1)"])(
    "error: %j is no address",
    (address) => {
      expect(() => transferCall(address, 1n)).toThrow(RangeError);
    },
  );
});

describe("balanceCall", () => {
  test("is encoded as viem does", () => {
    const expected = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [depositAddress] });
    expect(balanceCall(depositAddress)).toBe(expected);
  });
});
