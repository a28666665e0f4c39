import { startTestTill } from "./support/till/till.ts";
import { install, makeDataDir } from "./support/till/data-dir.ts";
const n=40;
for(let i=0;i<3;i++){ const c = await startTestTill({rpcUrl:"http://127.0.0.1:9"}); await c.stop(); }
const c0=process.cpuUsage();
for(let i=0;i<n;i++){ const c = await startTestTill({rpcUrl:"http://127.0.0.1:9"}); await c.stop(); }
const d=process.cpuUsage(c0); console.log("ms each",(d.user+d.system)/1000/n, d.user/n/1000);
const c1=process.cpuUsage();
for(let i=0;i<n;i++){ const d=makeDataDir(); await install(d.path+"/x"); d.remove(); }
const e=process.cpuUsage(c1); console.log("install ms each",(e.user+e.system)/1000/n);
process.exit();
