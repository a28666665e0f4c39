import { describe, expect, test } from "bun:test";
import { createRecipients } from "../../src/chain/transfer/recipients.ts";
import { topicOf } from "../../src/chain/transfer/transfer-log.ts";
import * as Address from "../../src/domain/wallet/address.ts";
import { batches } from "../../src/lib/loop.ts";

const count = 3_000;
/** Many share the first word, which chooses the place: all of them have to be found behind one another. */
const addresses = Array.from({ length: count }, (_, i) => {
  const digits = new Bun.CryptoHasher("sha256").update(`address ${i}`).digest("hex");
  return Address.checksum(`0x${i % 3 === 0 ? "ffffffff" : digits.slice(0, 8)}${digits.slice(8, 40)}`);
});

function filled() {
  const recipients = createRecipients();
  for (const [i, address] of addresses.entries()) recipients.add(address, i * 1_000_000);
  return recipients;
}

describe("createRecipients", () => {
  test("gives the index of each topic that was added, and nothing for any other", () => {
    const recipients = filled();
    expect(recipients.size).toBe(count);
    for (const [i, address] of addresses.entries())
      expect(recipients.get(topicOf(address))).toBe(i * 1_000_000);
    const topic = topicOf(addresses[1] ?? Address.zero);
    for (const other of [
      topicOf(Address.zero),
      `${topic}0`,
      topic.slice(0, -1),
      topic.replace("0x0", "0x1"),
      "0x",
      "",
    ]) {
      expect(recipients.get(other)).toBeUndefined();
      expect(recipients.has(other)).toBe(false);
    }
  });

  test("keeps the order, and the first index of what is added twice", () => {
    const recipients = filled();
    recipients.add(addresses[7] ?? Address.zero, 1);
    expect(recipients.get(topicOf(addresses[7] ?? Address.zero))).toBe(7_000_000);
    expect([...recipients.keys()]).toEqual(addresses.map(topicOf));
    expect([...batches(recipients.keys(), 1000)].map(({ length }) => length)).toEqual([1000, 1000, 1000]);
  });

  test("gives a part the same key for as long as the same are in it", () => {
    const recipients = filled();
    const parts = recipients.parts(1024);
    expect(parts.flatMap(({ topics }) => topics())).toEqual(addresses.map(topicOf));
    const again = filled();
    again.add(Address.zero, 0);
    const keys = again.parts(1024).map(({ key }) => key);
    expect(keys.map((key, i) => key === parts[i]?.key)).toEqual([true, true, false]);
  });
});
