/** Whether Till stays as fast with a million invoices as with a thousand. */
import { join } from "node:path";
import { startTestChain } from "../../support/chain/chain.ts";
import { makeDataDir } from "../../support/till/data-dir.ts";
import { invoiceRequest } from "../../support/till/till.ts";
import { someInvoices } from "../fill.ts";
import { copyShop } from "../kept.ts";
import { ratioAtMost, report } from "../line.ts";
import { alternate, timed } from "../rounds.ts";
import { makeData, startTillServer } from "../server.ts";

const sizes = { few: 1_000, many: 1_000_000 };
const rounds = 7;
const requestsARound = 300;

const dir = makeDataDir();
const chain = await startTestChain();
const post = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ ...invoiceRequest, send_now: false }),
};

async function start(name: keyof typeof sizes) {
  const dataDir = join(dir.path, name);
  await copyShop(dataDir, sizes[name], "settled");
  const invoices = await makeData(dataDir, someInvoices);
  const { baseUrl, stop } = await startTillServer(chain, dataDir);
  let asked = 0;
  async function ask(path: () => string, init?: RequestInit): Promise<number> {
    const all = await timed(async () => {
      for (let count = 0; count < requestsARound; count++) {
        const answer = await fetch(baseUrl + path(), init);
        if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
        await answer.arrayBuffer();
      }
    });
    return all / requestsARound;
  }
  return {
    create: () => ask(() => "/api/invoices", post),
    status: () => ask(() => `/api/invoices/${invoices[asked++ % invoices.length]?.id}/status`),
    stop,
  };
}

const few = await start("few");
const many = await start("many");
for (const [name, what] of [
  ["create", "new invoice"],
  ["status", "status of an invoice"],
] as const) {
  const measured = await alternate(rounds, { few: few[name], many: many[name] });
  report({
    id: `size/${name}`,
    what: `${what}, with ${sizes.many.toLocaleString("en")} of them`,
    unit: "ms",
    till: measured.many,
    beside: { name: `Till with ${sizes.few.toLocaleString("en")}`, value: measured.few },
    targets: [ratioAtMost(1.2)],
  });
}
await few.stop();
await many.stop();
await chain.stop();
dir.remove();
