/** A part of an OpenAPI document. */
export type Node = { readonly [key: string]: Node };

/** Which way a value goes: to a client, which knows the old document, or from it. */
type Way = "answer" | "request";

const limits = [
  ["maxLength", 1],
  ["maxItems", 1],
  ["maxProperties", 1],
  ["maximum", 1],
  ["minLength", -1],
  ["minItems", -1],
  ["minProperties", -1],
  ["minimum", -1],
] as const;

/**
 * What in a newer OpenAPI document would break a client that was written for an older one, each with its place. A client
 * ignores fields, statuses and events that it does not know, and sends no field that it does not know.
 */
export function breaks(old: Node, now: Node): string[] {
  const found: string[] = [];
  const compared = new Set<string>();
  const say = (at: string, what: string) => found.push(`${at}: ${what}`);

  for (const [path, item] of entries(old["paths"])) {
    for (const [method, operation] of entries(item)) {
      const at = `${method.toUpperCase()} ${path}`;
      const today = now["paths"]?.[path]?.[method];
      if (today === undefined) say(at, "is gone");
      else compareOperation(at, operation, today);
    }
  }
  for (const [name, item] of entries(old["webhooks"])) {
    const [today, before] = [now["webhooks"]?.[name]?.["post"], item["post"]];
    const at = `webhook ${name}`;
    if (today === undefined) say(at, "is gone");
    else {
      compareContent(at, before?.["requestBody"], today["requestBody"], "answer");
      for (const { name: header } of parametersOf(old, before))
        if (!parametersOf(now, today).some((other) => other.name === header))
          say(at, `the header ${header} is gone`);
    }
  }
  return found;

  function compareOperation(at: string, before: Node, today: Node): void {
    if (before["operationId"] !== today["operationId"]) say(at, "has another operationId");
    if (before["x-scope"] !== today["x-scope"]) say(at, "needs a key of another scope");
    const parameters = parametersOf(now, today);
    for (const parameter of parametersOf(old, before)) {
      const same = parameters.find(({ place, name }) => place === parameter.place && name === parameter.name);
      const where = `${at} ${parameter.place} ${parameter.name}`;
      if (same === undefined) say(where, "is gone");
      else compare(where, parameter.schema, same.schema, "request");
    }
    for (const { name, place, isRequired } of parameters) {
      const same = parametersOf(old, before).find((other) => other.place === place && other.name === name);
      if (isRequired && same?.isRequired !== true) say(`${at} ${place} ${name}`, "is required now");
    }
    const [sent, taken] = [resolved(old, before["requestBody"]), resolved(now, today["requestBody"])];
    if (isTrue(taken?.["required"]) && !isTrue(sent?.["required"])) say(at, "a body is required now");
    compareContent(`${at} body`, sent, taken, "request");
    for (const [status, answer] of entries(before["responses"])) {
      const same = resolved(now, today["responses"]?.[status]);
      if (same === undefined) say(`${at} ${status}`, "is gone");
      else compareContent(`${at} ${status}`, resolved(old, answer), same, "answer");
    }
  }

  function compareContent(at: string, before: Node | undefined, today: Node | undefined, way: Way): void {
    for (const [type, { schema }] of entries(before?.["content"])) {
      const same = today?.["content"]?.[type];
      if (same === undefined) say(at, `${type} is gone`);
      else compare(at, schema, same["schema"], way);
    }
    for (const name of Object.keys(before?.["headers"] ?? {}))
      if (today?.["headers"]?.[name] === undefined) say(at, `the header ${name} is gone`);
  }

  function compare(at: string, before: Node | undefined, today: Node | undefined, way: Way): void {
    if (before === undefined || today === undefined) {
      if (before !== today) say(at, "has another type");
      return;
    }
    // Some schemas hold themselves.
    const pair = `${way} ${String(before["$ref"])} ${String(today["$ref"])} ${isStatus(at)}`;
    if (before["$ref"] !== undefined && today["$ref"] !== undefined) {
      if (compared.has(pair)) return;
      compared.add(pair);
    }
    const [olds, news] = [variantsOf(old, before), variantsOf(now, today)];
    // Whatever one side may send, the other has to know.
    const [senders, receivers] = way === "answer" ? [news, olds] : [olds, news];
    if (olds.length === 1 && news.length === 1) {
      compareOne(at, olds[0] ?? before, news[0] ?? today, way);
      return;
    }
    for (const sender of senders) {
      const faults = receivers.map((receiver) => {
        const length = found.length;
        if (way === "answer") compareOne(at, receiver, sender, way);
        else compareOne(at, sender, receiver, way);
        return found.splice(length);
      });
      if (faults.every((list) => list.length > 0))
        found.push(...(faults.sort((a, b) => a.length - b.length)[0] ?? []));
    }
  }

  function compareOne(at: string, before: Node, today: Node, way: Way): void {
    const [sender, receiver] = way === "answer" ? [today, before] : [before, today];
    const fits = typesOf(sender).every((type) => typesOf(receiver).some((other) => isA(type, other)));
    if (!fits || before["format"] !== today["format"]) {
      say(at, "has another type");
      return;
    }
    compareValues(at, before, today, way);
    if (way === "request") compareLimits(at, before, today);
    if (before["items"] !== undefined) compare(`${at}[]`, before["items"], today["items"], way);
    compareFields(at, before, today, way);
  }

  function compareValues(at: string, before: Node, today: Node, way: Way): void {
    const [olds, news] = [valuesOf(before), valuesOf(today)];
    if (way === "request" && news !== null)
      for (const value of olds ?? ["any value"])
        if (!news.includes(value)) say(at, `${String(value)} is refused now`);
    // What decides what a client does has no value that it never heard of.
    if (way === "answer" && olds !== null && isStatus(at))
      for (const value of news ?? ["any value"])
        if (!olds.includes(value)) say(at, `${String(value)} is new`);
  }

  function compareLimits(at: string, before: Node, today: Node): void {
    for (const [name, sign] of limits) {
      const [was, is] = [Number(before[name] ?? sign * Infinity), Number(today[name] ?? sign * Infinity)];
      if (is * sign < was * sign) say(at, `${name} is ${is} now`);
    }
    if (today["pattern"] !== undefined && today["pattern"] !== before["pattern"])
      say(at, "has another pattern");
  }

  function compareFields(at: string, before: Node, today: Node, way: Way): void {
    const [required, requiredNow] = [namesIn(before["required"]), namesIn(today["required"])];
    for (const [name, field] of entries(before["properties"])) {
      const same = today["properties"]?.[name];
      if (same === undefined) say(`${at}.${name}`, "is gone");
      else compare(`${at}.${name}`, field, same, way);
    }
    if (way === "answer")
      for (const name of required)
        if (!requiredNow.includes(name)) say(`${at}.${name}`, "may be missing now");
    if (way === "request")
      for (const name of requiredNow) if (!required.includes(name)) say(`${at}.${name}`, "is required now");
    if (way === "request")
      for (const condition of conditionsOf(today))
        if (!conditionsOf(before).includes(condition)) say(at, `has to fit ${condition} now`);
    const [others, othersNow] = [before["additionalProperties"], today["additionalProperties"]];
    if (typeof others === "object" && typeof othersNow === "object")
      compare(`${at}.*`, others, othersNow, way);
    else if (way === "request" && isFalse(othersNow) && !isFalse(others))
      say(at, "takes no other fields now");
  }
}

const entries = (node: Node | undefined): [string, Node][] => Object.entries(node ?? {});
const isStatus = (at: string) => at.endsWith(".status");
const isTrue = (node: unknown) => node === true;
const isFalse = (node: unknown) => node === false;
const namesIn = (node: unknown): string[] => (Array.isArray(node) ? node.map(String) : []);
const isA = (type: string, other: string) => type === other || (type === "integer" && other === "number");

/** What a `$ref` means in its document; with what `allOf` joins as one. */
function resolved(document: Node, node: Node | undefined): Node | undefined {
  if (node === undefined) return undefined;
  const reference = node["$ref"];
  if (reference !== undefined) {
    const place = String(reference).slice(2).split("/");
    return resolved(
      document,
      place.reduce<Node | undefined>((at, name) => at?.[name], document),
    );
  }
  if (!Array.isArray(node["allOf"])) return node;
  const whole = (node["allOf"] as Node[]).map((part) => resolved(document, part) ?? part);
  const parts = [...whole.filter((part) => part["properties"] !== undefined), node];
  const required = parts.flatMap((part) => namesIn(part["required"]));
  const properties = Object.assign({}, ...parts.map((part) => part["properties"]));
  return Object.assign({}, ...parts, { required, properties }) as Node;
}

/** What a value has to have besides, such as one of two fields. */
const conditionsOf = (node: Node): string[] =>
  Array.isArray(node["allOf"]) ? node["allOf"].map((part) => JSON.stringify(part)) : [];

/** Each form that a value may have. */
function variantsOf(document: Node, node: Node): Node[] {
  const known = resolved(document, node) ?? node;
  const forms = known["anyOf"] ?? known["oneOf"];
  return Array.isArray(forms) ? (forms as Node[]).flatMap((form) => variantsOf(document, form)) : [known];
}

function typesOf(node: Node): string[] {
  const type: unknown = node["type"];
  if (Array.isArray(type)) return type.map(String);
  const values = valuesOf(node);
  if (type === undefined && values !== null) return [...new Set(values.map((value) => typeof value))];
  return [String(type)];
}

/** The only values that it may have; null when any will do. */
function valuesOf(node: Node): unknown[] | null {
  if ("const" in node) return [node["const"]];
  return Array.isArray(node["enum"]) ? node["enum"] : null;
}

function parametersOf(document: Node, operation: Node | undefined) {
  const parameters = (operation?.["parameters"] ?? []) as unknown as Node[];
  return parameters.map((parameter) => {
    const known = resolved(document, parameter) ?? parameter;
    return {
      name: String(known["name"]),
      place: String(known["in"]),
      isRequired: isTrue(known["required"]),
      schema: known["schema"],
    };
  });
}
