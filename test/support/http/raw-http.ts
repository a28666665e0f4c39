/**
 * Sends bytes as they are and returns all that comes back until the server hangs up, or has answered in full. `onSent` is
 * called once they are under way.
 */
export function sendRaw(port: number, text: string, onSent = () => {}): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        open(socket) {
          socket.write(text);
          onSent();
        },
        data(socket, bytes) {
          answer += bytes.toString("latin1");
          if (isWhole(answer)) socket.end();
        },
        close: () => resolve(answer),
        error: (_, thrown) => reject(thrown),
      },
    }).catch(reject);
  });
}

/** Whether an answer has come to its end; one that does not say how long it is ends with its connection. */
function isWhole(answer: string): boolean {
  const headEnd = answer.indexOf("\r\n\r\n");
  const [, length] = /^content-length: (\d+)\r$/im.exec(answer.slice(0, headEnd + 2)) ?? [];
  return headEnd >= 0 && length !== undefined && answer.length >= headEnd + 4 + Number(length);
}
