import { element as el, type Xml, xmlDocument } from "../../lib/text/xml.ts";
import type * as Usdc from "../usdc.ts";
import {
  type Allowance,
  amountText,
  discountCode,
  type EInvoice,
  type EInvoiceLine,
  paymentMeansOf,
  type TaxBreakdown,
  type TaxCategory,
  type TradeParty,
  taxScheme,
} from "./einvoice.ts";

/** UBL 2.1 for Peppol BIS Billing 3.0. The schema dictates the order of elements. */

const customizationId = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
const profileId = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";

const namespaces = (root: string) => ({
  xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`,
  "xmlns:cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
  "xmlns:cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
});

type Child = Xml | null;
const cbc = (name: string, text: string | null, attributes?: Record<string, string>) =>
  el(`cbc:${name}`, text, attributes);
const cac = (name: string, children: readonly Child[]) => el(`cac:${name}`, children);
/** An element with an amount, or a price with more decimals, in the invoice's currency. */
type Money = (name: string, amount: Usdc.Billed | string) => Child;

/** Writes an e-invoice as XML: an `Invoice` or a `CreditNote`. */
export function ubl(invoice: EInvoice): string {
  const { preceding, currency, taxInCurrency, payment, delivery, terms } = invoice;
  const isCredit = invoice.type === "381";
  const root = isCredit ? "CreditNote" : "Invoice";
  const money: Money = (name, amount) =>
    cbc(name, typeof amount === "string" ? amount : amountText(amount), { currencyID: currency });
  return xmlDocument(
    el(
      root,
      [
        cbc("CustomizationID", customizationId),
        cbc("ProfileID", profileId),
        cbc("ID", invoice.number),
        cbc("IssueDate", invoice.issueDate),
        isCredit ? null : cbc("DueDate", invoice.dueDate),
        cbc(`${root}TypeCode`, invoice.type),
        cbc("Note", invoice.note),
        cbc("DocumentCurrencyCode", currency),
        cbc("TaxCurrencyCode", taxInCurrency?.code ?? null),
        cbc("BuyerReference", invoice.buyerReference),
        delivery?.kind === "period"
          ? cac("InvoicePeriod", [cbc("StartDate", delivery.from), cbc("EndDate", delivery.to)])
          : null,
        cac("OrderReference", [cbc("ID", invoice.purchaseOrder)]),
        preceding &&
          cac("BillingReference", [
            cac("InvoiceDocumentReference", [
              cbc("ID", preceding.number),
              cbc("IssueDate", preceding.issueDate),
            ]),
          ]),
        cac("AccountingSupplierParty", [partyOf(invoice.seller)]),
        cac("AccountingCustomerParty", [partyOf(invoice.buyer)]),
        cac("Delivery", [
          delivery?.kind === "day" ? cbc("ActualDeliveryDate", delivery.day) : null,
          cac("DeliveryLocation", [
            cac("Address", [cac("Country", [cbc("IdentificationCode", invoice.deliverTo)])]),
          ]),
        ]),
        payment &&
          cac("PaymentMeans", [
            cbc("PaymentMeansCode", paymentMeansOf(invoice), { name: payment.text }),
            cac("PayeeFinancialAccount", [cbc("ID", payment.account)]),
          ]),
        cac("PaymentTerms", [cbc("Note", terms)]),
        ...invoice.allowances.map((allowance) => allowanceOf(allowance, money)),
        cac("TaxTotal", [
          money("TaxAmount", invoice.sums.tax),
          ...invoice.taxes.map((row) => taxRowOf(row, money)),
        ]),
        taxInCurrency &&
          cac("TaxTotal", [
            cbc("TaxAmount", amountText(taxInCurrency.tax), { currencyID: taxInCurrency.code }),
          ]),
        sumsOf(invoice.sums, money),
        ...invoice.lines.map((line) => lineOf(line, isCredit, money)),
      ],
      namespaces(root),
    ),
  );
}

const companyId = (registration: TradeParty["registration"]) =>
  registration &&
  cbc("CompanyID", registration.id, registration.scheme === null ? {} : { schemeID: registration.scheme });

function partyOf({ contact, address, electronicAddress: electronic, ...party }: TradeParty): Child {
  const [one, two, three] = address.lines;
  const registered = (id: string | null, scheme: string) =>
    id === null ? null : cac("PartyTaxScheme", [cbc("CompanyID", id), cac("TaxScheme", [cbc("ID", scheme)])]);
  return cac("Party", [
    cbc("EndpointID", electronic.id, { schemeID: electronic.scheme }),
    cac("PartyIdentification", [cbc("ID", party.id)]),
    cac("PartyName", [cbc("Name", party.name)]),
    cac("PostalAddress", [
      cbc("StreetName", one),
      cbc("AdditionalStreetName", two),
      cbc("CityName", address.city),
      cbc("PostalZone", address.postalCode),
      cbc("CountrySubentity", address.region),
      cac("AddressLine", [cbc("Line", three)]),
      cac("Country", [cbc("IdentificationCode", address.country)]),
    ]),
    registered(party.vatId, taxScheme),
    registered(party.taxId, "TAX"),
    cac("PartyLegalEntity", [cbc("RegistrationName", party.name), companyId(party.registration)]),
    cac("Contact", [
      cbc("Name", contact.name),
      cbc("Telephone", contact.phone),
      cbc("ElectronicMail", contact.email),
    ]),
  ]);
}

function categoryOf(
  name: string,
  { category, rate }: TaxCategory,
  reason: TaxBreakdown["reason"] = { code: null, text: null },
): Child {
  return cac(name, [
    cbc("ID", category),
    cbc("Percent", rate),
    cbc("TaxExemptionReasonCode", reason.code),
    cbc("TaxExemptionReason", reason.text),
    cac("TaxScheme", [cbc("ID", taxScheme)]),
  ]);
}

function allowanceOf(allowance: Allowance, money: Money): Child {
  return cac("AllowanceCharge", [
    cbc("ChargeIndicator", "false"),
    cbc("AllowanceChargeReasonCode", discountCode),
    cbc("AllowanceChargeReason", allowance.reason),
    money("Amount", allowance.amount),
    categoryOf("TaxCategory", allowance),
  ]);
}

function taxRowOf({ taxable, tax, reason, ...of }: TaxBreakdown, money: Money): Child {
  return cac("TaxSubtotal", [
    money("TaxableAmount", taxable),
    money("TaxAmount", tax),
    categoryOf("TaxCategory", of, reason),
  ]);
}

function sumsOf(sums: EInvoice["sums"], money: Money): Child {
  return cac("LegalMonetaryTotal", [
    money("LineExtensionAmount", sums.lines),
    money("TaxExclusiveAmount", sums.withoutTax),
    money("TaxInclusiveAmount", sums.total),
    sums.allowances === 0n ? null : money("AllowanceTotalAmount", sums.allowances),
    money("PayableAmount", sums.total),
  ]);
}

function lineOf(line: EInvoiceLine, isCredit: boolean, money: Money): Child {
  const { discount } = line;
  return cac(isCredit ? "CreditNoteLine" : "InvoiceLine", [
    cbc("ID", line.id),
    cbc(isCredit ? "CreditedQuantity" : "InvoicedQuantity", line.quantity, { unitCode: line.unit }),
    money("LineExtensionAmount", line.net),
    discount &&
      cac("AllowanceCharge", [
        cbc("ChargeIndicator", "false"),
        cbc("AllowanceChargeReasonCode", discountCode),
        cbc("AllowanceChargeReason", discount.reason),
        cbc("MultiplierFactorNumeric", discount.percent),
        money("Amount", discount.amount),
        discount.percent === null ? null : money("BaseAmount", discount.base),
      ]),
    cac("Item", [
      cbc("Description", line.description),
      cbc("Name", line.name),
      categoryOf("ClassifiedTaxCategory", line),
    ]),
    cac("Price", [money("PriceAmount", line.price)]),
  ]);
}
