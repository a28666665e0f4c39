import type { customers as english } from "../en/customers.ts";
import type { TextsOf } from "../texts.ts";

export const customers: TextsOf<typeof english> = {
  customersLine: "您开过账单的所有客户。",
  customersCaption: "客户，按最近开账单的时间排序",
  searchCustomers: "搜索客户",
  searchCustomersPlaceholder: "名称或邮箱…",
  kindEverybody: "全部",
  kindOwing: "有欠款",
  columnLastInvoice: "最近账单",
  columnOwes: "未付款",
  columnPaidUsdc: "已付款（USDC）",
  openAmount: "未付款：{amount}",
  noCustomers: "客户会自动出现在这里",
  noCustomersText: "您发送过账单的客户都会列在这里，并显示已付和未付的金额。无需手动维护。",
  noCustomerFound: "未找到“{query}”",
  noCustomerFoundText: "可按名称或邮箱地址的开头搜索。",
  nobodyOwes: "没有客户欠款",
  nobodyOwesText: "所有账单均已付款或作废。",
  showEverybody: "显示全部",
  customerOpen: "未付款",
  customerPaid: "累计已付款",
  customerInvoices: "账单",
  invoiceForThem: "新建账单",
  writeTo: "写邮件",
};
