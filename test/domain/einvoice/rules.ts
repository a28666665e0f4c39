import { all, first, type Node, parseXml } from "./xml-tree.ts";

/**
 * The business rules of EN 16931 that an e-invoice of Till's can break, read from its CII by other means than those that
 * wrote it. Each answers with the number of the rule. Amounts are in ten-thousandths.
 */

const settlementPath = "CrossIndustryInvoice/SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement";
const linePath = "CrossIndustryInvoice/SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem";
const agreementPath = "CrossIndustryInvoice/SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement";

const unit = 10_000n;

/** Null for what is no decimal; NaN-like values make every comparison false. */
function decimal(text: string | null, digits = 4): bigint {
  const [, sign, whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text ?? "") ?? [];
  if (sign === undefined || fraction.length > digits) return -(10n ** 30n);
  return BigInt(`${sign}${whole}${fraction.padEnd(digits, "0")}`);
}

const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const near = (one: bigint, other: bigint, by: bigint) => one - other <= by && other - one <= by;

export function brokenRules(xml: string): string[] {
  const root = parseXml(xml);
  const broken = new Set<string>();
  const rule = (id: string, holds: boolean) => void (holds || broken.add(id));
  const has = (node: Node, path: string) => (first(node, path) ?? "") !== "";

  const [settlement] = all(root, settlementPath);
  const [agreement] = all(root, agreementPath);
  const [document] = all(root, "CrossIndustryInvoice/ExchangedDocument");
  const [seller] = agreement ? all(agreement, "SellerTradeParty") : [];
  const [buyer] = agreement ? all(agreement, "BuyerTradeParty") : [];
  if (!settlement || !document || !seller || !buyer) return ["structure"];
  const lines = all(root, linePath);
  const rows = all(settlement, "ApplicableTradeTax");
  const allowances = all(settlement, "SpecifiedTradeAllowanceCharge");
  const [sums] = all(settlement, "SpecifiedTradeSettlementHeaderMonetarySummation");
  if (!sums) return ["structure"];

  const context =
    "CrossIndustryInvoice/ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID";
  rule("BR-1", first(root, context) === "urn:cen.eu:en16931:2017");
  rule("BR-2", has(document, "ID"));
  rule("BR-3", /^\d{8}$/.test(first(document, "IssueDateTime/DateTimeString") ?? ""));
  rule("BR-4", ["380", "381"].includes(first(document, "TypeCode") ?? ""));
  rule("BR-5", /^[A-Z]{3}$/.test(first(settlement, "InvoiceCurrencyCode") ?? ""));
  rule("BR-6", has(seller, "Name"));
  rule("BR-7", has(buyer, "Name"));
  rule("BR-9", /^[A-Z]{2}$/.test(first(seller, "PostalTradeAddress/CountryID") ?? ""));
  rule("BR-11", /^[A-Z]{2}$/.test(first(buyer, "PostalTradeAddress/CountryID") ?? ""));
  rule("BR-16", lines.length > 0);
  rule(
    "BR-62",
    [seller, buyer].every(
      (party) => all(party, "URIUniversalCommunication/URIID")[0]?.attributes["schemeID"],
    ),
  );

  const amount = (path: string) => decimal(first(sums, path) ?? "0.00", 4);
  const allowed = sum(allowances.map((each) => decimal(first(each, "ActualAmount"))));
  const nets = lines.map((each) => decimal(first(each, `${lineSettlement}/${lineSum}`)));
  rule("BR-CO-10", amount("LineTotalAmount") === sum(nets));
  rule("BR-CO-11", amount("AllowanceTotalAmount") === allowed);
  rule(
    "BR-CO-13",
    amount("TaxBasisTotalAmount") === amount("LineTotalAmount") - amount("AllowanceTotalAmount"),
  );
  rule(
    "BR-CO-14",
    amount("TaxTotalAmount") === sum(rows.map((row) => decimal(first(row, "CalculatedAmount")))),
  );
  rule("BR-CO-15", amount("GrandTotalAmount") === amount("TaxBasisTotalAmount") + amount("TaxTotalAmount"));
  rule("BR-CO-16", amount("DuePayableAmount") === amount("GrandTotalAmount"));
  rule("BR-CO-18", rows.length > 0);
  const currency = first(settlement, "InvoiceCurrencyCode");
  const taxCurrency = first(settlement, "TaxCurrencyCode");
  rule(
    "BR-53",
    all(sums, "TaxTotalAmount")
      .map(({ attributes }) => attributes["currencyID"])
      .join() === [currency, taxCurrency].filter(Boolean).join(),
  );
  const terms = "SpecifiedTradePaymentTerms";
  rule(
    "BR-CO-25",
    has(settlement, `${terms}/DueDateDateTime/DateTimeString`) || has(settlement, `${terms}/Description`),
  );
  rule(
    "BR-49",
    all(settlement, "SpecifiedTradeSettlementPaymentMeans").every((each) => has(each, "TypeCode")),
  );

  const vatIds = (party: Node) =>
    all(party, "SpecifiedTaxRegistration/ID").filter(({ attributes }) => attributes["schemeID"] === "VA");
  const taxIds = all(seller, "SpecifiedTaxRegistration/ID");
  rule(
    "BR-CO-9",
    [seller, buyer].every((party) => vatIds(party).every(({ text }) => /^[A-Z]{2}\S+$/.test(text))),
  );
  const isNamed =
    has(seller, "ID") || has(seller, "SpecifiedLegalOrganization/ID") || vatIds(seller).length > 0;
  rule("BR-CO-26", isNamed);

  for (const line of lines) {
    const quantity = decimal(first(line, "SpecifiedLineTradeDelivery/BilledQuantity"), 6);
    const price = decimal(
      first(line, "SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount"),
      10,
    );
    rule("BR-21", has(line, "AssociatedDocumentLineDocument/LineID"));
    rule("BR-22", quantity !== 0n);
    rule("BR-23", unitOf(line) !== "");
    rule("BR-25", has(line, "SpecifiedTradeProduct/Name"));
    rule("BR-27", price >= 0n);
    const off = all(line, `${lineSettlement}/SpecifiedTradeAllowanceCharge`);
    for (const each of off) rule("BR-41", decimal(first(each, "ActualAmount")) > 0n);
    for (const each of off) rule("BR-42", has(each, "ReasonCode") || has(each, "Reason"));
    const size = quantity < 0n ? -quantity : quantity;
    const cents = (2n * size * price * 100n + 10n ** 16n) / (2n * 10n ** 16n);
    const whole = quantity < 0n ? -cents : cents;
    const net = decimal(first(line, `${lineSettlement}/${lineSum}`));
    rule("BT-131", net === whole * 100n - sum(off.map((each) => decimal(first(each, "ActualAmount")))));
  }

  const taxedAs = (node: Node, path: string) =>
    `${first(node, `${path}CategoryCode`)} ${first(node, `${path}RateApplicablePercent`) ?? ""}`;
  for (const each of allowances) rule("BR-33", has(each, "Reason") || has(each, "ReasonCode"));
  const lineTaxes = lines.map((line) => taxedAs(line, `${lineSettlement}/ApplicableTradeTax/`));
  const shareTaxes = allowances.map((each) => taxedAs(each, "CategoryTradeTax/"));
  const rowTaxes = rows.map((row) => taxedAs(row, ""));
  for (const each of new Set([...lineTaxes, ...shareTaxes]))
    rule(`BR-${prefixOf(each)}-1`, rowTaxes.filter((row) => row === each).length === 1);
  for (const [i, row] of rows.entries()) {
    const name = rowTaxes[i] ?? "";
    const [category = "", rate = ""] = name.split(" ");
    const prefix = prefixOf(name);
    const basis = decimal(first(row, "BasisAmount"));
    const tax = decimal(first(row, "CalculatedAmount"));
    const ofLines = sum(nets.filter((_, at) => lineTaxes[at] === name));
    const ofShares = sum(
      allowances
        .filter((_, at) => shareTaxes[at] === name)
        .map((each) => decimal(first(each, "ActualAmount"))),
    );
    rule(`BR-${prefix}-8`, basis === ofLines - ofShares);
    // Of prices with tax a cent is left where no price without tax gives them.
    const exact = (2n * basis * decimal(rate || "0") + 1_000_000n * 100n) / (2n * 1_000_000n * 100n);
    rule("BR-CO-17", near(tax, exact * 100n, unit / 100n));
    const hasReason = has(row, "ExemptionReason") || has(row, "ExemptionReasonCode");
    rule(`BR-${prefix}-10`, (category === "S" || category === "Z") !== hasReason);
    if (category === "S") rule("BR-S-5", decimal(rate || "0") > 0n);
    else if (category === "O") rule("BR-O-5", rate === "");
    else {
      rule(`BR-${prefix}-5`, rate !== "" && decimal(rate) === 0n);
      rule(`BR-${prefix}-9`, tax === 0n);
    }
    if (category === "O") {
      rule("BR-O-2", vatIds(seller).length === 0 && vatIds(buyer).length === 0);
      rule("BR-O-9", tax === 0n);
      rule("BR-O-11", rows.length === 1);
    } else rule(`BR-${prefix}-2`, category === "G" ? vatIds(seller).length > 0 : taxIds.length > 0);
    if (category === "K") {
      rule("BR-IC-2", vatIds(seller).length > 0 && vatIds(buyer).length > 0);
      const delivered = "CrossIndustryInvoice/SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery/";
      rule(
        "BR-IC-11",
        has(root, `${delivered}ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString`) ||
          has(settlement, "BillingSpecifiedPeriod/StartDateTime/DateTimeString"),
      );
      rule("BR-IC-12", has(root, `${delivered}ShipToTradeParty/PostalTradeAddress/CountryID`));
    }
    if (category === "AE")
      rule("BR-AE-2", vatIds(buyer).length > 0 || has(buyer, "SpecifiedLegalOrganization/ID"));
  }

  const amounts = [...xml.matchAll(/<ram:(\w*Amount)\b[^>]*>([^<]*)</g)].filter(
    ([, name]) => name !== "ChargeAmount",
  );
  rule(
    "BR-DEC",
    amounts.every(([, , text]) => /^-?\d+\.\d{2}$/.test(text ?? "")),
  );
  for (const each of all(settlement, "InvoiceReferencedDocument"))
    rule("BR-55", has(each, "IssuerAssignedID"));
  rule(
    "BG-3",
    (first(document, "TypeCode") === "381") === has(settlement, "InvoiceReferencedDocument/IssuerAssignedID"),
  );
  return [...broken].sort();
}

const lineSettlement = "SpecifiedLineTradeSettlement";
const lineSum = "SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount";
const unitOf = (line: Node) =>
  all(line, "SpecifiedLineTradeDelivery/BilledQuantity")[0]?.attributes["unitCode"] ?? "";
const prefixOf = (taxedAs: string) => taxedAs.split(" ")[0] ?? "";
