/** Whether a host name or IP literal (IPv6 with or without brackets) is this machine's own loopback. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  return (
    name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name)
  );
}

/** Whether binding this address means binding every one of the machine: a name that nobody can open. */
export function isEveryAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "[::]";
}

/** The URL at which what listens on `host` is reached from this machine. */
export function localUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** A port of `host` that is free now: `wanted`, or any for 0. Throws what the system says when it is not. */
export function freePort(host: string, wanted = 0): number {
  const probe = Bun.listen({ hostname: host, port: wanted, exclusive: true, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}
