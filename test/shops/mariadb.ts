import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ownPort } from "../support/http/port.ts";
import { startProcess } from "../support/till/process.ts";
import { until } from "../support/till/till.ts";

export type MariaDb = {
  readonly port: number;
  /** Makes an empty database, and connects to it. */
  create(name: string): Promise<Bun.SQL>;
  stop(): Promise<void>;
};

/** A MariaDB server of its own in a directory, which listens on loopback alone. */
export async function startMariaDb(dir: string): Promise<MariaDb> {
  const data = join(dir, "mariadb");
  mkdirSync(data);
  const user = process.getuid?.() === 0 ? ["--user=root"] : [];
  const making = startProcess([
    "mariadb-install-db",
    "--no-defaults",
    `--datadir=${data}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
    ...user,
  ]);
  if ((await making.exited) !== 0) throw new Error(making.output());
  const port = ownPort();
  const server = startProcess([
    "/usr/sbin/mariadbd",
    "--no-defaults",
    `--datadir=${data}`,
    `--socket=${join(data, "socket")}`,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    "--innodb-flush-log-at-trx-commit=0",
    "--skip-log-bin",
    ...user,
  ]);
  await until(() => server.output().includes("ready for connections"), Boolean, 60_000);
  const connections: Bun.SQL[] = [];
  const connect = (name: string) => {
    const connection = new Bun.SQL(`mysql://root@127.0.0.1:${port}/${name}`, { max: 1 });
    connections.push(connection);
    return connection;
  };
  const root = connect("mysql");
  return {
    port,
    async create(name) {
      await root.unsafe(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
      return connect(name);
    },
    async stop() {
      for (const connection of connections) await connection.close();
      await server.end();
    },
  };
}
