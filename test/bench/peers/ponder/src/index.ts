/** Stores every USDC transfer to one of the deposits. */
import { readFileSync } from "node:fs";
import { ponder } from "ponder:registry";
import { transfer } from "ponder:schema";

const deposits = new Set(readFileSync(process.env["BENCH_DEPOSITS"] ?? "", "utf8").split("\n"));

ponder.on("Usdc:Transfer", async ({ event, context }) => {
  const { to, value } = event.args;
  if (!deposits.has(to)) return;
  await context.db.insert(transfer).values({
    id: event.id,
    recipient: to,
    amount: value,
    blockNumber: event.block.number,
    txHash: event.transaction.hash,
  });
});
