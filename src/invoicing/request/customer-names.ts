import { isDeepStrictEqual } from "node:util";
import type { TObject } from "@sinclair/typebox";
import type { Fault } from "../outcome.ts";

/** Invoice requests may name the payer's fields `vendor_…`, as answers do, or `customer_…`. */
const vendorNames = {
  customer_email: "vendor_email",
  customer_name: "vendor_name",
  customer_address: "vendor_address",
  customer_details: "vendor_details",
} as const;

type Renamed = {
  /** The body with `vendor_…` names only. */
  body: unknown;
  /** Fields whose two names have different values. */
  faults: Fault[];
  /** The name under which a field, or part of one, was sent. */
  sentAs: (field: string) => string;
};

/** Reads `customer_…` as `vendor_…`. A field that is null under either name counts as absent there. */
export function withVendorNames(body: unknown): Renamed {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return { body, faults: [], sentAs: (field) => field };
  }
  const renamed: Record<string, unknown> = { ...body };
  const faults: Fault[] = [];
  const sent = new Map<string, string>();
  for (const [customer, vendor] of Object.entries(vendorNames)) {
    const value = renamed[customer] ?? null;
    delete renamed[customer];
    if (value === null) continue;
    if ((renamed[vendor] ?? null) === null) {
      renamed[vendor] = value;
      sent.set(vendor, customer);
    } else if (!isDeepStrictEqual(renamed[vendor], value)) {
      faults.push({ field: customer, message: `must be the same as ${vendor}; send only one of them` });
    }
  }
  return {
    body: renamed,
    faults,
    sentAs: (field) => {
      const [part = ""] = /^\w*/.exec(field) ?? [];
      return `${sent.get(part) ?? part}${field.slice(part.length)}`;
    },
  };
}

/** A request's schema for callers, with both names: a required field needs either. */
export function withCustomerNames(schema: TObject): TObject {
  const { properties, required = [] } = schema;
  const customerNames = new Map(
    Object.entries(vendorNames).map(([customer, vendor]) => [vendor as string, customer]),
  );
  const both = Object.entries(properties).flatMap(([name, found]) => {
    const customer = customerNames.get(name);
    const other = { ...found, means: `another name for ${name}` };
    return customer === undefined
      ? [[name, found]]
      : [
          [name, found],
          [customer, other],
        ];
  });
  const [either, always] = [
    required.filter((name) => customerNames.has(name)),
    required.filter((name) => !customerNames.has(name)),
  ];
  return {
    ...schema,
    properties: Object.fromEntries(both),
    required: always,
    allOf: either.map((name) => ({ anyOf: [{ required: [name] }, { required: [customerNames.get(name)] }] })),
  };
}
