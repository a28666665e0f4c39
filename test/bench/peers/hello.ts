/** The least that an executable made by Bun does: it answers. */
Bun.serve({ hostname: "127.0.0.1", port: Number(process.env["PORT"]), fetch: () => new Response("ready") });
