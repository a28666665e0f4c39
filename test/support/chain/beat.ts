import type { TestChain } from "./chain.ts";

/** Makes a block every so many ms, as Base does, on a chain that makes one for each transaction otherwise. */
export type Beat = {
  /** Does something between two blocks. */
  between<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

export async function startBeat(rpc: TestChain["rpc"], blockMs: number): Promise<Beat> {
  await rpc("evm_setAutomine", [false]);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
  let problem: unknown = null;
  const timer = setInterval(() => {
    inTurn(() => rpc("anvil_mine", ["0x1"])).catch((thrown: unknown) => {
      problem ??= thrown;
    });
  }, blockMs);
  return {
    between: inTurn,
    async stop() {
      clearInterval(timer);
      await last.catch(() => {});
      if (problem !== null) throw problem;
    },
  };
}
