import { messageOf } from "../lib/error.ts";
import type { App } from "./app.ts";

const notHere = "which is no address of this machine. Behind a proxy, leave it out.";
const another = "Choose another with TILL_PORT, or with till dev --port.";

const reasons = {
  EADDRINUSE: "something else listens there, perhaps another Till",
  EACCES: "this user may not listen there",
};

/** Has the app listen. Throws a sentence saying why it cannot. */
export function listen(app: App, host: string, port: number): void {
  try {
    app.listen();
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : null;
    if (code === "EADDRNOTAVAIL" || code === "EINVAL") throw new Error(`TILL_HOST is ${host}, ${notHere}`);
    const reason = reasons[code as keyof typeof reasons] ?? messageOf(thrown);
    throw new PortUnusable(
      `Port ${port} of ${host} cannot be used: ${reason}. ${another}`,
      code === "EACCES",
    );
  }
}

class PortUnusable extends Error {
  override readonly name = "PortUnusable";
  constructor(
    message: string,
    readonly isLasting: boolean,
  ) {
    super(message);
  }
}
