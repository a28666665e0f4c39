import { simulate } from "./simulate.ts";

const [seed = "1", days = "1", payments = "200", troubles = "40"] = process.argv.slice(2);
const begun = performance.now();
const outcome = await simulate({
  seed: Number(seed),
  days: Number(days),
  paymentsPerDay: Number(payments),
  faultsPerDay: Number(troubles),
});
console.log(outcome, process.cpuUsage(), `${((performance.now() - begun) / 1_000).toFixed(1)} s`);
process.exit(outcome.faults.length > 0 ? 1 : 0);
