/**
 * A port of `host` that nobody listens on just now: `wanted`, or any for 0. Throws what the system says when it
 * cannot be listened on.
 */
export function freePort(host: string, wanted = 0): number {
  const probe = Bun.listen({ hostname: host, port: wanted, exclusive: true, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}
