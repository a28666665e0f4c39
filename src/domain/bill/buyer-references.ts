/** Short texts that the buyer of an invoice wants named on it, by their names in the API. */
const references = {
  /** A person or a reference of theirs. */
  buyer_reference: {
    field: "buyerReference",
    label: "Buyer ref.",
    meaning: "whom or what the buyer wants named",
    example: ", such as a Leitweg-ID",
  },
  purchase_order: {
    field: "purchaseOrder",
    label: "Order",
    meaning: "the number of the buyer's order",
    example: "",
  },
} as const;

type Name = keyof typeof references;
type Field = (typeof references)[Name]["field"];
type Reference = { name: Name } & (typeof references)[Name];

/** Null where not given. */
export type BuyerReferences = Record<Field, string | null>;

export const buyerReferences: readonly Reference[] = (Object.keys(references) as Name[]).map((name) => ({
  name,
  ...references[name],
}));

/** Returns a value for each, by its name in the API. */
export const byName = <T>(value: (reference: Reference) => T) =>
  Object.fromEntries(buyerReferences.map((each) => [each.name, value(each)])) as Record<Name, T>;

/** Returns a value for each, by its field of an invoice. */
export const byField = <T>(value: (reference: Reference) => T) =>
  Object.fromEntries(buyerReferences.map((each) => [each.field, value(each)])) as Record<Field, T>;
