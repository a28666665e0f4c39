import { Type } from "@sinclair/typebox";
import * as Usdc from "../../domain/usdc.ts";
import * as Address from "../../domain/wallet/address.ts";
import * as PayoutWallet from "../../domain/wallet/payout-wallet.ts";
import { why } from "../../language/faults.ts";
import * as Field from "./fields.ts";
import { type Parsed, type Reading, readBody, reading } from "./validation.ts";

const amount = Type.String({
  wants: 'an amount of USDC as a string with two or six decimals, such as "25.00"',
});
const address = Type.String({ wants: "an address with its checksum" });
const text = (max: number) =>
  Type.String({ minLength: 1, maxLength: max, wants: `a text of 1 to ${max} characters` });

/** The body of POST /api/refunds. */
export const RefundRequest = Type.Object(
  {
    invoice: Type.Optional(
      Field.meaning("or link", Type.String({ wants: "the id or number of an invoice" })),
    ),
    link: Type.Optional(Type.String({ wants: "the slug of a payment link" })),
    amount: Type.Optional(Field.meaning("all that is to be returned when left out", amount)),
    address: Type.Optional(
      Field.meaning("where it goes, if the customer has said so; else they can be asked", address),
    ),
    email: Type.Optional(
      Field.meaning(
        "whom to ask for the address and tell of the refund: the customer when left out",
        Type.String({ wants: "a mail address" }),
      ),
    ),
    ask: Type.Optional(
      Field.meaning(
        "whether they are mailed a link to a page where they name the address",
        Type.Boolean({ wants: "true or false" }),
      ),
    ),
    elsewhere: Type.Optional(
      Field.meaning(
        "that it was given back already, outside of Till",
        Type.Boolean({ wants: "true or false" }),
      ),
    ),
    reason: Type.Optional(Field.meaning("for the customer", text(500))),
    note: Type.Optional(Field.meaning("for you alone", text(500))),
  },
  { additionalProperties: false, wants: "a JSON object", noun: "RefundRequest" },
);

/** A checked request; null where not given. */
export type NewRefund = {
  amount: Usdc.Usdc | null;
  address: Address.Address | null;
  email: string | null;
  ask: boolean;
  elsewhere: boolean;
  reason: string | null;
  note: string | null;
};

export function parseRefund(body: unknown, rules: AddressRules): Parsed<NewRefund> {
  const { reader, fields } = readBody(RefundRequest, body);
  const amount = reader.read("amount", fields.amount, (typed) => {
    const parsed = Usdc.parseExact(typed);
    return reading(parsed !== null && parsed > 0n ? parsed : null, why("refund_amount"));
  });
  const address = reader.read("address", fields.address, (typed) => readAddress(typed, rules));
  const email = reader.read("email", fields.email, Field.emailAddress);
  const reason = reader.read("reason", fields.reason, Field.plainLines);
  const note = reader.read("note", fields.note, Field.plainLines);
  const { elsewhere = false, ask = false } = fields;
  if (ask && address !== undefined) reader.add("ask", why("left_out_with", { other: "address" }));
  if (elsewhere && ask) reader.add("ask", why("left_out_with", { other: "elsewhere" }));
  if (elsewhere && address !== undefined) reader.add("address", why("left_out_with", { other: "elsewhere" }));
  if (reader.faults.length > 0) return reader.refused();
  return {
    ok: true,
    value: {
      ask,
      elsewhere,
      amount: amount ?? null,
      address: address ?? null,
      email: email ?? null,
      reason: reason ?? null,
      note: note ?? null,
    },
  };
}

/** `isOwn`: returns whether it is the wallet that the payments went to. */
export type AddressRules = Pick<Field.RequestRules, "usdc" | "factory" | "gasAccount" | "isDeposit"> & {
  isOwn: (address: Address.Address) => boolean;
};

/** Parses the destination of a refund: an address that could be a payout wallet, and is not the merchant's own. */
export function readAddress(typed: string, rules: AddressRules): Reading<Address.Address> {
  const parsed = Address.parse(typed.trim());
  if (!parsed.ok) return parsed;
  const { address } = parsed;
  if (rules.isOwn(address)) return { ok: false, why: why("refund_own") };
  const fault = rules.isDeposit(address) ? why("refund_deposit") : PayoutWallet.fault(address, rules);
  return fault === null ? { ok: true, value: address } : { ok: false, why: fault };
}
