import type { Command } from "./command.ts";
export const doctor: Command = { help: "", run: async () => 0 };
