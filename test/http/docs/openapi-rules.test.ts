import { beforeAll, describe, expect, test } from "bun:test";
import { groupOf } from "../../../src/http/docs/openapi.ts";
import { routes } from "../../../src/http/routes.ts";
import { shared } from "../../support/per-file.ts";
import { startTestTill } from "../../support/till/till.ts";

/** What generators of clients stumble over. CONTRIBUTING.md says how the whole rules of two linters are run. */

const till = shared(() => startTestTill({ rpcUrl: "http://127.0.0.1:9" }));
// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
let document: any;
let text: string;

beforeAll(async () => {
  text = await (await fetch(`${till.baseUrl}/openapi.json`)).text();
  document = JSON.parse(text);
});

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
type Operation = any;
type Place = [name: string, operation: Operation];

const inPaths = (paths: Record<string, Record<string, Operation>>): Place[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Place => [`${method} ${path}`, operation]),
  );
const operations = () => inPaths(document.paths);
/** What a call takes, by its own words or by those that it refers to. */
const parametersOf = ({ parameters }: Operation): Operation[] =>
  parameters.map(({ $ref, ...own }: Operation) =>
    $ref === undefined ? own : document.components.parameters[$ref.split("/").at(-1)],
  );
const all = () => [...operations(), ...inPaths(document.webhooks)];

/** Every value under this key, anywhere in a part of the document but in examples. */
function under(key: string, part: unknown = document): unknown[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, found]) => [
    ...(name === key ? [found] : []),
    ...(name === "value" || name === "example" ? [] : under(key, found)),
  ]);
}

const repeated = (values: string[]) => values.filter((value, at) => values.indexOf(value) !== at);

describe("/openapi.json", () => {
  test("describes every row of the API, but not those of BTCPay's", () => {
    const own = routes.filter(({ isOfStore }) => !isOfStore);
    const undescribed = own.filter(({ path }) => groupOf(path) === undefined).map(({ path }) => path);
    expect(undescribed).toEqual(["/metrics"]);
    expect(operations()).toHaveLength(own.length - 1);
  });

  test("gives each call a name, a summary, a description, an access and a tag that is described", () => {
    const names = all().map(([, { operationId }]) => operationId);
    expect(names.filter((name) => !/^[a-z][a-zA-Z0-9]+$/.test(name))).toEqual([]);
    expect(repeated(names)).toEqual([]);
    const tags = document.tags.map(({ name, description }: Operation) => {
      expect(description.length).toBeGreaterThan(10);
      return name;
    });
    expect(repeated(tags)).toEqual([]);
    for (const [name, operation] of all())
      expect([name, operation.tags.every((tag: string) => tags.includes(tag))]).toEqual([name, true]);
    expect(document.security).toEqual([{ key: [] }]);
    for (const [name, { summary, description, tags }] of operations())
      expect([name, !!summary, !!description, tags.length]).toEqual([name, true, true, 1]);
    expect(new Set(all().flatMap(([, operation]) => operation.tags))).toEqual(new Set(tags));
  });

  test("asks for the key that the row asks for", () => {
    for (const { method, path, scope, isPaid } of routes.filter(({ path }) => groupOf(path) !== undefined)) {
      const { security = document.security, ...said } =
        document.paths[path.replaceAll(/:(\w+)/g, "{$1}")][method];
      const either = [{}, isPaid ? { payment: [] } : { key: [] }];
      expect([path, security]).toEqual([path, scope === "open" ? either : [{ key: [] }]]);
      expect([path, said["x-scope"]]).toEqual([path, scope]);
    }
  });

  test("refers only to what there is, and to all of it", () => {
    const referred = new Set(under("$ref") as string[]);
    const there = Object.entries(document.components)
      .filter(([kind]) => kind !== "securitySchemes")
      .flatMap(([kind, named]) => Object.keys(named as object).map((name) => `#/components/${kind}/${name}`));
    expect([...referred].sort()).toEqual(there.sort());
    for (const name of there) expect(name).toMatch(/^#\/components\/\w+\/[a-zA-Z0-9._-]+$/);
  });

  test("says of each call what success looks like, and what failure does", () => {
    for (const [name, { responses }] of all()) {
      const statuses = Object.keys(responses);
      const has = (begin: string) => statuses.some((status) => status.startsWith(begin));
      expect([name, has("2"), has("4")]).toEqual([name, true, true]);
    }
  });

  test("has no two paths that one address fits, and declares what varies in each", () => {
    const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, "*"));
    const fits = (a: string, b: string) => {
      const [left, right] = [a.split("/"), b.split("/")];
      return (
        left.length === right.length &&
        left.every((part, at) => part === "*" || right[at] === "*" || part === right[at])
      );
    };
    expect(shapes.flatMap((a, at) => shapes.slice(at + 1).filter((b) => fits(a, b)))).toEqual([]);
    for (const [name, operation] of operations()) {
      const declared = parametersOf(operation).filter((given) => given.in === "path");
      expect([name, declared.map((given) => `{${given.name}}`)]).toEqual([
        name,
        [...name.matchAll(/\{\w+\}/g)].map(([whole]) => whole),
      ]);
    }
  });

  test("says every object once, by a noun, but for small ones inside of others", () => {
    const copies = new Map<string, number>();
    const count = (part: unknown) => {
      if (typeof part !== "object" || part === null) return;
      const { type, properties = {} } = part as { type?: string; properties?: object };
      const key = JSON.stringify(part);
      if (type === "object" && Object.keys(properties).length > 3)
        copies.set(key, (copies.get(key) ?? 0) + 1);
      for (const found of Object.values(part)) count(found);
    };
    count([document.paths, document.webhooks, document.components.schemas]);
    expect([...copies].filter(([, times]) => times > 1)).toEqual([]);
    for (const content of under("content", [
      document.paths,
      document.webhooks,
      document.components.responses,
    ]))
      for (const [type, { schema }] of Object.entries(content as Record<string, Operation>)) {
        const named = schema.anyOf ?? [schema];
        if (type.endsWith("json"))
          expect(named.map((each: Operation) => typeof each.$ref)).not.toContain("undefined");
      }
  });

  test("is small enough to be read at once", () => {
    expect(text.length).toBeLessThan(250 * 1024);
  });
});
