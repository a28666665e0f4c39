/** One page from memory, as fast as Bun can. */
const page = await Bun.file(process.env["BENCH_PAGE"] ?? "").text();
Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env["PORT"]),
  routes: { "/*": new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } }) },
});
