import type { customers as english } from "../en/customers.ts";
import type { TextsOf } from "../texts.ts";

export const customers: TextsOf<typeof english> = {
  customersLine: "これまでに請求した取引先です。",
  customersCaption: "取引先（直近の請求が新しい順）",
  searchCustomers: "取引先を検索",
  searchCustomersPlaceholder: "名前またはメールアドレス…",
  kindEverybody: "すべて",
  kindOwing: "未払いあり",
  columnLastInvoice: "最新の請求書",
  columnOwes: "未払い",
  columnPaidUsdc: "支払い済み（USDC）",
  openAmount: "未払い：{amount}",
  noCustomers: "取引先は自動的に追加されます",
  noCustomersText:
    "請求書を送った取引先が、支払い済みの金額と未払いの金額とともに一覧になります。手入力は不要です。",
  noCustomerFound: "「{query}」に一致する取引先はありません",
  noCustomerFoundText: "名前またはメールアドレスの先頭部分で検索できます。",
  nobodyOwes: "未払いの取引先はありません",
  nobodyOwesText: "請求書はすべて支払い済みか取消済みです。",
  showEverybody: "すべて表示",
  customerOpen: "未払い",
  customerPaid: "支払い済み",
  customerInvoices: "請求書",
  invoiceForThem: "請求書を作成",
  writeTo: "メールを書く",
};
