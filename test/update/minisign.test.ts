import { describe, expect, test } from "bun:test";
import { readKeys, trustedComment } from "../../src/update/minisign.ts";
import { newSigner } from "./signer.ts";

/** Made with Debian's minisign 0.11: `minisign -S -s k.sec -m SHA256SUMS -t 'till 1.2.3 security 1.2.1'`. */
const recorded = {
  key: "RWQ6+xyAb7+HnfQbKKoZaLzvrw6oOwD6ayaMDH77lkFvrWWArefo+oH6",
  other: "RWQWsCws2pDtK8kYq1AQZVLfdxSAQLscTih0LGpWv+tNPT6sV87OzNou",
  content: Buffer.from("00a0000000000000000000000000000000000000000000000000000000000000  till-linux-x64\n"),
  signature: [
    "untrusted comment: signature from minisign secret key",
    "RUQ6+xyAb7+Hna/ltuG0e9ZD2jmtopg2x7mOPdpsZnQhLX7dtcJaLWF4GuANbZUkv+SvkHxMN9rWUqTGTI080ypt4KkOjH1/GgE=",
    "trusted comment: till 1.2.3 security 1.2.1",
    "KYUAw47ODJSQEmUD6Qt2l1LFfVPWnqrVymH3m6iv6CdQh05PAfnLdlg4AT7maIjSsB5L/x3Mm26gQ48fTgoXAg==",
    "",
  ],
  /** With `-l`: of the file itself. */
  legacy: [
    "untrusted comment: signature from minisign secret key",
    "RWQ6+xyAb7+HnZH4Yc6+/HqWur7KhboXvTdfKH2ShyXe5L+sf3I0XQYtQQPFsICRo2ZTQvQJEyHPSKKY1KAboPcDCz1Jq3LdUQE=",
    "trusted comment: till 1.2.3 security 1.2.1",
    "Lf+r5sZHae7C2IdbriqJ+DQiKyQDhFkzqxxrciXXDqKKTP3An6lfqFBNWEoXM5Z5OHwUybqwHOTW7eOTF6ocDw==",
    "",
  ],
};
const keys = readKeys(`# the first\n${recorded.other}\n\n${recorded.key}\r\n`);
const signature = recorded.signature.join("\n");

describe("a signature of minisign", () => {
  test("is taken with the key that made it, one of two", () => {
    expect(keys.map(({ id }) => id)).toEqual(["2BED90DA2C2CB016", "9D87BF6F801CFB3A"]);
    expect(trustedComment(recorded.content, signature, keys)).toBe("till 1.2.3 security 1.2.1");
    const renamed = signature.replace("signature from minisign secret key", "anything");
    expect(trustedComment(recorded.content, renamed, keys)).toBe("till 1.2.3 security 1.2.1");
  });

  test("is that of the tests' own signer, too", () => {
    const signer = newSigner();
    const made = signer.sign(recorded.content, "till 9.9.9 security 9.0.0");
    expect(trustedComment(recorded.content, made, readKeys(signer.publicKey))).toBe(
      "till 9.9.9 security 9.0.0",
    );
  });

  test("is refused when anything that was signed is another one", () => {
    const refused = (content: Uint8Array, text: string, some = keys) => {
      expect(() => trustedComment(content, text, some)).toThrow(
        expect.objectContaining({ name: "UpdateRefused" }),
      );
    };
    for (let at = 0; at < recorded.content.length; at++) {
      const changed = Buffer.from(recorded.content);
      changed[at] = (changed[at] ?? 0) ^ 1;
      refused(changed, signature);
    }
    for (const line of [1, 3]) {
      const text = recorded.signature[line] ?? "";
      for (let at = 0; at < text.length; at++) {
        const changed = recorded.signature.with(
          line,
          `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`,
        );
        refused(recorded.content, changed.join("\n"));
      }
    }
    refused(recorded.content, signature.replace("security 1.2.1", "security 1.2.0"));
    refused(recorded.content, signature.replace("till 1.2.3", "till 1.2.4"));
  });

  test("says what is wrong", () => {
    const why = (text: string, some = keys) => {
      try {
        return trustedComment(recorded.content, text, some);
      } catch (thrown) {
        return (thrown as Error).message;
      }
    };
    const first = recorded.signature[1] ?? "";
    const forged = first.replace("Hna/l", "Hna/m");
    expect([
      why("<!doctype html>\n<title>Sign in to the network</title>\n<p>…\n</html>\n"),
      why(recorded.legacy.join("\n")),
      why(signature, keys.slice(0, 1)),
      why(signature.replace(first, forged)),
      why(signature.replace("1.2.3", "1.2.4")),
      why(`${signature}more\n`),
      why(signature.replaceAll("\n", "\r\n")),
    ]).toEqual([
      expect.stringContaining("as the signature of the release is none"),
      expect.stringContaining("in a form that Till does not take"),
      expect.stringContaining("the key 9D87BF6F801CFB3A, which this Till does not know"),
      expect.stringContaining("its checksums were changed"),
      expect.stringContaining("its version was changed"),
      expect.stringContaining("is none"),
      expect.stringContaining("is none"),
    ]);
  });

  test("needs whole keys", () => {
    for (const wrong of [recorded.key.slice(1), `${recorded.key}=`, "x", first(recorded.signature)])
      expect(() => readKeys(wrong)).toThrow("is no public key of minisign");
    expect(readKeys("# none yet\n")).toEqual([]);
  });
});

const first = (lines: readonly string[]) => lines[1] ?? "";
