/** Time of the processor that this process has used, in ms: where time is measured by the clock, others on a busy machine count too. */
export function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
