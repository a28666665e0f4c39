import type { TradeTexts } from "./en.ts";

export const trade: TradeTexts = {
  vatId: "增值税号",
  taxId: "税号",
  registration: "注册号",
  contactPerson: "联系人",
  phone: "电话",
  paymentTerms: "付款条件",
  deliveryDate: "交付日期",
  deliveryPeriod: "服务期间",
  buyerReference: "买方参考号",
  purchaseOrder: "采购订单号",
  taxOn: "税率 {rate}%，计税金额 {amount}",
  taxIncluded: "含税，税率 {rate}%，计税金额 {amount}",
  taxZero: "零税率，金额 {amount}",
  taxExempt: "免税：{amount}",
  taxReverse: "反向征收，由客户缴税：{amount}",
  taxExport: "出口，不征税：{amount}",
  taxOutside: "不属于征税范围：{amount}",
  lineDiscount: "减 {discount}",
  percentage: "{percent}%",
  taxShort: "税率 {rate}%",
};
