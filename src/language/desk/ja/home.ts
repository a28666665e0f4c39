import type { home as english } from "../en/home.ts";
import type { TextsOf } from "../texts.ts";

export const home: TextsOf<typeof english> = {
  newLink: "リンクを作成",
  newInvoice: "請求書を作成",
  greetMorning: "おはようございます、{name} さん",
  greetDay: "こんにちは、{name} さん",
  greetEvening: "こんばんは、{name} さん",
  greetNobody: "ホーム",

  receivedIn: "{month}の受取額",
  receivedToday: "今日",
  chartSays: "日ごとの受取額、{from}～{to}。最多は{day}の {amount} USDC。",
  chartEmpty: "{from}～{to}の受け取りはありません。",
  chartAsTable: "数値を表で見る",
  chartDay: "日付",
  dayAndAmount: "{day}：{amount} USDC",

  openTitle: "未払い",
  openNone: "未払いはありません",
  openCounted: "請求書：{count} 件",
  openSays: "請求書：{count} 件。次の期限は{day}",
  overdueTitle: "期限超過",
  overdueNone: "期限超過はありません",
  overdueSays: "請求書：{count} 件。最も古い期限は{day}",

  needsAttention: "対応が必要です",

  newestPayments: "最近の入金",
  paymentFrom: "支払元",
  paymentState: "状態",
  paymentWhen: "日時",
  allInvoices: "すべての請求書",
  paymentLink: "支払いリンク",
  counterPayment: "レジ",
  stateConfirming: "承認中（{count} / {needed}）",
  stateFinalising: "確定待ち",
  stateConfirmed: "承認済み",

  welcome: "ようこそ、{name} さん",
  welcomeNobody: "ようこそ",
  firstSteps: "次の手順で、最初のお支払いを受け取ってみましょう。",
  stepDone: "完了",
  stepProfile: "請求元の情報を入力する",
  stepProfileText: "名前、住所、メールアドレスが、これからのすべての請求書に記載されます。",
  stepProfileDo: "入力する",
  stepInvoice: "最初の請求書を作成する",
  stepInvoiceText: "自分宛てに送り、1.00 USDC を支払って、入金されるところを確かめましょう。",
  stepWords: "リカバリーフレーズを控える",
  stepWordsText: "サーバーが壊れても、ウォレットを復元できます。",
  stepWordsDo: "手順を見る",
  paymentsTitle: "入金",
  paymentsNone: "お支払いがあると、数秒でここに表示されます。再読み込みは不要です。",

  didSignIn: "サインインしました。",
};
