import type { home as english } from "../en/home.ts";
import type { TextsOf } from "../texts.ts";

export const home: TextsOf<typeof english> = {
  newLink: "リンクを作成",
  greetMorning: "おはようございます、{name} さん",
  greetDay: "こんにちは、{name} さん",
  greetEvening: "こんばんは、{name} さん",

  receivedIn: "{month}の受取額",
  chartSays: "日ごとの受取額、{from}～{to}。最多は{day}の {amount} USDC。",
  chartEmpty: "{from}～{to}の受け取りはありません。",
  chartAsTable: "数値を表で見る",
  chartDay: "日付",
  dayAndAmount: "{day}：{amount} USDC",

  openNone: "未払いはありません",
  openCounted: "請求書：{count} 件",
  openSays: "請求書：{count} 件。次の期限は{day}",
  overdueTitle: "期限超過",
  overdueNone: "期限超過はありません",
  overdueSays: "請求書：{count} 件。最も古い期限は{day}",

  needsAttention: "対応が必要です",

  newestPayments: "最近の入金",
  paymentFrom: "支払元",
  allInvoices: "すべての請求書",
  paymentLink: "支払いリンク",
  stateConfirming: "承認中（{count} / {needed}）",
  stateFinalising: "確定待ち",

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
  paymentsNone: "お支払いがあると、数秒でここに表示されます。再読み込みは不要です。",

  storageBad: "データを保存できません",
  storageBadText:
    "データベースまたはディスクに問題があります。お支払いはチェーン上に残っており、復旧すると表示されます。",
  checkRuns: "データベースを確認しています",
  checkRunsText: "起動のたびに行う確認です。閲覧はできますが、終わるまで変更はできません。",
  chainLateText: "現在、チェーンを読み取れません。失われるものはなく、ノードが応答しだい入金が表示されます。",
  gasEmpty: "ガス代アカウントが空です",
  gasEmptyText: "{network} の ETH を少額補充するまで、振替も出金もできません。",
  gasLow: "ガス代アカウントの残高がわずかです",
  gasLowText: "振替できる回数の目安：{count} 回。{network} の ETH を少額補充してください。",
  moneyStuck: "移動できない資金があります",
  moneyStuckText:
    "入金の件数：{count}。資金は残っており、Till が移動を続けて試みます。理由をご確認ください。",
  wordsMissing: "リカバリーフレーズが控えられていません",
  wordsMissingText: "控えがないままサーバーが壊れると、ウォレットも失われます。",
  paymentOdd: "確認が必要な入金があります",
  paymentOddText:
    "ノードの情報が食い違っているか、資金の所在が帳簿と一致しません。発送の前にご確認ください。",
  mailMissing: "メールサーバーが設定されていません",
  mailMissingText:
    "請求書とリマインダーは 2 日間送信を待ち、その後は破棄されます。リンクはメールなしで使えます。",
  mailFails: "メールを送信できません",
  mailsWait: "送信待ちのメール：{count} 件。Till は 2 日間送信を試みます。メールサーバーの応答：{reason}",
  mailsGivenUp: "送信を断念したメール：{count} 件。メールサーバーの応答：{reason}",
  mailsUnknown: "届いたか不明なメール：{count} 件。メールサーバーの応答：{reason}",
  webhookFails: "Webhook が受信されていません",
  webhookFailsText: "直近 1 週間：{count} 件。Till が再送を試みます。断念した分も、もう一度送信できます。",
  invoicesOverdue: "期限超過の請求書：{count} 件",
  invoicesOverdueText: "{amount} USDC、最も古い期限は{day}。",

  showHealth: "状態を見る",
  showGasAddress: "アドレスを見る",
  showStuck: "理由を見る",
  showWords: "手順を見る",
  setUpMail: "設定する",
  showMails: "メールを見る",
  showWebhooks: "Webhook を見る",
};
