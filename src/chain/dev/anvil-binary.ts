import { dirname, join } from "node:path";

/**
 * The binary in Anvil's platform package, as it was installed beside the running code, else the one on PATH.
 * Not the package's launcher: it does not pass signals on. Throws an AnvilMissing.
 */
export function findAnvil(from: string = import.meta.dir, path?: string): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const platform = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  try {
    // Some installers let only the launcher's package see the platform package, so it is looked up from there.
    const launcher = dirname(Bun.resolveSync("@foundry-rs/anvil/package.json", from));
    return join(dirname(Bun.resolveSync(`${platform}/package.json`, launcher)), "bin", "anvil");
  } catch {
    const onPath = Bun.which("anvil", path === undefined ? {} : { PATH: path });
    if (onPath === null) throw new AnvilMissing();
    return onPath;
  }
}

/** There is no Anvil on this machine. */
export class AnvilMissing extends Error {
  override readonly name = "AnvilMissing";
  constructor() {
    super(
      "Anvil, the local test chain, is not installed. Install Foundry so that `anvil` is on PATH " +
        "(https://getfoundry.sh), or set TILL_RPC_URL to an Anvil that is already running.",
    );
  }
}
