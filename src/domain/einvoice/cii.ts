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

/**
 * UN/CEFACT's Cross Industry Invoice D16B, the syntax of Factur-X and ZUGFeRD. The schema dictates the order of
 * elements.
 */

/** The profile named EN 16931 or Comfort. */
const profileId = "urn:cen.eu:en16931:2017";

const namespaces = {
  "xmlns:rsm": "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
  "xmlns:ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
  "xmlns:udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
  "xmlns:qdt": "urn:un:unece:uncefact:data:standard:QualifiedDataType:100",
};

type Child = Xml | null;
const ram = (name: string, content: string | null | readonly Child[], attributes?: Record<string, string>) =>
  el(`ram:${name}`, content, attributes);
const money = (name: string, amount: Usdc.Billed, attributes?: Record<string, string>) =>
  ram(name, amountText(amount), attributes);

/** A day in format 102 of UNTDID 2379: `20261122`. */
const day = (date: string, prefix = "udt") =>
  el(`${prefix}:DateTimeString`, date.replaceAll("-", ""), { format: "102" });

/** Writes an e-invoice as XML. */
export function cii(invoice: EInvoice): string {
  const context = ram("GuidelineSpecifiedDocumentContextParameter", [ram("ID", profileId)]);
  return xmlDocument(
    el(
      "rsm:CrossIndustryInvoice",
      [
        el("rsm:ExchangedDocumentContext", [context]),
        el("rsm:ExchangedDocument", [
          ram("ID", invoice.number),
          ram("TypeCode", invoice.type),
          ram("IssueDateTime", [day(invoice.issueDate)]),
          ram("IncludedNote", [ram("Content", invoice.note)]),
        ]),
        el("rsm:SupplyChainTradeTransaction", [
          ...invoice.lines.map(lineOf),
          agreementOf(invoice),
          deliveryOf(invoice),
          settlementOf(invoice),
        ]),
      ],
      namespaces,
    ),
  );
}

function lineOf(line: EInvoiceLine): Child {
  return ram("IncludedSupplyChainTradeLineItem", [
    ram("AssociatedDocumentLineDocument", [ram("LineID", line.id)]),
    ram("SpecifiedTradeProduct", [ram("Name", line.name), ram("Description", line.description)]),
    ram("SpecifiedLineTradeAgreement", [ram("NetPriceProductTradePrice", [ram("ChargeAmount", line.price)])]),
    ram("SpecifiedLineTradeDelivery", [ram("BilledQuantity", line.quantity, { unitCode: line.unit })]),
    ram("SpecifiedLineTradeSettlement", [
      ram("ApplicableTradeTax", taxOf(line)),
      line.discount &&
        ram("SpecifiedTradeAllowanceCharge", [
          ram("ChargeIndicator", [el("udt:Indicator", "false")]),
          ...(line.discount.percent === null
            ? []
            : [ram("CalculationPercent", line.discount.percent), money("BasisAmount", line.discount.base)]),
          money("ActualAmount", line.discount.amount),
          ram("ReasonCode", discountCode),
          ram("Reason", line.discount.reason),
        ]),
      ram("SpecifiedTradeSettlementLineMonetarySummation", [money("LineTotalAmount", line.net)]),
    ]),
  ]);
}

const taxOf = ({ category, rate }: TaxCategory) => [
  ram("TypeCode", taxScheme),
  ram("CategoryCode", category),
  ram("RateApplicablePercent", rate),
];

function agreementOf({ seller, buyer, buyerReference, purchaseOrder }: EInvoice): Child {
  return ram("ApplicableHeaderTradeAgreement", [
    ram("BuyerReference", buyerReference),
    ram("SellerTradeParty", partyOf(seller)),
    ram("BuyerTradeParty", partyOf(buyer)),
    ram("BuyerOrderReferencedDocument", [ram("IssuerAssignedID", purchaseOrder)]),
  ]);
}

const idOf = (registration: TradeParty["registration"]) =>
  registration &&
  ram("ID", registration.id, registration.scheme === null ? {} : { schemeID: registration.scheme });

function partyOf({ contact, address, electronicAddress: electronic, ...party }: TradeParty): Child[] {
  const [one, two, three] = address.lines;
  const registered = (id: string | null, schemeID: string) =>
    ram("SpecifiedTaxRegistration", [ram("ID", id, { schemeID })]);
  return [
    ram("ID", party.id),
    ram("Name", party.name),
    ram("SpecifiedLegalOrganization", [idOf(party.registration)]),
    ram("DefinedTradeContact", [
      ram("PersonName", contact.name),
      ram("TelephoneUniversalCommunication", [ram("CompleteNumber", contact.phone)]),
      ram("EmailURIUniversalCommunication", [ram("URIID", contact.email)]),
    ]),
    ram("PostalTradeAddress", [
      ram("PostcodeCode", address.postalCode),
      ram("LineOne", one),
      ram("LineTwo", two),
      ram("LineThree", three),
      ram("CityName", address.city),
      ram("CountryID", address.country),
      ram("CountrySubDivisionName", address.region),
    ]),
    ram("URIUniversalCommunication", [ram("URIID", electronic.id, { schemeID: electronic.scheme })]),
    registered(party.taxId, "FC"),
    registered(party.vatId, "VA"),
  ];
}

/** The schema requires the element even when it is empty. */
function deliveryOf({ delivery, deliverTo, buyer }: EInvoice): Child {
  const parts = [
    deliverTo === null
      ? null
      : ram("ShipToTradeParty", [
          ram("Name", buyer.name),
          ram("PostalTradeAddress", [ram("CountryID", deliverTo)]),
        ]),
    delivery?.kind === "day"
      ? ram("ActualDeliverySupplyChainEvent", [ram("OccurrenceDateTime", [day(delivery.day)])])
      : null,
  ];
  return ram("ApplicableHeaderTradeDelivery", parts.some((part) => part !== null) ? parts : "");
}

function settlementOf(invoice: EInvoice): Child {
  const { currency, payment, delivery, terms, dueDate, sums, preceding } = invoice;
  return ram("ApplicableHeaderTradeSettlement", [
    ram("TaxCurrencyCode", invoice.taxInCurrency?.code ?? null),
    ram("InvoiceCurrencyCode", currency),
    payment &&
      ram("SpecifiedTradeSettlementPaymentMeans", [
        ram("TypeCode", paymentMeansOf(invoice)),
        ram("Information", payment.text),
        ram("PayeePartyCreditorFinancialAccount", [ram("ProprietaryID", payment.account)]),
      ]),
    ...invoice.taxes.map(taxRowOf),
    delivery?.kind === "period"
      ? ram("BillingSpecifiedPeriod", [
          ram("StartDateTime", [day(delivery.from)]),
          ram("EndDateTime", [day(delivery.to)]),
        ])
      : null,
    ...invoice.allowances.map(allowanceOf),
    ram("SpecifiedTradePaymentTerms", [
      ram("Description", terms),
      ram("DueDateDateTime", dueDate === null ? null : [day(dueDate)]),
    ]),
    ram("SpecifiedTradeSettlementHeaderMonetarySummation", [
      money("LineTotalAmount", sums.lines),
      sums.allowances === 0n ? null : money("AllowanceTotalAmount", sums.allowances),
      money("TaxBasisTotalAmount", sums.withoutTax),
      money("TaxTotalAmount", sums.tax, { currencyID: currency }),
      invoice.taxInCurrency &&
        money("TaxTotalAmount", invoice.taxInCurrency.tax, { currencyID: invoice.taxInCurrency.code }),
      money("GrandTotalAmount", sums.total),
      money("DuePayableAmount", sums.total),
    ]),
    preceding &&
      ram("InvoiceReferencedDocument", [
        ram("IssuerAssignedID", preceding.number),
        ram("FormattedIssueDateTime", [day(preceding.issueDate, "qdt")]),
      ]),
  ]);
}

function taxRowOf({ category, rate, taxable, tax, reason }: TaxBreakdown): Child {
  return ram("ApplicableTradeTax", [
    money("CalculatedAmount", tax),
    ram("TypeCode", taxScheme),
    ram("ExemptionReason", reason.text),
    money("BasisAmount", taxable),
    ram("CategoryCode", category),
    ram("ExemptionReasonCode", reason.code),
    ram("RateApplicablePercent", rate),
  ]);
}

function allowanceOf(allowance: Allowance): Child {
  return ram("SpecifiedTradeAllowanceCharge", [
    ram("ChargeIndicator", [el("udt:Indicator", "false")]),
    money("ActualAmount", allowance.amount),
    ram("ReasonCode", discountCode),
    ram("Reason", allowance.reason),
    ram("CategoryTradeTax", taxOf(allowance)),
  ]);
}
