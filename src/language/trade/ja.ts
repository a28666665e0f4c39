import type { TradeTexts } from "./en.ts";

export const trade: TradeTexts = {
  vatId: "VAT番号",
  taxId: "税務番号",
  registration: "登記番号",
  contactPerson: "担当者",
  phone: "電話番号",
  paymentTerms: "支払条件",
  deliveryDate: "納品日",
  deliveryPeriod: "提供期間",
  buyerReference: "購入者の照会番号",
  purchaseOrder: "注文番号",
  taxOn: "消費税 {rate}%（対象 {amount}）",
  taxIncluded: "内消費税 {rate}%（対象 {amount}）",
  taxZero: "消費税 0%（対象 {amount}）",
  taxExempt: "非課税: {amount}",
  taxReverse: "リバースチャージ（納税義務は取引先）: {amount}",
  taxExport: "輸出免税: {amount}",
  taxOutside: "不課税: {amount}",
  lineDiscount: "割引 {discount}",
  percentage: "{percent}%",
  taxShort: "消費税 {rate}%",
};
