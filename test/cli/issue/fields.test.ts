import { describe, expect, test } from "bun:test";
import { draftOf, flagOf, flagsOf, type Rows } from "../../../src/cli/commands/issue/fields.ts";
import { invoice } from "../../../src/cli/commands/issue/invoice.ts";
import { link } from "../../../src/cli/commands/issue/link.ts";
import { InvoiceRequest } from "../../../src/invoicing/request/invoice.ts";
import { LinkRequest } from "../../../src/invoicing/request/link/link-schema.ts";

const partOf = ({ flags }: typeof invoice, schema: { properties: object }) => {
  const named = (field: string) => `${field.replaceAll("_", "-").replace(/^vendor-/, "customer-")}`;
  return Object.keys(schema.properties).filter((field) => !(named(field) in flags));
};

describe("the flags of a request", () => {
  test("are there for each field, but for what only a file can say", () => {
    // --item, --embed-origin and --question say one of their list.
    expect(partOf(invoice, InvoiceRequest).toSorted()).toEqual([
      "delivery_from",
      "delivery_to",
      "line_items",
      "merchant_details",
      "metadata",
      "reminders",
      "send_now",
      "vendor_details",
    ]);
    expect(partOf(link, LinkRequest).toSorted()).toEqual([
      "embed_origins",
      "line_items",
      "metadata",
      "prices_include_tax",
      "questions",
    ]);
  });

  test("come from the schema alone where a field has no row", () => {
    const text = { type: "string", wants: "text" };
    const schema = {
      properties: {
        known: text,
        project_code: { ...text, means: "which project it is for" },
        speed: { anyOf: [{ type: "string", const: "fast" }], wants: '"fast"' },
        copies: { type: "integer", wants: "a whole number" },
        urgent: { type: "boolean", wants: "true or false" },
        labels: { type: "array", items: text, wants: "a list of texts" },
        parts: { type: "array", items: { type: "object" }, wants: "a list" },
        for_files: text,
      },
    };
    const rows: Rows<object> = { known: { value: "TEXT", text: "known" }, for_files: null };
    expect(flagsOf({ schema, rows })).toEqual({
      known: { value: "TEXT", text: "known" },
      "project-code": { value: "TEXT", text: "which project it is for" },
      speed: { value: "TEXT", text: '"fast"' },
      copies: { value: "NUMBER", text: "a whole number" },
      urgent: { text: "true or false" },
      labels: { value: "TEXT", text: "a list of texts", many: true },
    });
    const values = { "project-code": "P-1", copies: "2", urgent: true, labels: ["a", "b"], json: "" };
    expect(draftOf({ schema, rows }, values)).toEqual({
      project_code: "P-1",
      copies: 2,
      urgent: true,
      labels: ["a", "b"],
    });
    expect(draftOf({ schema, rows }, { copies: "two" })).toEqual({ copies: "two" });
    expect(flagOf(rows, "project_code")).toBe("--project-code");
    expect(flagOf(rows, "labels[1]")).toBe("--labels 2");
  });
});
