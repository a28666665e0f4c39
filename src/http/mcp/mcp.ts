import { Type } from "@sinclair/typebox";
import { route } from "../route/route.ts";

/**
 * Tools for agents, by the Model Context Protocol. Its key must allow reading; each tool requires what its call
 * requires, and is counted as that call. It is not in the API's documents, as it has a different form.
 */
export const mcpRoute = route({
  method: "post",
  path: "/mcp",
  scope: "read",
  isConfined: true,
  countsAsRead: true,
  summary: "Call tools, as an agent",
  gives: Type.Unknown(),
  does: (deps) => {
    let loading: Promise<(request: Request, message: unknown) => Promise<Response>> | null = null;
    return async ({ request, body }) => {
      // Most Tills never get such a message, and need not load the library.
      loading ??= import("./server.ts").then(({ createMcpServer }) => createMcpServer(deps));
      return (await loading)(request, body);
    };
  },
});
