import { expect, test } from "bun:test";
import { dataDirPath } from "../../src/cli/local/data-dir.ts";
import { parseConfig } from "../../src/config/config.ts";

test("every command works in the directory that till serve uses", () => {
  for (const given of [undefined, "", " ", "data", "/var/lib/till", " ./somewhere/else ", "/var/lib/till "]) {
    const environment = {
      TILL_RPC_URL: "https://node.example",
      TILL_WALLET_PASSPHRASE: "a long passphrase",
      TILL_DATA_DIR: given,
    };
    expect(dataDirPath(environment)).toBe(parseConfig(environment).dataDir);
  }
  expect(dataDirPath({ TILL_DATA_DIR: "/var/lib/till " })).toBe("/var/lib/till");
});
