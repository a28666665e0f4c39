import type { books as english } from "../en/books.ts";
import type { TextsOf } from "../texts.ts";

/** Files for whoever keeps the books. */
export const books: TextsOf<typeof english> = {
  settingsBooks: "経理",
  settingsBooksText: "帳簿をつける人のためのファイル",
  booksTake: "ダウンロード",
  booksTakeText:
    "期間を選び、ファイルを選んでください。期間がなければすべてが入ります。どれも表計算ソフトで開けます。",
  booksInvoices: "請求書",
  booksItems: "明細",
  booksTaxes: "請求書ごとの税",
  booksTaxSums: "税の合計",
  booksPayments: "支払い",
  booksSettlements: "送金処理",
  booksFees: "ネットワーク手数料",
  booksValue:
    "各支払いに、{currency} でいくらだったか、その出所と時刻が記されます。誰にも分からなかったものは空欄です。",
  booksNoValue: "TILL_BOOKKEEPING_CURRENCY を EUR か USD に設定すると、各支払いに着金時の価値が記されます。",
  booksXero: "Xero",
  booksXeroText:
    "Xero のテンプレートの列に合わせた売上請求書です。クレジットノートはマイナスの行になります。Xero では「税抜」を選び、最初のクレジットノートがどう取り込まれたか確かめてください。勘定科目と各税の名前を、Xero の表示どおりに書いてください。クレジットノートのない無効な請求書は含まれません。USDC の請求書も、1 USDC を 1 USD とみなす設定がなければ含まれません。",
  booksAccount: "売上の勘定科目",
  booksNoTax: "税なし",
  booksFile: "Xero 用にダウンロード",
  didSaveBooks: "保存しました。",
  booksCodeFault: "Xero での名前を書いてください。",
};
