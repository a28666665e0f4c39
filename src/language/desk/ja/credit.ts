import type { credit as english } from "../en/credit.ts";
import type { TextsOf } from "../texts.ts";

export const credit: TextsOf<typeof english> = {
  creditNote: "クレジットノート",
  creditNotes: "クレジットノート",
  creditNoteNumberLabel: "クレジットノート番号",
  ofInvoice: "対象の請求書",
  creditSubject: "クレジットノート {number}（{merchant}）",
  creditHeading: "クレジットノート {number}",
  creditSentence: "{name} がこの金額を減額しました。",
  creditedAmount: "減額",
  creditStillDue: "請求書 {number} の未払い額は {amount} です。",
  creditNothingDue: "請求書 {number} の未払いはありません。",
  creditReturn: "このうち {amount} は支払い済みのため、{merchant} から返金されます。",
  creditInvoice: "減額する",
  creditInvoiceHeading: "請求書 {number} を減額",
  creditExplained:
    "クレジットノートは、請求書の全部または一部を取り消します。独自の番号を持ち、変更されることはありません。",
  creditByLines: "明細と数量",
  creditByAmounts: "または税込みの金額",
  creditAllLeft: "残りすべて：{amount}",
  creditAmountLeft: "最大 {amount}",
  creditCheck: "合計を確認",
  creditMake: "クレジットノートを作成",
  creditMailIt: "顧客にメールで送る",
  creditThenDue: "顧客の未払い額は {amount} になります。",
  creditThenNothing: "顧客の未払いはなくなります。",
  creditToReturn: "このうち {amount} は支払い済みです。顧客への返金はご自身で行ってください。",
  creditNotesNone: "クレジットノートはまだありません。請求書のページで作成できます。",
};
