import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Certificates = {
  /** For NODE_EXTRA_CA_CERTS: whoever trusts it trusts the certificates made here. */
  readonly caFile: string;
  /** A certificate for this name, and its key. */
  issue(name: string): { key: string; cert: string };
  /** One that began 90 days ago, or so many, and ends in so many hours. */
  issueOld(name: string, hours: number, daysAgo?: number): { key: string; cert: string };
  remove(): void;
};

/** A certificate authority of the test's own, made with openssl. */
export function makeCertificates(): Certificates {
  const dir = mkdtempSync(join(tmpdir(), "till-ca-"));
  const file = (name: string) => join(dir, name);
  const openssl = (...args: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args]);
    if (exitCode !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
  };
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const ca = ["-keyout", file("ca.key"), "-out", file("ca.pem")];
  openssl("req", "-x509", ...newKey, "-days", "2", "-subj", "/CN=Test CA", ...ca);
  return {
    caFile: file("ca.pem"),
    issue(name) {
      const [key, request, cert] = ["key", "csr", "pem"].map((end) => file(`${name}.${end}`)) as [
        string,
        string,
        string,
      ];
      openssl("req", ...newKey, "-subj", `/CN=${name}`, "-keyout", key, "-out", request);
      writeFileSync(file("names"), `subjectAltName=DNS:${name}\n`);
      const by = ["-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-CAcreateserial"];
      openssl("x509", "-req", "-in", request, ...by, "-days", "2", "-extfile", file("names"), "-out", cert);
      return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
    },
    issueOld(name, hours, daysAgo = 90) {
      const [key, request, cert] = [file("old.key"), file("old.csr"), file("old.pem")];
      openssl("req", ...newKey, "-subj", `/CN=${name}`, "-keyout", key, "-out", request);
      const lines = [
        "[ca]\ndefault_ca = own\n[own]",
        ...[`database = ${file("index")}`, `serial = ${file("serial")}`, `new_certs_dir = ${dir}`],
        ...["default_md = sha256", "policy = any", "x509_extensions = names"],
        `[any]\ncommonName = supplied\n[names]\nsubjectAltName = DNS:${name}\n`,
      ];
      writeFileSync(file("ca.conf"), lines.join("\n"));
      writeFileSync(file("index"), "");
      writeFileSync(file("serial"), "1234\n");
      const stamp = (ms: number) => new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, "");
      const [from, to] = [stamp(Date.now() - daysAgo * 86_400_000), stamp(Date.now() + hours * 3_600_000)];
      const by = ["-config", file("ca.conf"), "-cert", file("ca.pem"), "-keyfile", file("ca.key")];
      openssl(
        "ca",
        "-batch",
        "-notext",
        ...by,
        "-in",
        request,
        "-out",
        cert,
        "-startdate",
        from,
        "-enddate",
        to,
      );
      return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
