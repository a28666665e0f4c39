/** Reads the XML of e-invoices for the tests that judge them: elements, attributes and text, nothing else. */

export type Node = { name: string; attributes: Record<string, string>; children: Node[]; text: string };

const token = /<(\/?)([\w:]+)((?:\s+[\w:]+="[^"]*")*)\s*(\/?)>([^<]*)/g;

export function parseXml(xml: string): Node {
  const root: Node = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  for (const [, slash, name = "", attributes = "", empty, text = ""] of xml.matchAll(token)) {
    const top = open.at(-1) ?? root;
    if (slash) {
      if (top.name !== name) throw new Error(`</${name}> closes <${top.name}>`);
      open.pop();
      continue;
    }
    const node: Node = {
      name,
      attributes: Object.fromEntries(
        [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [
          key,
          plain(value),
        ]),
      ),
      children: [],
      text: plain(text),
    };
    top.children.push(node);
    if (!empty) open.push(node);
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.name}> is not closed`);
  return root;
}

const plain = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot);/g,
    (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name as "amp"] ?? "",
  );

/** All nodes at a path such as `A/B/C`, without prefixes; each step is looked for in every node of the one before. */
export function all(node: Node, path: string): Node[] {
  return path
    .split("/")
    .reduce<Node[]>(
      (nodes, step) =>
        nodes.flatMap(({ children }) => children.filter(({ name }) => name.replace(/^\w+:/, "") === step)),
      [node],
    );
}

/** The text of the first; null when there is none. */
export const first = (node: Node, path: string): string | null => all(node, path)[0]?.text ?? null;
