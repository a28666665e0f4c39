/** Sends bytes as they are and returns all that comes back until the server has nothing more to say. */
export function sendRaw(port: number, text: string, timeoutMs = 1_000): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    let timer = setTimeout(() => resolve(answer), timeoutMs);
    Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        open: (socket) => void socket.write(text),
        data(socket, bytes) {
          answer += bytes.toString();
          clearTimeout(timer);
          timer = setTimeout(() => socket.end(), 20);
        },
        close() {
          clearTimeout(timer);
          resolve(answer);
        },
        error: (_, thrown) => reject(thrown),
      },
    }).catch(reject);
  });
}
