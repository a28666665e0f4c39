import { Type } from "@sinclair/typebox";
import { route } from "../route.ts";

/**
 * The tools of agents, by the Model Context Protocol. Its key must be one that may read; what a tool calls asks for what
 * that call does, and counts for itself. It has no place in the documents of the API, whose shape it does not have.
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
      // Most Tills never get such a message, and need not read the library.
      loading ??= import("./server.ts").then(({ createMcpServer }) => createMcpServer(deps));
      return (await loading)(request, body);
    };
  },
});
