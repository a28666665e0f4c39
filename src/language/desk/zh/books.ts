import type { books as english } from "../en/books.ts";
import type { TextsOf } from "../texts.ts";

/** Files for whoever keeps the books. */
export const books: TextsOf<typeof english> = {
  settingsBooks: "记账",
  settingsBooksText: "给记账人员的文件",
  booksTake: "下载",
  booksTakeText: "先选日期，再选文件。不选日期则包含全部。每个文件都可以用电子表格打开。",
  booksInvoices: "账单",
  booksItems: "明细",
  booksTaxes: "每张账单的税",
  booksTaxSums: "税额合计",
  booksPayments: "付款",
  booksSettlements: "归集",
  booksFees: "网络费用",
  booksValue: "每笔付款都注明当时值多少 {currency}、由谁提供以及时间。没有人知道的留空。",
  booksNoValue: "将 TILL_BOOKKEEPING_CURRENCY 设为 EUR 或 USD，每笔付款就会注明到账时的价值。",
  booksXero: "Xero",
  booksXeroText:
    "按 Xero 模板各列写出的销售账单，贷记单为负数行：在 Xero 中请选择“不含税”，并检查第一张贷记单导入后的结果。请按 Xero 中显示的原样填写科目和每种税的名称。没有贷记单的作废账单不包括在内；以 USDC 计价的也不包括，除非您设定 1 USDC 等于 1 USD。",
  booksAccount: "销售科目",
  booksNoTax: "无税",
  booksFile: "下载 Xero 文件",
  didSaveBooks: "已保存。",
  booksCodeFault: "请填写它在 Xero 中的名称。",
};
