import type { Command } from "./command.ts";
export const exportCommand: Command = { help: "", run: async () => 0 };
